#version 450
// The second given is a normal.
layout(set = 0, binding = 0, std140) uniform Scene { mat4 clip; mat4 world; vec4 light; vec4 eye; } scene;
layout(location = 0) in vec3 at;
layout(location = 1) in vec3 normal;
layout(location = 0) out vec3 given;
void main() {
    gl_Position = scene.world * vec4(at, 1.0);
    given = (scene.world * vec4(normal, 0.0)).xyz;
}
