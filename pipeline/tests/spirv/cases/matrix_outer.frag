#version 450
//= 1.0 2.0 3.0 4.0 -> 3.0 6.0 4.0 8.0
//= -2.5 0.5 0.25 -8.0 -> -0.625 0.125 20.0 -4.0
//= 0.0 16.0 -1.5 3.25 -> -0.0 -24.0 0.0 52.0
//= -0.75 -4.0 9.0 1.0 -> -6.75 -36.0 -0.75 -4.0
layout(location = 0) in vec4 v;
layout(location = 0) out vec4 c;
void main() {
    mat2 m = outerProduct(v.xy, v.zw); c = vec4(m[0], m[1]);
}
