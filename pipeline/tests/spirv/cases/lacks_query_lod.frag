#version 450
//: lacks OpImageQueryLod
layout(set = 0, binding = 0) uniform sampler2D t;
layout(location = 0) out vec4 c;
void main() { c = vec4(textureQueryLod(t, vec2(0.5)), 0.0, 0.0); }
