//! Packets and fixed-function state: restart, instances, indirect draws, events, copies, stencil, blending, masks.

use southern_islands::packets;
use southern_islands::regs::*;
use southern_islands::tiling::ImageKind;

use super::code;
use super::rig::*;

const COUNTER: u64 = 0x4000;
const ARGUMENTS: u64 = 0x5000;
const ALL: u64 = (WIDTH * HEIGHT) as u64;

fn corners(corners: &[(f32, f32)], color: [f32; 4]) -> Vec<Vertex> {
    let [r, g, b, a] = color;
    corners
        .iter()
        .map(|(x, y)| [*x, *y, 0.5, 1.0, r, g, b, a])
        .collect()
}

const STRIP: [(f32, f32); 4] = [(-1., -1.), (1., -1.), (-1., 1.), (1., 1.)];

#[test]
fn strips_start_again_after_the_restart_index() {
    for (wide, restart) in [(false, 0xffff), (true, !0)] {
        let mut rig = Rig::new(1);
        rig.setup(&corners(&STRIP, [1.0; 4]), &code::pixel(), ImageKind::Color);
        let indices = [0u32, 1, 2, restart, 1, 3, 2];
        if wide {
            rig.words(INDICES, &indices);
        } else {
            let words: Vec<u32> = indices
                .chunks(2)
                .map(|pair| pair[0] | pair.get(1).copied().unwrap_or(0) << 16)
                .collect();
            rig.words(INDICES, &words);
        }
        rig.set(VGT_PRIMITIVE_TYPE, prim_type::TRISTRIP);
        rig.set(VGT_MULTI_PRIM_IB_RESET_EN, 1);
        rig.set(VGT_MULTI_PRIM_IB_RESET_INDX, restart);
        rig.packet(packets::INDEX_TYPE, &[u32::from(wide)]);
        rig.packet(packets::DRAW_INDEX_2, &[7, INDICES as u32, 0, 7, 0]);
        let stats = rig.run().unwrap();
        assert_eq!((stats.primitives, stats.fragment_lanes), (2, ALL));
    }
}

/// Streams 1 to 3 are enabled and have no primitives. (ERRATA 54)
#[test]
fn counters_of_other_streams_are_zero() {
    let mut rig = Rig::new(1);
    rig.setup(&corners(&STRIP, [1.0; 4]), &code::pixel(), ImageKind::Color);
    rig.set(VGT_STRMOUT_CONFIG, 0xe);
    rig.draw(3);
    for number in event::SAMPLE_STREAMOUTSTATS_1_TO_3 {
        rig.packet(packets::EVENT_WRITE, &[number | 3 << 8, COUNTER as u32, 0]);
        rig.run().unwrap();
        let count = [0, 4, 8, 12].map(|at| rig.memory.load(COUNTER + at).unwrap());
        assert_eq!(count, [0, 1 << 31, 0, 1 << 31]);
        rig.words(COUNTER, &[7; 4]);
    }
}

#[test]
fn indices_beyond_the_buffer_read_zero() {
    let mut rig = Rig::new(1);
    rig.setup(&corners(&STRIP, [1.0; 4]), &code::pixel(), ImageKind::Color);
    rig.words(INDICES, &[1, 2, 3]);
    rig.packet(packets::INDEX_TYPE, &[1]);
    rig.packet(packets::DRAW_INDEX_2, &[2, INDICES as u32, 0, 3, 0]);
    rig.run().unwrap();
    // Vertices 1, 2 and 0: the lower left half.
    assert_ne!(rig.pixel(5, 110), 0);
    assert_eq!(rig.pixel(190, 5), 0);
}

#[test]
fn indirect_draws_set_user_data_and_instances() {
    let mut rig = Rig::new(1);
    rig.setup(&corners(&STRIP, [1.0; 4]), &code::pixel(), ImageKind::Color);
    rig.set(VGT_PRIMITIVE_TYPE, prim_type::TRISTRIP);
    rig.words(ARGUMENTS, &[4, 3, 77, 88]);
    rig.packet(packets::SET_BASE, &[1, ARGUMENTS as u32, 0]);
    let slot = |n: u32| (SPI_SHADER_USER_DATA_VS_0 - SH.start) / 4 + n;
    rig.packet(
        packets::DRAW_INDIRECT,
        &[0, slot(8), slot(9), packets::source::AUTO_INDEX],
    );
    // The registers are read back through COPY_DATA.
    for n in 0..2 {
        let register = SPI_SHADER_USER_DATA_VS_0 / 4 + 8 + n;
        rig.packet(
            packets::COPY_DATA,
            &[5 << 8, register, 0, COUNTER as u32 + 4 * n, 0],
        );
    }
    let stats = rig.run().unwrap();
    assert_eq!((stats.primitives, stats.vertex_lanes), (6, 12));
    assert_eq!(stats.fragment_lanes, 3 * ALL);
    assert_eq!(rig.memory.load(COUNTER), Some(77));
    assert_eq!(rig.memory.load(COUNTER + 4), Some(88));
}

