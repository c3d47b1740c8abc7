#version 450
layout(set = 0, binding = 0) uniform sampler1DArray rows;
layout(set = 0, binding = 1) uniform sampler2DMSArray many;
layout(location = 0) out vec4 color;
void main() {
    float along = gl_FragCoord.x / 8.0;
    vec4 sampled = (texture(rows, vec2(along, 1.0)) + textureGrad(rows, vec2(along, 1.0), 0.25, 0.0)) * 0.5;
    vec4 fetched = texelFetch(rows, ivec2(3, 0), 0) + texelFetchOffset(rows, ivec2(3, 1), 0, 2);
    vec4 sample_ = texelFetch(many, ivec3(ivec2(gl_FragCoord.xy), 1), 2);
    bool sizes = textureSize(rows, 0) == ivec2(8, 2) && textureSize(many) == ivec3(8, 8, 2);
    color = vec4(sampled.r, fetched.r, sample_.r, sizes ? 1.0 : 0.0);
}
