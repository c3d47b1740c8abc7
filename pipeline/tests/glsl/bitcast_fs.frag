#version 450 core
layout(location = 0) smooth in vec4 _vs2fs_location0;
layout(location = 1) smooth in vec4 _vs2fs_location1;
layout(location = 0) out uvec4 _fs2p_location0;

void main() {
    vec4 a = _vs2fs_location0;
    vec4 b = _vs2fs_location1;
    _fs2p_location0 = ((floatBitsToUint(a) ^ uvec4(floatBitsToInt(b))) ^ uvec4(floatBitsToUint(uintBitsToFloat(7u))));
    return;
}

