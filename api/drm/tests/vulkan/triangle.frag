#version 450
// A texel of a pattern that a compute shader wrote, in the colour of the corner.
layout(location = 0) in vec3 shade;
layout(location = 0) out vec4 color;
layout(set = 0, binding = 0) readonly buffer Pattern { uint pattern[]; };

void main() {
    uint n = uint(gl_FragCoord.y) / 16u * 16u + uint(gl_FragCoord.x) / 16u;
    color = vec4(shade + unpackUnorm4x8(pattern[n]).rgb * 0.5, 0.75);
}
