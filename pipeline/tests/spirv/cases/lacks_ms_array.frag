#version 450
//: lacks an array of multisampled images
layout(set = 0, binding = 0) uniform sampler2DMSArray t;
layout(location = 0) out vec4 c;
void main() { c = texelFetch(t, ivec3(0), 1); }
