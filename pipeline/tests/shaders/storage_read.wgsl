// Read-only storage buffers, run-time arrays, arrayLength, out of bounds.
struct Item {
    position: vec3f,
    weight: f32,
    tags: array<u32, 3>,
}
struct List {
    count: u32,
    items: array<Item>,
}
@group(0) @binding(0) var<storage, read> list: List;
@group(0) @binding(1) var<storage, read> plain: array<vec2f>;

@fragment
fn fs(@location(0) @interpolate(flat) n: vec4u) -> @location(0) vec4f {
    let item = list.items[n.x];
    let far = list.items[n.y % 8].tags[n.z];
    return vec4f(item.position + item.weight, f32(far)) + vec4f(plain[n.w], f32(arrayLength(&plain)), f32(arrayLength(&list.items) + list.count));
}
