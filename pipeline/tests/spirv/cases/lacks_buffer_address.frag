#version 450
#extension GL_EXT_buffer_reference : require
//: lacks the capability PhysicalStorageBufferAddresses (instruction 1, OpCapability)
layout(buffer_reference, std430) buffer Tint { vec4 color; };
layout(push_constant) uniform Push { Tint tint; };
layout(location = 0) out vec4 color;
void main() { color = tint.color; }
