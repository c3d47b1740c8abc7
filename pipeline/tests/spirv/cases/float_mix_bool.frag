#version 450
//= 1.0 2.0 3.0 4.0 -> 1.0 2.0 3.0 4.0
//= -2.5 0.5 0.25 -8.0 -> 7.0 7.0 7.0 7.0
//= 0.0 16.0 -1.5 3.25 -> 7.0 16.0 7.0 3.25
//= -0.75 -4.0 9.0 1.0 -> 7.0 7.0 9.0 1.0
layout(location = 0) in vec4 v;
layout(location = 0) out vec4 c;
void main() {
    c = mix(v, vec4(7.0), lessThan(v, vec4(1.0)));
}
