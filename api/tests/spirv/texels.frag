#version 450
#extension GL_EXT_samplerless_texture_functions : require
layout(set = 0, binding = 0) uniform samplerBuffer floats;
layout(set = 0, binding = 1) uniform itextureBuffer signed_texels;
layout(set = 0, binding = 2) uniform utextureBuffer unsigned_texels[2];
layout(push_constant) uniform Push { int first; };
layout(location = 0) out vec4 color;
layout(location = 1) out ivec4 signed_color;
layout(location = 2) out uvec4 unsigned_color;
layout(location = 3) out ivec4 sizes;
void main() {
    int at = first + int(gl_FragCoord.x) + 8 * int(gl_FragCoord.y);
    color = texelFetch(floats, at);
    signed_color = texelFetch(signed_texels, at);
    unsigned_color = texelFetch(unsigned_texels[0], at) + texelFetch(unsigned_texels[1], at);
    sizes = ivec4(textureSize(floats), textureSize(signed_texels), textureSize(unsigned_texels[0]),
        textureSize(unsigned_texels[1]));
}
