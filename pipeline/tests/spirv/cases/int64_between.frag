#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
// Numbers of 64 bits are their words, low ones first; three of them take two locations.
//= 1 2 3 4 ; 5 6 ; 7 8 -> 1 2 5 6 ; 10 12
//= 0xffffffff 0 0 0 ; 1 1 ; 1 0 -> 0xffffffff 0 1 1 ; 1 0
layout(location = 0) flat in u64vec3 numbers;
layout(location = 2) flat in int64_t number;
layout(location = 0) out uvec4 parts;
layout(location = 1) out uvec2 sum;
void main() {
    parts = uvec4(unpackUint2x32(numbers.x), unpackUint2x32(numbers.z));
    sum = unpackUint2x32(numbers.y + uint64_t(number));
}
