#version 450
#extension GL_ARB_shader_stencil_export : require
layout(location = 0) out vec4 color;
// Some pixels of another depth, some that are not drawn.
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    if (at.y == 7) discard;
    color = vec4(1.0);
    gl_FragDepth = at.x < 4 ? 0.25 : 0.75;
    gl_FragStencilRefARB = at.x & 3;
}
