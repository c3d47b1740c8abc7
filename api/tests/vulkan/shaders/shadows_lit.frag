#version 450
layout(set = 0, binding = 0, std140) uniform Scene { mat4 clip; mat4 world; vec4 light; vec4 eye; } scene;
layout(location = 0) in vec3 turned;
layout(location = 1) in vec3 place;
layout(location = 0) out vec4 result;
vec3 albedo() {
    if (place.y < -0.99) {
        float tile = floor(place.x * 2.0) + floor(place.z * 2.0);
        return (int(tile) & 1) == 0 ? vec3(0.6) : vec3(0.45);
    }
    return vec3(0.9, 0.5, 0.2);
}
void main() {
    float light = 0.18 + 0.82 * max(0.0, dot(normalize(turned), scene.light.xyz));
    result = vec4(albedo() * light, 1.0);
}
