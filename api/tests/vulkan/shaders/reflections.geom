#version 450
layout(triangles, invocations = 6) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) in vec3 corner_world[];
layout(location = 1) in vec3 corner_turned[];
layout(location = 0) out vec3 world;
layout(location = 1) out vec3 turned;
// What is right, up and ahead on a face.
vec3 on_face(int face, vec3 p) {
    switch (face) {
        case 0: return vec3(-p.z, p.y, p.x);
        case 1: return vec3(p.z, p.y, -p.x);
        case 2: return vec3(p.x, -p.z, p.y);
        case 3: return vec3(p.x, p.z, -p.y);
        case 4: return p;
        default: return vec3(-p.x, p.y, -p.z);
    }
}
void main() {
    for (int i = 0; i < 3; i++) {
        vec3 p = on_face(gl_InvocationID, corner_world[i]);
        // Depths from 0.25 to 16.
        gl_Position = vec4(p.xy, (p.z - 0.25) * (16.0 / 15.75), p.z);
        gl_Layer = gl_InvocationID;
        world = corner_world[i];
        turned = corner_turned[i];
        EmitVertex();
    }
    EndPrimitive();
}
