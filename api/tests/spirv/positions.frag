#version 450
layout(location = 0) out vec4 color;
void main() {
    vec2 at = gl_SamplePosition;
    color = vec4(at * at, at.x * at.y, 1.0);
}
