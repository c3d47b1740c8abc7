#version 450
layout(set = 0, binding = 0, std140) uniform Scene { mat4 clip; mat4 world; vec4 light; vec4 eye; } scene;
layout(location = 0) in vec3 at;
layout(location = 1) in vec3 normal;
layout(location = 0) out vec3 world;
layout(location = 1) out vec3 turned;
void main() {
    // The walls stand still, what is inside of them moves.
    bool wall = max(abs(at.x), max(abs(at.y), abs(at.z))) > 3.9;
    world = wall ? at : (scene.world * vec4(at, 1.0)).xyz;
    turned = wall ? normal : (scene.world * vec4(normal, 0.0)).xyz;
    gl_Position = scene.clip * vec4(world, 1.0);
}
