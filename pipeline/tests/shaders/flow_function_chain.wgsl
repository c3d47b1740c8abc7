// Functions that call functions.
fn first(x: f32) -> f32 {
    return x * x + 1.0;
}

fn second(x: f32) -> f32 {
    return first(x) - first(-x * 0.5);
}

fn third(x: f32, y: f32) -> f32 {
    return second(x + first(y)) * second(y);
}

@fragment
fn fs(@location(0) a: vec4f, @location(1) b: vec4f) -> @location(0) vec4f {
    return vec4f(third(a.x, b.x), third(a.y, b.y), first(a.z), second(b.z));
}
