#version 450
//: lacks InterpolateAtSample
layout(location = 0) in vec4 v;
layout(location = 0) out vec4 c;
void main() { c = interpolateAtSample(v, 1); }
