#version 450
//= 0.0 -> 0.0
//= 1.0 -> 3.25
//= 4.0 -> 0.0
//= 5.0 -> 7.25
layout(location = 0) noperspective in float v[1];
layout(location = 0) out float c;
void main() {
    c = 0.0;
    if (mod(v[0], 2.0) == 1.0) c = interpolateAtOffset(v[0], vec2(0.25, 0.5));
}
