#version 450
//: lacks an offset from a member of an input
layout(location = 0) in Block { vec4 v; } block;
layout(location = 0) out vec4 c;
void main() { c = interpolateAtOffset(block.v, vec2(0.25)); }
