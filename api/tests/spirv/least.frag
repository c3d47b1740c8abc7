#version 450
#extension GL_ARB_sparse_texture_clamp : require
layout(set = 0, binding = 0) uniform sampler2D image;
layout(location = 0) out vec4 color;
void main() {
    vec2 at = gl_FragCoord.xy / 16.0;
    color = vec4(textureClampARB(image, at, 2.0).r, textureClampARB(image, at, 0.0).r,
        textureGradClampARB(image, at, vec2(0.0), vec2(0.0), 1.0).r, textureClampARB(image, at, 0.0, 1.0).r);
}
