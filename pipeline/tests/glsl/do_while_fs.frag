#version 450 core
layout(location = 0) smooth in vec4 _vs2fs_location0;
layout(location = 1) flat in ivec4 _vs2fs_location1;
layout(location = 0) out vec4 _fs2p_location0;

void main() {
    vec4 a = _vs2fs_location0;
    ivec4 n = _vs2fs_location1;
    float x = 0.0;
    uint rounds = 0u;
    bool local = false;
    x = a.x;
    while(true) {
        float _e6 = x;
        x = ((_e6 * 0.5) + a.y);
        uint _e12 = rounds;
        rounds = (_e12 + 1u);
        float _e14 = x;
        if ((abs(_e14) > 1.0)) {
            uint _e20 = rounds;
            local = (_e20 < 12u);
        } else {
            local = false;
        }
        bool _e24 = local;
        if (!(_e24)) {
            break;
        }
    }
    float _e26 = x;
    uint _e27 = rounds;
    _fs2p_location0 = vec4(_e26, float(_e27), 0.0, 1.0);
    return;
}

