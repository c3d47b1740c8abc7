#version 450
layout(set = 0, binding = 0, r32f) uniform image2DMS texels;
layout(location = 0) out vec4 color;
void main() {
    color = imageLoad(texels, ivec2(gl_FragCoord.xy), 1);
}
