#version 450
#extension GL_EXT_fragment_invocation_density : require
//: lacks the built-in input FragSizeEXT
layout(location = 0) out ivec4 color;
void main() { color = ivec4(gl_FragSizeEXT, 0, 0); }
