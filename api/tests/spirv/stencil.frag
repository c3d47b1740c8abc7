#version 450
#extension GL_ARB_shader_stencil_export : require
layout(location = 0) out vec4 color;
// The column and the line, and bits that do not count.
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    color = vec4(1.0);
    gl_FragStencilRefARB = at.x | at.y << 3 | 0x4500;
}
