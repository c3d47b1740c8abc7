#version 450
//= 1 2 3 4 -> 1 2 3 4
//= -5 7 0 9 -> - - - -
//= 12 -3 8 1 -> 12 -3 8 1
//= 0 0 0 0 -> 0 0 0 0
//= -1 -1 40 6 -> - - - -
//= 33 2 -9 -2 -> 33 2 -9 -2
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
void main() {
    if (n.x < 0) discard; r = n;
}
