#version 450
//= 1 2 3 4 -> 1 4 1 3
//= -5 7 0 9 -> -5 9 -2 3
//= 12 -3 8 1 -> -3 8 5 8
//= 0 0 0 0 -> 0 0 0 0
//= -1 -1 40 6 -> -1 40 -1 40
//= 33 2 -9 -2 -> 2 -2 5 -2
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
void main() {
    r = ivec4(min(n.x, n.y), max(n.z, n.w), clamp(n.x, -2, 5), max(min(n.w, 3), n.z));
}
