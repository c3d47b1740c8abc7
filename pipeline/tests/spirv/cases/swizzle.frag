#version 450
//= 1.0 2.0 3.0 4.0 -> 1.0 4.0 3.0 1.0
//= -2.5 0.5 0.25 -8.0 -> -2.5 -8.0 0.25 -2.5
//= 0.0 16.0 -1.5 3.25 -> 0.0 3.25 -1.5 0.0
//= -0.75 -4.0 9.0 1.0 -> -0.75 1.0 9.0 -0.75
layout(location = 0) in vec4 v;
layout(location = 0) out vec4 c;
void main() {
    c = v.wxzy; c.xy = c.yx; c.w = v.x;
}
