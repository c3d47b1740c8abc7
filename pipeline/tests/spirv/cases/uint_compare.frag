#version 450
//= 1 2 3 4 -> 1 1 0 0
//= 4294967291 7 0 9 -> 0 0 0 0
//= 12 2147483648 8 1 -> 1 0 1 1
//= 0 0 0 0 -> 0 1 0 1
//= 4294967295 4294967295 40 6 -> 0 0 1 1
layout(location = 0) flat in uvec4 n;
layout(location = 0) out uvec4 r;
void main() {
    r = uvec4(n.x < n.y, n.x <= n.z, n.y > n.w, n.z >= n.w);
}
