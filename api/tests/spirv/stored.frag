#version 450
#extension GL_EXT_shader_image_load_formatted : require
layout(set = 0, binding = 0) uniform writeonly image2D any;
layout(set = 0, binding = 1, rgba8) uniform writeonly imageCube cube;
layout(set = 0, binding = 2) uniform readonly image2D from;
layout(set = 0, binding = 3, r32f) uniform image1DArray rows;
layout(location = 0) out vec4 color;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    imageStore(any, at, vec4(vec2(at) / 8.0, 0.5, 1.0));
    imageStore(cube, ivec3(at, 4), vec4(0.25, 0.5, 0.75, 1.0));
    imageStore(rows, ivec2(at.x, 1), vec4(float(at.x)));
    bool sizes = imageSize(cube) == ivec2(8) && imageSize(rows) == ivec2(8, 2);
    color = vec4(imageLoad(from, at).rg, imageLoad(rows, ivec2(at.x, 0)).r, sizes ? 1.0 : 0.0);
}
