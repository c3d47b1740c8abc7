#version 450
//= 1 2 3 4 -> 6 1 7 4
//= -5 7 0 9 -> 0 1 7 9
//= 12 -3 8 1 -> 17 1 7 1
//= 0 0 0 0 -> 5 1 7 0
//= -1 -1 40 6 -> 4 1 7 6
//= 33 2 -9 -2 -> 38 1 7 -2
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
layout(constant_id = 3) const int a = 5; layout(constant_id = 4) const bool b = true; layout(constant_id = 5) const uint c = 7u;
void main() {
    r = ivec4(a + n.x, b ? 1 : 0, c, n.w);
}
