#version 450
//= 1 2 3 4 -> 2 6 12 4
//= -5 7 0 9 -> -35 0 0 -45
//= 12 -3 8 1 -> -36 -24 8 12
//= 0 0 0 0 -> 0 0 0 0
//= -1 -1 40 6 -> 1 -40 240 -6
//= 33 2 -9 -2 -> 66 -18 18 -66
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
void main() {
    r = n * n.yzwx;
}
