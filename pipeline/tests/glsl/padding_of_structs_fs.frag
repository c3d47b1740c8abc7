#version 450 core
#extension GL_ARB_shader_storage_buffer_object : require
struct A {
    vec3 x;
    vec2 y;
};
struct B {
    float first;
    uvec2 second;
    A third[2];
};
layout(std140, binding = 0) uniform B_block_0Fragment { B _group_0_binding_0_fs; };

layout(std430, binding = 1) buffer type_5_block_1Fragment { B _group_0_binding_1_fs[]; };

layout(location = 0) smooth in vec4 _vs2fs_location0;
layout(location = 1) flat in ivec4 _vs2fs_location1;
layout(location = 0) out vec4 _fs2p_location0;

void main() {
    vec4 a = _vs2fs_location0;
    ivec4 n = _vs2fs_location1;
    _group_0_binding_1_fs[(n.x & 1)].third[1].y = a.xy;
    uvec2 _e16 = _group_0_binding_0_fs.second;
    _group_0_binding_1_fs[1].second = (_e16 + uvec2(n.yz));
    B b = _group_0_binding_1_fs[0];
    vec3 _e30 = _group_0_binding_0_fs.third[(n.y & 1)].x;
    _fs2p_location0 = (vec4(_e30, b.first) + vec4(b.third[0].y, vec2((b.second & uvec2(255u)))));
    return;
}

