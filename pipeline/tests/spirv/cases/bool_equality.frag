#version 450
//= 1 2 3 4 -> 1 0 1 1
//= -5 7 0 9 -> 0 1 0 1
//= 12 -3 8 1 -> 0 1 1 0
//= 0 0 0 0 -> 1 0 0 0
//= -1 -1 40 6 -> 1 0 0 0
//= 33 2 -9 -2 -> 1 0 1 1
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
void main() {
    bool a = n.x > 0, b = n.y > 0; r = ivec4(a == b, a != b, a == true, b != false);
}
