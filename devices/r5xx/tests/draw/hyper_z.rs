//! Hi-Z and fast clears: what they save is counted, what they draw is the same.

use r5xx::packets::{CLEAR_CMASK, CLEAR_HIZ, CLEAR_ZMASK};
use r5xx::regs::*;
use radeon::packets::header;
use silicon::Stats;

use crate::rig::{DEPTH, Rig, SIZE, Stream, TRIANGLES};

const COLORS: u32 = 0x4_0000;
const DEPTHS: u32 = 0x5_0000;
/// Pixels of an edge of the scenes.
const EDGE: u32 = 64;

/// Hi-Z of a draw.
#[derive(Clone, Copy)]
enum HiZ {
    Off,
    /// Only in the depth block.
    Half,
    On,
}

/// A clear packet of the first dwords of a memory.
fn clear(s: &mut Stream, opcode: u8, count: u32, value: u32) {
    s.0.extend([header(opcode, 3), 0, count, value]);
}

/// Depths of 64 by 64 pixels in micro tiles.
fn depths(s: &mut Stream, base: u32, edge: u32, compare: u32) {
    use ZB_CNTL::*;
    s.fields(ZB_CNTL, &[(Z_ENABLE, 1), (ZWRITEENABLE, 1)]);
    s.fields(ZB_ZSTENCILCNTL, &[(ZB_ZSTENCILCNTL::ZFUNC, compare)]);
    s.fields(ZB_FORMAT, &[(ZB_FORMAT::DEPTHFORMAT, 2)]);
    s.word(ZB_DEPTHOFFSET, 0, base);
    use ZB_DEPTHPITCH::*;
    s.fields(
        ZB_DEPTHPITCH,
        &[(DEPTHPITCH, edge / 4), (DEPTHMICROTILE, 1)],
    );
}

fn scene(seed: u32, compare: u32, hi_z: HiZ) -> (Vec<u32>, Stats) {
    let mut s = Stream::state();
    for register in [
        VAP_VPORT_XSCALE,
        VAP_VPORT_XOFFSET,
        VAP_VPORT_YSCALE,
        VAP_VPORT_YOFFSET,
    ] {
        s.float(register, EDGE as f32 / 2.0);
    }
    let corner = [0, 1].map(|n| (SC_SCISSOR1.fields[n], EDGE - 1));
    s.fields(SC_SCISSOR1, &corner);
    s.word(RB3D_COLOROFFSET, 0, COLORS);
    use RB3D_COLORPITCH::*;
    s.fields(RB3D_COLORPITCH, &[(COLORPITCH, EDGE / 2), (COLORFORMAT, 6)]);
    let farther = compare >= 4;
    depths(&mut s, DEPTHS, EDGE, 7);
    s.fill(if farther { 0.0 } else { 1.0 }, [0.0; 4]);
    depths(&mut s, DEPTHS, EDGE, compare);
    let max = u32::from(farther);
    use ZB_BW_CNTL::*;
    let enables = match hi_z {
        HiZ::Off => [0, 0],
        HiZ::Half => [1, 0],
        HiZ::On => [1, 1],
    };
    clear(&mut s, CLEAR_HIZ, 64, if farther { 0 } else { u32::MAX });
    s.fields(ZB_BW_CNTL, &[(HIZ_ENABLE, enables[0]), (HIZ_MIN, max)]);
    let scan = [
        (SC_HYPERZ_EN::HZ_EN, enables[1]),
        (SC_HYPERZ_EN::HZ_MAX, max),
    ];
    s.fields(SC_HYPERZ_EN, &scan);
    let mut state = seed;
    let mut random = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 24) as f32
    };
    let mut vertices = Vec::new();
    for n in 0..60 {
        let color = [random(), random(), random(), 1.0];
        let size = 0.2 + 1.5 * random();
        let at = [random(), random()].map(|v| 2.0 * v - 1.0);
        // Half of them behind the others.
        let depth = if n % 2 == 0 { 0.1 } else { 0.5 } + 0.3 * random();
        let depth = if farther { 1.0 - depth } else { depth };
        for _ in 0..3 {
            let [x, y] = at.map(|v| v + size * (2.0 * random() - 1.0));
            let tilt = 0.05 * random();
            vertices.push([[x, y, depth + tilt, 1.0], color]);
        }
    }
    s.draw(TRIANGLES, &vertices);
    let mut rig = Rig::new(1);
    let stats = rig.run(&s).unwrap();
    let words = (0..u64::from(EDGE * EDGE)).flat_map(|n| [COLORS, DEPTHS].map(|base| (base, n)));
    let load = |(base, n): (u32, u64)| rig.memory.load(u64::from(base) + 4 * n).unwrap();
    (words.map(load).collect(), stats)
}

#[test]
fn hi_z_draws_the_same_and_rejects_tiles() {
    let mut rejected = [0; 4];
    for seed in 0..12 {
        for (n, compare) in [1, 2, 4, 5].into_iter().enumerate() {
            let (off, without) = scene(seed, compare, HiZ::Off);
            let (half, still) = scene(seed, compare, HiZ::Half);
            let (on, with) = scene(seed, compare, HiZ::On);
            assert!(off == on && off == half, "{seed} {compare}");
            assert_eq!((without.tiles_rejected, still.tiles_rejected), (0, 0));
            assert_eq!(without.samples_passed, with.samples_passed);
            assert_eq!(without.tiles, with.tiles);
            rejected[n] += with.tiles_rejected;
        }
    }
    assert!(rejected.iter().all(|tiles| *tiles > 20), "{rejected:?}");
}

