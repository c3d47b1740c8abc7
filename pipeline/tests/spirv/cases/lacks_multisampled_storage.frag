#version 450
//: lacks a multisampled storage image
layout(set = 0, binding = 0, rgba8) uniform image2DMS samples;
layout(location = 0) out vec4 color;
void main() { color = imageLoad(samples, ivec2(1), 2); }
