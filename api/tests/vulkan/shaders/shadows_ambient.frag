#version 450
layout(location = 1) in vec3 place;
layout(location = 0) out vec4 result;
vec3 albedo() {
    if (place.y < -0.99) {
        float tile = floor(place.x * 2.0) + floor(place.z * 2.0);
        return (int(tile) & 1) == 0 ? vec3(0.6) : vec3(0.45);
    }
    return vec3(0.9, 0.5, 0.2);
}
void main() { result = vec4(albedo() * 0.18, 1.0); }
