// Nested arrays with several run-time indices.
@fragment
fn fs(@location(0) @interpolate(flat) n: vec4u) -> @location(0) vec4u {
    var grid: array<array<u32, 3>, 3>;
    for (var y = 0u; y < 3; y++) {
        for (var x = 0u; x < 3; x++) {
            grid[y][x] = y * 3 + x + n.w;
        }
    }
    grid[n.x % 3][n.y % 3] = 100;
    return vec4u(grid[n.x][n.y], grid[n.y % 3][n.z % 3], grid[2][n.x % 3], grid[1][1]);
}
