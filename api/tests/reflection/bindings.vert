#version 450
layout(constant_id = 1) const bool far = true;
layout(constant_id = 7) const int steps = -3;
layout(set = 0, binding = 1, std430) readonly buffer Values { vec4 first; float rest[]; } values;
layout(set = 0, binding = 4, std430) buffer Counts { uint counts_[2]; } counts;
layout(set = 2, binding = 0, r32f) writeonly uniform image3D volume;
layout(set = 2, binding = 3) uniform samplerCube skies[5];
layout(push_constant) uniform Push { layout(offset = 16) mat4 view; };
layout(location = 0) in ivec4 numbers;
layout(location = 1) in mat3 turn;
layout(location = 0) out vec2 place;
layout(location = 5) flat out int number;
void main() {
    number = far ? numbers.x + numbers.w : steps;
    place = (turn * values.first.xyz).xy + values.rest[number & 7];
    imageStore(volume, numbers.xyz, textureLod(skies[3], turn[2], 0.0));
    atomicAdd(counts.counts_[1], 1);
    gl_Position = view * vec4(place, 0.0, 1.0);
}
