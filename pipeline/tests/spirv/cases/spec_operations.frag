#version 450
//: const 1 = 3
//= 1 2 3 4 -> 1 8 12 1
//= -5 7 0 9 -> -5 8 12 1
//= 12 -3 8 1 -> 12 8 12 1
//= 0 0 0 0 -> 0 8 12 1
//= -1 -1 40 6 -> -1 8 12 1
//= 33 2 -9 -2 -> 33 8 12 1
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
layout(constant_id = 1) const int a = 2; const int d = a * 2 + 2; const int e = (a << 2) ^ (a > 1 ? 0 : 9); const bool f = a == 3;
void main() {
    int t[d]; t[d - 1] = n.x; r = ivec4(t[d - 1], d, e, f ? 1 : 2);
}
