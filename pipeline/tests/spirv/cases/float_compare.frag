#version 450
//= 1.0 2.0 3.0 4.0 -> 1 1 0 0
//= -2.5 0.5 0.25 -8.0 -> 1 0 1 1
//= 0.0 16.0 -1.5 3.25 -> 1 0 0 0
//= -0.75 -4.0 9.0 1.0 -> 0 1 1 0
layout(location = 0) in vec4 v;
layout(location = 0) out ivec4 r;
void main() {
    r = ivec4(v.x < v.y, v.y <= v.z, v.z > v.w, v.x >= v.w);
}
