#version 450
layout(set = 0, binding = 0, std140) uniform Scene { mat4 clip; mat4 world; vec4 light; vec4 eye; } scene;
layout(set = 0, binding = 1) uniform samplerCube around;
layout(location = 0) in vec3 world;
layout(location = 1) in vec3 turned;
layout(location = 0) out vec4 result;
void main() {
    vec3 normal = normalize(turned);
    vec3 view = normalize(world - scene.eye.xyz);
    vec3 seen = texture(around, reflect(view, normal)).rgb;
    float edge = pow(1.0 - max(0.0, -dot(view, normal)), 3.0);
    result = vec4(seen * (0.75 + 0.25 * edge), 1.0);
}
