#version 450
//: lacks an array of 1D images
layout(set = 0, binding = 0) uniform sampler1DArray t;
layout(location = 0) out vec4 c;
void main() { c = texture(t, vec2(0.5)); }
