// Vectors, matrices, functions, conversions, arrays, overrides and function calls.
enable f16;
//: const 1 = 0.1
//= 0.3 1.7 -2.6 -> ~9.7421875 -2.599609375 -2.0 2.890625 ; 0.0999755859375 inf 1.0 3.701171875
@id(1) override o: f16;

const table = array<f16, 4>(1.0h, 2.0h, 4.0h, 0.5h);
fn twice(a: f16) -> f16 { return a * table[1]; }
fn square(p: ptr<function, vec3h>, at: u32) { (*p)[at] *= (*p)[at]; }
@fragment fn fs(@location(0) v: vec3f) -> Out {
    var h = vec3h(v);
    let d = dot(h, h);
    let flipped = transpose(mat3x2h(h.xy, h.yz, h.zx));
    var squares = h;
    square(&squares, 1u);
    let least = min(h.zzz, vec3h(0.0h)).x;
    let whole = f16(i32(h.z));
    let far = f16(v.x * 1e6);
    let is_larger = select(0.0h, 1.0h, all(h.xy < vec2h(0.5h, 1.75h)));
    return Out(
        vec4f(f32(d), f32(flipped[1].y), f32(whole), f32(squares.y)),
        vec4f(f32(o), f32(far), f32(is_larger), f32(h.x + twice(h.y))) + f32(least) * 0.0,
    );
}
struct Out { @location(0) a: vec4f, @location(1) b: vec4f }
