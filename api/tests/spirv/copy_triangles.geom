#version 450
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) in vec3 color[];
layout(location = 1) in uint number[];
layout(location = 0) out vec3 to_color;
layout(location = 1) flat out uint to_number;
void main() {
    for (int i = 0; i < gl_in.length(); i++) {
        gl_Position = gl_in[i].gl_Position;
        to_color = color[i];
        to_number = number[i];
        EmitVertex();
    }
}
