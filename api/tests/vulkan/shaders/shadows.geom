#version 450
layout(set = 0, binding = 0, std140) uniform Scene { mat4 clip; mat4 world; vec4 light; vec4 eye; } scene;
layout(triangles_adjacency) in;
layout(triangle_strip, max_vertices = 18) out;
bool lit_side(vec3 a, vec3 b, vec3 c) { return dot(cross(b - a, c - a), scene.light.xyz) > 0.0; }
vec3 corner(int i) { return gl_in[i].gl_Position.xyz; }
void near(vec3 at) {
    gl_Position = scene.clip * vec4(at, 1.0);
    EmitVertex();
}
void far(vec3 at) { near(at - scene.light.xyz * 5.0); }
void main() {
    vec3 a = corner(0), b = corner(2), c = corner(4);
    if (!lit_side(a, b, c)) return;
    near(a); near(b); near(c);
    EndPrimitive();
    far(a); far(c); far(b);
    EndPrimitive();
    for (int i = 0; i < 3; i++) {
        vec3 start = corner(2 * i), stop = corner((2 * i + 2) % 6);
        if (!lit_side(start, corner(2 * i + 1), stop)) {
            near(start); far(start); near(stop); far(stop);
            EndPrimitive();
        }
    }
}
