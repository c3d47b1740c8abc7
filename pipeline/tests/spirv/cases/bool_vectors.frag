#version 450
//= 1 2 3 4 -> 1 0 1 1
//= -5 7 0 9 -> 1 0 1 0
//= 12 -3 8 1 -> 1 0 1 1
//= 0 0 0 0 -> 0 0 1 0
//= -1 -1 40 6 -> 1 0 1 1
//= 33 2 -9 -2 -> 1 0 1 0
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
void main() {
    bvec4 b = greaterThan(n, ivec4(1)); r = ivec4(any(b), all(b), any(not(b)), b.z);
}
