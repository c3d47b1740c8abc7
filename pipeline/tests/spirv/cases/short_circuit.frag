#version 450
//= 1 2 3 4 -> 1 1 1 0
//= -5 7 0 9 -> 0 0 1 0
//= 12 -3 8 1 -> 2 1 1 0
//= 0 0 0 0 -> 1 0 1 0
//= -1 -1 40 6 -> 1 0 1 0
//= 33 2 -9 -2 -> 1 1 1 0
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
int g = 0;
bool touch() { g += 1; return true; }
void main() {
    bool b = n.x > 0 && touch(); bool d = n.y > 0 || touch(); r = ivec4(g, b, d, 0);
}
