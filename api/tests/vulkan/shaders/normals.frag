#version 450
layout(set = 0, binding = 0, std140) uniform Scene { mat4 clip; mat4 world; vec4 light; vec4 eye; } scene;
layout(location = 0) in vec3 normal;
layout(location = 0) out vec4 result;
void main() {
    float light = 0.2 + 0.8 * max(0.0, dot(normalize(normal), scene.light.xyz));
    result = vec4(vec3(0.25, 0.3, 0.38) * light, 1.0);
}
