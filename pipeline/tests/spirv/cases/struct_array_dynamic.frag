#version 450
//= 1 2 3 4 -> 1 0 2 3
//= -5 7 0 9 -> -4 1 7 -3
//= 12 -3 8 1 -> 13 1 -3 14
//= 0 0 0 0 -> 0 0 0 2
//= -1 -1 40 6 -> -1 0 -1 1
//= 33 2 -9 -2 -> 33 0 2 35
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
struct S { int a; ivec2 b; };
void main() {
    S s[3]; for (int i = 0; i < 3; ++i) s[i] = S(i + n.x, ivec2(i, n.y)); S t = s[n.w & 1]; r = ivec4(t.a, t.b, s[2].a);
}
