#version 450 core
#extension GL_ARB_shader_storage_buffer_object : require
struct Light {
    vec3 position;
    float power;
};
const uint lights_count = 3u;

uint counter = 5u;

vec3 colors[2] = vec3[2](vec3(1.0, 0.5, 0.25), vec3(0.125));

Light zero = Light(vec3(0.0), 0.0);

layout(std140, binding = 0) uniform type_4_block_0Fragment { Light _group_0_binding_0_fs[3]; };

layout(std430, binding = 11) readonly buffer type_6_block_1Fragment { vec2 _group_1_binding_3_fs[]; };

layout(location = 0) smooth in vec4 _vs2fs_location0;
layout(location = 1) flat in ivec4 _vs2fs_location1;
layout(location = 0) out vec4 _fs2p_location0;

uint next() {
    uint _e2 = counter;
    counter = ((_e2 * 1664525u) + 1013904223u);
    uint _e8 = counter;
    return (_e8 >> 24u);
}

void main() {
    vec4 a = _vs2fs_location0;
    ivec4 n = _vs2fs_location1;
    uint _e2 = next();
    vec3 _e8 = colors[(n.x & 1)];
    colors[(n.x & 1)] = (_e8 * 2.0);
    float _e13 = zero.power;
    uint _e14 = next();
    zero.power = (_e13 + float((_e14 ^ _e2)));
    Light l = _group_0_binding_0_fs[(uint(n.y) % lights_count)];
    vec3 _e27 = colors[0];
    float _e34 = zero.power;
    float _e41 = _group_1_binding_3_fs[(n.z & 7)].y;
    _fs2p_location0 = vec4((_e27 + (l.position * l.power)), (_e34 + _e41));
    return;
}