#[test]
fn counters_of_passed_samples_and_time() {
    let mut rig = Rig::new(1);
    rig.setup(&corners(&STRIP, [1.0; 4]), &code::pixel(), ImageKind::Color);
    rig.set(VGT_PRIMITIVE_TYPE, prim_type::TRISTRIP);
    let count = event::ZPASS_DONE | 1 << 8;
    rig.packet(packets::EVENT_WRITE, &[count, COUNTER as u32, 0]);
    rig.draw(4);
    rig.packet(packets::EVENT_WRITE, &[count, COUNTER as u32 + 8, 0]);
    let fence = event::BOTTOM_OF_PIPE_TS | 5 << 8;
    rig.packet(
        packets::EVENT_WRITE_EOP,
        &[fence, COUNTER as u32 + 16, 2 << 29, 0x1234, 0x5678],
    );
    rig.run().unwrap();
    let read = |at: u64| rig.memory.load(COUNTER + at).unwrap();
    assert_eq!(u64::from(read(8)) - u64::from(read(0)), ALL);
    assert_eq!(read(4) >> 31, 1);
    assert_eq!((read(16), read(20)), (0x1234, 0x5678));
}

#[test]
fn copies_fills_and_waits() {
    let mut rig = Rig::new(1);
    rig.packet(
        packets::CP_DMA,
        &[0xdead_beef, 2 << 29, COUNTER as u32, 0, 16],
    );
    rig.packet(
        packets::CP_DMA,
        &[COUNTER as u32 + 4, 0, COUNTER as u32 + 32, 0, 8],
    );
    rig.packet(packets::WRITE_DATA, &[5 << 8, COUNTER as u32 + 64, 0, 7, 8]);
    let wait = [3 | 1 << 4, COUNTER as u32 + 64, 0, 7, !0, 10];
    rig.packet(packets::WAIT_REG_MEM, &wait);
    rig.run().unwrap();
    let read = |at: u64| rig.memory.load(COUNTER + at).unwrap();
    assert_eq!((read(12), read(16)), (0xdead_beef, 0));
    assert_eq!((read(36), read(40)), (0xdead_beef, 0));
    assert_eq!((read(64), read(68)), (7, 8));
    rig.packet(
        packets::WAIT_REG_MEM,
        &[3 | 1 << 4, COUNTER as u32 + 64, 0, 9, !0, 10],
    );
    assert!(rig.run().unwrap_err().reason.contains("for ever"));
    // An indirect buffer that contains itself.
    rig.packet(packets::INDIRECT_BUFFER, &[STREAM as u32, 0, 4]);
    assert!(rig.run().unwrap_err().reason.contains("deep"));
}

/// Values below, at and above the reference, by every function, of memory and of a register.
#[test]
fn waits_compare_as_their_function_says() {
    // Always, less, less or equal, equal, not equal, greater or equal, greater, and one that does not exist.
    let functions = [
        [true, true, true],
        [true, false, false],
        [true, true, false],
        [false, true, false],
        [true, false, true],
        [false, true, true],
        [false, false, true],
        [false, false, false],
    ];
    for (function, expected) in (0..).zip(functions) {
        for (value, holds) in [0x1_0006, 0x1_0007, 0x1_0008].into_iter().zip(expected) {
            let mut rig = Rig::new(1);
            rig.words(COUNTER, &[value]);
            rig.set(VGT_INDX_OFFSET, value);
            // The mask leaves the low half.
            let memory = [function | 1 << 4, COUNTER as u32, 0, 7, 0xffff, 10];
            let register = [function, VGT_INDX_OFFSET / 4, 0, 7, 0xffff, 10];
            for wait in [memory, register] {
                rig.packet(packets::WAIT_REG_MEM, &wait);
                let done = rig.run();
                assert_eq!(done.is_ok(), holds, "function {function} of {value:#x}");
                rig.set(VGT_INDX_OFFSET, value);
            }
        }
    }
}

