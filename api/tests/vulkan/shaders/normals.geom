#version 450
layout(set = 0, binding = 0, std140) uniform Scene { mat4 clip; mat4 world; vec4 light; vec4 eye; } scene;
layout(triangles) in;
layout(line_strip, max_vertices = 6) out;
layout(location = 0) in vec3 normal[];
layout(location = 0) flat out vec4 start;
layout(location = 1) flat out vec4 end;
void main() {
    for (int i = 0; i < 3; i++) {
        start = scene.clip * gl_in[i].gl_Position;
        end = scene.clip * (gl_in[i].gl_Position + vec4(normal[i] * 0.25, 0.0));
        gl_Position = start;
        EmitVertex();
        gl_Position = end;
        EmitVertex();
        EndPrimitive();
    }
}
