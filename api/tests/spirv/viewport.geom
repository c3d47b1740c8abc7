#version 450
layout(triangles, invocations = 4) in;
layout(triangle_strip, max_vertices = 3) out;
// Each invocation covers all of its viewport, and says a number of its own.
void main() {
    for (int i = 0; i < 3; i++) {
        gl_Position = gl_in[i].gl_Position;
        gl_ViewportIndex = gl_InvocationID;
        gl_PrimitiveID = 10 * gl_PrimitiveIDIn + gl_InvocationID;
        EmitVertex();
    }
}
