#version 450
//= 0.5 1.5 2.5 3.5 -> 0.0 2.0 2.0 4.0
//= -0.75 -1.5 2.25 7.75 -> -1.0 -2.0 2.0 8.0
//= 1.0 -3.0 4.5 6.25 -> 1.0 -3.0 4.0 6.0
layout(location = 0) in vec4 v;
layout(location = 0) out vec4 c;
void main() {
    c = roundEven(v);
}
