//! Loads in rows give what loads lane by lane give.

use proptest::prelude::*;

use super::*;
use crate::sq::GroupSlot;

const OPS: [MubufOp; 10] = [
    MubufOp::BUFFER_LOAD_FORMAT_X,
    MubufOp::BUFFER_LOAD_FORMAT_XY,
    MubufOp::BUFFER_LOAD_FORMAT_XYZW,
    MubufOp::BUFFER_LOAD_UBYTE,
    MubufOp::BUFFER_LOAD_SBYTE,
    MubufOp::BUFFER_LOAD_USHORT,
    MubufOp::BUFFER_LOAD_SSHORT,
    MubufOp::BUFFER_LOAD_DWORD,
    MubufOp::BUFFER_LOAD_DWORDX2,
    MubufOp::BUFFER_LOAD_DWORDX4,
];

/// A number for each lane.
fn numbers(seed: u32) -> impl Iterator<Item = (usize, u32)> {
    let number = move |lane| seed.wrapping_mul(2_654_435_769).rotate_left(lane as u32);
    (0..64).map(move |lane| (lane, number(lane)))
}

/// A small offset, or any one.
fn any_offset(number: u32) -> u32 {
    if number.is_multiple_of(9) {
        number
    } else {
        number >> 8 & 63
    }
}

proptest! {
    /// An access with TFE goes lane by lane, and writes one register more.
    #[test]
    fn rows_agree_with_lanes(
        op in proptest::sample::select(OPS.as_slice()),
        (stride, records, base) in (0u16..40, 0u32..300, 0u64..12),
        (offset, soffset, exec) in (0u16..64, 0u32..40, any::<u64>()),
        (idxen, offen, format) in (any::<bool>(), any::<bool>(), proptest::sample::select(vec![(1, 4), (4, 4), (5, 7), (10, 0), (12, 7), (13, 7), (14, 7)])),
        seed in any::<u32>(),
    ) {
        let mut unit = unit();
        let (data_format, num_format) = format;
        let buffer = BufferResource { base_address: BASE + base, data_format, num_format, ..buffer(stride, records) };
        let mut wave = wave(buffer, exec);
        for (lane, number) in numbers(seed) {
            wave.rows[0].0[lane] = number % 40;
            wave.rows[1].0[lane] = any_offset(number);
        }
        wave.scalars[20] = soffset;
        let inst = |tfe| Mubuf { soffset: 20, idxen, offen, offset, tfe, ..mubuf(op) };
        let mut lanes = wave.clone();
        unit.call(&Inst::Mubuf(inst(false)), &mut wave).unwrap();
        unit.call(&Inst::Mubuf(inst(true)), &mut lanes).unwrap();
        for register in 8..8 + usize::from(op.sem().registers()) {
            prop_assert_eq!(&wave.rows[register].0, &lanes.rows[register].0, "register {}", register);
        }
    }
}

const CHANGES: [MubufOp; 6] = [
    MubufOp::BUFFER_ATOMIC_SWAP,
    MubufOp::BUFFER_ATOMIC_CMPSWAP,
    MubufOp::BUFFER_ATOMIC_ADD,
    MubufOp::BUFFER_ATOMIC_SMIN,
    MubufOp::BUFFER_ATOMIC_INC,
    MubufOp::BUFFER_ATOMIC_ADD_X2,
];

proptest! {
    /// Words change as they do lane by lane, and lanes that find what was there find the same.
    #[test]
    fn changed_words_agree_with_lanes(
        op in proptest::sample::select(CHANGES.as_slice()),
        (stride, records, base) in (0u16..40, 0u32..300, 0u64..12),
        (offset, soffset, exec) in (0u16..64, 0u32..40, any::<u64>()),
        (idxen, offen, glc, full) in (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>()),
        seed in any::<u32>(),
    ) {
        let buffer = BufferResource { base_address: BASE + base, ..buffer(stride, records) };
        let mut wave = wave(buffer, if full { u64::MAX } else { exec });
        for (lane, number) in numbers(seed) {
            wave.rows[0].0[lane] = number % 40;
            wave.rows[1].0[lane] = any_offset(number);
            for row in 8..12 {
                wave.rows[row].0[lane] = (number >> row) & 3;
            }
        }
        wave.scalars[20] = soffset;
        let changed = [false, true].map(|tfe| {
            let (mut unit, mut wave) = (unit(), wave.clone());
            let inst = Mubuf { soffset: 20, idxen, offen, offset, glc, tfe, ..mubuf(op) };
            let done = unit.call(&Inst::Mubuf(inst), &mut wave);
            let words = (0..unit.memory.size() / 4).map(|word| unit.memory.load(4 * word));
            let rows: Vec<_> = (8..8 + usize::from(op.sem().registers())).map(|at| wave.rows[at].0).collect();
            (done, words.collect::<Vec<_>>(), rows)
        });
        prop_assert!(changed[0] == changed[1]);
    }
}

