// Reversed bits and rotations made of shifts.
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    let r = reverseBits(n) ^ vec4i(reverseBits(vec4u(n.wzyx)));
    let u = vec4u(n);
    let turned = u << vec4u(13u) | u >> vec4u(19u);
    let by = vec4u(n.yzwx) & vec4u(31u);
    let any = u << by | u >> ((32u - by) & vec4u(31u));
    return vec4f(r & vec4i(0xffff)) + vec4f((turned ^ any) >> vec4u(16u)) + a * 0.0;
}
