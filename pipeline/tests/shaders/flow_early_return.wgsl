// Functions that return early, also where nothing follows.
fn classify(x: f32) -> f32 {
    if x < -5.0 {
        return -1.0;
    }
    if x > 5.0 {
        if x > 10.0 {
            return 3.0;
        }
        return 2.0;
    }
    return x * 0.1;
}

@fragment
fn fs(@location(0) a: vec4f, @location(1) b: vec4f) -> @location(0) vec4f {
    let x = classify(a.x) + classify(b.x);
    if x > 3.0 {
        return vec4f(x);
    }
    if a.y > b.y {
        return a;
    } else {
        return b + x;
    }
}
