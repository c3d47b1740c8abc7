#![allow(clippy::unwrap_used)]
use proptest::prelude::*;

use super::*;
use crate::isa::{Allocation, Mode, SCALAR_SLOTS, assemble, lift};

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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn all_ways_agree(
        program in programs(),
        exec in prop_oneof![Just(u64::MAX), any::<u64>()],
        m0 in prop_oneof![Just(0), any::<u32>().prop_map(|m| m & 0x7fff_0000), any::<u32>()],
        words in prop::collection::vec(prop_oneof![any::<u32>(), (-9i32..9).prop_map(|n| (n as f32).to_bits())], 16 * BLOCK),
        rows in prop::collection::vec(prop_oneof![any::<u32>(), (0..9u32).prop_map(|n| (n as f32 / 8.0).to_bits())], 6),
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
        let mut wave = Wave::new(lifted.program.rows.into(), SCALAR_SLOTS.into());
        wave.set_mask(EXEC.into(), exec);
        wave.scalars[usize::from(M0)] = m0;
        for (n, seed) in rows.iter().enumerate() {
            wave.rows[n] = Row(std::array::from_fn(|lane| seed ^ (lane as u32) << 17));
        }
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
