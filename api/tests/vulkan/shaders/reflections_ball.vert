#version 450
layout(set = 0, binding = 0, std140) uniform Scene { mat4 clip; mat4 world; vec4 light; vec4 eye; } scene;
layout(location = 0) in vec3 at;
layout(location = 1) in vec3 normal;
layout(location = 0) out vec3 world;
layout(location = 1) out vec3 turned;
void main() {
    world = at;
    turned = normal;
    gl_Position = scene.clip * vec4(at, 1.0);
}
