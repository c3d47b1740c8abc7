#version 450
layout(push_constant) uniform Push { vec4 cull; };
out gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[1]; float gl_CullDistance[1]; };
void main() {
    gl_Position = vec4(vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4.0 - 1.0, 0.5, 1.0);
    gl_ClipDistance[0] = gl_Position.x;
    gl_CullDistance[0] = cull[gl_VertexIndex];
}
