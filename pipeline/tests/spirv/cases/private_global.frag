#version 450
//= 1 2 3 4 -> 6 7 42 4
//= -5 7 0 9 -> 2 7 14 9
//= 12 -3 8 1 -> 17 7 119 1
//= 0 0 0 0 -> 0 7 0 0
//= -1 -1 40 6 -> 38 7 266 6
//= 33 2 -9 -2 -> 26 7 182 -2
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
int g; int h = 7;
void add(int a) { g += a; }
void main() {
    g = n.x; add(n.y); add(n.z); r = ivec4(g, h, g * h, n.w);
}
