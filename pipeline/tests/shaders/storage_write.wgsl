// Stores to storage buffers, in bounds and out of bounds.
struct Cell {
    value: vec3f,
    hits: u32,
}
@group(0) @binding(0) var<storage, read_write> cells: array<Cell, 64>;
@group(0) @binding(1) var<storage, read_write> trace: array<u32>;

@fragment
fn fs(@location(0) @interpolate(flat) n: vec2u, @builtin(position) at: vec4f) -> @location(0) vec4f {
    let i = u32(at.x) + 8 * u32(at.y);
    cells[i].value = vec3f(at.xy, f32(n.x));
    cells[i].hits = cells[i].hits + 1;
    trace[i] = n.y;
    trace[n.x + 100000] = 1;
    return vec4f(cells[i].value, f32(cells[i].hits));
}
