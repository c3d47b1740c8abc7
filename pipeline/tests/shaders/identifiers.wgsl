// Names of every shape, shadowed and reused between functions.
fn _leading(x: f32) -> f32 { let x2 = x; { let x2 = x2 + 1.0; return x2; } }
fn Δx(naïve: f32) -> f32 { return naïve * 2.0; }
struct main { float: f32, int: i32, sample1: vec2f }
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    let a1 = a.x;
    var result = _leading(a1) + Δx(a.y);
    for (var a1 = 0; a1 < 3; a1++) { let a = f32(a1); result += a; }
    let float4 = main(result, n.x, a.zw);
    return vec4f(float4.float, f32(float4.int & 15), float4.sample1);
}
