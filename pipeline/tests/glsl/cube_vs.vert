#version 450 core
struct Camera {
    mat4x4 view_projection;
    mat4x4 model;
    mat3x3 normal;
    vec3 light;
    float ambient;
};
struct Varyings {
    vec4 position;
    vec3 normal;
    vec2 uv;
};
layout(std140, binding = 0) uniform Camera_block_0Vertex { Camera _group_0_binding_0_vs; };

layout(location = 0) in vec3 _p2vs_location0;
layout(location = 1) in vec3 _p2vs_location1;
layout(location = 2) in vec2 _p2vs_location2;
layout(location = 0) smooth out vec3 _vs2fs_location0;
layout(location = 1) smooth out vec2 _vs2fs_location1;

void main() {
    vec3 position = _p2vs_location0;
    vec3 normal = _p2vs_location1;
    vec2 uv = _p2vs_location2;
    Varyings out_ = Varyings(vec4(0.0), vec3(0.0), vec2(0.0));
    mat4x4 _e6 = _group_0_binding_0_vs.model;
    vec4 world = (_e6 * vec4(position, 1.0));
    mat4x4 _e13 = _group_0_binding_0_vs.view_projection;
    out_.position = (_e13 * world);
    mat3x3 _e18 = _group_0_binding_0_vs.normal;
    out_.normal = (_e18 * normal);
    out_.uv = uv;
    Varyings _e21 = out_;
    gl_Position = _e21.position;
    _vs2fs_location0 = _e21.normal;
    _vs2fs_location1 = _e21.uv;
    return;
}

