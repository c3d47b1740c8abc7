#version 450
//= 1 2 3 1 -> 1 2 ; 3 3
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec2 a[2];
void main() { a[0] = n.xy; a[n.w & 1] = n.zz; }
