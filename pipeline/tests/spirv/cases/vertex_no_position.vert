#version 450
//= 1 2 3 4 -> 2 3 4 5
layout(location = 0) in ivec4 n;
layout(location = 0) out ivec4 r;
void main() { r = n + 1; }
