#version 450
//: lacks SamplePosition
layout(location = 0) out vec4 c;
void main() { c = vec4(gl_SamplePosition, 0.0, 0.0); }
