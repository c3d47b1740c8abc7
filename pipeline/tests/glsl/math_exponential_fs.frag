#version 450 core
layout(location = 0) smooth in vec4 _vs2fs_location0;
layout(location = 1) smooth in vec4 _vs2fs_location1;
layout(location = 0) out vec4 _fs2p_location0;

void main() {
    vec4 a = _vs2fs_location0;
    vec4 b = _vs2fs_location1;
    vec4 p = (abs(a) + vec4(0.5));
    _fs2p_location0 = ((((((exp((a * 0.25)) + exp2((b * 0.25))) + log(p)) + log2(p)) + pow(p, (b * 0.125))) + sqrt(p)) + inversesqrt(p));
    return;
}

