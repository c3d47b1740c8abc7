#version 450
//= 1 2 3 4 -> 0 -1 0 0
//= -5 7 0 9 -> -1 -3 0 1
//= 12 -3 8 1 -> 4 1 1 0
//= 0 0 0 0 -> 0 0 0 0
//= -1 -1 40 6 -> 0 0 5 1
//= 33 2 -9 -2 -> 11 -1 -1 0
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
void main() {
    r = n / ivec4(3, -2, 7, 5);
}
