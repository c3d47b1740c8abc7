#version 450
//= 1 2 3 4 -> 1 2 4
layout(location = 0) flat in ivec4 n;
layout(location = 0) out ivec2 a;
layout(location = 0, component = 2) out int b;
void main() { a = n.xy; b = n.w; }
