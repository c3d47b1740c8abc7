#version 450
//= 1.0 2.0 3.0 4.0 -> 1.0 -2.0 -3.0 -4.0
//= -2.5 0.5 0.25 -8.0 -> -2.5 -0.5 -0.25 8.0
//= 0.0 16.0 -1.5 3.25 -> 0.0 -16.0 1.5 -3.25
//= -0.75 -4.0 9.0 1.0 -> -0.75 4.0 -9.0 -1.0
layout(location = 0) in vec4 v;
layout(location = 0) out vec4 c;
void main() {
    c = vec4(reflect(v.xy, vec2(0.0, 1.0)), faceforward(v.zw, vec2(0.0, 1.0), vec2(0.0, 1.0)));
}
