#version 450
layout(set = 0, binding = 0, r32ui) uniform uimageBuffer words;
layout(location = 0) out vec4 color;
void main() {
    imageAtomicAdd(words, int(gl_FragCoord.x), 2u);
    color = vec4(0.0);
}