proptest! {
    /// Words go where they go lane by lane.
    #[test]
    fn stored_words_agree_with_lanes(
        (stride, records, base) in (0u16..40, 0u32..300, 0u64..12),
        (swizzle_enable, add_tid_enable, element_size, index_stride) in (any::<bool>(), any::<bool>(), 0u8..3, 0u8..4),
        (offset, soffset, exec) in (0u16..64, 0u32..40, any::<u64>()),
        (offen, full) in (any::<bool>(), any::<bool>()),
        seed in any::<u32>(),
    ) {
        let buffer = BufferResource {
            base_address: BASE + base, swizzle_enable, add_tid_enable, element_size, index_stride, ..buffer(stride, records)
        };
        let mut wave = wave(buffer, if full { u64::MAX } else { exec });
        for (lane, number) in numbers(seed) {
            wave.rows[0].0[lane] = any_offset(number);
            wave.rows[8].0[lane] = number;
        }
        wave.scalars[20] = soffset;
        let stored = [false, true].map(|tfe| {
            let mut unit = unit();
            let inst = Mubuf { soffset: 20, offen, offset, tfe, ..mubuf(MubufOp::BUFFER_STORE_DWORD) };
            let done = unit.call(&Inst::Mubuf(inst), &mut wave.clone());
            let words = (0..unit.memory.size() / 4).map(|word| unit.memory.load(4 * word));
            (done, words.collect::<Vec<_>>())
        });
        // A store that traps has written the lanes before.
        prop_assert_eq!(&stored[0].0, &stored[1].0);
        prop_assert!(stored[0].1 == stored[1].1);
    }
}

/// Waves of a batch load what each loads by itself, whether they share a descriptor, an offset and their lanes or not.
#[test]
fn waves_of_a_batch_load_as_they_do_alone() {
    let mut unit = unit();
    let lanes = [u64::MAX, 0x0f0f << 20, 0];
    let buffers = [buffer(0, 256), buffer(0, 100), buffer(4, 16), buffer(0, 0)];
    for op in [
        MubufOp::BUFFER_LOAD_DWORD,
        MubufOp::BUFFER_LOAD_DWORDX2,
        MubufOp::BUFFER_LOAD_DWORDX4,
        MubufOp::BUFFER_LOAD_UBYTE,
        MubufOp::BUFFER_LOAD_FORMAT_XYZW,
    ] {
        for idxen in [false, true] {
            let inst = Mubuf {
                idxen,
                offen: !idxen,
                soffset: 12,
                ..mubuf(op)
            };
            let mut waves = Vec::new();
            for n in 0..24 {
                let mut wave = wave(buffers[n / 3 % 4], lanes[n % 3]);
                wave.scalars[12] = 16 * u32::from(n > 12);
                wave.rows[0].0 = std::array::from_fn(|lane| (lane * (n % 5)) as u32 & 15);
                waves.push(wave);
            }
            let mut alone = waves.clone();
            for wave in &mut alone {
                buffer::untyped(&inst, wave, &mut unit).unwrap();
            }
            buffer::load_all(&inst, &mut waves, &[], &mut unit).unwrap();
            for (n, (wave, alone)) in waves.iter().zip(&alone).enumerate() {
                assert!(wave.rows == alone.rows, "{op:?}, wave {n}");
            }
        }
    }
}

/// What two instructions store is no one range, in rows and lane by lane: words between are other groups'.
#[test]
fn stores_of_two_instructions_are_told_apart() {
    let mut wave = wave(buffer(0, 4096), u64::MAX);
    wave.rows[0].0.iter_mut().for_each(|at| *at *= 4);
    for tfe in [false, true] {
        let mut unit = unit();
        unit.logs.watched = 0..u32::MAX;
        unit.logs.logs = vec![Default::default()];
        unit.logs.current = Some(0);
        for offset in [0, 2048] {
            let op = MubufOp::BUFFER_STORE_DWORD;
            let inst = Mubuf {
                tfe,
                offset,
                ..mubuf(op)
            };
            buffer::untyped(&inst, &mut wave, &mut unit).unwrap();
        }
        let first = BASE as u32 / 4;
        let told: Vec<_> = unit.logs.logs[0].stored().collect();
        assert_eq!(told, [first..first + 64, first + 512..first + 576]);
    }
}

/// Groups whose loads are watched tell the same words wave by wave, in batches, and lane by lane.
#[test]
fn watched_loads_are_told() {
    let ops = [
        MubufOp::BUFFER_LOAD_DWORD,
        MubufOp::BUFFER_LOAD_DWORDX2,
        MubufOp::BUFFER_LOAD_UBYTE,
    ];
    for (op, exec) in ops
        .into_iter()
        .flat_map(|op| [u64::MAX, 0x0ff0_0000_0000_0100, 0].map(|e| (op, e)))
    {
        let waves = [(8, 60), (0, 300)].map(|(stride, records)| {
            let mut wave = wave(buffer(stride, records), exec);
            for (n, at) in (0..).zip(&mut wave.rows[0].0) {
                *at = if stride == 0 {
                    4 * (n * 7 % 50)
                } else {
                    n * 3 % 60
                };
            }
            wave
        });
        for (n, of_wave) in waves.iter().enumerate() {
            let inst = |tfe| Mubuf {
                idxen: n == 0,
                offen: n == 1,
                tfe,
                ..mubuf(op)
            };
            let told = [0, 1, 2].map(|way| {
                let mut unit = unit();
                unit.logs.watched = 0..u32::MAX;
                unit.logs.logs = vec![Default::default(), Default::default()];
                unit.logs.current = Some(0);
                let mut waves = [of_wave.clone()];
                match way {
                    // Lane by lane.
                    0 => buffer::untyped(&inst(true), &mut waves[0], &mut unit).unwrap(),
                    1 => buffer::untyped(&inst(false), &mut waves[0], &mut unit).unwrap(),
                    _ => {
                        let slot = GroupSlot {
                            share: 0..0,
                            log: Some(1),
                        };
                        buffer::load_all(&inst(false), &mut waves, &[slot], &mut unit).unwrap();
                        unit.logs.logs.swap(0, 1);
                    }
                }
                let loads = |word| unit.logs.logs[0].loads(&(word..word + 1));
                (0..2048).map(loads).collect::<Vec<bool>>()
            });
            assert!(
                told[0] == told[1] && told[0] == told[2],
                "{op:?} {exec:#x} {n}"
            );
            assert_eq!(told[0].contains(&true), exec != 0);
        }
    }
}
