#version 450
//= 1 2 ; 3 ; 4 -> 1 2 3 4
layout(location = 0) in Block { flat ivec2 a; flat int b[2]; } i;
layout(location = 0) out ivec4 r;
void main() { r = ivec4(i.a, i.b[0], i.b[1]); }
