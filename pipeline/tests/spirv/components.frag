#version 450
layout(location = 0, component = 0) in vec2 a;
layout(location = 0, component = 2) in float b;
layout(location = 1) in vec2 rows[2];
layout(location = 3) in Block { vec3 c; flat int d; } block;
layout(location = 0, component = 1) out vec2 yz;
layout(location = 0, component = 0) out float x;
layout(location = 1) out ivec2 number;
void main() {
    x = a.y + b;
    yz = rows[1] + block.c.yz;
    number = ivec2(block.d, 5);
}
