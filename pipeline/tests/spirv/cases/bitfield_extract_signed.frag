#version 450
//= 1 2 3 4 -> 0 0 0 1
//= -5 7 0 9 -> -2 1 0 2
//= 12 -3 8 1 -> 3 -1 2 0
//= 0 0 0 0 -> 0 0 0 0
//= -1 -1 40 6 -> -1 -1 10 1
//= 33 2 -9 -2 -> 8 0 -3 -1
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
void main() {
    r = bitfieldExtract(n, 2, 5);
}
