#version 450
//= 0.0 8.0 ; 3.0 -> 2.25 10.25 3.0
//= 1.0 8.5 ; 3.0 -> 3.25 10.75 3.0
//= 4.0 9.0 ; 3.0 -> 6.25 11.25 3.0
//= 5.0 9.5 ; 3.0 -> 7.25 11.75 3.0
layout(location = 0) in Block { noperspective vec2 v; flat float k; } block;
layout(location = 0) out vec3 c;
void main() {
    float y = interpolateAtOffset(block.v.y, vec2(0.5, 2.0));
    c = vec3(interpolateAtOffset(block.v, vec2(0.25, 0.5)).x, y, interpolateAtOffset(block.k, vec2(0.5)));
}
