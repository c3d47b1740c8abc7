#version 450
layout(set = 0, binding = 0) uniform sampler2D image;
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 color;
void main() {
    color = texture(image, at);
    color.xy += interpolateAtSample(at, 1);
}
