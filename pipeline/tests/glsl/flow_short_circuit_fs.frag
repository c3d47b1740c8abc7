#version 450 core
uint notes = 0u;

layout(location = 0) smooth in vec4 _vs2fs_location0;
layout(location = 1) smooth in vec4 _vs2fs_location1;
layout(location = 0) out vec4 _fs2p_location0;

bool note(float x) {
    uint _e2 = notes;
    notes = (_e2 + 1u);
    return (x > 0.0);
}

void main() {
    vec4 a = _vs2fs_location0;
    vec4 b = _vs2fs_location1;
    bool local = false;
    bool local_1 = false;
    if ((a.x > b.x)) {
        bool _e8 = note(a.y);
        local = _e8;
    } else {
        local = false;
    }
    bool p = local;
    if (!((a.z > b.z))) {
        bool _e18 = note(b.y);
        local_1 = _e18;
    } else {
        local_1 = true;
    }
    bool q = local_1;
    uint _e24 = notes;
    _fs2p_location0 = vec4(float(p), float(q), float(_e24), 1.0);
    return;
}

