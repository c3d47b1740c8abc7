#version 450
//= 1 2 3 4 -> 1 4 2 2
//= 4294967291 7 0 9 -> 7 9 500 4294967291
//= 12 2147483648 8 1 -> 12 8 12 2147483648
//= 0 0 0 0 -> 0 0 2 0
//= 4294967295 4294967295 40 6 -> 4294967295 40 500 4294967295
layout(location = 0) flat in uvec4 n;
layout(location = 0) out uvec4 r;
void main() {
    r = uvec4(min(n.x, n.y), max(n.z, n.w), clamp(n.x, 2u, 500u), max(n.x, n.y));
}
