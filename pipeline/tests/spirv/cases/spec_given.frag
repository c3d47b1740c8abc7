#version 450
//: const 3 = -2
//: const 4 = 0
//: const 5 = 9
//= 1 2 3 4 -> -1 0 9 4
//= -5 7 0 9 -> -7 0 9 9
//= 12 -3 8 1 -> 10 0 9 1
//= 0 0 0 0 -> -2 0 9 0
//= -1 -1 40 6 -> -3 0 9 6
//= 33 2 -9 -2 -> 31 0 9 -2
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
layout(constant_id = 3) const int a = 5; layout(constant_id = 4) const bool b = true; layout(constant_id = 5) const uint c = 7u;
void main() {
    r = ivec4(a + n.x, b ? 1 : 0, c, n.w);
}
