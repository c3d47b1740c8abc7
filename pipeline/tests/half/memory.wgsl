// Halves have two bytes in buffers; a store leaves its neighbour.
enable f16;
//: buffer 0.0 = 0xc0803e00 0x0 0x64002e66 0xb8004200 0x49804700 0x40004a80
//: after 0.0 = 0xc080ba00 0x0 0xe4002e66 0x4a804200 0x49804700 0x40004a80
//= 1 -> 3.0 -18.75 12.0 0.0999755859375
struct S { a: f16, b: f16, v: vec3h, c: f16, m: mat2x2h }
@group(0) @binding(0) var<storage, read_write> s: S;
@fragment fn fs(@location(0) @interpolate(flat) one: u32) -> @location(0) vec4f {
    let product = s.m * vec2h(1.5h, -2.25h);
    let result = vec4f(f32(s.v.z), f32(product.x), f32(product.y), f32(s.v[0]));
    s.a = 1.5h + f16(-2.25);
    s.v.y = -1024.0h * f16(one);
    s.c = s.m[1][0];
    return result;
}
