//! Programs of another compiler, as the words it wrote, through `exec`: kernels over one or two arrays, and a pixel shader.
//!
//! The words are what llc 16 makes of LLVM IR for `-march=amdgcn -mcpu=tahiti`; the IR is the comment at each test. A
//! kernel finds the addresses of its output and inputs 36 bytes after s[0:1] and its number in v0.
#![allow(clippy::unwrap_used)]

use isa::suite::Random;
use isa::{ExecInput, ExecOutput, LaneValue, MemoryBlock, Tools};
use southern_islands::TOOLS;

const ARGUMENTS: u64 = 0x1000;
const OUT: u64 = 0x2000;
const INPUTS: [u64; 2] = [0x3000, 0x4000];
const SCRATCH: u64 = 0x10_0000;

/// The words of a file of hexadecimal numbers.
fn words(text: &str) -> Vec<u32> {
    text.split_whitespace()
        .map(|word| u32::from_str_radix(word, 16).unwrap())
        .collect()
}

fn hex(bytes: impl IntoIterator<Item = u8>) -> String {
    bytes
        .into_iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap())
        .collect()
}

fn run(stage: &str, program: &str, input: &ExecInput) -> ExecOutput {
    TOOLS.exec(stage, &words(program), input).unwrap()
}

/// Runs a kernel on 64 elements of `IN` bytes and gives the results of `OUT_BYTES` bytes, both as numbers.
fn kernel<const IN: usize, const OUT_BYTES: usize>(
    program: &str,
    inputs: &[[u64; 64]],
) -> [u64; 64] {
    let block = |address, hex| MemoryBlock { address, hex };
    let mut arguments = vec![0u8; 36];
    for address in [OUT].iter().chain(&INPUTS) {
        arguments.extend(address.to_le_bytes());
    }
    let mut memory = vec![
        block(OUT, "00".repeat(64 * OUT_BYTES)),
        block(ARGUMENTS, hex(arguments)),
        block(SCRATCH, "00".repeat(64 * 1024)),
    ];
    for (address, input) in INPUTS.into_iter().zip(inputs) {
        let elements = input
            .iter()
            .flat_map(|x| x.to_le_bytes().into_iter().take(IN));
        memory.push(block(address, hex(elements)));
    }
    let mut input = ExecInput {
        memory,
        ..ExecInput::default()
    };
    let ids = LaneValue::Lanes((0..64).collect());
    input.registers.insert("v0".to_owned(), ids);
    let base = LaneValue::Lanes(vec![ARGUMENTS as u32, 0]);
    input.registers.insert("s[0:1]".to_owned(), base);
    let output = run("compute", program, &input);
    let results = bytes(&output.memory[0].hex);
    std::array::from_fn(|lane| {
        let mut number = [0; 8];
        number[..OUT_BYTES].copy_from_slice(&results[lane * OUT_BYTES..][..OUT_BYTES]);
        u64::from_le_bytes(number)
    })
}

/// Checks a kernel lane by lane on random and awkward elements; `None` leaves the result open.
fn check<const IN: usize, const OUT_BYTES: usize, const N: usize>(
    program: &str,
    element: impl Fn(&mut Random) -> u64,
    expected: impl Fn([u64; N]) -> Option<u64>,
) {
    let mut random = Random(N as u64 + 7);
    for _ in 0..8 {
        let inputs: [[u64; 64]; N] =
            std::array::from_fn(|_| std::array::from_fn(|_| element(&mut random)));
        let found = kernel::<IN, OUT_BYTES>(program, &inputs);
        for (lane, found) in found.into_iter().enumerate() {
            let arguments = inputs.map(|input| input[lane]);
            if let Some(expected) = expected(arguments) {
                assert_eq!(found, expected, "{arguments:x?}");
            }
        }
    }
}

fn double(random: &mut Random) -> u64 {
    let awkward = [
        0.0,
        -0.0,
        1.0,
        -1.5,
        f64::INFINITY,
        -f64::INFINITY,
        f64::MAX,
        5e-324,
        2f64.powi(52) + 0.5,
    ];
    match random.below(4) {
        0 => awkward[random.below(9) as usize].to_bits(),
        1 => random.word(),
        _ => ((random.word() as i32 as f64) * 2f64.powi(random.below(80) as i32 - 60)).to_bits(),
    }
}

fn integer(random: &mut Random) -> u64 {
    match random.below(4) {
        0 => [0, 1, u64::MAX, 1 << 63, u64::MAX >> 1][random.below(5) as usize],
        _ => random.word() >> random.below(64),
    }
}

fn word(random: &mut Random) -> u64 {
    match random.below(4) {
        0 => [0, 1, 0xffff_ffff, 0x8000_0000, 0x7fff_ffff][random.below(5) as usize],
        _ => (random.word() as u32 >> random.below(32)).into(),
    }
}

