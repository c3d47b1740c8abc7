#version 450
//= 1 2 3 4 -> 6 7 0 0
//= -5 7 0 9 -> 2 12 0 0
//= 12 -3 8 1 -> 17 4 0 0
//= 0 0 0 0 -> 0 3 0 0
//= -1 -1 40 6 -> 38 9 0 0
//= 33 2 -9 -2 -> 26 1 0 0
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
int sum(int a[3]) { return a[0] + a[1] + a[2]; }
void main() {
    r = ivec4(sum(int[3](n.x, n.y, n.z)), sum(int[3](1, 2, n.w)), 0, 0);
}
