#version 450
layout(set = 0, binding = 0, std140) uniform Scene { mat4 clip; mat4 world; vec4 light; vec4 eye; } scene;
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) flat out vec3 color;
void main() {
    vec3 a = gl_in[0].gl_Position.xyz, b = gl_in[1].gl_Position.xyz, c = gl_in[2].gl_Position.xyz;
    vec3 normal = normalize(cross(b - a, c - a));
    vec3 middle = (a + b + c) / 3.0;
    float away = 0.12 + 0.3 * max(0.0, middle.x + middle.y);
    float light = 0.25 + 0.75 * abs(dot(normal, scene.light.xyz));
    vec3 shade = mix(vec3(0.9, 0.35, 0.1), vec3(0.15, 0.5, 0.9), 0.5 + 0.5 * middle.y) * light;
    for (int i = 0; i < 3; i++) {
        vec3 corner = middle + (gl_in[i].gl_Position.xyz - middle) * (1.0 - 0.4 * away) + normal * away;
        gl_Position = scene.clip * vec4(corner, 1.0);
        color = shade;
        EmitVertex();
    }
    EndPrimitive();
}
