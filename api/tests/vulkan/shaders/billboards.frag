#version 450
layout(set = 0, binding = 0, std140) uniform Scene { mat4 clip; mat4 world; vec4 light; vec4 eye; } scene;
layout(location = 0) flat in vec3 color;
layout(location = 1) in vec2 place;
layout(location = 0) out vec4 result;
void main() {
    float square = dot(place, place);
    if (square > 1.0) discard;
    vec3 normal = vec3(place, sqrt(1.0 - square));
    result = vec4(color * (0.2 + 0.8 * max(0.0, dot(normal, scene.light.xyz))), 1.0);
}
