#version 450
//= 1 2 3 4 -> 1 2 3 99
//= -5 7 0 9 -> 99 7 0 9
//= 12 -3 8 1 -> 99 -3 8 1
//= 0 0 0 0 -> 99 0 0 0
//= -1 -1 40 6 -> 99 -1 40 6
//= 33 2 -9 -2 -> 33 2 -9 99
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
void main() {
    r = n; r[n.z & 3] = 99;
}
