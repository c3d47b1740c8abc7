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

/// Where steps that pack for ports go.
pub struct Places<'a> {
    program: &'a Program,
    /// Of each step, whether a branch or an entry leads there.
    targets: Vec<bool>,
    /// The steps of each port.
    ports: Vec<Vec<usize>>,
    /// Of each port, whether it is an export and no register changes behind it.
    last: &'a [bool],
}

impl<'a> Places<'a> {
    /// Those of a program. `last` are exports behind which no register changes.
    pub fn new(program: &'a Program, last: &'a [bool]) -> Places<'a> {
        let mut ports = vec![Vec::new(); program.ports.len()];
        for (at, step) in program.steps.iter().enumerate() {
            if let Step::Port { port } = step
                && let Some(steps) = ports.get_mut(*port as usize)
            {
                steps.push(at);
            }
        }
        Places {
            program,
            targets: program.targets(),
            ports,
            last,
        }
    }

    /// In front of a step that is a port, of others behind which no register changes, and of branches over them where no
    /// lane is enabled: of one run with what is before.
    fn before(&self, mut at: usize) -> usize {
        while let Some(before) = at.checked_sub(1).filter(|_| !self.targets[at]) {
            let over = match self.program.steps[before] {
                Step::Branch { when, .. } => when == When::MaskZero(self.program.exec),
                Step::Port { port } => self.last.get(port as usize).is_some_and(|last| *last),
                _ => false,
            };
            if !over {
                break;
            }
            at = before;
        }
        at
    }

    /// Whether steps of the run in front of a port write one of these rows: so it is in a register of the host.
    pub fn has_written(&self, port: u32, sources: &[Src]) -> bool {
        let writes = |step: &Step| {
            let rows = step.written_rows();
            let mut sources = sources.iter();
            sources.any(|source| matches!(source, Src::Row(row) if rows.contains(row)))
        };
        let written = |at: &usize| {
            let mut run = (0..self.before(*at)).rev().take_while(|n| {
                let step = &self.program.steps[*n];
                let control = matches!(step, Step::Branch { .. } | Step::Port { .. })
                    || !matches!(step, Step::Tick { .. })
                        && step.written_rows().is_empty()
                        && step.written_scalars().is_empty();
                !control && !self.targets[*n + 1]
            });
            run.any(|n| writes(&self.program.steps[n]))
        };
        let steps = self.ports.get(port as usize);
        steps.is_some_and(|steps| steps.iter().any(written))
    }

    /// The program with the steps of each port in front of it.
    pub fn insert(&self, of_ports: &[Vec<Step>]) -> Program {
        let mut at = vec![Vec::new(); self.program.steps.len()];
        for (steps, ports) in of_ports.iter().zip(&self.ports) {
            for port in ports {
                at[self.before(*port)].extend_from_slice(steps);
            }
        }
        let mut program = self.program.clone();
        program.insert(|n| &at[n]);
        program
    }
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
