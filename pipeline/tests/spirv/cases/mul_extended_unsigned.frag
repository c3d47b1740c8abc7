#version 450
//= 1 2 3 4 -> 0 2 0 1
//= 4294967291 7 0 9 -> 6 4294967261 0 1
//= 12 2147483648 8 1 -> 6 0 0 1
//= 0 0 0 0 -> 0 0 0 1
//= 4294967295 4294967295 40 6 -> 4294967294 1 0 1
layout(location = 0) flat in uvec4 n;
layout(location = 0) out uvec4 r;
void main() {
    uint h, l; umulExtended(n.x, n.y, h, l); r = uvec4(h, l, 0, 1);
}
