#version 450
//= 1 2 3 4 -> 1 0 0 0
//= 4294967291 7 0 9 -> 9 0 0 0
//= 12 2147483648 8 1 -> 1 0 0 0
//= 0 0 0 0 -> 0 0 0 0
//= 4294967295 4294967295 40 6 -> 2 0 0 0
layout(location = 0) flat in uvec4 n;
layout(location = 0) out uvec4 r;
void main() {
    uint a = n.z, b = n.w; while (b != 0u) { uint t = a % b; a = b; b = t; } r = uvec4(a, 0, 0, 0);
}
