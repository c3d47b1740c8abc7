#version 450
#extension GL_EXT_shader_image_int64 : require
#extension GL_ARB_gpu_shader_int64 : require
//: lacks an image of 64-bit integers
layout(set = 0, binding = 0, r64ui) uniform u64image2D image;
layout(location = 0) out uvec4 color;
void main() { color = uvec4(imageLoad(image, ivec2(0))); }
