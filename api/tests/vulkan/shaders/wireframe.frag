#version 450
layout(location = 0) in vec3 sides;
layout(location = 0) out vec4 result;
void main() {
    vec3 steps = sides / fwidth(sides);
    if (min(steps.x, min(steps.y, steps.z)) > 1.5) discard;
    result = gl_FrontFacing ? vec4(0.5, 0.95, 0.7, 1.0) : vec4(0.12, 0.2, 0.3, 1.0);
}
