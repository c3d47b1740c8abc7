#version 450
layout(set = 0, binding = 0, std140) uniform Scene { mat4 clip; mat4 world; vec4 light; vec4 eye; } scene;
layout(location = 0) in vec3 world;
layout(location = 1) in vec3 turned;
layout(location = 0) out vec4 result;
vec3 shade() {
    float light = 0.3 + 0.7 * max(0.0, dot(normalize(turned), scene.light.xyz));
    if (max(abs(world.x), max(abs(world.y), abs(world.z))) > 3.9) {
        ivec3 cell = ivec3(floor(world * 0.75 + 0.01));
        float odd = float((cell.x + cell.y + cell.z) & 1);
        vec3 wall = mix(vec3(0.12, 0.14, 0.2), 0.5 + 0.45 * turned.zxy, 0.35 + 0.4 * odd);
        return wall * (0.45 + 0.55 * light);
    }
    return (0.5 + 0.5 * sin(world * 2.0 + vec3(0.0, 2.0, 4.0))) * light;
}
void main() { result = vec4(shade(), 1.0); }
