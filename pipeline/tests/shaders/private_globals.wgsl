// Private variables with and without initial values.
var<private> total: f32;
var<private> calls: u32 = 5;
var<private> history: array<f32, 3> = array(0.5, 0.25, 0.125);
var<private> scale: vec2f = vec2f(2.0, 3.0);

fn step_once(x: f32) {
    total += x * scale.x;
    history[calls % 3] = total;
    calls += 1;
}

@fragment
fn fs(@location(0) a: vec4f, @location(1) b: vec4f) -> @location(0) vec4f {
    step_once(a.x);
    step_once(b.y);
    return vec4f(total, f32(calls), history[0] + history[2], scale.y);
}
