//! What WGSL says an expression or a function body gives, computed here in Rust and there by the lowered shader.
#![allow(clippy::unwrap_used)]

mod direct;

use direct::{Random, World, compile};

/// Inputs of one lane.
#[derive(Clone, Copy, Debug)]
struct In {
    f: [f32; 4],
    i: [i32; 4],
    u: [u32; 4],
}

/// Runs `out[n] = body` on 64 random lanes, before and after the passes. `body` is the body of a function of
/// `f: vec4f, i: vec4i, u: vec4u` that returns a u32; a lone expression is returned.
fn run(prelude: &str, body: &str) -> Vec<(In, u32)> {
    let body = if body.contains("return") {
        body.to_owned()
    } else {
        format!("return {body};")
    };
    let text = format!(
        "struct In {{ f: vec4f, i: vec4i, u: vec4u }}
        @group(0) @binding(0) var<storage, read> cells: array<In>;
        @group(0) @binding(1) var<storage, read_write> out: array<u32>;
        {prelude}
        fn test(f: vec4f, i: vec4i, u: vec4u) -> u32 {{ {body} }}
        @fragment fn fs(@location(0) @interpolate(flat) n: u32) {{
            let cell = cells[n];
            out[n] = test(cell.f, cell.i, cell.u);
        }}"
    );
    let mut random = Random(7);
    let cells: Vec<In> = (0..64)
        .map(|_| In {
            f: std::array::from_fn(|_| random.float()),
            i: std::array::from_fn(|_| random.integer() as i32),
            u: std::array::from_fn(|_| random.integer()),
        })
        .collect();
    let words = |cell: &In| {
        let f = cell.f.map(f32::to_bits);
        [f, cell.i.map(|i| i as u32), cell.u].concat()
    };
    let world: World = World {
        buffers: vec![
            vec![cells.iter().flat_map(words).collect()],
            vec![vec![0; 64]],
        ],
        inputs: vec![vec![(0..64).collect()]],
        ..World::default()
    };
    let mut function = compile(&text, None);
    let mut lowered = world.clone();
    lowered.run(&function);
    pipeline::passes::run(&mut function);
    let mut optimised = world;
    optimised.run(&function);
    assert_eq!(lowered.buffers[1], optimised.buffers[1], "{body}");
    cells
        .into_iter()
        .zip(lowered.buffers.remove(1).remove(0))
        .collect()
}

fn check(prelude: &str, body: &str, expected: impl Fn(In) -> u32) {
    for (cell, found) in run(prelude, body) {
        let wanted = expected(cell);
        assert_eq!(
            found, wanted,
            "{body}: {found:#x} is not {wanted:#x} for {cell:?}"
        );
    }
}

