#version 450
//= 1.0 2.0 3.0 4.0 -> -2.0 8.0 3.0 2.0
//= -2.5 0.5 0.25 -8.0 -> 19.875 8.0 0.25 0.5
//= 0.0 16.0 -1.5 3.25 -> 24.0 8.0 -1.5 16.0
//= -0.75 -4.0 9.0 1.0 -> 35.25 8.0 9.0 -4.0
layout(location = 0) in vec4 v;
layout(location = 0) out vec4 c;
void main() {
    mat2 m = mat2(v.x, v.y, v.z, v.w); c = vec4(determinant(m), determinant(mat3(2.0)), m[1][0], m[0].y);
}
