#version 450

#define LIGHTS 4
#define SQUARE(x) ((x) * (x))
#define FALL(d) (1.0 / (1.0 + SQUARE(d)))

struct Light {
    vec4 place;
    vec4 color;
};

layout(set = 0, binding = 0) uniform Lights {
    Light lights[LIGHTS];
    vec4 ambient;
};
layout(push_constant) uniform Push {
    float scale;
    int count;
} push;

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) flat in uint kind;
layout(location = 0) out vec4 color;

const float levels[3] = float[3](0.25, 0.5, 1.0);

#ifdef LIGHTS
vec3 shade(in Light light, vec3 at, vec3 up) {
    vec3 way = light.place.xyz - at;
    float distance = length(way);
    return light.color.rgb * max(dot(way / distance, up), 0.0) * FALL(distance);
}
#endif

void main() {
    vec3 sum = ambient.rgb;
    vec3 up = normalize(normal);
    for (int i = 0; i < LIGHTS; i++) {
        if (i >= push.count) break;
        sum += shade(lights[i], position, up);
    }
    switch (kind) {
        case 0u: sum *= levels[0]; break;
        case 1u: sum *= levels[1]; break;
        default: sum = sum.bgr;
    }
    if (sum.r < 0.01) discard;
    color = vec4(sum * push.scale, ambient.a);
}
