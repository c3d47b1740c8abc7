#version 450 core
layout(location = 0) smooth in vec4 _vs2fs_location0;
layout(location = 1) flat in ivec4 _vs2fs_location1;
layout(location = 0) out vec4 _fs2p_location0;

void main() {
    vec4 a = _vs2fs_location0;
    ivec4 n = _vs2fs_location1;
    float x = 0.0;
    int x_1 = 0;
    float y = 0.0;
    float x_2 = 10.0;
    x = a.x;
    if ((n.x > 0)) {
    } else {
        x = 4.0;
    }
    bool loop_init = true;
    while(true) {
        if (!loop_init) {
            int _e22 = x_1;
            x_1 = (_e22 + 1);
        }
        loop_init = false;
        int _e11 = x_1;
        if ((_e11 < 2)) {
        } else {
            break;
        }
        {
            int _e14 = x_1;
            y = float(_e14);
            float _e17 = y;
            y = (_e17 + 1.0);
            float phony = y;
        }
    }
    {
        float _e26 = x_2;
        x_2 = (_e26 + a.y);
        float phony_1 = x_2;
    }
    switch((n.y & 1)) {
        case 0: {
            break;
        }
        default: {
            float _e34 = x;
            x = (_e34 + 2.0);
            break;
        }
    }
    while(true) {
        float y_1 = x;
        x = (y_1 + 0.5);
        float _e40 = x;
        if ((_e40 > 3.0)) {
            break;
        }
    }
    float _e43 = x;
    _fs2p_location0 = vec4(_e43);
    return;
}

