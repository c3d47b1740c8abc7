#version 450 core
struct Settings {
    uint mode;
    uint rounds;
    vec2 scale;
};
layout(std140, binding = 0) uniform Settings_block_0Fragment { Settings _group_0_binding_0_fs; };

layout(location = 0) smooth in vec4 _vs2fs_location0;
layout(location = 1) flat in ivec4 _vs2fs_location1;
layout(location = 0) out vec4 _fs2p_location0;

void main() {
    vec4 a = _vs2fs_location0;
    ivec4 n = _vs2fs_location1;
    vec4 v = vec4(0.0);
    uint i = 0u;
    v = a;
    uint _e5 = _group_0_binding_0_fs.mode;
    if (((_e5 & 1u) == 1u)) {
        vec4 _e10 = v;
        float _e14 = _group_0_binding_0_fs.scale.x;
        v = (_e10 * _e14);
    } else {
        uint _e18 = _group_0_binding_0_fs.mode;
        if (((_e18 & 2u) != 0u)) {
            vec4 _e23 = v;
            float _e27 = _group_0_binding_0_fs.scale.y;
            v = (_e23 + vec4(_e27));
        }
    }
    bool loop_init = true;
    while(true) {
        if (!loop_init) {
            uint _e67 = i;
            i = (_e67 + 1u);
        }
        loop_init = false;
        uint _e32 = i;
        uint _e35 = _group_0_binding_0_fs.rounds;
        if ((_e32 < (_e35 % 9u))) {
        } else {
            break;
        }
        {
            uint _e41 = _group_0_binding_0_fs.mode;
            uint _e42 = i;
            switch(((_e41 + _e42) % 3u)) {
                case 0u: {
                    vec4 _e46 = v;
                    v = _e46.yzwx;
                    break;
                }
                case 1u: {
                    vec4 _e48 = v;
                    v = (_e48 - vec4(0.25));
                    uint _e52 = i;
                    if ((_e52 == 5u)) {
                        break;
                    }
                    vec4 _e55 = v;
                    v = (_e55 * 1.5);
                    break;
                }
                default: {
                    float _e59 = v.x;
                    if ((_e59 > 100.0)) {
                        continue;
                    }
                    float _e63 = v.x;
                    v.x = (_e63 + 1.0);
                    break;
                }
            }
        }
    }
    vec4 _e69 = v;
    _fs2p_location0 = _e69;
    return;
}

