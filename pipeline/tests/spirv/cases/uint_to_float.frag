#version 450
//= 1 2 3 4 -> 1.0 2.0 3.0 4.0
//= 16777215 7 0 9 -> 16777215.0 7.0 0.0 9.0
//= 2147483648 12 8 1 -> 2147483648.0 12.0 8.0 1.0
layout(location = 0) flat in uvec4 n;
layout(location = 0) out vec4 c;
void main() {
    c = vec4(n);
}
