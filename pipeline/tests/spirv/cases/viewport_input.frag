#version 450
//= 3 -> 4
layout(location = 0) out int c;
void main() { c = gl_ViewportIndex + 1; }
