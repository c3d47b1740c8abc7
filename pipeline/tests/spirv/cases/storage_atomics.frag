#version 450
//: buffer 0.0 = 1 2 255 4
//: after 0.0 = 65 9 3 4
//= 5 7 0 0 -> 5 7 0 0
//= 9 3 0 0 -> 9 3 0 0
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
layout(set = 0, binding = 0) buffer B { int a[4]; } b;
void main() {
    atomicAdd(b.a[0], 1); atomicMax(b.a[1], n.x); atomicAnd(b.a[2], n.y); atomicXor(b.a[3], 0); r = n;
}
