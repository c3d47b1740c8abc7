#version 450
//= 1 2 3 4 -> 0 2 0 1
//= -5 7 0 9 -> -1 -35 0 1
//= 12 -3 8 1 -> -1 -36 0 1
//= 0 0 0 0 -> 0 0 0 1
//= -1 -1 40 6 -> 0 1 0 1
//= 33 2 -9 -2 -> 0 66 0 1
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
void main() {
    int h, l; imulExtended(n.x, n.y, h, l); r = ivec4(h, l, 0, 1);
}
