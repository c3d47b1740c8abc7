#version 450
layout(set = 0, binding = 0, input_attachment_index = 0) uniform subpassInput before;
layout(set = 0, binding = 1, input_attachment_index = 1) uniform subpassInputMS samples;
layout(location = 0) out vec4 color;
void main() { color = vec4(subpassLoad(before).rg, subpassLoad(samples, 3).r, 1.0); }
