// An array assigned as a whole is a copy.
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    var first = array(a.x, a.y, a.z, a.w);
    var second = first;
    first[n.x & 3] = 7.0;
    second[n.y & 3] += 1.0;
    let third = first;
    first = second;
    return vec4f(first[0], second[n.z & 3], third[n.x & 3], third[3]);
}
