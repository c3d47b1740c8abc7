#version 450

layout(set = 0, binding = 0) uniform texture2D base;
layout(set = 0, binding = 1) uniform sampler smooth_sampler;
layout(set = 0, binding = 2, std430) readonly buffer Weights {
    vec4 first;
    float weights[];
};

layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;
layout(location = 1) out vec4 second;

void main() {
    mat2 turn = mat2(0.8, 0.6, -0.6, 0.8);
    vec4 sum = vec4(0.0);
    int i = 0;
    do {
        vec2 at = turn * (uv - 0.5) * float(i + 1) + 0.5;
        sum += texture(sampler2D(base, smooth_sampler), at) * weights[i];
        i++;
    } while (i < 4);
    ivec2 texel = ivec2(gl_FragCoord.xy) & 63;
    second = texelFetch(sampler2D(base, smooth_sampler), texel, 0) + first;
    color = clamp(mix(sum, dFdx(sum), 0.25), 0.0, 1.0);
}
