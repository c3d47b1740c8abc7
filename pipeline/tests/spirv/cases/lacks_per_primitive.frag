#version 450
#extension GL_EXT_mesh_shader : require
//: lacks the decoration PerPrimitiveEXT
layout(location = 0) perprimitiveEXT flat in ivec4 value;
layout(location = 0) out ivec4 color;
void main() { color = value; }
