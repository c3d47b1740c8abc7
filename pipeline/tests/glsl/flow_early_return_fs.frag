#version 450 core
layout(location = 0) smooth in vec4 _vs2fs_location0;
layout(location = 1) smooth in vec4 _vs2fs_location1;
layout(location = 0) out vec4 _fs2p_location0;

float classify(float x) {
    if ((x < -5.0)) {
        return -1.0;
    }
    if ((x > 5.0)) {
        if ((x > 10.0)) {
            return 3.0;
        }
        return 2.0;
    }
    return (x * 0.1);
}

void main() {
    vec4 a = _vs2fs_location0;
    vec4 b = _vs2fs_location1;
    float _e3 = classify(a.x);
    float _e5 = classify(b.x);
    float x_1 = (_e3 + _e5);
    if ((x_1 > 3.0)) {
        _fs2p_location0 = vec4(x_1);
        return;
    }
    if ((a.y > b.y)) {
        _fs2p_location0 = a;
        return;
    } else {
        _fs2p_location0 = (b + vec4(x_1));
        return;
    }
}

