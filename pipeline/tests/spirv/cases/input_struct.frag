#version 450
//= 7 ; 8 9 -> 7 8 9 1
struct S { int a; ivec2 b; };
layout(location = 2) flat in S s;
layout(location = 0) out ivec4 r;
void main() { r = ivec4(s.a, s.b, 1); }