#[test]
fn clear_blocks_read_as_the_register_says() {
    const OLD: u32 = 0x4000_0011;
    const CLEAR: u32 = 0x8000_0055;
    for (edge, peq) in [(4, 0), (8, 1)] {
        let mut s = Stream::state();
        depths(&mut s, DEPTH as u32, SIZE as u32, 1);
        s.word(GB_Z_PEQ_CONFIG, 0, peq);
        s.word(ZB_DEPTHCLEARVALUE, 0, CLEAR);
        s.word(ZB_ZMASK_PITCH, 0, SIZE as u32);
        // Block 0 is clear, the others are not.
        clear(&mut s, CLEAR_ZMASK, 4, u32::MAX << 2);
        s.fields(ZB_BW_CNTL, &[(ZB_BW_CNTL::FAST_FILL, 1)]);
        // Behind the old depths, before the clear ones.
        s.fill(0.4, [1.0; 4]);
        let mut rig = Rig::new(1);
        for n in 0..SIZE * SIZE {
            rig.put(DEPTH + 4 * n, &[OLD]);
        }
        rig.run(&s).unwrap();
        for (y, row) in rig.pixels().iter().enumerate() {
            for (x, pixel) in row.iter().enumerate() {
                let inside = x < edge && y < edge;
                assert_eq!(*pixel, if inside { u32::MAX } else { 0 }, "{x} {y}");
            }
        }
        // The first micro tile keeps the clear stencil value; one right of the blocks is old.
        let first = rig.memory.load(DEPTH).unwrap();
        assert_eq!((first & 0xff, first >> 24), (0x55, 0x66));
        assert_eq!(rig.memory.load(DEPTH + 32 * 3).unwrap(), OLD);
        // Nothing is clear twice.
        s.word(ZB_DEPTHCLEARVALUE, 0, 0);
        s.fill(0.1, [1.0; 4]);
        rig.run(&s).unwrap();
        assert_eq!(rig.memory.load(DEPTH).unwrap() & 0xff, 0x55);
    }
}

#[test]
fn colours_are_cleared_by_the_depth_block_and_by_their_mask() {
    const WORD: u32 = 0x1234_5678;
    // Texels of four bytes, and of two.
    for (format, bytes, texel) in [(2, 4, WORD), (0, 2, WORD & 0xffff)] {
        let mut s = Stream::state();
        depths(&mut s, DEPTH as u32, SIZE as u32, 7);
        s.fields(ZB_FORMAT, &[(ZB_FORMAT::DEPTHFORMAT, format)]);
        s.word(ZB_CNTL, 0, 0);
        s.word(ZB_DEPTHCLEARVALUE, 0, WORD);
        s.fields(ZB_BW_CNTL, &[(ZB_BW_CNTL::ZB_CB_CLEAR, 1)]);
        s.fill(0.4, [1.0; 4]);
        let mut rig = Rig::new(1);
        rig.run(&s).unwrap();
        let halves = (0..SIZE * SIZE * bytes / 2).map(|n| rig.memory.load_half(DEPTH + 2 * n));
        let halves: Vec<u16> = halves.map(Option::unwrap).collect();
        let word = |of: &[u16]| {
            of.iter()
                .rev()
                .fold(0, |word, half| word << 16 | u32::from(*half))
        };
        let mut words = halves.chunks(bytes as usize / 2).map(word);
        assert!(words.all(|word| word == texel), "{bytes}");
        let behind = rig.memory.load_half(DEPTH + SIZE * SIZE * bytes);
        assert_eq!(behind, Some(0));
        assert!(
            rig.pixels()
                .iter()
                .flatten()
                .all(|pixel| *pixel == u32::MAX)
        );
    }

    let mut s = Stream::state();
    s.fields(RB3D_CCTL, &[(RB3D_CCTL::CMASK_ENABLE, 1)]);
    s.word(RB3D_COLOR_CLEAR_VALUE, 0, WORD);
    s.word(RB3D_CMASK_PITCH, 0, SIZE as u32);
    clear(&mut s, CLEAR_CMASK, 1, 0xffff_fffc);
    s.word(RB3D_COLOR_CHANNEL_MASK, 0, 1);
    s.fill(0.4, [0.0; 4]);
    let mut rig = Rig::new(1);
    rig.run(&s).unwrap();
    for (y, row) in rig.pixels().iter().enumerate() {
        for (x, pixel) in row.iter().enumerate() {
            let inside = x < 4 && y < 4;
            assert_eq!(*pixel, if inside { WORD & !0xff } else { 0 }, "{x} {y}");
        }
    }
}

#[test]
fn invalid_combinations_stop_a_draw() {
    use ZB_BW_CNTL::*;
    let cases: [&[(Field, u32)]; 3] = [
        &[(RD_COMP_ENABLE, 1)],
        &[(WR_COMP_ENABLE, 1)],
        &[(FAST_FILL, 1), (WR_COMP_ENABLE, 1)],
    ];
    for fields in cases {
        let mut s = Stream::state();
        depths(&mut s, DEPTH as u32, SIZE as u32, 1);
        s.fields(ZB_BW_CNTL, fields);
        s.fill(0.4, [1.0; 4]);
        let error = Rig::new(1).run(&s).unwrap_err().to_string();
        assert!(error.contains("not a valid combination"), "{error}");
    }
}
