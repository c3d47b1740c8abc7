#version 450
layout(set = 0, binding = 0, std140) uniform Scene { mat4 clip; mat4 world; vec4 light; vec4 eye; } scene;
layout(triangles) in;
layout(line_strip, max_vertices = 6) out;
layout(location = 0) in vec3 normal[];
layout(location = 0) out vec3 color;
void main() {
    for (int i = 0; i < 3; i++) {
        gl_Position = scene.clip * gl_in[i].gl_Position;
        color = vec3(0.1, 0.4, 0.9);
        EmitVertex();
        gl_Position = scene.clip * (gl_in[i].gl_Position + vec4(normal[i] * 0.25, 0.0));
        color = vec3(1.0, 0.9, 0.3);
        EmitVertex();
        EndPrimitive();
    }
}
