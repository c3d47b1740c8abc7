#version 450 core
layout(location = 0) smooth in vec4 _vs2fs_location0;
layout(location = 1) flat in ivec4 _vs2fs_location1;
layout(location = 0) out vec4 _fs2p_location0;

void main() {
    vec4 a = _vs2fs_location0;
    ivec4 n = _vs2fs_location1;
    float small[3] = float[3](1.0, 2.0, 3.0);
    float large[12] = float[12](0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    int i = 0;
    bool loop_init = true;
    while(true) {
        if (!loop_init) {
            int _e20 = i;
            i = (_e20 + 1);
        }
        loop_init = false;
        int _e10 = i;
        if ((_e10 < 20)) {
        } else {
            break;
        }
        {
            int _e13 = i;
            int _e15 = i;
            large[_e13] = (float(_e15) + a.x);
        }
    }
    small[n.x] = a.y;
    large[n.y] = a.z;
    float _e30 = small[n.z];
    float _e33 = large[n.w];
    float _e35 = small[0];
    float _e37 = large[11];
    _fs2p_location0 = vec4(_e30, _e33, _e35, _e37);
    return;
}

