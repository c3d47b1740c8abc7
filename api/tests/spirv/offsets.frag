#version 450
layout(location = 0) in float near;
layout(location = 1) noperspective in vec2 flat_at;
layout(location = 2) flat in uint number;
layout(location = 0) out vec4 color;
void main() {
    color = vec4(interpolateAtOffset(near, vec2(0.25, -0.5)) - near, interpolateAtOffset(flat_at, vec2(0.5, 0.25)) - flat_at,
        float(number));
}
