// A loop whose length every invocation decides for itself.
fn steps(start: u32) -> u32 {
    var n = start;
    var i = 0u;
    while n > 1u && i < 200u {
        if n % 2u == 0u { n = n / 2u; } else { n = 3u * n + 1u; }
        i = i + 1u;
    }
    return i;
}
@vertex
fn vs(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
    return vec4f(f32(steps(index)), f32(steps(index * 7u + 3u)), 0.0, 1.0);
}
