#version 450
//= 1 2 3 4 -> 0 0 0 0
//= 4294967291 7 0 9 -> 0 0 0 0
//= 12 2147483648 8 1 -> 2 0 0 0
//= 0 0 0 0 -> 3 0 0 0
//= 4294967295 4294967295 40 6 -> 1 0 0 0
layout(location = 0) flat in uvec4 n;
layout(location = 0) out uvec4 r;
void main() {
    uint s = 0u; switch (n.x) { case 0xffffffffu: s = 1u; break; case 12u: s = 2u; break; case 0u: s = 3u; } r = uvec4(s, 0, 0, 0);
}
