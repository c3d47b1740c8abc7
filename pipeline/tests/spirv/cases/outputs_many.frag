#version 450
//= 1 2 3 4 -> 1 2 ; 3.0 ; 4 3 2
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec2 a;
layout(location = 1) out float b;
layout(location = 3) out uvec3 c;
void main() { a = n.xy; b = float(n.z); c = uvec3(n.wzy); }
