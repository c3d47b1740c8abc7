#version 450
// Words of a pattern, through memory that a workgroup shares.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Pattern { uint pattern[]; };
shared uint words[64];

void main() {
    uint n = gl_LocalInvocationIndex;
    words[n] = (gl_GlobalInvocationID.x * 2654435761u) ^ 0x5a5a5a5au;
    barrier();
    pattern[gl_GlobalInvocationID.x] = words[n ^ 1u] + words[63u - n];
}
