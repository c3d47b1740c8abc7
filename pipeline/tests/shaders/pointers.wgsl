// Pointers to variables and parts of them, passed on through functions.
struct State {
    first: vec4f,
    values: array<f32, 3>,
}
var<private> other: vec4f = vec4f(1.0, 2.0, 3.0, 4.0);

fn swap(x: ptr<function, vec4f>, y: ptr<private, vec4f>) {
    let old = *x;
    *x = *y;
    *y = old;
}

fn add(value: ptr<function, f32>, by: f32) {
    *value += by;
}

fn twice(s: ptr<function, State>, n: u32) {
    add(&(*s).values[n], 1.0);
    add(&(*s).values[0], (*s).first.x);
}

@fragment
fn fs(@location(0) a: vec4f, @location(1) b: vec4f) -> @location(0) vec4f {
    var s = State(a, array(b.x, b.y, b.z));
    let p = &s.values[1];
    *p *= 2.0;
    twice(&s, 2u);
    swap(&s.first, &other);
    return s.first + other + s.values[0] + s.values[1] + s.values[2];
}