/// WRITE_DATA with ONE_ADDR leaves the last word where it wrote the first.
#[test]
fn data_is_written_to_one_address() {
    let mut rig = Rig::new(1);
    rig.words(COUNTER, &[1, 2, 3]);
    let one = 5 << 8 | 1 << 16;
    rig.packet(packets::WRITE_DATA, &[one, COUNTER as u32, 0, 7, 8, 9]);
    rig.run().unwrap();
    let found = [0, 4, 8].map(|at| rig.memory.load(COUNTER + at));
    assert_eq!(found, [Some(9), Some(2), Some(3)]);
}

#[test]
fn scissor_and_write_mask() {
    let mut rig = Rig::new(1);
    rig.setup(&corners(&STRIP, [1.0; 4]), &code::pixel(), ImageKind::Color);
    rig.set(VGT_PRIMITIVE_TYPE, prim_type::TRISTRIP);
    rig.set(PA_SC_GENERIC_SCISSOR_TL, 10 | 20 << 16);
    rig.set(PA_SC_GENERIC_SCISSOR_BR, 13 | 25 << 16);
    rig.set(CB_TARGET_MASK, 0b0101);
    rig.draw(4);
    let stats = rig.run().unwrap();
    assert_eq!(stats.fragment_lanes, 15);
    assert_eq!(rig.pixel(10, 20), 0x00ff_00ff);
    assert_eq!(rig.pixel(12, 24), 0x00ff_00ff);
    assert_eq!((rig.pixel(9, 20), rig.pixel(13, 24)), (0, 0));
}

#[test]
fn blending_adds_layers() {
    let mut rig = Rig::new(1);
    rig.setup(
        &corners(&STRIP, [0.25, 0.5, 0.0, 0.1]),
        &code::pixel(),
        ImageKind::Color,
    );
    rig.set(VGT_PRIMITIVE_TYPE, prim_type::TRISTRIP);
    rig.set(
        CB_BLEND0_CONTROL,
        CbBlendControl {
            enable: true,
            color_srcblend: blend::ONE,
            color_destblend: blend::ONE,
            ..CbBlendControl::from_word(0)
        }
        .pack(),
    );
    rig.packet(packets::NUM_INSTANCES, &[3]);
    rig.draw(4);
    rig.run().unwrap();
    // 0.25 three times, rounded to 64, 128 and 192 of 255 as they are stored.
    assert_eq!(rig.pixel(77, 33), 0x4e00_ffc0);
}

#[test]
fn stencil_counts_and_tests() {
    const STENCIL: u64 = 0xc0_0000;
    let mut rig = Rig::new(1);
    rig.setup(&corners(&STRIP, [1.0; 4]), &code::pixel(), ImageKind::Color);
    rig.set(VGT_PRIMITIVE_TYPE, prim_type::TRISTRIP);
    let pitch = WIDTH.next_multiple_of(8);
    rig.set(DB_STENCIL_INFO, 1 | 4 << 20);
    rig.set(DB_STENCIL_WRITE_BASE, (STENCIL >> 8) as u32);
    rig.set(DB_DEPTH_SIZE, (pitch / 8 - 1) | (HEIGHT / 8 - 1) << 11);
    rig.set(DB_DEPTH_SLICE, pitch * HEIGHT / 64 - 1);
    let control = |function: u8| {
        DbDepthControl {
            stencil_enable: true,
            stencilfunc: function,
            ..DbDepthControl::from_word(0)
        }
        .pack()
    };
    rig.set(DB_STENCIL_CONTROL, u32::from(stencil_op::ADD_CLAMP) << 4);
    rig.set(DB_STENCILREFMASK, 2 | 0xff << 8 | 0xff << 16 | 1 << 24);
    rig.set(DB_DEPTH_CONTROL, control(compare::ALWAYS));
    // Twice on the left, once everywhere.
    rig.set(PA_SC_GENERIC_SCISSOR_BR, 101 | HEIGHT << 16);
    rig.set(CB_TARGET_MASK, 0);
    rig.draw(4);
    rig.set(PA_SC_GENERIC_SCISSOR_BR, WIDTH | HEIGHT << 16);
    rig.draw(4);
    // Only where it counted to two.
    rig.set(CB_TARGET_MASK, 0xf);
    rig.set(DB_DEPTH_CONTROL, control(compare::EQUAL));
    rig.draw(4);
    rig.run().unwrap();
    assert_ne!(rig.pixel(100, 50), 0);
    assert_eq!(rig.pixel(101, 50), 0);
    assert_eq!(rig.memory.load_byte(STENCIL), Some(3));
}
