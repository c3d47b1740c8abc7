// Structs in a private array, reached by a run-time index.
struct Item { position: vec2f, weight: f32, tag: i32 }
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    var items: array<Item, 6>;
    for (var i = 0; i < 6; i++) { items[i] = Item(a.xy * f32(i), a.z - f32(i), i * n.x); }
    let chosen = items[(n.y & 0xff) % 6];
    items[(n.z & 0xff) % 6].weight = 100.0;
    return vec4f(chosen.position, items[3].weight, f32(chosen.tag & 255));
}
