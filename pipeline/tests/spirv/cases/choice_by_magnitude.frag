#version 450
//= -2.0 5.0 0.0 0.0 -> 2.0 7.0 1.0 5.0
//= 0.0 5.0 0.0 0.0 -> 0.0 3.0 0.0 0.0
//= 3.0 4.0 0.0 0.0 -> 3.0 7.0 1.0 4.0
layout(location = 0) in vec4 v;
layout(location = 0) out vec4 c;
void main() {
    float size = abs(v.x);
    c = vec4(max(size, 0.0), size > 0.0 ? 7.0 : 3.0, min(size, 1.0), 0.0 < size ? v.y : 0.0);
}
