// Operands of && and || that must not be evaluated.
var<private> notes: u32;

fn note(x: f32) -> bool {
    notes += 1;
    return x > 0.0;
}

@fragment
fn fs(@location(0) a: vec4f, @location(1) b: vec4f) -> @location(0) vec4f {
    let p = a.x > b.x && note(a.y);
    let q = a.z > b.z || note(b.y);
    return vec4f(f32(p), f32(q), f32(notes), 1.0);
}
