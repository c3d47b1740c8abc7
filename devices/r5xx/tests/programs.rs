//! Random programs: none panics or hangs, and what the lifter knows about denormals changes no result.
#![allow(clippy::unwrap_used)]

use std::ops::Range;

use isa::suite::Random;
use lanes::{Batch, DefaultEngine, Engine, PortFault, Ports, Wave};
use r5xx::isa::{pvs, us};

/// A watchdog that random loops meet soon.
const LIMIT: u64 = 20_000;

/// Ports that do nothing, or what the vertex program's do.
struct Nothing<'a>(&'a [pvs::Port]);

impl Ports for Nothing<'_> {
    fn call(&mut self, ports: Range<u32>, batch: Batch<'_>) -> Result<(), PortFault> {
        batch.each(ports, |port, wave| {
            if let Some(port) = self.0.get(port as usize) {
                port.run(wave);
            }
            Ok(())
        })
    }
}

fn run(program: &lanes::Program, ports: &[pvs::Port], random: &mut Random) -> (Wave, bool) {
    let mut wave = Wave::new(program.rows.into(), program.scalars.into());
    wave.limit = LIMIT;
    wave.set_mask(0, random.word());
    wave.set_mask(2, random.word());
    let engine = DefaultEngine::new();
    let prepared = engine.prepare(program).unwrap();
    let ended = engine.run(&prepared, &mut wave, &mut Nothing(ports));
    (wave, ended.is_ok())
}

/// A number that programs meet: small, or anything.
fn number(random: &mut Random) -> u32 {
    match random.below(4) {
        0 => random.word() as u32,
        1 => random.below(0x00ff_ffff) as u32,
        _ => ((random.below(65) as f32 - 32.0) / 8.0).to_bits(),
    }
}

#[test]
fn vertex_programs() {
    let mut ended = 0;
    for seed in 0..3000 {
        let mut random = Random(seed);
        let count = 1 + random.below(12) as usize;
        let mut code = Vec::new();
        while code.len() < count {
            let mut words = [(); 4].map(|()| random.word() as u32);
            // Registers that exist, hardly any dual instructions.
            words[0] = words[0] & 0xe7f3_ef7f | words[0] & 0x1000_0000 & random.word() as u32;
            for word in &mut words[1..] {
                *word &= 0xffff_f27f;
            }
            if pvs::Inst::decode(words).is_ok() {
                code.push(words);
            }
        }
        let mut control = pvs::Control::straight(count);
        control.const_base = random.word() as u8;
        control.const_max = random.word() as u8;
        for slot in control.slots.iter_mut().take(random.below(5) as usize) {
            let mut at = || random.below(count as u64 + 1) as u16;
            *slot = pvs::FlowSlot {
                op: pvs::ops::FlowOp::PVS_FC_NO_OP,
                act: at(),
                count_or_target: at(),
                last: at(),
                rtn: at(),
                init: 3,
                step: -1,
                inherit: false,
            };
            slot.op = pvs::ops::FlowOp::from_code(random.below(4) as u16).unwrap();
        }
        if let Ok(lifted) = pvs::lift(&code, &control) {
            ended += u32::from(run(&lifted.program, &lifted.ports, &mut random).1);
        }
    }
    assert!(ended > 300, "{ended}");
}

/// Six words that decode, of these types.
fn pixel_words(types: &[u32], random: &mut Random) -> [u32; 6] {
    loop {
        let mut words = [(); 6].map(|()| random.word() as u32);
        words[0] = words[0] & !3 | types[random.below(types.len() as u64) as usize];
        match words[0] & 3 {
            2 => {
                words[2] &= 0x0f07_fff7;
                words[3] &= 0x0007_0303;
            }
            3 => {
                words[2] &= 0xff07_ff07;
                words[3] &= 0xff07_ff07;
            }
            _ => {
                // The first temporaries and constants, few with the loop variable.
                for word in &mut words[1..3] {
                    *word &= 0xd074_1d07 | if random.below(8) == 0 { 0x2008_0200 } else { 0 };
                }
                for word in &mut words[4..] {
                    *word &= !0x0f80;
                }
            }
        }
        if us::Inst::decode(words).is_ok() {
            return words;
        }
    }
}

#[test]
fn pixel_programs() {
    let mut ended = 0;
    for seed in 0..3000 {
        let mut random = Random(seed);
        let count = 1 + random.below(7) as usize;
        let mut code: Vec<[u32; 6]> = (0..count)
            .map(|_| pixel_words(&[0, 0, 1, 2, 2, 3], &mut random))
            .collect();
        code.push([1, 0, 0, 0, 0, 0]);
        let setup = us::Setup {
            full_flow: random.below(4) > 0,
            zero_wins: random.below(4) == 0,
            temps: 8,
            ..us::Setup::whole(code.len())
        };
        if let Ok(lifted) = us::lift(&code, &setup) {
            ended += u32::from(run(&lifted.program, &[], &mut random).1);
        }
    }
    assert!(ended > 500, "{ended}");
}

/// Straight programs of flushed inputs give the same whether the lifter is told or flushes everything itself.
#[test]
fn known_denormals_change_nothing() {
    for seed in 0..600 {
        let mut random = Random(seed);
        let mut code: Vec<[u32; 6]> = (0..8)
            .map(|_| pixel_words(&[0, 0, 0, 1], &mut random))
            .collect();
        for words in &mut code {
            words[0] &= !(1 << 8);
        }
        code.push([1, 0, 0, 0, 0, 0]);
        let inputs: Vec<u32> = (0..32).map(|_| us::flushed(number(&mut random))).collect();
        let constants: Vec<u32> = (0..1024).map(|_| number(&mut random)).collect();
        let results = [true, false].map(|raw_inputs| {
            let setup = us::Setup {
                temps: 8,
                raw_inputs,
                ..us::Setup::whole(code.len())
            };
            let lifted = us::lift(&code, &setup).unwrap();
            let program = &lifted.program;
            let mut wave = Wave::new(program.rows.into(), program.scalars.into());
            wave.set_mask(us::ACTIVE, u64::MAX);
            for (row, bits) in inputs.iter().enumerate() {
                wave.rows[row] = lanes::Row::splat(*bits);
            }
            for (constant, scalar) in &lifted.constants {
                let us::Constant::Float {
                    index,
                    channel,
                    flushed,
                } = *constant
                else {
                    continue;
                };
                let bits = constants[4 * usize::from(index) + usize::from(channel)];
                wave.scalars[usize::from(*scalar)] = if flushed { us::flushed(bits) } else { bits };
            }
            let engine = DefaultEngine::new();
            let prepared = engine.prepare(program).unwrap();
            let ended = engine.run(&prepared, &mut wave, &mut Nothing(&[]));
            let rows: Vec<lanes::Row> = wave.rows[..32].to_vec();
            (ended.is_ok(), rows)
        });
        assert_eq!(results[0].0, results[1].0, "seed {seed}");
        assert!(results[0].1 == results[1].1, "seed {seed}");
    }
}
