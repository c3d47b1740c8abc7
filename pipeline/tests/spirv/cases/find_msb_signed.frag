#version 450
//= 1 2 3 4 -> 0 1 1 2
//= -5 7 0 9 -> 2 2 -1 3
//= 12 -3 8 1 -> 3 1 3 0
//= 0 0 0 0 -> -1 -1 -1 -1
//= -1 -1 40 6 -> -1 -1 5 2
//= 33 2 -9 -2 -> 5 1 3 0
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
void main() {
    r = findMSB(n);
}