/// All NaN are one.
fn canonical(x: f64) -> u64 {
    if x.is_nan() {
        f64::NAN.to_bits()
    } else {
        x.to_bits()
    }
}

/// A test of kernels on doubles with what the host gives; NaN results are not looked at.
macro_rules! doubles {
    ($($name:ident($($x:ident),+) $file:literal = $expected:expr;)*) => {$(
        #[test]
        fn $name() {
            const COUNT: usize = [$(stringify!($x)),+].len();
            check::<8, 8, COUNT>(include_str!(concat!("programs/", $file)), double, |arguments| {
                let [$($x),+] = arguments.map(f64::from_bits);
                let expected: f64 = $expected;
                (!expected.is_nan()).then(|| canonical(expected))
            });
        }
    )*};
}

doubles! {
    // llvm.sqrt.f64
    square_roots(x) "sqrt_f64.hex" = x.sqrt();
    // llvm.fma.f64(x, y, x)
    fused_products(x, y) "fma_f64.hex" = x.mul_add(y, x);
    // llvm.trunc.f64, which the chip does not have
    truncation(x) "trunc_f64.hex" = x.trunc();
    // llvm.floor.f64 through V_FRACT_F64, which loses negative numbers next to zero
    floors(x) "floor_f64.hex" = if x < 0.0 && x > -1e-15 { f64::NAN } else { x.floor() };
}

#[test]
fn doubles_become_other_numbers() {
    // fptoui double to i64
    check::<8, 8, 1>(include_str!("programs/f64_to_u64.hex"), double, |[x]| {
        let x = f64::from_bits(x);
        (x > -1.0 && x < 1.8e19).then_some(x as u64)
    });
    // fptrunc double to float, denormals kept
    check::<8, 4, 1>(include_str!("programs/narrow_f64.hex"), double, |[x]| {
        let single = f64::from_bits(x) as f32;
        (!single.is_nan()).then(|| single.to_bits().into())
    });
    // uitofp i64 to float
    check::<8, 4, 1>(include_str!("programs/u64_to_f32.hex"), integer, |[x]| {
        Some((x as f32).to_bits().into())
    });
}

#[test]
fn wide_integers() {
    // The high half of zext i64 * zext i64
    check::<8, 8, 2>(
        include_str!("programs/high_product_u64.hex"),
        integer,
        |[a, b]| Some(((u128::from(a) * u128::from(b)) >> 64) as u64),
    );
    // sdiv i64
    check::<8, 8, 2>(
        include_str!("programs/divide_i64.hex"),
        integer,
        |[a, b]| (a as i64).checked_div(b as i64).map(|q| q as u64),
    );
    // ashr xor shl
    check::<8, 8, 2>(include_str!("programs/shift_i64.hex"), integer, |[a, b]| {
        Some((a as i64 >> (b & 63)) as u64 ^ a << (b & 63))
    });
    // The old value of atomicrmw umax, xor what is there then
    check::<8, 8, 2>(
        include_str!("programs/atomic_max.hex"),
        integer,
        |[a, b]| Some(a ^ a.max(b)),
    );
}

#[test]
fn words_in_loops_and_branches() {
    // srem i32
    check::<4, 4, 2>(
        include_str!("programs/remainder_i32.hex"),
        word,
        |[a, b]| {
            (a as i32)
                .checked_rem(b as i32)
                .map(|r| u64::from(r as u32))
        },
    );
    // while (n != 1) n = n odd ? 3 n + 1 : n / 2
    check::<4, 4, 1>(include_str!("programs/collatz.hex"), word, |[a]| {
        let mut n = a & 1023 | 1;
        let mut steps = 0;
        while n != 1 {
            n = if n % 2 == 1 { 3 * n + 1 } else { n / 2 };
            steps += 1;
        }
        Some(steps)
    });
    // switch (a & 7)
    check::<4, 4, 2>(include_str!("programs/switch.hex"), word, |[a, b]| {
        let b = b as u32;
        let result = match a & 7 {
            0 => b.wrapping_mul(7),
            1 => !b,
            3 | 5 => b / 3,
            _ => b,
        };
        Some(result.into())
    });
    // A vector with one element replaced and one extracted, at computed places
    check::<4, 4, 2>(
        include_str!("programs/computed_index.hex"),
        word,
        |[a, b]| {
            let mut vector = [5, 6, 7, a, 9, 10, 11, 12];
            vector[(b & 7) as usize] = 99;
            Some(vector[(b >> 3 & 7) as usize])
        },
    );
}

#[test]
fn lanes_exchange() {
    let input: [u64; 64] = std::array::from_fn(|lane| (lane * lane + 3) as u64);
    // A sum over the wave by ds.swizzle and readlane
    let found = kernel::<4, 4>(include_str!("programs/sum_of_wave.hex"), &[input]);
    assert_eq!(found, [input.iter().sum(); 64]);
    // A store to shared memory, a barrier, and a load from the other end
    let found = kernel::<4, 4>(include_str!("programs/shared_reverse.hex"), &[input]);
    assert_eq!(found, std::array::from_fn(|lane| input[63 - lane]));
}

