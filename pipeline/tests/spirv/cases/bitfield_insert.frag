#version 450
//= 1 2 3 4 -> 33 50 67 20
//= 4294967291 7 0 9 -> 4294963323 7 144 4025
//= 12 2147483648 8 1 -> 12 2147483776 24 193
//= 0 0 0 0 -> 0 0 0 0
//= 4294967295 4294967295 40 6 -> 4294967295 4294963855 104 4086
layout(location = 0) flat in uvec4 n;
layout(location = 0) out uvec4 r;
void main() {
    r = bitfieldInsert(n, n.yzwx, 4, 8);
}
