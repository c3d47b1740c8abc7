#version 450
layout(location = 0) out vec4 color;
void main() {
    float helper = gl_HelperInvocation ? 1.0 : 0.0;
    color = vec4(helper, min(fwidth(helper), 1.0), 0.0, 1.0);
}
