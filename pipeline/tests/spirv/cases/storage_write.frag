#version 450
//: buffer 0.0 = 1 2 3 4
//: after 0.0 = 10 11 12 13
//= 0 10 0 0 -> 0 10 0 0
//= 1 11 0 0 -> 1 11 0 0
//= 2 12 0 0 -> 2 12 0 0
//= 3 13 0 0 -> 3 13 0 0
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
layout(set = 0, binding = 0) buffer B { int a[4]; } b;
void main() {
    b.a[n.x] = n.y; r = n;
}
