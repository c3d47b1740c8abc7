#version 450
//= 1 2 3 4 -> 1 1 2 1
//= -5 7 0 9 -> 31 3 0 2
//= 12 -3 8 1 -> 2 31 1 1
//= 0 0 0 0 -> 0 0 0 0
//= -1 -1 40 6 -> 32 32 2 2
//= 33 2 -9 -2 -> 2 1 31 31
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
void main() {
    r = bitCount(n);
}
