// Overrides that depend on one another and size what the shader does.
override scale: f32 = 2.5;
override rounds: u32 = 3;
@id(7) override flip: bool = true;
override twice: f32 = scale * 2.0;
override limit = rounds + 2u;
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    var v = a * twice;
    for (var i = 0u; i < limit; i++) { v += scale; }
    if flip { v = v.wzyx; }
    return select(v, -v, u32(n.x) % limit == 1u);
}
