#version 450
//= 1 2 3 4 -> 1 2 3 9
//= -5 7 0 9 -> 9 -5 -5 9
//= 12 -3 8 1 -> 12 -3 8 9
//= 0 0 0 0 -> 0 0 0 9
//= -1 -1 40 6 -> 6 -1 -1 9
//= 33 2 -9 -2 -> 33 2 -9 9
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
struct S { int a; ivec2 b; };
void main() {
    S a = S(n.x, n.yz), b = S(n.w, n.xx); S c = n.x > 0 ? a : b; r = ivec4(c.a, c.b, 9);
}
