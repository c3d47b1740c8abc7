// Sum, product, quotient and difference of two halves, each rounded once.
enable f16;
//= 0.1 0.2 -> 0.2998046875 0.019989013671875 ~0.5 -0.0999755859375
//= 2049.0 1.0 -> 2048.0 2048.0 ~2048.0 2047.0
//= 60000.0 60000.0 -> inf inf ~1.0 0.0
//= -3.7 0.3 -> -3.3984375 -1.1103515625 ~-12.328125 -4.0
//= 0.00001 3.0 -> 3.0 0.00003004074096679688 ~0.00000333786010742188 -3.0

@fragment fn fs(@location(0) v: vec2f) -> @location(0) vec4f {
    let a = f16(v.x);
    let b = f16(v.y);
    return vec4f(f32(a + b), f32(a * b), f32(a / b), f32(a - b));
}
