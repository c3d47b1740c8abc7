#version 450
//= 1 2 3 4 -> 10 1 0 0
//= -5 7 0 9 -> 1000 3 0 0
//= 12 -3 8 1 -> 11 0 0 0
//= 0 0 0 0 -> 11 0 0 0
//= -1 -1 40 6 -> 1000 3 0 0
//= 33 2 -9 -2 -> 10 1 0 0
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
void main() {
    int s = 0; switch (n.x & 3) { case 0: s += 1; case 1: s += 10; break; case 2: s += 100; break; default: s += 1000; } r = ivec4(s, n.x & 3, 0, 0);
}
