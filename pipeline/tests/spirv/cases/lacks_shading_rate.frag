#version 450
#extension GL_EXT_fragment_shading_rate : require
//: lacks the built-in input ShadingRateKHR
layout(location = 0) out ivec4 color;
void main() { color = ivec4(gl_ShadingRateEXT); }