#[test]
fn calls_with_a_stack_in_scratch_memory() {
    // 3 n + 1 + fibonacci(n & 7), both by calls, the second recursive. The scratch descriptor is at 0x100000.
    let found = kernel::<4, 4>(include_str!("programs/recursion.hex"), &[]);
    let fibonacci = [1, 1, 2, 3, 5, 8, 13, 21];
    let expected: [u64; 64] = std::array::from_fn(|n| 3 * n as u64 + 1 + fibonacci[n & 7]);
    assert_eq!(found, expected);
}

#[test]
fn halves() {
    // a / b + a; the chip has no arithmetic in half precision, and the compiler narrows the sum only.
    let half = |random: &mut Random| 0x3c00 ^ (random.word() & 0x83ff);
    let single = |h: u64| lanes::LaneOp::F16ToF32.eval([h as u32, 0, 0]);
    let narrow = |x: f32| lanes::LaneOp::F32ToF16.eval([x.to_bits(), 0, 0]);
    check::<2, 2, 2>(
        include_str!("programs/half_quotient.hex"),
        half,
        |[a, b]| {
            let [x, y] = [a, b].map(|h| f32::from_bits(single(h)));
            Some(narrow(x / y + x).into())
        },
    );
}

/// Interpolates two attributes, samples an image with them, kills where the first is below a quarter, exports halves and
/// floats, and returns the texel.
#[test]
fn a_pixel_shader() {
    let parameters: [[f32; 4]; 6] = [
        [0.1, 0.2, 0.3, 0.4],
        [1.0; 4],
        [0.5, 0.0, 0.0, 0.0],
        [0.125, 0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0, 0.0],
        [0.25, 0.0, 0.0, 0.0],
    ];
    let texel = |x: u32, y: u32| (x * 17) | ((y * 40) << 8) | (128 << 16) | (255 << 24);
    let rows = (0..4).flat_map(|y| (0..64).map(move |x| if x < 4 { texel(x, y) } else { 0 }));
    let rows: Vec<u8> = rows.flat_map(u32::to_le_bytes).collect();
    // 4 by 4 texels of 8_8_8_8 UNORM, linear, 64 texels a row; nearest, clamped to the edge.
    let image = vec![
        0x100,
        10 << 20,
        3 | 3 << 14,
        0xfac | 8 << 20 | 9 << 28,
        63 << 13,
        0,
        0,
        0,
    ];
    let sampler = vec![2 | 2 << 3 | 2 << 6, 0xfff << 12, 0, 0];
    let i: Vec<f32> = (0..64).map(|lane| (lane % 8) as f32 / 16.0).collect();
    let j: Vec<f32> = (0..64).map(|lane| (lane / 8) as f32 / 16.0).collect();
    let bits = |row: &[f32]| LaneValue::Lanes(row.iter().map(|x| x.to_bits()).collect());
    let registers = [
        ("s[0:7]", LaneValue::Lanes(image)),
        ("s[8:11]", LaneValue::Lanes(sampler)),
        ("s12", LaneValue::One(0)),
        ("v0", bits(&i)),
        ("v1", bits(&j)),
    ];
    let input = ExecInput {
        registers: registers
            .map(|(name, value)| (name.to_owned(), value))
            .into(),
        memory: vec![MemoryBlock {
            address: 0x1_0000,
            hex: hex(rows),
        }],
        shared: Some(hex(parameters
            .iter()
            .flatten()
            .flat_map(|x| x.to_le_bytes()))),
        ..ExecInput::default()
    };
    let output = run("fragment", include_str!("programs/pixel.hex"), &input);
    assert_eq!(output.exports.len(), 2);
    for lane in 0..64 {
        let a = 0.125 + i[lane];
        let b = a + 0.25 * j[lane];
        let halves = [a, b].map(|x| lanes::LaneOp::PackHalfZero.eval([x.to_bits(), 0, 0]));
        let alive = b > 0.25;
        let [h, f] = [0, 1].map(|n: usize| output.exports[n].lanes[lane]);
        assert_eq!(
            h,
            alive.then_some([halves[0], halves[1], halves[0], halves[1]])
        );
        // The disabled component is zero.
        assert_eq!(
            f,
            alive.then_some([a.to_bits(), b.to_bits(), 0.2f32.to_bits(), 0])
        );
        if alive {
            // y = 0.2 is the first row.
            let expected = texel((b * 4.0) as u32, 0).to_le_bytes();
            for (c, byte) in expected.into_iter().enumerate() {
                let LaneValue::Lanes(found) = &output.registers[&format!("v{c}")] else {
                    panic!("v{c} is a vector register")
                };
                assert_eq!(
                    found[lane],
                    (f32::from(byte) / 255.0).to_bits(),
                    "{lane} {c}"
                );
            }
        }
    }
}
