#version 450
//= 1 2 3 4 -> 1 2 1 2
//= -5 7 0 9 -> 7 0 -5 7
//= 12 -3 8 1 -> -3 8 12 -3
//= 0 0 0 0 -> 0 0 0 0
//= -1 -1 40 6 -> 40 6 -1 -1
//= 33 2 -9 -2 -> -9 -2 33 2
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
void main() {
    r = ivec4(n[n.w & 3], n[(n.w + 1) & 3], n.x, n.y);
}
