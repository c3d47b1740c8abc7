#version 450
//: lacks InterpolateAtOffset
layout(location = 0) in vec4 v;
layout(location = 0) out vec4 c;
void main() { c = interpolateAtOffset(v, vec2(0.25)); }
