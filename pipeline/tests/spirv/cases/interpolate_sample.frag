#version 450
//= 0.5 ; 0 -> 0.5 0.5
//= 0.5 ; 1 -> 0.5 0.5
layout(location = 0) noperspective in float v;
layout(location = 1) flat in int n;
layout(location = 0) out vec2 c;
void main() { c = vec2(interpolateAtSample(v, n), interpolateAtSample(v, 3)); }
