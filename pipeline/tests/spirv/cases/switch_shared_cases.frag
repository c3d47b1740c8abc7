#version 450
//= 1 2 3 4 -> 5 0 0 0
//= -5 7 0 9 -> 6 0 0 0
//= 12 -3 8 1 -> 5 0 0 0
//= 0 0 0 0 -> 7 0 0 0
//= -1 -1 40 6 -> 7 0 0 0
//= 33 2 -9 -2 -> 7 0 0 0
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
void main() {
    int s; switch (n.x) { case 1: case 12: s = 5; break; case -5: s = 6; break; default: s = 7; break; } r = ivec4(s, 0, 0, 0);
}
