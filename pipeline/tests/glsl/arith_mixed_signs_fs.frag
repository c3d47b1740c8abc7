#version 450 core
layout(location = 0) smooth in vec4 _vs2fs_location0;
layout(location = 1) flat in ivec4 _vs2fs_location1;
layout(location = 0) out vec4 _fs2p_location0;

void main() {
    vec4 a = _vs2fs_location0;
    ivec4 n = _vs2fs_location1;
    float x = (-(abs(a.x)) * -(a.y));
    float y = (-((a.z - -(a.w))) + abs(-(a.x)));
    float z = (abs((a.x * a.y)) - abs(a.z));
    float w = ((-(-((-(a.w) * 2.0))) * -0.0) + -(abs(-(a.y))));
    _fs2p_location0 = (vec4(x, y, z, w) - (-(vec4(y, x, w, z)) * abs(a)));
    return;
}

