// Branches with and without else, nested, with large sides.
@fragment
fn fs(@location(0) a: vec4f, @location(1) b: vec4f) -> @location(0) vec4f {
    var r = a;
    if a.x > b.x {
        r = sqrt(abs(a)) + pow(abs(b), vec4f(1.5));
        if a.y > b.y {
            r += exp(b * 0.1);
        }
    } else if a.z > 0.0 {
        r = sin(a) * cos(b);
    } else {
        r.x = 9.0;
    }
    return r;
}
