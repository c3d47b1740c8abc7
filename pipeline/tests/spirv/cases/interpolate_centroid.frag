#version 450
//= 0.5 ; 0.75 ; 3.0 ; 2.0 -> 0.75 2.0
layout(location = 0) in float v;
layout(location = 1) noperspective in float w;
layout(location = 0) out vec2 c;
void main() { c = vec2(interpolateAtCentroid(v), interpolateAtCentroid(w)); }