type Case = (&'static str, fn(In) -> u32);

fn bit(value: bool) -> u32 {
    u32::from(value)
}

#[test]
fn integers() {
    let cases: &[Case] = &[
        ("u.x + u.y * u.z - u.w", |c| {
            c.u[0]
                .wrapping_add(c.u[1].wrapping_mul(c.u[2]))
                .wrapping_sub(c.u[3])
        }),
        ("u.x / u.y", |c| {
            c.u[0].checked_div(c.u[1]).unwrap_or(c.u[0])
        }),
        ("u.x % u.y", |c| c.u[0].checked_rem(c.u[1]).unwrap_or(0)),
        ("u.x / 7u + u.y % 8u + u.z / 16u", |c| {
            (c.u[0] / 7)
                .wrapping_add(c.u[1] % 8)
                .wrapping_add(c.u[2] / 16)
        }),
        ("bitcast<u32>(i.x / i.y)", |c| {
            (if c.i[1] == 0 {
                c.i[0]
            } else {
                c.i[0].wrapping_div(c.i[1])
            }) as u32
        }),
        ("bitcast<u32>(i.x % i.y)", |c| {
            (if c.i[1] == 0 {
                0
            } else {
                c.i[0].wrapping_rem(c.i[1])
            }) as u32
        }),
        ("bitcast<u32>(i.x / -3 + i.y % -8)", |c| {
            (c.i[0] / -3).wrapping_add(c.i[1] % -8) as u32
        }),
        ("u.x << (u.y & 31)", |c| c.u[0] << (c.u[1] & 31)),
        ("u32(i.x >> (u.y & 31))", |c| {
            (c.i[0] >> (c.u[1] & 31)) as u32
        }),
        ("u.x >> (u.y & 31)", |c| c.u[0] >> (c.u[1] & 31)),
        ("~u.x ^ (u.y | u.z) & u.w", |c| {
            !c.u[0] ^ ((c.u[1] | c.u[2]) & c.u[3])
        }),
        ("bitcast<u32>(-i.x)", |c| c.i[0].wrapping_neg() as u32),
        ("bitcast<u32>(abs(i.x))", |c| c.i[0].wrapping_abs() as u32),
        ("bitcast<u32>(sign(i.x))", |c| c.i[0].signum() as u32),
        ("bitcast<u32>(clamp(i.x, i.y, i.z))", |c| {
            c.i[0].max(c.i[1]).min(c.i[2]) as u32
        }),
        ("clamp(u.x, u.y, u.z)", |c| c.u[0].max(c.u[1]).min(c.u[2])),
        ("u32(min(i.x, i.y)) + max(u.x, u.y)", |c| {
            (c.i[0].min(c.i[1]) as u32).wrapping_add(c.u[0].max(c.u[1]))
        }),
        ("dot(u, u.wzyx)", |c| {
            (0..4).fold(0u32, |s, k| s.wrapping_add(c.u[k].wrapping_mul(c.u[3 - k])))
        }),
        (
            "u32(i.x < i.y) + 2 * u32(u.x < u.y) + 4 * u32(i.x >= i.y)",
            |c| bit(c.i[0] < c.i[1]) + 2 * bit(c.u[0] < c.u[1]) + 4 * bit(c.i[0] >= c.i[1]),
        ),
    ];
    for (body, expected) in cases {
        check("", body, expected);
    }
}

/// Comparisons with what a number is known not to exceed, and with one less.
#[test]
fn bounds() {
    type Bounded = (&'static str, fn(In) -> u32, u32);
    let numbers: &[Bounded] = &[
        ("u.x % 8u", |c| c.u[0] % 8, 7),
        ("u.x % 7u", |c| c.u[0] % 7, 6),
        ("(u.x & 5u)", |c| c.u[0] & 5, 5),
        ("(u.x >> 29u)", |c| c.u[0] >> 29, 7),
        ("u.x / 858993459u", |c| c.u[0] / 858_993_459, 5),
        ("min(u.x, 3u)", |c| c.u[0].min(3), 3),
        (
            "max(u.x % 3u, u.y % 6u)",
            |c| (c.u[0] % 3).max(c.u[1] % 6),
            5,
        ),
        ("(u.x % 3u + u.y % 6u)", |c| c.u[0] % 3 + c.u[1] % 6, 7),
        ("extractBits(u.x, 2u, 3u)", |c| c.u[0] >> 2 & 7, 7),
        (
            "select(u.x % 4u, 6u, u.y > 3u)",
            |c| {
                if c.u[1] > 3 { 6 } else { c.u[0] % 4 }
            },
            6,
        ),
    ];
    for (number, value, most) in numbers {
        // The bound is met, and met by a part only.
        let found = run("", number);
        assert!(found.iter().any(|(_, n)| n == most), "{number} is {most}");
        assert!(found.iter().all(|(_, n)| n <= most), "{number} to {most}");
        for limit in [most - 1, *most, most + 1] {
            let body = format!(
                "u32({number} < {limit}u) + 2 * u32({number} <= {limit}u) + 4 * u32({number} > {limit}u)
                + 8 * u32({number} >= {limit}u) + 16 * u32({limit}u < {number}) + 32 * u32({limit}u >= {number})
                + 64 * min({number}, {limit}u)"
            );
            check("", &body, |c| {
                let n = value(c);
                bit(n < limit)
                    + 2 * bit(n <= limit)
                    + 4 * bit(n > limit)
                    + 8 * bit(n >= limit)
                    + 16 * bit(limit < n)
                    + 32 * bit(limit >= n)
                    + 64 * n.min(limit)
            });
        }
    }
}

#[test]
fn bits() {
    fn extract(value: u32, offset: u32, count: u32, signed: bool) -> u32 {
        let offset = offset.min(32);
        let count = count.min(32 - offset);
        if count == 0 {
            return 0;
        }
        let shifted = value << (32 - offset - count);
        if signed {
            (shifted as i32 >> (32 - count)) as u32
        } else {
            shifted >> (32 - count)
        }
    }
    fn insert(value: u32, bits: u32, offset: u32, count: u32) -> u32 {
        let offset = offset.min(32);
        let count = count.min(32 - offset);
        let mask = ((((1u64 << count) - 1) << offset) & 0xffff_ffff) as u32;
        (value & !mask) | (((u64::from(bits) << offset) as u32) & mask)
    }
    let cases: &[Case] = &[
        ("countOneBits(u.x)", |c| c.u[0].count_ones()),
        ("countLeadingZeros(u.x)", |c| c.u[0].leading_zeros()),
        ("countTrailingZeros(u.x)", |c| c.u[0].trailing_zeros()),
        ("reverseBits(u.x)", |c| c.u[0].reverse_bits()),
        ("firstTrailingBit(u.x)", |c| {
            if c.u[0] == 0 {
                u32::MAX
            } else {
                c.u[0].trailing_zeros()
            }
        }),
        ("firstLeadingBit(u.x)", |c| {
            c.u[0].checked_ilog2().unwrap_or(u32::MAX)
        }),
        ("bitcast<u32>(firstLeadingBit(i.x))", |c| {
            let x = if c.i[0] < 0 { !c.i[0] } else { c.i[0] };
            x.checked_ilog2().unwrap_or(u32::MAX)
        }),
        ("extractBits(u.x, u.y, u.z)", |c| {
            extract(c.u[0], c.u[1], c.u[2], false)
        }),
        ("bitcast<u32>(extractBits(i.x, u.y, u.z))", |c| {
            extract(c.i[0] as u32, c.u[1], c.u[2], true)
        }),
        ("insertBits(u.x, u.y, u.z, u.w)", |c| {
            insert(c.u[0], c.u[1], c.u[2], c.u[3])
        }),
        (
            "insertBits(u.x, u.y, 4u, 9u) + extractBits(u.z, 3u, 32u)",
            |c| insert(c.u[0], c.u[1], 4, 9).wrapping_add(c.u[2] >> 3),
        ),
        ("bitcast<u32>(dot4I8Packed(u.x, u.y))", |c| {
            let pair = c.u[0].to_le_bytes().into_iter().zip(c.u[1].to_le_bytes());
            pair.map(|(a, b)| i32::from(a as i8) * i32::from(b as i8))
                .sum::<i32>() as u32
        }),
        ("dot4U8Packed(u.x, u.y)", |c| {
            let pair = c.u[0].to_le_bytes().into_iter().zip(c.u[1].to_le_bytes());
            pair.map(|(a, b)| u32::from(a) * u32::from(b)).sum()
        }),
        ("pack4xU8(u) ^ pack4xU8Clamp(u)", |c| {
            u32::from_le_bytes(c.u.map(|v| v as u8))
                ^ u32::from_le_bytes(c.u.map(|v| v.min(255) as u8))
        }),
        ("pack4xI8(i) ^ pack4xI8Clamp(i)", |c| {
            u32::from_le_bytes(c.i.map(|v| v as u8))
                ^ u32::from_le_bytes(c.i.map(|v| v.clamp(-128, 127) as u8))
        }),
        ("dot(unpack4xU8(u.x), vec4u(1, 2, 3, 4))", |c| {
            c.u[0]
                .to_le_bytes()
                .into_iter()
                .zip(1..)
                .map(|(b, k)| u32::from(b) * k)
                .sum()
        }),
        (
            "bitcast<u32>(dot(unpack4xI8(u.x), vec4i(1, 2, 3, 4)))",
            |c| {
                let bytes = c.u[0].to_le_bytes().into_iter().zip(1..);
                bytes.map(|(b, k)| i32::from(b as i8) * k).sum::<i32>() as u32
            },
        ),
        // What was packed is unpacked to itself.
        ("pack4x8unorm(unpack4x8unorm(u.x)) - u.x", |_| 0),
        ("pack2x16unorm(unpack2x16unorm(u.x)) - u.x", |_| 0),
        (
            "pack2x16snorm(unpack2x16snorm(u.x & 0x7fff7fff)) - (u.x & 0x7fff7fff)",
            |_| 0,
        ),
        (
            "pack4x8snorm(unpack4x8snorm(u.x & 0x7f7f7f7f)) - (u.x & 0x7f7f7f7f)",
            |_| 0,
        ),
        (
            "pack2x16float(unpack2x16float(u.x & 0x7bff7bff)) - (u.x & 0x7bff7bff)",
            |_| 0,
        ),
        (
            "bitcast<u32>(unpack4x8unorm(0xff00ff80u + (u.x & 0)).w)",
            |_| 1.0f32.to_bits(),
        ),
        (
            "bitcast<u32>(unpack4x8snorm(0x807f0081u + (u.x & 0)).w)",
            |_| (-1.0f32).to_bits(),
        ),
    ];
    for (body, expected) in cases {
        check("", body, expected);
    }
}

#[test]
fn floats() {
    fn canon(x: f32) -> u32 {
        if x.is_nan() { 0x7fc0_0000 } else { x.to_bits() }
    }
    let cases: &[Case] = &[
        ("bitcast<u32>(f.x + f.y * f.z)", |c| {
            canon(c.f[0] + c.f[1] * c.f[2])
        }),
        ("bitcast<u32>(f.x - f.y)", |c| canon(c.f[0] - c.f[1])),
        ("bitcast<u32>(f.x / f.y)", |c| {
            canon(c.f[0] * (1.0 / c.f[1]))
        }),
        ("bitcast<u32>(-f.x)", |c| (-c.f[0]).to_bits()),
        (
            "u32(f.x < f.y) + 2 * u32(f.x == f.y) + 4 * u32(f.x != f.y)",
            |c| bit(c.f[0] < c.f[1]) + 2 * bit(c.f[0] == c.f[1]) + 4 * bit(c.f[0] != c.f[1]),
        ),
        ("u32(f.x)", |c| c.f[0] as u32),
        ("bitcast<u32>(i32(f.x))", |c| c.f[0] as i32 as u32),
        ("bitcast<u32>(f32(i.x))", |c| (c.i[0] as f32).to_bits()),
        ("bitcast<u32>(f32(u.x))", |c| (c.u[0] as f32).to_bits()),
        ("u32(bool(f.x)) + 2 * u32(bool(i.x))", |c| {
            bit(c.f[0] != 0.0) + 2 * bit(c.i[0] != 0)
        }),
        ("bitcast<u32>(f32(i.x < i.y))", |c| {
            if c.i[0] < c.i[1] { 1.0f32.to_bits() } else { 0 }
        }),
        ("bitcast<u32>(floor(f.x) + ceil(f.y))", |c| {
            canon(c.f[0].floor() + c.f[1].ceil())
        }),
        ("bitcast<u32>(trunc(f.x) + round(f.y))", |c| {
            canon(c.f[0].trunc() + c.f[1].round_ties_even())
        }),
        ("bitcast<u32>(abs(f.x) + sign(f.y))", |c| {
            let sign = if c.f[1] == 0.0 || c.f[1].is_nan() {
                c.f[1]
            } else {
                c.f[1].signum()
            };
            canon(c.f[0].abs() + sign)
        }),
        ("bitcast<u32>(step(f.x, f.y))", |c| {
            if c.f[0] <= c.f[1] {
                1.0f32.to_bits()
            } else {
                0
            }
        }),
        ("bitcast<u32>(mix(f.x, f.y, f.z))", |c| {
            canon(c.f[1] * c.f[2] + c.f[0] * (1.0 - c.f[2]))
        }),
        ("bitcast<u32>(fma(f.x, f.y, f.z))", |c| {
            canon(c.f[0].mul_add(c.f[1], c.f[2]))
        }),
        ("bitcast<u32>(sqrt(f.x))", |c| canon(c.f[0].sqrt())),
        ("bitcast<u32>(dot(f, f.wzyx))", |c| {
            let p: Vec<f32> = (0..4).map(|k| c.f[k] * c.f[3 - k]).collect();
            canon(p[3] + (p[2] + (p[1] + p[0])))
        }),
        ("bitcast<u32>(select(f.x, f.y, u.x > 3))", |c| {
            c.f[usize::from(c.u[0] > 3)].to_bits()
        }),
        (
            "let r = modf(f.x); return bitcast<u32>(r.whole) + bitcast<u32>(r.fract);",
            |c| {
                let whole = c.f[0].trunc();
                canon(whole).wrapping_add(canon(c.f[0] - whole))
            },
        ),
        (
            "let r = frexp(f.x); return bitcast<u32>(ldexp(r.fract, r.exp)) - bitcast<u32>(f.x);",
            |c| {
                if c.f[0].is_nan() {
                    canon(c.f[0]).wrapping_sub(c.f[0].to_bits())
                } else {
                    0
                }
            },
        ),
        ("u32(all(f == f)) + 2 * u32(any(f > vec4f(3)))", |c| {
            bit(c.f.iter().all(|x| !x.is_nan())) + 2 * bit(c.f.iter().any(|x| *x > 3.0))
        }),
    ];
    for (body, expected) in cases {
        check("", body, expected);
    }
}

#[test]
fn matrices() {
    check(
        "",
        "let m = mat3x2f(f.xy, f.yz, f.zw); let v = m * vec3f(1.0, 2.0, 4.0);
         return bitcast<u32>(v.x) ^ bitcast<u32>(v.y);",
        |c| {
            let f = c.f;
            let row = |a: f32, b: f32, c: f32| {
                let sum = 4.0 * c + (2.0 * b + a);
                if sum.is_nan() {
                    0x7fc0_0000
                } else {
                    sum.to_bits()
                }
            };
            row(f[0], f[1], f[2]) ^ row(f[1], f[2], f[3])
        },
    );
    check(
        "",
        "let m = mat3x3f(2, 0, 1, 0, 4, f32(u.x & 1), 1, 0, 2);
         return u32(abs(determinant(m) - 12) < 1e-5
            && all(transpose(m)[2] == vec3f(m[0].z, m[1].z, m[2].z)));",
        |_| 1,
    );
}

#[test]
fn variables() {
    // Arrays indexed at run time: small ones, large ones, tables, vectors, out of bounds.
    check(
        "",
        "var a = array<u32, 4>(5, 6, 7, 8); a[u.x] = u.y; return a[u.z];",
        |c| {
            let mut a = [5, 6, 7, 8];
            if let Some(slot) = a.get_mut(c.u[0] as usize) {
                *slot = c.u[1];
            }
            a.get(c.u[2] as usize).copied().unwrap_or(0)
        },
    );
    check(
        "",
        "var a: array<vec2u, 20>; a[u.x] = vec2u(u.y, 3); a[3].y = 9; return a[u.z].x + a[u.w].y;",
        |c| {
            let mut a = [[0u32; 2]; 20];
            if let Some(slot) = a.get_mut(c.u[0] as usize) {
                *slot = [c.u[1], 3];
            }
            a[3][1] = 9;
            let get = |at: u32, k: usize| a.get(at as usize).map_or(0, |v| v[k]);
            get(c.u[2], 0).wrapping_add(get(c.u[3], 1))
        },
    );
    check(
        "const table = array<u32, 5>(2, 3, 5, 7, 11);
         const large = array<u32, 20>(0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19);",
        "return table[u.x] + 100 * large[u.y];",
        |c| {
            let table = [2, 3, 5, 7, 11].get(c.u[0] as usize).copied().unwrap_or(0);
            table + if c.u[1] < 20 { 100 * c.u[1] } else { 0 }
        },
    );
    check(
        "",
        "var v = u; v[i.x & 3] = 77; return v[u.y & 3] + v.z;",
        |c| {
            let mut v = c.u;
            v[(c.i[0] & 3) as usize] = 77;
            v[(c.u[1] & 3) as usize].wrapping_add(v[2])
        },
    );
    check(
        "",
        "var m = mat2x4f(f, f.wzyx); m[u.x][u.y] = 2.5; return bitcast<u32>(m[u.z & 1][u.w & 3]);",
        |c| {
            let f = c.f;
            let mut m = [f, [f[3], f[2], f[1], f[0]]];
            if c.u[0] < 2 && c.u[1] < 4 {
                m[c.u[0] as usize][c.u[1] as usize] = 2.5;
            }
            m[(c.u[2] & 1) as usize][(c.u[3] & 3) as usize].to_bits()
        },
    );
    // Pointers into parts of variables, passed to functions.
    check(
        "struct S { a: array<vec3u, 3>, b: u32 }
         fn bump(p: ptr<function, u32>, by: u32) -> u32 { *p += by; return *p * 2; }
         fn fill(s: ptr<function, S>, at: u32) { (*s).a[at].y = 7; (*s).b += 1; }",
        "var s = S(array(u.xyz, u.yzw, u.zwx), 5);
         let p = &s.a[u.x % 3]; let twice = bump(&s.b, u.y); fill(&s, u.z % 3);
         return (*p).x + (*p).y + twice + s.b;",
        |c| {
            let u = c.u;
            let mut a = [[u[0], u[1], u[2]], [u[1], u[2], u[3]], [u[2], u[3], u[0]]];
            let b = 5u32.wrapping_add(u[1]);
            let twice = b.wrapping_mul(2);
            a[(u[2] % 3) as usize][1] = 7;
            let p = a[(u[0] % 3) as usize];
            p[0].wrapping_add(p[1])
                .wrapping_add(twice)
                .wrapping_add(b.wrapping_add(1))
        },
    );
    check(
        "var<private> counter: u32 = 3; fn count() -> u32 { counter += 1; return counter; }",
        "let a = count(); let b = count(); return a * 10 + b + select(0u, 100u, u.x > 4 && count() > 0) + counter * 1000;",
        |c| {
            let short = c.u[0] > 4;
            45 + if short { 100 + 6000 } else { 5000 }
        },
    );
}

#[test]
fn control_flow() {
    check(
        "",
        "for (var k = 0u; k < u.x; k++) { if k == 5 { return k * 2; } } return u.y;",
        |c| {
            if c.u[0] > 5 { 10 } else { c.u[1] }
        },
    );
    check(
        "",
        "var sum = 0u; var k = 0u;
         loop { if k >= (u.x & 15) { break; } if (k & 3) == 1 { continue; } sum += k * k;
            continuing { k++; break if sum > 100; } }
         return sum * 100 + k;",
        |c| {
            let (mut sum, mut k) = (0, 0);
            while k < c.u[0] & 15 {
                if k & 3 != 1 {
                    sum += k * k;
                }
                k += 1;
                if sum > 100 {
                    break;
                }
            }
            sum * 100 + k
        },
    );
    check(
        "",
        "var r = 0u;
         switch i.x { case 0, 1: { r = 10; } case -1: { if u.x > 3 { break; } r = 20; }
            case 2: { return 99; } default: { r = 30; if u.y == 0 { return 1; } r += 1; } }
         return r + 1;",
        |c| match c.i[0] {
            0 | 1 => 11,
            -1 => {
                if c.u[0] > 3 {
                    1
                } else {
                    21
                }
            }
            2 => 99,
            _ => {
                if c.u[1] == 0 {
                    1
                } else {
                    32
                }
            }
        },
    );
    // Returns out of nested loops inside a switch inside a loop, with code behind each.
    check(
        "fn inner(u: vec4u) -> u32 {
            var total = 0u;
            for (var a = 0u; a < 6; a++) {
                switch (a + u.x) & 3 {
                    case 0: { for (var b = 0u; b < 4; b++) { if b == (u.y & 7) { return 1000 + total; } total += b; } total += 50; }
                    case 1: { if u.z > 20 { continue; } total += 100; }
                    case 2: { if u.w > 20 { break; } total += 7; if (u.w & 1) == 1 { return total; } }
                    default: { total += 1; }
                }
                total += 3;
            }
            return total;
         }",
        "let x = inner(u); if x > 1000 { return x + 1; } return x * 2 + inner(u.wzyx);",
        |c| {
            fn inner(u: [u32; 4]) -> u32 {
                let mut total = 0;
                for a in 0..6u32 {
                    match a.wrapping_add(u[0]) & 3 {
                        0 => {
                            for b in 0..4 {
                                if b == u[1] & 7 {
                                    return 1000 + total;
                                }
                                total += b;
                            }
                            total += 50;
                        }
                        1 => {
                            if u[2] > 20 {
                                continue;
                            }
                            total += 100;
                        }
                        2 => {
                            if u[3] <= 20 {
                                total += 7;
                                if u[3] & 1 == 1 {
                                    return total;
                                }
                            }
                        }
                        _ => total += 1,
                    }
                    total += 3;
                }
                total
            }
            let x = inner(c.u);
            if x > 1000 {
                return x + 1;
            }
            x * 2 + inner([c.u[3], c.u[2], c.u[1], c.u[0]])
        },
    );
    // A value of the loop that is used behind it, where lanes leave in different iterations.
    check(
        "",
        "var k = 0u; var last = false; loop { let odd = (k & 1) == 1; k++; if k > (u.x & 7) { last = odd; break; } }
         return k * 2 + u32(last);",
        |c| {
            let k = (c.u[0] & 7) + 1;
            k * 2 + bit((k - 1) & 1 == 1)
        },
    );
    check(
        "",
        "var x = u.x; while x > 3 { x = x / 2; } return x;",
        |c| {
            let mut x = c.u[0];
            while x > 3 {
                x /= 2;
            }
            x
        },
    );
    // Short circuits do not evaluate their right side.
    check(
        "var<private> hits = 0u; fn hit() -> bool { hits++; return true; }",
        "let a = u.x > 3 && hit(); let b = u.y > 3 || hit(); return hits * 4 + u32(a) * 2 + u32(b);",
        |c| {
            let (a, b) = (c.u[0] > 3, c.u[1] > 3);
            4 * (bit(a) + bit(!b)) + 2 * bit(a) + 1
        },
    );
}
