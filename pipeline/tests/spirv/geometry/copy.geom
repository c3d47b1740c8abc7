#version 450
// The primitive as it comes.
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) in vec4 col[];
layout(location = 0) out vec4 color;
layout(location = 1) flat out uint id;

void main() {
    for (int i = 0; i < 3; i++) {
        gl_Position = gl_in[i].gl_Position;
        color = col[i];
        id = gl_PrimitiveIDIn;
        EmitVertex();
    }
    EndPrimitive();
}
