#version 450
//= 1.0 2.0 3.0 4.0 -> 0.5 0.5 2.0 3.0
//= -2.5 0.5 0.25 -8.0 -> -0.625 0.5 -1.0 4.0
//= 0.0 16.0 -1.5 3.25 -> 0.0 0.5 1.0 2.0
//= -0.75 -4.0 9.0 1.0 -> -0.75 -0.5 4.0 1.0
layout(location = 0) in vec4 v;
layout(location = 0) out vec4 c;
void main() {
    ivec4 e; vec4 m = frexp(v, e); c = vec4(m.xy, vec2(e.zw));
}
