#version 450
//= 1 2 3 4 -> 2 1 4 0
//= -5 7 0 9 -> -4 6 1 0
//= 12 -3 8 1 -> 13 -4 9 0
//= 0 0 0 0 -> 1 -1 1 0
//= -1 -1 40 6 -> 0 -2 41 0
//= 33 2 -9 -2 -> 34 1 -8 0
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
struct P { int a; int b; };
P make(int a, int b) { return P(a + 1, b - 1); }
void main() {
    P p = make(n.x, n.y); r = ivec4(p.a, p.b, make(n.z, 1).a, 0);
}
