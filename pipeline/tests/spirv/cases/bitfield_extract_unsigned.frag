#version 450
//= 1 2 3 4 -> 0 0 0 0
//= 4294967291 7 0 9 -> 127 0 0 1
//= 12 2147483648 8 1 -> 1 0 1 0
//= 0 0 0 0 -> 0 0 0 0
//= 4294967295 4294967295 40 6 -> 127 127 5 0
layout(location = 0) flat in uvec4 n;
layout(location = 0) out uvec4 r;
void main() {
    r = bitfieldExtract(n, 3, 7);
}
