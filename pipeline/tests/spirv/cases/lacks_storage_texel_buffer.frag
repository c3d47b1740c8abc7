#version 450
//: lacks a texel buffer
layout(set = 0, binding = 0, r32f) uniform imageBuffer t;
layout(location = 0) out vec4 c;
void main() { c = imageLoad(t, 1); }
