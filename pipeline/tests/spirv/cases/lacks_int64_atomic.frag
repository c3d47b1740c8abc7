#version 450
#extension GL_EXT_shader_atomic_int64 : require
#extension GL_ARB_gpu_shader_int64 : require
//: lacks OpAtomicIAdd of 64-bit integers
layout(set = 0, binding = 0) buffer Sum { uint64_t sum; };
layout(location = 0) out uvec4 color;
void main() { color = uvec4(uint(atomicAdd(sum, uint64_t(1)))); }
