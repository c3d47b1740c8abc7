#version 450
// Corners and colours by the number of the vertex; each instance lies further up.
layout(location = 0) out vec3 shade;
layout(push_constant) uniform Place { vec4 place; };

void main() {
    vec2 corner = vec2(gl_VertexIndex == 1, gl_VertexIndex == 2);
    gl_Position = vec4(place.xy + corner * place.zw - vec2(0.0, 0.5 * float(gl_InstanceIndex)), 0.25 * float(gl_InstanceIndex), 1.0);
    shade = vec3(corner, 0.5);
}
