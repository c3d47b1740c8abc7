#version 450

layout(location = 0) in vec3 position;
layout(location = 1) in uvec4 joints;
layout(location = 2) in vec4 weights;
layout(location = 0) out vec3 normal;

layout(set = 0, binding = 0) uniform Bones { mat4 bones[32]; };
layout(set = 1, binding = 0) uniform View { mat4 view; mat4 projection; } camera;

void main() {
    mat4 skin = bones[joints.x] * weights.x;
    skin += bones[joints.y] * weights.y + bones[joints.z] * weights.z;
    vec4 world = skin * vec4(position, 1.0);
    normal = mat3(skin) * vec3(0.0, 0.0, 1.0);
    gl_Position = camera.projection * camera.view * world;
    gl_PointSize = float(gl_VertexIndex % 4) + 1.0;
}
