#version 450
//= 1 2 3 ; 4 ; 5 -> 1 2 3 20
//= -1 0 7 ; 2 ; -3 -> -1 0 7 -6
layout(location = 0) flat in ivec2 a;
layout(location = 0, component = 2) flat in int b;
layout(location = 1) flat in int c[2];
layout(location = 0) out ivec4 r;
void main() { r = ivec4(a, b, c[0] * c[1]); }
