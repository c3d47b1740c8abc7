#version 450 core
layout(location = 0) smooth in vec4 _vs2fs_location0;
layout(location = 1) flat in ivec4 _vs2fs_location1;
layout(location = 0) out vec4 _fs2p_location0;

void main() {
    vec4 a = _vs2fs_location0;
    ivec4 n = _vs2fs_location1;
    ivec4 most = (ivec4(2147483647) + n);
    ivec4 least = (-(n) - ivec4(2147483647));
    ivec4 product = ((n * ivec4(65537)) * n);
    uvec4 u = (uvec4(n) - uvec4(1u, 2u, 3u, 4294967295u));
    _fs2p_location0 = ((vec4((((most ^ least) ^ product) & ivec4(65535))) + vec4((u >> uvec4(16u)))) + (a * 0.0));
    return;
}

