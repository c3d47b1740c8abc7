#version 450
//= 1 2 3 4 -> 403 0 0 0
//= -5 7 0 9 -> 397 0 0 0
//= 12 -3 8 1 -> 414 0 0 0
//= 0 0 0 0 -> 402 0 0 0
//= -1 -1 40 6 -> 401 0 0 0
//= 33 2 -9 -2 -> 435 0 0 0
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
void main() {
    int s = 0; for (int i = 0; i < 6; ++i) { switch (i & 3) { case 0: continue; case 1: s += 1; break; case 2: s += n.x; } s += 100; } r = ivec4(s, 0, 0, 0);
}
