#version 450
//= 1 2 3 4 -> 3 2 3 2
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec4 r;
void main() { r = n; r.x += r.y; r.zw = r.xy; }
