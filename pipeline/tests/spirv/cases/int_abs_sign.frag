#version 450
//= 1 2 3 4 -> 1 1 3 1
//= -5 7 0 9 -> 5 1 0 1
//= 12 -3 8 1 -> 12 -1 8 1
//= 0 0 0 0 -> 0 0 0 0
//= -1 -1 40 6 -> 1 -1 40 1
//= 33 2 -9 -2 -> 33 1 9 -1
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
void main() {
    r = ivec4(abs(n.x), sign(n.y), abs(n.z), sign(n.w));
}
