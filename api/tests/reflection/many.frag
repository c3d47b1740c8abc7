#version 450
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_samplerless_texture_functions : require
layout(set = 0, binding = 0) uniform texture2D images[];
layout(location = 0) out vec4 color;
void main() {
    color = texelFetch(images[nonuniformEXT(int(gl_FragCoord.x))], ivec2(0), 0);
}
