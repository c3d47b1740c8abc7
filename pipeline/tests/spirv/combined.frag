#version 450
layout(set = 0, binding = 0) uniform Params { vec4 tint; float cut; } params;
layout(set = 0, binding = 1) uniform sampler2D albedo;
layout(set = 0, binding = 2) uniform Other { vec4 more; } other;
layout(set = 1, binding = 3) uniform sampler2D normals;
layout(push_constant) uniform Push { vec4 offset; } push;
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;
void main() {
    vec4 texel = texture(albedo, uv) * params.tint + other.more;
    if (texel.a < params.cut) discard;
    color = texel + textureLod(normals, uv.yx + push.offset.xy, 0.0);
}
