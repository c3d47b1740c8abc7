#version 450
//: const 9 = 0.5
//= 1.0 2.0 3.0 4.0 -> 0.5 1.0 1.5 2.0
//= -2.5 0.5 0.25 -8.0 -> -1.25 0.25 0.125 -4.0
//= 0.0 16.0 -1.5 3.25 -> 0.0 8.0 -0.75 1.625
//= -0.75 -4.0 9.0 1.0 -> -0.375 -2.0 4.5 0.5
layout(location = 0) in vec4 v;
layout(location = 0) out vec4 c;
layout(constant_id = 9) const float k = 3.0;
void main() {
    c = v * k;
}
