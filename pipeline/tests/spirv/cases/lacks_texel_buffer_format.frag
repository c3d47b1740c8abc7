#version 450
#extension GL_EXT_shader_image_load_formatted : require
//: lacks a storage texel buffer without a format
layout(set = 0, binding = 0) uniform imageBuffer texels;
layout(location = 0) out vec4 color;
void main() { color = imageLoad(texels, 3); }
