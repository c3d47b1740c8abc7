#version 450
//= 1 2 3 4 -> 2 4 0 0
//= -5 7 0 9 -> 3 6 0 0
//= 12 -3 8 1 -> 1 2 0 0
//= 0 0 0 0 -> 4 8 0 0
//= -1 -1 40 6 -> 4 8 0 0
//= 33 2 -9 -2 -> 1 2 0 0
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
void main() {
    int s; if (n.x > 10) s = 1; else if (n.x > 0) s = 2; else if (n.y > 0) s = 3; else s = 4; r = ivec4(s, s * 2, 0, 0);
}
