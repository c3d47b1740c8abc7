#version 450
//= 1.5 2.25 3.0 4.75 -> 0.5 0.25 3.0 4.0
//= 2.5 0.5 0.25 8.5 -> 0.5 0.5 0.0 8.0
layout(location = 0) in vec4 v;
layout(location = 0) out vec4 c;
void main() {
    vec4 w; vec4 p = modf(v, w); c = vec4(p.xy, w.zw);
}
