#version 450
#extension GL_EXT_shader_atomic_float : require
//: lacks OpAtomicFAddEXT
layout(set = 0, binding = 0) buffer Sum { float sum; };
layout(location = 0) out vec4 color;
void main() { color = vec4(atomicAdd(sum, 1.0)); }
