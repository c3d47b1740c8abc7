#version 450 core
const float TABLE[3] = float[3](3.0, 1.75, 2.6666667);

layout(location = 0) smooth in vec4 _vs2fs_location0;
layout(location = 1) flat in ivec4 _vs2fs_location1;
layout(location = 0) out vec4 _fs2p_location0;

float pick(int at) {
    switch(at) {
        case 1: {
            return 3.0;
        }
        case 3: {
            return 1.75;
        }
        default: {
            return 2.6666667;
        }
    }
}

void main() {
    vec4 a = _vs2fs_location0;
    ivec4 n = _vs2fs_location1;
    float local[3] = TABLE;
    local[(n.x & 1)] = 6.0;
    float _e10 = local[0];
    float _e14 = pick((n.y & 3));
    _fs2p_location0 = vec4(_e10, _e14, 0.0, (a.x * 2.6666667));
    return;
}

