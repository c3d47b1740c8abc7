#version 450
//= 1.0 2.0 3.0 4.0 -> 5.0 0.0 0.0 8.0
//= -2.5 0.5 0.25 -8.0 -> -2.0 0.0 0.0 -16.0
//= 0.0 16.0 -1.5 3.25 -> 3.0 0.0 0.0 6.5
//= -0.75 -4.0 9.0 1.0 -> 1.5 0.0 0.0 2.0
layout(location = 0) in vec4 v;
layout(location = 0) out vec4 c;
void main() {
    mat2 m = matrixCompMult(mat2(v.x, v.y, v.z, v.w), mat2(2.0)); c = vec4(m[0], m[1]) + vec4(mat2(3.0)[0], 0.0, 0.0);
}
