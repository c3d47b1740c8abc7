#version 450
layout(set = 0, binding = 0, input_attachment_index = 0) uniform subpassInputMS own;
layout(location = 0) out vec4 color;
void main() { color = subpassLoad(own, 2) + vec4(16.0, 1.0, 0.0, 0.0) / 255.0; }
