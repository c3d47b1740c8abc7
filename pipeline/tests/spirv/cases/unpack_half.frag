#version 450
//= 1006682112 1207973205 0 0 -> -2.0 1.0 0.333251953125 8.0
//= 2080309249 67155968 0 0 -> 5.960464477539063e-08 65504.0 -0.5 6.103515625e-05
layout(location = 0) flat in uvec4 n;
layout(location = 0) out vec4 c;
void main() {
    c = vec4(unpackHalf2x16(n.x), unpackHalf2x16(n.y));
}
