// Indices outside of buffers and of arrays in them: reads give something defined, writes go nowhere else.
struct Block { head: u32, fixed: array<u32, 5>, rest: array<u32> }
@group(0) @binding(0) var<storage, read_write> block: Block;
@group(0) @binding(1) var<uniform> table: array<vec4u, 6>;
@fragment
fn fs(@location(0) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    let read = block.fixed[n.x] ^ block.rest[n.y] ^ table[n.z][n.w & 3];
    block.fixed[n.w] = 11u;
    block.rest[n.z] = 12u;
    return vec4f(f32(read & 0xffffu), f32(block.head & 255u), f32(arrayLength(&block.rest)), 0.0);
}
