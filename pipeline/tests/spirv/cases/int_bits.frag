#version 450
//= 1 2 3 4 -> 0 3 7 -2
//= -5 7 0 9 -> 3 -1 9 4
//= 12 -3 8 1 -> 12 -3 9 -13
//= 0 0 0 0 -> 0 0 0 -1
//= -1 -1 40 6 -> -1 -1 46 0
//= 33 2 -9 -2 -> 0 35 9 -34
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
void main() {
    r = ivec4(n.x & n.y, n.x | n.y, n.z ^ n.w, ~n.x);
}
