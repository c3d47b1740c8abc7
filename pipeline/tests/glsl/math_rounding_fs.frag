#version 450 core
layout(location = 0) smooth in vec4 _vs2fs_location0;
layout(location = 1) smooth in vec4 _vs2fs_location1;
layout(location = 0) out vec4 _fs2p_location0;

void main() {
    vec4 a = _vs2fs_location0;
    vec4 b = _vs2fs_location1;
    _fs2p_location0 = (((((((floor(a) + (ceil(b) * 2.0)) + roundEven((a * 3.0))) + trunc((b * 3.0))) + fract(a)) + sign(b)) + abs(a)) + clamp(b, vec4(0.0), vec4(1.0)));
    return;
}

