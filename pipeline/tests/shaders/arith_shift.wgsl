// Shifts of both kinds by run-time amounts.
@fragment
fn fs(@location(0) @interpolate(flat) a: vec4i, @location(1) @interpolate(flat) b: vec4i) -> @location(0) vec4i {
    let by = vec4u(b) & vec4u(31);
    return (a << by) ^ (a >> by) ^ vec4i(vec4u(a) >> by);
}
