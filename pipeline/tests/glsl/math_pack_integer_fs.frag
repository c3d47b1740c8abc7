#version 450 core
layout(location = 0) flat in uvec4 _vs2fs_location0;
layout(location = 1) flat in uvec4 _vs2fs_location1;
layout(location = 0) out uvec4 _fs2p_location0;

void main() {
    uvec4 a = _vs2fs_location0;
    uvec4 b = _vs2fs_location1;
    ivec4 i = ivec4(a);
    uint x = (uint((i[0] & 0xFF) | ((i[1] & 0xFF) << 8) | ((i[2] & 0xFF) << 16) | ((i[3] & 0xFF) << 24)) ^ uint((clamp(i, -128, 127)[0] & 0xFF) | ((clamp(i, -128, 127)[1] & 0xFF) << 8) | ((clamp(i, -128, 127)[2] & 0xFF) << 16) | ((clamp(i, -128, 127)[3] & 0xFF) << 24)));
    uint y = ((b[0] & 0xFFu) | ((b[1] & 0xFFu) << 8) | ((b[2] & 0xFFu) << 16) | ((b[3] & 0xFFu) << 24) ^ (clamp(b, 0u, 255u)[0] & 0xFFu) | ((clamp(b, 0u, 255u)[1] & 0xFFu) << 8) | ((clamp(b, 0u, 255u)[2] & 0xFFu) << 16) | ((clamp(b, 0u, 255u)[3] & 0xFFu) << 24));
    uint _e16 = a.x;
    uint _e17 = b.y;
    _fs2p_location0 = (((uvec4(bitfieldExtract(x, 0, 8), bitfieldExtract(x, 8, 8), bitfieldExtract(x, 16, 8), bitfieldExtract(x, 24, 8)) + uvec4(ivec4(bitfieldExtract(int(y), 0, 8), bitfieldExtract(int(y), 8, 8), bitfieldExtract(int(y), 16, 8), bitfieldExtract(int(y), 24, 8)))) + uvec4((bitfieldExtract((x), 0, 8) * bitfieldExtract((y), 0, 8) + bitfieldExtract((x), 8, 8) * bitfieldExtract((y), 8, 8) + bitfieldExtract((x), 16, 8) * bitfieldExtract((y), 16, 8) + bitfieldExtract((x), 24, 8) * bitfieldExtract((y), 24, 8)))) + uvec4(uint((bitfieldExtract(int(_e16), 0, 8) * bitfieldExtract(int(_e17), 0, 8) + bitfieldExtract(int(_e16), 8, 8) * bitfieldExtract(int(_e17), 8, 8) + bitfieldExtract(int(_e16), 16, 8) * bitfieldExtract(int(_e17), 16, 8) + bitfieldExtract(int(_e16), 24, 8) * bitfieldExtract(int(_e17), 24, 8)))));
    return;
}

