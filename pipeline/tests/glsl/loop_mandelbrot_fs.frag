#version 450 core
struct Area {
    vec2 centre;
    float scale;
    uint steps;
};
layout(std140, binding = 0) uniform Area_block_0Fragment { Area _group_0_binding_0_fs; };

layout(location = 0) smooth in vec2 _vs2fs_location0;
layout(location = 0) out vec4 _fs2p_location0;

void main() {
    vec2 at = _vs2fs_location0;
    vec2 z = vec2(0.0);
    uint i = 0u;
    vec2 _e3 = _group_0_binding_0_fs.centre;
    float _e6 = _group_0_binding_0_fs.scale;
    vec2 c = (_e3 + (at * _e6));
    bool loop_init = true;
    while(true) {
        if (!loop_init) {
            uint _e45 = i;
            i = (_e45 + 1u);
        }
        loop_init = false;
        uint _e14 = i;
        uint _e17 = _group_0_binding_0_fs.steps;
        if ((_e14 < _e17)) {
        } else {
            break;
        }
        {
            vec2 _e19 = z;
            vec2 _e20 = z;
            if ((dot(_e19, _e20) > 4.0)) {
                break;
            }
            float _e25 = z.x;
            float _e27 = z.x;
            float _e30 = z.y;
            float _e32 = z.y;
            float _e36 = z.x;
            float _e40 = z.y;
            z = (vec2(((_e25 * _e27) - (_e30 * _e32)), ((2.0 * _e36) * _e40)) + c);
        }
    }
    uint _e47 = i;
    uint _e51 = _group_0_binding_0_fs.steps;
    float shade = (float(_e47) / float(_e51));
    _fs2p_location0 = vec4(shade, (shade * shade), sqrt(shade), 1.0);
    return;
}

