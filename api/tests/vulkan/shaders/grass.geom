#version 450
layout(set = 0, binding = 0, std140) uniform Scene { mat4 clip; mat4 world; vec4 light; vec4 eye; } scene;
layout(points, invocations = 4) in;
layout(triangle_strip, max_vertices = 7) out;
layout(location = 0) in vec3 given[];
layout(location = 0) out vec3 color;
void blade(vec3 at, vec3 shade) {
    gl_Position = scene.clip * vec4(at, 1.0);
    color = shade;
    EmitVertex();
}
void main() {
    vec3 random = fract(given[0] * (float(gl_InvocationID) * 1.7 + 1.0));
    float angle = random.x * 6.2831853;
    vec3 side = vec3(cos(angle), 0.0, sin(angle)) * 0.018;
    vec3 root = gl_in[0].gl_Position.xyz + vec3(random.y - 0.5, 0.0, random.z - 0.5) * 0.1;
    float height = 0.25 + 0.3 * random.z;
    float wind = 0.12 * sin(scene.light.w * 2.0 + root.x * 3.0 + random.y);
    vec3 lean = vec3(wind, 0.0, 0.3 * wind) + vec3(side.z, 0.0, -side.x) * 4.0;
    for (int i = 0; i < 3; i++) {
        float t = float(i) / 3.0;
        vec3 at = root + vec3(0.0, height * t, 0.0) + lean * t * t;
        vec3 shade = mix(vec3(0.02, 0.09, 0.02), vec3(0.35, 0.6, 0.12), t) * (0.6 + 0.4 * random.x);
        blade(at - side * (1.0 - t), shade);
        blade(at + side * (1.0 - t), shade);
    }
    blade(root + vec3(0.0, height, 0.0) + lean, vec3(0.6, 0.8, 0.2));
    EndPrimitive();
}
