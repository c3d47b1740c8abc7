#version 450
//= 1 2 3 4 -> 1 ; 2 3
layout(location = 0) in ivec4 n;
layout(location = 1) out Block { flat int a; flat ivec2 b; } o;
void main() { o.a = n.x; o.b = n.yz; }
