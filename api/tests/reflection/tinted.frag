#version 450
layout(constant_id = 4) const float gain = 2.0;
layout(set = 1, binding = 2, std140) uniform Tint { vec4 tint; mat4 turn; };
layout(set = 0, binding = 0) uniform texture2D image;
layout(set = 0, binding = 1) uniform sampler filtering;
layout(push_constant) uniform Push { vec2 shift; };
layout(location = 3) in vec2 at;
layout(location = 5) flat in uint number;
layout(location = 0) out vec4 color;
layout(location = 1) out uvec2 ids;
void main() {
    color = texture(sampler2D(image, filtering), at + shift) * (turn * tint) * gain;
    ids = uvec2(number, 1u);
}
