#version 450
#extension GL_KHR_shader_subgroup_clustered : require
//: lacks the group operation ClusteredReduce
layout(location = 0) flat in ivec4 value;
layout(location = 0) out ivec4 color;
void main() { color = ivec4(subgroupClusteredAdd(value.x, 4)); }
