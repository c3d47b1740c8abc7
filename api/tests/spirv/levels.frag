#version 450
layout(set = 0, binding = 0) uniform sampler2D image;
layout(set = 0, binding = 1) uniform samplerCube cube;
layout(set = 0, binding = 2) uniform sampler2DArray layers;
layout(location = 0) out vec4 color;
void main() {
    // A texel of level 2 a pixel: 16 texels in four pixels.
    color = vec4(textureQueryLod(image, gl_FragCoord.xy / 4.0), textureQueryLod(layers, gl_FragCoord.xy / 64.0));
    color += 0.0 * vec4(textureQueryLod(cube, vec3(1.0, gl_FragCoord.xy)), 0.0, 0.0);
}
