#version 450
//: lacks a texel buffer
layout(set = 0, binding = 0) uniform samplerBuffer t;
layout(location = 0) out vec4 c;
void main() { c = texelFetch(t, 1); }
