#version 450
//= 1 2 3 4 -> 0 0 1 0
//= 4294967291 7 0 9 -> 536870911 0 0 9
//= 12 2147483648 8 1 -> 1 1 4 1
//= 0 0 0 0 -> 0 0 0 0
//= 4294967295 4294967295 40 6 -> 536870911 1 20 6
layout(location = 0) flat in uvec4 n;
layout(location = 0) out uvec4 r;
void main() {
    r = uvec4(n.x >> 3u, n.y >> 31u, n.z >> 1u, n.w >> (n.z & 3u));
}
