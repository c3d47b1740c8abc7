// Branches, loops and blocks with nothing in them.
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    if a.x > 0.0 {}
    if a.y > 0.0 {} else {}
    {}
    { { let inner = a.z; } }
    loop { break; }
    for (;;) { break; }
    switch n.x { default: {} }
    var x = a.w;
    if n.y == 0 {} else { x = 2.0; }
    ;
    return vec4f(x);
}
