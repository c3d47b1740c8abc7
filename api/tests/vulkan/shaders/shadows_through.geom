#version 450
// Triangles as they are: the driver finds the same depths for two shaders of a kind alone.
layout(set = 0, binding = 0, std140) uniform Scene { mat4 clip; mat4 world; vec4 light; vec4 eye; } scene;
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) in vec3 normal[];
layout(location = 0) out vec3 turned;
layout(location = 1) out vec3 place;
void main() {
    for (int i = 0; i < 3; i++) {
        place = gl_in[i].gl_Position.xyz;
        turned = normal[i];
        gl_Position = scene.clip * vec4(place, 1.0);
        EmitVertex();
    }
    EndPrimitive();
}
