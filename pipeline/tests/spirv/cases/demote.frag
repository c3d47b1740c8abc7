#version 450
//= 1 2 3 4 -> 2 3 4 5
//= -5 7 0 9 -> - - - -
//= 12 -3 8 1 -> 13 -2 9 2
//= 0 0 0 0 -> 1 1 1 1
//= -1 -1 40 6 -> - - - -
//= 33 2 -9 -2 -> 34 3 -8 -1
#extension GL_EXT_demote_to_helper_invocation : require
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
void main() {
    if (n.x < 0) demote; r = n + 1;
}
