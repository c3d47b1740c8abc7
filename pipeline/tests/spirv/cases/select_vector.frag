#version 450
//= 1 2 3 4 -> 1 2 2 1
//= -5 7 0 9 -> -5 0 0 -5
//= 12 -3 8 1 -> 1 -3 -3 1
//= 0 0 0 0 -> 0 0 0 0
//= -1 -1 40 6 -> -1 -1 -1 -1
//= 33 2 -9 -2 -> -2 2 -9 -2
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
void main() {
    r = mix(n, n.wzyx, greaterThan(n, ivec4(2)));
}
