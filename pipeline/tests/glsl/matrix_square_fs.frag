#version 450 core
layout(location = 0) smooth in vec4 _vs2fs_location0;
layout(location = 1) smooth in vec4 _vs2fs_location1;
layout(location = 0) out vec4 _fs2p_location0;

void main() {
    vec4 a = _vs2fs_location0;
    vec4 b = _vs2fs_location1;
    mat4x4 m = mat4x4(a, b, a.wzyx, b.zwxy);
    mat2x2 n = mat2x2(a.xy, b.zw);
    vec4 p = (((m * transpose(m)) * a) + (b * m));
    _fs2p_location0 = (((p + vec4(determinant(n))) + vec4((n * a.xy), (b.xy * n))) + vec4(determinant(mat3x3(a.xyz, b.xyz, a.yzw))));
    return;
}

