#version 450
//= 1 2 3 4 -> 0 1 0 2
//= 4294967291 7 0 9 -> 613566755 6 0 7
//= 12 2147483648 8 1 -> 1 5 214748364 648
//= 0 0 0 0 -> 0 0 0 0
//= 4294967295 4294967295 40 6 -> 613566756 3 429496729 295
layout(location = 0) flat in uvec4 n;
layout(location = 0) out uvec4 r;
void main() {
    r = uvec4(n.x / 7u, n.x % 7u, n.y / 10u, n.y % 1000u);
}
