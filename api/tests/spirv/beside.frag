#version 450
layout(location = 0) in float near;
layout(location = 1) noperspective in vec2 flat_at;
layout(location = 2) flat in uint number;
layout(location = 0) out vec4 color;
void main() {
    float middle = interpolateAtOffset(flat_at.x, vec2(0.0));
    float first = interpolateAtSample(flat_at.x, 0) - middle;
    float third = interpolateAtSample(flat_at.x, 2) - middle;
    color = vec4(vec2(first, third) * 8.0 + 0.5, interpolateAtCentroid(near) - near + 0.5, 1.0);
}
