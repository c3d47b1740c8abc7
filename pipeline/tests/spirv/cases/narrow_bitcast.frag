#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
//= 0x12348765 -> 0x1234962f 18 187 0x40003e00
//= 0xffff0001 -> 0xffff0003 -1 255 0x40003e00
layout(location = 0) flat in uint v;
layout(location = 0) out uvec4 c;
void main() {
    u16vec2 h = unpack16(v);
    h.x *= 3us;
    u8vec4 b = unpack8(v);
    f16vec2 f = f16vec2(1.5hf, 2.0hf) + float16_t(v & 0u);
    c = uvec4(pack32(h), uint(int(int8_t(b.w))), uint(b.y) + uint(b.z), packFloat2x16(f));
}
