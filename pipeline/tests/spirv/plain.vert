#version 450
layout(set = 0, binding = 0) uniform Camera { mat4 view; mat3 turn; float size[4]; } camera;
layout(location = 0) in vec3 position;
layout(location = 1) in uint which;
layout(location = 0) out vec2 uv;
out gl_PerVertex { vec4 gl_Position; };
void main() {
    float scale = 1.0;
    switch (which) { case 0u: scale = 2.0; case 1u: scale += 0.5; break; default: scale = camera.size[which & 3u]; }
    for (int i = 0; i < 3; i++) { if (position[i] > 100.0) { scale = 0.0; break; } }
    uv = (camera.turn * position).xy;
    gl_Position = camera.view * vec4(position * scale, 1.0) + vec4(gl_VertexIndex, gl_InstanceIndex, 0, 0);
}
