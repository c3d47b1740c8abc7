// Names that hide others, in blocks, loops and branches.
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    var x = a.x;
    if n.x > 0 { let x = 3.0; _ = x; } else { x = 4.0; }
    for (var x = 0; x < 2; x++) { var y = f32(x); y += 1.0; _ = y; }
    { var x = 10.0; x += a.y; _ = x; }
    switch n.y & 1 { case 0: { let x = 7.0; _ = x; } default: { x += 2.0; } }
    loop { let y = x; x = y + 0.5; if x > 3.0 { break; } }
    return vec4f(x);
}
