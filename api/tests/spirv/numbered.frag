#version 450
layout(location = 0) out uvec4 color;
void main() { color = uvec4(gl_ViewportIndex + 1, gl_PrimitiveID, 0, 1); }
