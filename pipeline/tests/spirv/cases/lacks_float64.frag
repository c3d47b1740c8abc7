#version 450
//: lacks the type f64
layout(location = 0) out vec4 c;
void main() { double d = double(gl_FragCoord.x); c = vec4(float(d * d)); }
