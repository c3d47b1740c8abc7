#version 450
//= 1 2 3 4 -> 3 0 4294967295 1
//= 4294967291 7 0 9 -> 2 1 4294967284 0
//= 12 2147483648 8 1 -> 2147483660 0 2147483660 1
//= 0 0 0 0 -> 0 0 0 0
//= 4294967295 4294967295 40 6 -> 4294967294 1 0 0
layout(location = 0) flat in uvec4 n;
layout(location = 0) out uvec4 r;
void main() {
    uint c, b; uint s = uaddCarry(n.x, n.y, c); uint d = usubBorrow(n.x, n.y, b); r = uvec4(s, c, d, b);
}
