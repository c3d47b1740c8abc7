#version 450
layout(set = 0, binding = 0, input_attachment_index = 0) uniform subpassInput own;
layout(location = 0) out vec4 color;
// The depth before is the colour, and moves halfway to 0.
void main() {
    float depth = subpassLoad(own).x;
    color = vec4(depth, 0.0, 0.0, 1.0);
    gl_FragDepth = depth * 0.5;
}
