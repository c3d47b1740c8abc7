// Names for types, also for types made of names.
alias Number = f32;
alias Point = vec3<Number>;
alias Path = array<Point, 3>;
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    let path: Path = Path(a.xyz, a.yzw, Point(Number(n.x)));
    var sum = Point();
    for (var i = 0u; i < 3u; i++) { sum += path[i]; }
    return vec4<Number>(sum, Number(1));
}
