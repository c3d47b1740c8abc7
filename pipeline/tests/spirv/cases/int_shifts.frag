#version 450
//= 1 2 3 4 -> 8 0 32 1
//= -5 7 0 9 -> -40 -2 14 0
//= 12 -3 8 1 -> 96 3 -6 4
//= 0 0 0 0 -> 0 0 0 0
//= -1 -1 40 6 -> -8 -1 -64 20
//= 33 2 -9 -2 -> 264 8 128 -5
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
void main() {
    r = ivec4(n.x << 3, n.x >> 2, n.y << (n.w & 7), n.z >> 1);
}
