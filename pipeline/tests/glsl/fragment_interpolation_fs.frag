#version 450 core
layout(location = 0) smooth in float _vs2fs_location0;
layout(location = 1) smooth centroid in vec2 _vs2fs_location1;
layout(location = 2) noperspective in float _vs2fs_location2;
layout(location = 3) noperspective centroid in float _vs2fs_location3;
layout(location = 4) flat in vec2 _vs2fs_location4;
layout(location = 5) flat in uint _vs2fs_location5;
layout(location = 0) out vec4 _fs2p_location0;

void main() {
    float a = _vs2fs_location0;
    vec2 b = _vs2fs_location1;
    float c = _vs2fs_location2;
    float d = _vs2fs_location3;
    vec2 e = _vs2fs_location4;
    uint f = _vs2fs_location5;
    _fs2p_location0 = vec4((a + b.x), (b.y + c), (d + e.x), (e.y + float(f)));
    return;
}

