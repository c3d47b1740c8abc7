#version 450
//: push = 3 4 5 6
//= 1 2 3 4 -> 3 6 8 0
//= -5 7 0 9 -> 3 0 13 0
//= 12 -3 8 1 -> 3 17 3 0
//= 0 0 0 0 -> 3 5 6 0
//= -1 -1 40 6 -> 3 4 5 0
//= 33 2 -9 -2 -> 3 38 8 0
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
layout(push_constant) uniform P { int a; layout(offset = 8) ivec2 b; } p;
void main() {
    r = ivec4(p.a, p.b + n.xy, 0);
}
