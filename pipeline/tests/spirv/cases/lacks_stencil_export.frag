#version 450
#extension GL_ARB_shader_stencil_export : require
//: lacks the execution mode StencilRefReplacingEXT
layout(location = 0) out vec4 color;
void main() { color = vec4(1.0); gl_FragStencilRefARB = 3; }
