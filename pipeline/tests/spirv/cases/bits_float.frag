#version 450
//= 1065353216 3221225472 1078530011 0 -> 1.0 -2.0 3.1415927410125732 0.0
//= 1048576000 1092616192 3204448256 1120403456 -> 0.25 10.0 -0.5 100.0
layout(location = 0) flat in uvec4 n;
layout(location = 0) out vec4 c;
void main() {
    c = uintBitsToFloat(n);
}
