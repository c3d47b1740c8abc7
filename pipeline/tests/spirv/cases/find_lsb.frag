#version 450
//= 1 2 3 4 -> 0 1 0 2
//= -5 7 0 9 -> 0 0 -1 0
//= 12 -3 8 1 -> 2 0 3 0
//= 0 0 0 0 -> -1 -1 -1 -1
//= -1 -1 40 6 -> 0 0 3 1
//= 33 2 -9 -2 -> 0 1 0 1
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
void main() {
    r = findLSB(n);
}
