#![allow(clippy::unwrap_used)]
use std::ops::Range;

use lanes::{Batch, DefaultEngine, Engine, PortFault, Ports, Program};
use proptest::prelude::*;

use super::*;
use crate::isa::{Allocation, Mode, assemble, lift};

/// Words of a block: two attributes.
const BLOCK: usize = 2 * ATTRIBUTE_WORDS;

/// One instruction after the other, lane by lane.
fn plain(attributes: &Attributes, ports: &[Port], wave: &mut Wave) {
    let m0 = wave.scalars[usize::from(M0)];
    let exec = wave.mask(u16::from(EXEC));
    for port in ports {
        let Inst::Vintrp(inst) = port.inst else {
            continue;
        };
        let first = usize::from(inst.attr) * ATTRIBUTE_WORDS + usize::from(inst.attrchan);
        for lane in (0..LANES).filter(|lane| exec >> lane & 1 != 0) {
            let begun = (m0 >> 16) & ((1 << (lane / 4)) - 1);
            let number = |k: usize| {
                let ordinal = begun.count_ones() as usize;
                attributes.word((m0 & 0xffff) as usize, ordinal, first + 4 * k)
            };
            let float = |k: usize| f32::from_bits(number(k));
            let at = |row: u8| f32::from_bits(wave.rows[usize::from(row)].0[lane]);
            let value = match inst.op {
                VintrpOp::V_INTERP_P1_F32 => canonical(float(1) * at(inst.vsrc) + float(0)),
                VintrpOp::V_INTERP_P2_F32 => canonical(float(2) * at(inst.vsrc) + at(inst.vdst)),
                VintrpOp::V_INTERP_MOV_F32 => number([1, 2, 0][usize::from(inst.vsrc)]),
            };
            wave.rows[usize::from(inst.vdst)].0[lane] = value;
        }
    }
}

/// A program of V_INTERPs with few registers, so that they meet, and with pairs.
fn programs() -> impl Strategy<Value = String> {
    let one = (0..6u8, 0..6u8, 0..6u8, 0..6u8, 0..3u8, 0..4usize).prop_map(
        |(kind, dst, i, j, attribute, channel)| {
            let from = format!("attr{attribute}.{}", ["x", "y", "z", "w"][channel]);
            match kind {
                0 => format!(
                    "v_interp_mov_f32 v{dst}, p{}, {from}\n",
                    ["10", "20", "0"][channel % 3]
                ),
                1 => format!("v_interp_p1_f32 v{dst}, v{i}, {from}\n"),
                2 => format!("v_interp_p2_f32 v{dst}, v{j}, {from}\n"),
                // Components of an attribute, as compilers order them.
                3 => ["x", "y", "z", "w"].iter().zip(dst..6).map(|(c, dst)| format!(
                    "v_interp_p1_f32 v{dst}, v{i}, attr0.{c}\nv_interp_p2_f32 v{dst}, v{j}, attr0.{c}\n"
                )).collect(),
                _ => format!(
                    "v_interp_p1_f32 v{dst}, v{i}, {from}\nv_interp_p2_f32 v{dst}, v{j}, {from}\n"
                ),
            }
        },
    );
    prop::collection::vec(one, 1..12).prop_map(|lines| lines.concat())
}

/// Words of blocks: any bits, and small numbers.
fn blocks() -> impl Strategy<Value = Vec<u32>> {
    let word = prop_oneof![any::<u32>(), (-9i32..9).prop_map(|n| (n as f32).to_bits())];
    prop::collection::vec(word, 16 * BLOCK)
}

/// What rows of weights are made from.
fn seeds() -> impl Strategy<Value = Vec<u32>> {
    let seed = prop_oneof![
        any::<u32>(),
        (0..9u32).prop_map(|n| (n as f32 / 8.0).to_bits())
    ];
    prop::collection::vec(seed, 6)
}

/// A wave with these lanes and weights.
fn wave(program: &Program, exec: u64, seeds: &[u32]) -> Wave {
    let mut wave = Wave::new(program.rows.into(), program.scalars.into());
    wave.set_mask(EXEC.into(), exec);
    for (row, seed) in wave.rows.iter_mut().zip(seeds) {
        *row = Row(std::array::from_fn(|lane| seed ^ (lane as u32) << 17));
    }
    wave
}

/// Programs that call none.
struct NoPorts;

