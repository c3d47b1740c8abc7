#version 450
layout(set = 0, binding = 0, std140) uniform Scene { mat4 clip; mat4 world; vec4 light; vec4 eye; } scene;
layout(points) in;
layout(triangle_strip, max_vertices = 4) out;
layout(location = 0) in vec3 given[];
layout(location = 0) flat out vec3 color;
layout(location = 1) out vec2 place;
void main() {
    vec3 middle = gl_in[0].gl_Position.xyz;
    vec3 right = normalize(cross(vec3(0.0, 1.0, 0.0), scene.eye.xyz - middle));
    vec3 up = normalize(cross(scene.eye.xyz - middle, right));
    for (int i = 0; i < 4; i++) {
        place = vec2(i & 1, i >> 1) * 2.0 - 1.0;
        color = given[0];
        gl_Position = scene.clip * vec4(middle + (right * place.x + up * place.y) * 0.11, 1.0);
        EmitVertex();
    }
}
