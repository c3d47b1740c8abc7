#version 450
//= 1 2 3 4 -> 6 2 3 4
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
void main() { r = ivec4(gl_HelperInvocation ? 5 : 6, n.yzw); }