impl Ports for NoPorts {
    fn call(&mut self, ports: Range<u32>, _: Batch<'_>) -> Result<(), PortFault> {
        panic!("port {}", ports.start)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn arithmetic_gives_what_ports_do(
        program in programs(),
        exec in prop_oneof![Just(u64::MAX), any::<u64>()],
        words in blocks(),
        seeds in seeds(),
        wide in any::<bool>(),
    ) {
        let text = format!("s_mov_b32 m0, s0\n{program}s_endpgm");
        let lifted = lift(&assemble(&text).unwrap().concat(), 0, Mode(0x1f0), Allocation::ALL).unwrap();
        let (arithmetic, numbers) = one::arithmetic(&lifted.program, &lifted.ports, [0, 200]).unwrap();
        let block = &words[..if wide { BLOCK + ATTRIBUTE_WORDS } else { BLOCK }];
        let attributes = Attributes { blocks: block, primitives: &[0], block_words: block.len() };
        let mut expected = wave(&lifted.program, exec, &seeds);
        plain(&attributes, &lifted.ports, &mut expected);
        let mut started = wave(&arithmetic, exec, &seeds);
        let has_all = Interpolation::new(&lifted.ports, started.rows.len(), false).words <= block.len();
        let given = numbers.give(block, std::slice::from_mut(&mut started), &mut Given::default());
        prop_assert_eq!(given, has_all);
        if has_all {
            for level in SimdLevel::available() {
                let engine = DefaultEngine::at(level);
                let mut wave = started.clone();
                engine.run(&engine.prepare(&arithmetic).unwrap(), &mut wave, &mut NoPorts).unwrap();
                prop_assert_eq!(&wave.rows, &expected.rows, "{}\n{}", level.name(), text);
            }
        }
    }

    #[test]
    fn all_ways_agree(
        program in programs(),
        exec in prop_oneof![Just(u64::MAX), any::<u64>()],
        m0 in prop_oneof![Just(0), any::<u32>().prop_map(|m| m & 0x7fff_0000), any::<u32>()],
        words in blocks(),
        seeds in seeds(),
        primitives in 1..17usize,
        wide in any::<bool>(),
    ) {
        let text = format!("{program}s_endpgm");
        let lifted = lift(&assemble(&text).unwrap().concat(), 0, Mode(0x1f0), Allocation::ALL).unwrap();
        let starts: Vec<u32> = (0..primitives as u32).rev().map(|n| n * BLOCK as u32).collect();
        let attributes = Attributes {
            blocks: &words,
            primitives: &starts,
            // The third attribute lies outside of blocks of two.
            block_words: if wide { BLOCK + ATTRIBUTE_WORDS } else { BLOCK },
        };
        let mut wave = wave(&lifted.program, exec, &seeds);
        wave.scalars[usize::from(M0)] = m0;
        let mut expected = wave.clone();
        plain(&attributes, &lifted.ports, &mut expected);
        let mut table = QuadTable::default();
        let all = |lanes_apart| Interpolation::new(&lifted.ports, wave.rows.len(), lanes_apart);
        for (level, lanes_apart) in
            SimdLevel::available().into_iter().flat_map(|level| [(level, false), (level, true)])
        {
            let interpolation = all(lanes_apart);
            for most in [1, 2, 3, u32::MAX] {
                let mut wave = wave.clone();
                let mut port = 0;
                while (port as usize) < lifted.ports.len() {
                    let steps = interpolation.run(port, most);
                    attributes.interpolate(level, &interpolation, steps, (&mut wave, &mut table));
                    port += steps.len() as u32;
                }
                // Lanes that nothing looks at may have any numbers.
                let kept = if lanes_apart { exec } else { u64::MAX };
                for (found, expected) in wave.rows.iter().zip(expected.rows.iter()) {
                    let equal = (0..LANES)
                        .all(|lane| kept >> lane & 1 == 0 || found.0[lane] == expected.0[lane]);
                    prop_assert!(equal, "{} {}\n{}", level.name(), most, text);
                }
            }
        }
    }
}

/// M0 must be 0 for certain wherever a program interpolates.
#[test]
fn unknown_offsets_stay_ports() {
    let of_one = |text: &str| {
        let words = assemble(text).unwrap().concat();
        let lifted = lift(&words, 0, Mode(0xf0), Allocation::ALL).unwrap();
        one::arithmetic(&lifted.program, &lifted.ports, [4, 160]).is_some()
    };
    let interp = "v_interp_p1_f32 v2, v0, attr0.x\ns_endpgm";
    assert!(of_one(&format!("s_mov_b32 m0, s4\n{interp}")));
    assert!(of_one(&format!(
        "s_and_b32 m0, s4, s5\ns_mov_b32 m0, s4\n{interp}"
    )));
    assert!(!of_one(interp));
    assert!(!of_one(&format!("s_mov_b32 m0, s5\n{interp}")));
    assert!(!of_one(&format!("s_mov_b32 m0, 4\n{interp}")));
    assert!(!of_one(&format!(
        "s_mov_b32 s4, s5\ns_mov_b32 m0, s4\n{interp}"
    )));
    assert!(!of_one("s_mov_b32 m0, s4\ns_endpgm"));
}
