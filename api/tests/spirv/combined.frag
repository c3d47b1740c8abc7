#version 450
layout(set = 0, binding = 0) uniform sampler2D one;
layout(set = 0, binding = 1) uniform sampler2D many[2];
layout(set = 0, binding = 2) uniform texture2D image;
layout(set = 0, binding = 2) uniform sampler filtering;
layout(set = 0, binding = 3) uniform Tint { vec4 tint; };
layout(location = 0) out vec4 color;
void main() {
    // Beside the right edge: the left texel where the sampler repeats, the right one where it clamps.
    vec2 at = vec2(1.25, 0.5);
    vec4 values = vec4(
        textureLod(one, at, 0.0).x,
        textureLod(many[0], at, 0.0).x,
        textureLod(many[1], at, 0.0).x,
        textureLod(sampler2D(image, filtering), at, 0.0).x);
    color = values * tint;
}
