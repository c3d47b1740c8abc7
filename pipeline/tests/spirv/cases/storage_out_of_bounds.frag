#version 450
//: buffer 0.0 = 1 2 3 4
//= 1 0 0 0 -> 0 2 0 0
//= 7 0 0 0 -> 0 2 0 0
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
layout(set = 0, binding = 0) readonly buffer B { int a[]; } b;
void main() {
    r = ivec4(b.a[n.x + 100], b.a[1], 0, 0);
}
