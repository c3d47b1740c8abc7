//! Packing of exports as steps of a program: a shader then exports words of texels instead of colours.

use lanes::{LaneOp, Program, Src, Step, When};
use silicon::fragment::output::{PackedField, Packing};
use silicon::texture::texel::Packed;

/// Adds the steps that pack components into rows from `first` on, one a word. `temp` is a row between.
pub fn pack(packing: &Packing, sources: [Src; 4], [temp, first]: [u16; 2], out: &mut Vec<Step>) {
    let mut begun = 0;
    for (field, source) in packing.fields.iter().zip(sources) {
        let Some(PackedField {
            word,
            shift,
            number,
        }) = *field
        else {
            continue;
        };
        let row = first + word as u16;
        let before = match begun >> word & 1 {
            0 => Src::Const(0),
            _ => Src::Row(row),
        };
        begun |= 1 << word;
        let mut add = |op, dst, src| out.push(Step::Alu { op, dst, src });
        let place = |bits: u32| Src::Const(bits | shift << 8);
        let mut limited = |limits: &[(LaneOp, u32)]| {
            let mut value = source;
            for (op, limit) in limits {
                add(*op, temp, [value, Src::Const(*limit), Src::Const(0)]);
                value = Src::Row(temp);
            }
            let by = [value, Src::Const(shift), Src::Const(0)];
            add(LaneOp::Shl, temp, by);
            add(LaneOp::Or, row, [before, value, Src::Const(0)]);
        };
        match number {
            Packed::Unorm(bits) => add(LaneOp::PackUnorm, row, [source, place(bits), before]),
            Packed::Uint(bits) => limited(&[(LaneOp::UMin, low(bits))]),
            Packed::Sint(bits) => {
                let most = low(bits - 1);
                limited(&[
                    (LaneOp::IMin, most),
                    (LaneOp::IMax, !most),
                    (LaneOp::And, low(bits)),
                ]);
            }
        }
    }
}

/// Puts the steps of each port in front of it, and of a branch over it where no lane is enabled: so they are of one run with
/// the steps before.
pub fn insert(program: &mut Program, of_ports: &[Vec<Step>]) {
    let mut at = vec![[].as_slice(); program.steps.len()];
    let leads = |to: usize| {
        let branch =
            |step: &Step| matches!(step, Step::Branch { to: at, .. } if *at as usize == to);
        let mut entries = program.entries.iter();
        program.steps.iter().any(branch) || entries.any(|(_, at)| *at as usize == to)
    };
    for (n, step) in program.steps.iter().enumerate() {
        let Step::Port { port } = step else { continue };
        let Some(steps) = of_ports.get(*port as usize) else {
            continue;
        };
        let over = |before: &usize| match program.steps[*before] {
            Step::Branch { when, .. } => when == When::MaskZero(program.exec) && !leads(n),
            _ => false,
        };
        at[n.checked_sub(1).filter(over).unwrap_or(n)] = steps;
    }
    program.insert(|n| at[n]);
}

/// The lowest so many bits.
fn low(bits: u32) -> u32 {
    u32::MAX >> (32 - bits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use silicon::Format;

    /// Runs steps on one lane.
    fn run(steps: &[Step], rows: &mut [u32]) {
        for step in steps {
            let Step::Alu { op, dst, src } = step else {
                panic!("{step:?}");
            };
            let value = |src: &Src| match src {
                Src::Row(row) => rows[usize::from(*row)],
                Src::Const(value) => *value,
                Src::Scalar(at) => panic!("scalar {at}"),
            };
            rows[usize::from(*dst)] = op.eval([value(&src[0]), value(&src[1]), value(&src[2])]);
        }
    }

    #[test]
    fn words_are_those_of_the_format() {
        let awkward = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            1.5,
            1e-30,
            1e30,
            65504.0,
            65520.0,
            -65504.0,
            f32::MIN_POSITIVE,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::NAN,
            0.001_957,
            0.998_04,
            5.96e-8,
            2.98e-8,
            6.1e-5,
        ];
        let bits = awkward.map(f32::to_bits);
        let mut values: Vec<u32> = bits.to_vec();
        values.extend([
            1,
            2,
            127,
            128,
            255,
            256,
            0xffff,
            0x1_0000,
            0x8000_0000,
            !0,
            !127,
            !128,
        ]);
        values.extend((0..2000u32).map(|n| (n as f32 / 1999.0).to_bits()));
        // Halves between whole numbers of 8 and 10 bits.
        values.extend((0..1024).map(|n| ((n as f32 + 0.5) / 1023.0).to_bits()));
        values.extend((0..256).map(|n| ((n as f32 + 0.5) / 255.0).to_bits()));
        let mut packed = 0;
        for format in Format::ALL {
            let Some(packing) = Packing::of(0, *format) else {
                continue;
            };
            packed += 1;
            let mut steps = Vec::new();
            pack(&packing, [0, 1, 2, 3].map(Src::Row), [4, 5], &mut steps);
            for n in 0..values.len() {
                let color = [0, 7, 13, 29].map(|step| values[(n + step) % values.len()]);
                let mut rows = [0; 7];
                rows[..4].copy_from_slice(&color);
                run(&steps, &mut rows);
                let expected = format.pack_words(color);
                assert_eq!(
                    rows[5..5 + packing.words],
                    expected[..packing.words],
                    "{format:?} {color:x?}"
                );
            }
        }
        assert!(packed >= 20, "{packed} formats");
    }
}
