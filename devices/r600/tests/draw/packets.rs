//! Packets: indices, instances, counters, memory.

use r600::packets;
use r600::regs::*;

use super::code;
use super::rig::*;

const COUNTER: u64 = 0x6000;
const ALL: u64 = (WIDTH * HEIGHT) as u64;

fn strip() -> Rig {
    let mut rig = Rig::new(1);
    rig.setup(&corners(&STRIP, 0.5, [1.0; 4]), &code::pixel());
    rig.set(VGT_PRIMITIVE_TYPE, prim_type::TRISTRIP);
    rig
}

#[test]
fn indices_of_both_widths_and_in_the_packet() {
    let indices = [0u32, 1, 2, 1, 3, 2];
    let halves = [0x1_0000, 0x1_0002, 0x2_0003];
    for wide in [false, true] {
        let words: &[u32] = if wide { &indices } else { &halves };
        for packet in 0..3 {
            let mut rig = strip();
            rig.set(VGT_PRIMITIVE_TYPE, prim_type::TRILIST);
            rig.words(INDICES, words);
            rig.packet(packets::INDEX_TYPE, &[u32::from(wide)]);
            let at = INDICES as u32;
            match packet {
                0 => rig.packet(packets::DRAW_INDEX, &[at, 0, 6, 0]),
                1 => rig.packet(packets::DRAW_INDEX_2, &[6, at, 0, 6, 0]),
                _ => {
                    let mut payload = vec![6, packets::source::IMMEDIATE];
                    payload.extend(words);
                    rig.packet(packets::DRAW_INDEX_IMMD, &payload);
                }
            }
            let stats = rig.run().unwrap();
            assert_eq!((stats.primitives, stats.vertices), (2, 4));
            assert_eq!(stats.fragment_lanes, ALL);
        }
    }
}

#[test]
fn strips_start_again_after_the_restart_index() {
    let mut rig = strip();
    rig.words(INDICES, &[0, 1, 2, !0, 1, 3, 2]);
    rig.set(VGT_MULTI_PRIM_IB_RESET_EN, 1);
    rig.set(VGT_MULTI_PRIM_IB_RESET_INDX, !0);
    rig.packet(packets::INDEX_TYPE, &[1]);
    rig.packet(packets::DRAW_INDEX, &[INDICES as u32, 0, 7, 0]);
    let stats = rig.run().unwrap();
    assert_eq!((stats.primitives, stats.fragment_lanes), (2, ALL));
}

#[test]
fn counters_of_passed_samples_and_fences() {
    let mut rig = strip();
    let count = event::ZPASS_DONE | 1 << 8;
    rig.packet(packets::EVENT_WRITE, &[count, COUNTER as u32, 0]);
    rig.draw(4);
    rig.packet(packets::EVENT_WRITE, &[count, COUNTER as u32 + 8, 0]);
    let fence = event::CACHE_FLUSH_AND_INV_TS | 5 << 8;
    rig.packet(
        packets::EVENT_WRITE_EOP,
        &[fence, COUNTER as u32 + 16, 2 << 29, 0x1234, 0x5678],
    );
    let flags = packets::mem_write::WORD;
    rig.packet(packets::MEM_WRITE, &[COUNTER as u32 + 24, flags, 9, 8]);
    rig.packet(packets::MEM_WRITE, &[COUNTER as u32 + 32, 0, 7, 6]);
    rig.run().unwrap();
    let read = |at: u64| rig.memory.load(COUNTER + at).unwrap();
    assert_eq!(u64::from(read(8)) - u64::from(read(0)), ALL);
    assert_eq!((read(16), read(20)), (0x1234, 0x5678));
    assert_eq!((read(24), read(28), read(32), read(36)), (9, 0, 7, 6));
}

/// Arguments of a draw copied into the packet that follows: packets are read when their turn comes.
#[test]
fn a_copy_fills_a_later_packet() {
    let mut rig = strip();
    const ARGUMENTS: u64 = 0x7000;
    rig.words(ARGUMENTS, &[4]);
    let copy = 1 + 5;
    let count = STREAM as u32 + 4 * (rig.stream.len() as u32 + copy + 1);
    rig.packet(packets::CP_DMA, &[ARGUMENTS as u32, 0, count, 0, 4]);
    rig.draw(0);
    let stats = rig.run().unwrap();
    assert_eq!((stats.primitives, stats.fragment_lanes), (2, ALL));
}

