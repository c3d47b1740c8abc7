// A spiral of straight lines, in the panel that the vertices name.

struct Panel {
    // Of four, line by line.
    number: u32,
    // How far the spiral reaches.
    reach: f32,
    // Width over height.
    aspect: f32,
}

var<immediate> panel: Panel;

struct Point {
    @builtin(position) position: vec4f,
    @location(0) color: vec3f,
    @location(1) @interpolate(flat) panel: u32,
}

@vertex fn spiral(@builtin(vertex_index) i: u32) -> Point {
    let side = i & 3u;
    let along = vec2f(
        select(0.0, 1.0, side == 0u) - select(0.0, 1.0, side == 2u),
        select(0.0, 1.0, side == 1u) - select(0.0, 1.0, side == 3u),
    );
    // Turned by an angle of the triangle with sides of 3, 4 and 5.
    let corner = vec2f(along.x * 0.8 - along.y * 0.6, along.x * 0.6 + along.y * 0.8);
    let share = f32(i + 1u) * 0.0625;
    let place = corner * (share * panel.reach);
    let color = mix(vec3f(0.25, 0.7, 1.0), vec3f(1.0, 0.75, 0.25), share);
    return Point(vec4f(place.x / panel.aspect, place.y, 0.0, 1.0), color, panel.number);
}

@fragment fn paint(point: Point) -> @location(0) vec4f {
    return vec4f(point.color, 1.0);
}
