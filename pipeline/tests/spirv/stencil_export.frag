#version 450
#extension GL_ARB_shader_stencil_export : require
layout(location = 0) flat in ivec4 value;
layout(location = 0) out vec4 color;
void main() {
    color = vec4(1.0);
    gl_FragStencilRefARB = value.x + 3;
}