#[test]
fn wrong_packets_are_traps() {
    let cases: [(u8, &[u32], &str); 5] = [
        (0x05, &[0], "no packet"),
        (packets::SET_CONTEXT_REG, &[0x400, 1], "outside"),
        (packets::INDEX_TYPE, &[4], "little-endian"),
        (packets::LOAD_RESOURCE, &[0, 0, 0xfff, 2], "outside"),
        (packets::DRAW_INDEX_IMMD, &[5, 1, 0], "indices"),
    ];
    for (opcode, payload, reason) in cases {
        let mut rig = Rig::new(1);
        rig.packet(opcode, payload);
        let trap = rig.run().unwrap_err();
        assert!(trap.reason.contains(reason), "{trap}");
        assert_eq!(trap.address, STREAM);
    }
}

#[test]
fn too_many_registers_name_their_registers() {
    let cases = [(125, 4, "125 and"), (255, 0, "255 and")];
    for (num_gprs, temps, reason) in cases {
        let mut rig = with_registers(num_gprs, temps);
        let trap = rig.run().unwrap_err();
        let reason = format!("SQ_PGM_RESOURCES_PS.NUM_GPRS {reason}");
        assert!(trap.reason.contains(&reason), "{trap}");
    }
}

/// A strip whose pixel waves have so many registers and clause temporaries.
fn with_registers(num_gprs: u8, temps: u32) -> Rig {
    let mut rig = strip();
    let resources = SqPgmResources::from_word(0);
    let resources = SqPgmResources {
        num_gprs,
        ..resources
    };
    rig.set(SQ_PGM_RESOURCES_PS, resources.pack());
    rig.set(SQ_GPR_RESOURCE_MGMT_1, temps << 28);
    rig.draw(4);
    rig
}

/// Programs that use no register are given none. (ERRATA 47)
#[test]
fn waves_may_have_no_registers() {
    let stats = with_registers(0, 4).run().unwrap();
    assert_eq!((stats.primitives, stats.fragment_lanes), (2, ALL));
}

/// Packets with the bit of predication are left out where the result is not as asked for: samples between two counters,
/// primitives that stream-out could not write, a value.
#[test]
fn predicates_leave_packets_out() {
    const VISIBLE: u32 = 1 << 8;
    const CONTINUE: u32 = 1 << 31;
    let (none, some) = ([7, 1 << 31, 7, 1 << 31], [7, 1 << 31, 9, 1 << 31]);
    let unwritten = [7, 0, 9, 1 << 31];
    let written = [5, 0, 5, 0, 8, 0, 8, 0];
    let overflown = [5, 0, 5, 0, 8, 0, 9, 0];
    let cases: [(&[u32], u32, bool); 10] = [
        (&some, 1 << 16 | VISIBLE, true),
        (&none, 1 << 16 | VISIBLE, false),
        (&unwritten, 1 << 16 | VISIBLE, false),
        (&none, 1 << 16, true),
        (&some, 1 << 16, false),
        (&overflown, 2 << 16 | VISIBLE, true),
        (&written, 2 << 16 | VISIBLE, false),
        (&[0, 1], 3 << 16 | VISIBLE, true),
        (&[0, 0], 3 << 16 | VISIBLE, false),
        (&[0, 0], 0, true),
    ];
    for (words, control, draws) in cases {
        let mut rig = strip();
        rig.words(COUNTER, words);
        rig.packet(packets::SET_PREDICATION, &[COUNTER as u32, control]);
        rig.draw(4);
        *rig.stream.iter_mut().rev().nth(2).unwrap() |= 1;
        assert_eq!(rig.run().unwrap().draws, u64::from(draws), "{control:#x}");
        // Other packets are executed, and so are all after the end.
        rig.draw(4);
        rig.packet(packets::SET_PREDICATION, &[0, 0]);
        rig.draw(4);
        *rig.stream.iter_mut().rev().nth(2).unwrap() |= 1;
        assert_eq!(rig.run().unwrap().draws, 2);
    }
    // One of several results is enough.
    let mut rig = strip();
    rig.words(COUNTER, &[some, none].concat());
    for (at, control) in [(0, VISIBLE), (16, VISIBLE | CONTINUE)] {
        rig.packet(
            packets::SET_PREDICATION,
            &[COUNTER as u32 + at, 1 << 16 | control],
        );
    }
    rig.draw(4);
    *rig.stream.iter_mut().rev().nth(2).unwrap() |= 1;
    assert_eq!(rig.run().unwrap().draws, 1);
    rig.packet(packets::SET_PREDICATION, &[COUNTER as u32, 4 << 16]);
    let trap = rig.run().unwrap_err();
    assert!(trap.reason.contains("no operation 4"), "{trap}");
}
