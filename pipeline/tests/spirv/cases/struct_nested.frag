#version 450
//= 1 2 3 4 -> 1 2 7 4
//= -5 7 0 9 -> -5 7 1 9
//= 12 -3 8 1 -> 12 -3 17 1
//= 0 0 0 0 -> 0 0 1 0
//= -1 -1 40 6 -> -1 -1 81 6
//= 33 2 -9 -2 -> 33 2 -17 -2
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
struct T { ivec2 a; int b; }; struct S { T t; int c[2]; };
void main() {
    S s; s.t.a = n.xy; s.t.b = n.z; s.c[1] = n.w; T t = s.t; t.b += 1; r = ivec4(t.a, t.b + s.t.b, s.c[1]);
}
