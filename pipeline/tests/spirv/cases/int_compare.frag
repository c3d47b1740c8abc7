#version 450
//= 1 2 3 4 -> 1 1 0 0
//= -5 7 0 9 -> 1 1 0 0
//= 12 -3 8 1 -> 0 1 1 0
//= 0 0 0 0 -> 0 0 1 1
//= -1 -1 40 6 -> 1 1 0 0
//= 33 2 -9 -2 -> 0 0 1 1
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
void main() {
    r = ivec4(lessThan(n.xy, n.zw), greaterThanEqual(n.xy, n.zw));
}
