#version 450
//= 1.0 2.0 3.0 ; 4.0 5.0 6.0 -> 5.0 7.0 9.0 6.0
layout(location = 0) in mat2x3 m;
layout(location = 0) out vec4 c;
void main() { c = vec4(m[0] + m[1], m[1].z); }
