// Arrays in arrays in storage, with run-time lengths at the end.
struct Grid { size: vec2u, cells: array<array<vec2f, 3>> }
@group(0) @binding(0) var<storage, read_write> grid: Grid;
@fragment
fn fs(@location(0) @interpolate(flat) n: vec4u) -> @location(0) vec4f {
    let rows = arrayLength(&grid.cells);
    let row = grid.cells[n.x % max(rows, 1u)];
    grid.cells[n.y % 3u][n.z % 3u] = vec2f(f32(rows), row[1].x);
    let swap = grid.cells[0];
    grid.cells[1] = swap;
    return vec4f(row[n.w % 3u], grid.cells[1][2]);
}
