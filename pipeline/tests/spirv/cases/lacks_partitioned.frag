#version 450
#extension GL_NV_shader_subgroup_partitioned : require
//: lacks OpGroupNonUniformPartitionEXT
layout(location = 0) flat in ivec4 value;
layout(location = 0) out uvec4 color;
void main() { color = subgroupPartitionNV(value.x); }
