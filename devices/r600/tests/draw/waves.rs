//! Waves of whole tiles, which run side by side, leave what each alone leaves.

use r600::Start;
use r600::isa::assemble;
use r600::regs::*;
use r600::resource::{clamp, xy_filter};
use r600::tiling::ArrayMode;
use silicon::{Format, Trap};

use super::rig::*;

/// Wide enough for waves of four tiles in a row.
const SIZE: [u32; 2] = [32, 8];
const RING: u64 = 0x1a0_0000;
/// Scratch memory, of which a thread has one part, keeps waves apart.
const APART: &str = "MEM_SCRATCH: WRITE(0), R0 ELEM_SIZE(4)\n";

/// A triangle over the target, whose attribute grows from 0 on by `step` a pixel to the right.
fn rig(program: &str, step: f32) -> Rig {
    let start = Start {
        threads: Some(1),
        wave_cost: 100_000,
        ..Start::default()
    };
    let mut rig = Rig::started(start, SIZE);
    let across = step * SIZE[0] as f32 / 2.0;
    let vertices = [(-1.0, -1.0), (3.0, -1.0), (-1.0, 3.0)];
    let vertices = vertices.map(|(x, y)| [x, y, 0.5, 1.0, (x + 1.0) * across, 0.5, 0.25, 1.0]);
    rig.setup(&vertices, &assemble(program).unwrap().concat());
    rig.set(SQ_PSTMP_RING_ITEMSIZE, 16);
    rig.set(SQ_PSTMP_RING_BASE, (RING >> 8) as u32);
    rig.set(SQ_PSTMP_RING_SIZE, 16 * 64 * 4 / 256);
    rig
}

fn draw(rig: &mut Rig) -> (Result<silicon::Stats, Trap>, Vec<u32>) {
    rig.draw(3);
    let result = rig.run();
    let places = (0..SIZE[1]).flat_map(|y| (0..SIZE[0]).map(move |x| (x, y)));
    (result, places.map(|(x, y)| rig.pixel(x, y)).collect())
}

/// Lanes from column 16 on never leave the loop: the tiles before are drawn, and the trap is that of the first after them.
#[test]
fn a_wave_among_others_is_stopped_as_alone() {
    let run = |apart: &str| {
        let program = format!(
            "LOOP_START_DX10: ADDR(after)\nbody:\nALU_BREAK:\n0 x: PRED_SETGE ____.x, R0.x, 1.0 UPDATE_EXEC_MASK\n\
             end:\nLOOP_END: ADDR(body)\nafter:\n{apart}EXP_DONE: PIX0, R0 END_OF_PROGRAM"
        );
        draw(&mut rig(&program, 1.0 / 16.0))
    };
    let (result, picture) = run("NOP:\n");
    let (alone, expected) = run(APART);
    let trap = result.unwrap_err();
    assert_eq!(trap, alone.unwrap_err());
    assert!(trap.reason.contains("cost of 100000"), "{trap}");
    assert_eq!(picture, expected);
    assert!(picture[8] != 0 && picture[16] == 0, "{picture:x?}");
}

/// Each wave samples with the gradients that it set itself, of which those at the left magnify.
#[test]
fn gradients_are_of_each_wave() {
    let run = |apart: &str| {
        let program = format!(
            "{apart}TEX:\nSET_GRADIENTS_H R1.____, R0.x000, t0, s0\nSET_GRADIENTS_V R1.____, R0.0x00, t0, s0\n\
             SAMPLE_G R1.xyzw, R0.xy00, t0, s0\nEXP_DONE: PIX0, R1 END_OF_PROGRAM"
        );
        let mut rig = rig(&program, 1.0 / 32.0);
        let filters = u32::from(xy_filter::POINT) << 9 | u32::from(xy_filter::BILINEAR) << 12;
        let wrap = u32::from(clamp::LAST_TEXEL);
        let sampler = [wrap | wrap << 3 | filters, 0x3ff << 10, 0];
        rig.set_all(sampler_at(SAMPLERS_PS), &sampler);
        let texel = |x, _| 0xff00_0000 + 0x40 * x;
        rig.texture(
            ArrayMode::Tiled1dThin1,
            Format::R8G8B8A8Unorm,
            [4, 1],
            texel,
        );
        let (result, picture) = draw(&mut rig);
        result.unwrap();
        picture
    };
    let picture = run("");
    assert_eq!(picture, run(APART));
    // Nearest texels where a texel is more than a pixel, and what lies between them elsewhere.
    let plain = |texel: &u32| texel & 0x3f == 0;
    assert!(picture[..8].iter().all(plain), "{picture:x?}");
    assert!(!picture[8..32].iter().all(plain), "{picture:x?}");
}
