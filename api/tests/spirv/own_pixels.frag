#version 450
layout(set = 0, binding = 0, input_attachment_index = 0) uniform subpassInput own;
layout(location = 0) out vec4 color;
// One sixteenth of 256 more than there is.
void main() { color = subpassLoad(own) + vec4(16.0, 1.0, 0.0, 0.0) / 255.0; }
