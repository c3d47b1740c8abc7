#version 450
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
in gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[1]; float gl_CullDistance[1]; } gl_in[];
out gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[1]; float gl_CullDistance[1]; };
void corner(int i) {
    gl_Position = gl_in[i].gl_Position;
    gl_ClipDistance[0] = gl_in[i].gl_ClipDistance[0];
    gl_CullDistance[0] = gl_in[i].gl_CullDistance[0];
    EmitVertex();
}
void main() { corner(0); corner(1); corner(2); EndPrimitive(); }
