#version 450 core
struct Varyings {
    vec4 position;
    vec3 color;
};
layout(location = 0) smooth in vec3 _vs2fs_location0;
layout(location = 0) out vec4 _fs2p_location0;

void main() {
    Varyings in_ = Varyings(gl_FragCoord, _vs2fs_location0);
    _fs2p_location0 = vec4(in_.color, 1.0);
    return;
}

