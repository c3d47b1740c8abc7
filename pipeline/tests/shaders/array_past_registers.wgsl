// A private array longer than the registers that hold arrays.
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    var table: array<vec4f, 64>;
    for (var i = 0u; i < 64u; i++) { table[i] = a * f32(i) + vec4f(f32(n.x & 7)); }
    table[u32(n.y) % 64u].z = -1.0;
    let at = u32(n.z) % 64u;
    return table[at] + table[63u - at].wzyx + table[17];
}
