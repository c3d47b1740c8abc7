#version 450
layout(location = 0) flat in uint number;
layout(location = 0) out uvec4 color;
void main() { color = uvec4(gl_Layer, number, 0, 1); }
