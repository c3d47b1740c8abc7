#version 450
//= 1.0 2.0 3.0 4.0 -> 1.0 4.0 2.0 5.0
//= -2.5 0.5 0.25 -8.0 -> -2.5 -8.0 0.5 5.0
//= 0.0 16.0 -1.5 3.25 -> 0.0 3.25 16.0 5.0
//= -0.75 -4.0 9.0 1.0 -> -0.75 1.0 -4.0 5.0
layout(location = 0) in vec4 v;
layout(location = 0) out vec4 c;
void main() {
    mat2x3 m = mat2x3(v.x, v.y, v.z, v.w, 5.0, 6.0); mat3x2 t = transpose(m); c = vec4(t[0], t[1]);
}
