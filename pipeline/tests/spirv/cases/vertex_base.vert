#version 450
//= 1 2 3 4 -> 5 7 3 1
#extension GL_ARB_shader_draw_parameters : require
layout(location = 0) in ivec4 n;
layout(location = 0) out ivec4 r;
void main() { r = ivec4(gl_BaseVertexARB, gl_BaseInstanceARB, gl_DrawIDARB, n.x); }
