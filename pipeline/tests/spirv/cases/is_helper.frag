#version 450
//: buffer 0.0 = 1 2
//= 9 2 3 4 -> 0 0 3 4
//= 1 2 3 4 -> - - - -
#extension GL_EXT_demote_to_helper_invocation : require
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
layout(set = 0, binding = 0) buffer B { int a[2]; } b;
void main() { bool before = helperInvocationEXT(); for (int i = 0; i < 3; ++i) { if (i == n.x) demote; } r = ivec4(before, helperInvocationEXT(), n.zw); }
