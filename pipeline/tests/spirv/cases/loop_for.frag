#version 450
//= 1 2 3 4 -> 6 4 0 0
//= -5 7 0 9 -> 36 9 0 0
//= 12 -3 8 1 -> 0 1 0 0
//= 0 0 0 0 -> 0 0 0 0
//= -1 -1 40 6 -> 15 6 0 0
//= 33 2 -9 -2 -> 0 -2 0 0
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
void main() {
    int s = 0; for (int i = 0; i < n.w; ++i) s += i; r = ivec4(s, n.w, 0, 0);
}
