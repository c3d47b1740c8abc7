// Matrices in uniform and storage buffers, whose columns have paddings of their own.
struct Both { small: mat2x2f, tall: array<mat3x2f, 2>, wide: mat2x3f, tail: f32 }
@group(0) @binding(0) var<storage, read_write> s: Both;
@group(0) @binding(1) var<uniform> u: array<mat3x3f, 2>;
@fragment
fn fs(@location(0) a: vec4f, @location(1) @interpolate(flat) n: vec4i) -> @location(0) vec4f {
    s.wide[n.x & 1].z = a.x;
    s.tall[n.y & 1][2] = a.yz;
    s.small = s.small * 2.0;
    return vec4f(u[n.z & 1] * a.xyz, s.tall[0][1].y + s.wide[1].z + s.small[1][0] + s.tail);
}
