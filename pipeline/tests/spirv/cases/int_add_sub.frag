#version 450
//= 1 2 3 4 -> 3 -1 -1 0
//= -5 7 0 9 -> 2 -12 5 2
//= 12 -3 8 1 -> 9 15 -12 2
//= 0 0 0 0 -> 0 0 0 -7
//= -1 -1 40 6 -> -2 0 1 39
//= 33 2 -9 -2 -> 35 31 -33 -18
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
void main() {
    r = ivec4(n.x + n.y, n.x - n.y, -n.x, n.z + n.w - 7);
}
