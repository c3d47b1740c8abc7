// A fragment shader that writes no colour, and a vertex shader with a constant position.
@vertex
fn vs() -> @builtin(position) vec4f {
    return vec4f(0.0, 0.0, 0.0, 1.0);
}

@fragment
fn fs() {
}
