#version 450
//: buffer 0.0 = 1 2 3 4 5 6
//= 1 2 3 4 -> 1 2 3 4
//= -5 7 0 9 -> 1 2 3 4
//= 12 -3 8 1 -> 1 2 3 4
//= 0 0 0 0 -> 1 2 3 4
//= -1 -1 40 6 -> 1 2 3 4
//= 33 2 -9 -2 -> 1 2 3 4
#extension GL_EXT_scalar_block_layout : require
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
layout(set = 0, binding = 0, scalar) uniform B { ivec3 v; ivec3 w; } b;
void main() {
    r = ivec4(b.v, b.w.x);
}
