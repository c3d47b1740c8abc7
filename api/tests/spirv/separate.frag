#version 450
layout(set = 0, binding = 0) uniform texture2D image;
layout(set = 0, binding = 1) uniform sampler filtering;
layout(location = 0) out vec4 color;
void main() { color = textureLod(sampler2D(image, filtering), vec2(1.25, 0.5), 0.0); }
