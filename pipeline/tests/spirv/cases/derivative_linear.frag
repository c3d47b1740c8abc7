#version 450
//= 0.0 1.0 0.0 0.0 -> 1.0 4.0 5.0 0.0
//= 1.0 1.0 0.0 0.0 -> 1.0 4.0 5.0 0.0
//= 4.0 1.0 0.0 0.0 -> 1.0 4.0 5.0 0.0
//= 5.0 1.0 0.0 0.0 -> 1.0 4.0 5.0 0.0
layout(location = 0) in vec4 v;
layout(location = 0) out vec4 c;
void main() { c = vec4(dFdx(v.x), dFdy(v.x), fwidth(v.x), dFdxFine(v.y) + dFdyCoarse(v.y)); }
