#version 450
//= 1.0 2.0 0.0 0.0 -> 1 0 1 0
//= NaN 2.0 0.0 0.0 -> 0 1 0 1
//= inf NaN 0.0 0.0 -> 1 0 0 0
layout(location = 0) in vec4 v;
layout(location = 0) out ivec4 r;
void main() {
    r = ivec4(v.x == v.x, v.x != v.x, v.x < v.y, isnan(v.x));
}
