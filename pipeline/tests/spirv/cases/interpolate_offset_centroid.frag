#version 450
//= 0.25 ; 0.0 -> 2.25
//= 1.25 ; 1.0 -> 3.25
//= 4.25 ; 4.0 -> 6.25
//= 5.25 ; 5.0 -> 7.25
layout(location = 0) noperspective centroid in float v;
layout(location = 0) out float c;
void main() { c = interpolateAtOffset(v, vec2(0.25, 0.5)); }
