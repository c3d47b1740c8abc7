#![allow(clippy::unwrap_used)]

use lanes::Row;
use silicon::Addr;

use super::*;
use crate::descriptor::{BufferResource, dst_sel};
use crate::isa::memory::{DsOp, MtbufOp, MubufOp, SmrdOp};
use crate::isa::words::{Ds, Mtbuf, Mubuf, Smrd};

const BASE: u64 = 4096;

fn unit() -> MemoryUnit {
    let memory = Memory::new(1 << 16);
    let bytes: Vec<u8> = (0..=255).collect();
    memory.write(Addr(BASE), &bytes).unwrap();
    MemoryUnit::new(memory)
}

/// A wave whose V# in s[4:7] is `buffer` and whose v0 counts lanes.
fn wave(buffer: BufferResource, exec: u64) -> Wave {
    let mut wave = Wave::new(260, 140);
    let word = buffer.pack();
    for i in 0..4 {
        wave.scalars[4 + i] = (word >> (32 * i)) as u32;
    }
    wave.set_mask(126, exec);
    wave.rows[0] = Row(std::array::from_fn(|lane| lane as u32));
    wave
}

fn buffer(stride: u16, num_records: u32) -> BufferResource {
    BufferResource {
        base_address: BASE,
        stride,
        num_records,
        data_format: 10,
        num_format: 4,
        dst_sel_x: dst_sel::X,
        dst_sel_y: dst_sel::Y,
        dst_sel_z: dst_sel::Z,
        dst_sel_w: dst_sel::ONE,
        ..BufferResource::from_word(0)
    }
}

fn mubuf(op: MubufOp) -> Mubuf {
    // v0 addresses, v8.. data, V# in s[4:7], no scalar offset.
    Mubuf {
        soffset: 128,
        tfe: false,
        slc: false,
        srsrc: 1,
        vdata: 8,
        vaddr: 0,
        op,
        lds: false,
        addr64: false,
        glc: false,
        idxen: false,
        offen: true,
        offset: 0,
    }
}

fn lane(wave: &Wave, register: usize, lane: usize) -> u32 {
    wave.rows[register].0[lane]
}

#[test]
fn formatted_loads_convert_select_and_check_records() {
    let mut unit = unit();
    let mut wave = wave(buffer(4, 3), u64::MAX);
    let inst = Mubuf {
        idxen: true,
        offen: false,
        ..mubuf(MubufOp::BUFFER_LOAD_FORMAT_XYZW)
    };
    assert!(unit.call(&Inst::Mubuf(inst), &mut wave).unwrap());
    assert_eq!([8, 9, 10, 11].map(|r| lane(&wave, r, 2)), [8, 9, 10, 1]);
    assert_eq!(
        [8, 9, 10, 11].map(|r| lane(&wave, r, 3)),
        [0; 4],
        "record 3 of 3 is outside"
    );
}

#[test]
fn typed_loads_bring_their_format_and_no_ones() {
    let mut unit = unit();
    let mut wave = wave(buffer(2, 64), 1);
    let inst = Mtbuf {
        soffset: 128,
        tfe: false,
        slc: false,
        srsrc: 1,
        vdata: 8,
        vaddr: 0,
        nfmt: 0,
        dfmt: 3,
        op: MtbufOp::TBUFFER_LOAD_FORMAT_XYZW,
        addr64: false,
        glc: false,
        idxen: true,
        offen: false,
        offset: 0,
    };
    unit.call(&Inst::Mtbuf(inst), &mut wave).unwrap();
    let expected = [0f32, 1.0 / 255.0, 0.0, 0.0].map(f32::to_bits);
    assert_eq!([8, 9, 10, 11].map(|r| lane(&wave, r, 0)), expected);
}

#[test]
fn raw_buffers_check_every_dword() {
    let mut unit = unit();
    // 12 bytes: the last dword of lane 0 is outside, all but the first two of lane 4.
    let mut wave = wave(buffer(0, 12), 1 | 1 << 4);
    unit.call(&Inst::Mubuf(mubuf(MubufOp::BUFFER_LOAD_DWORDX4)), &mut wave)
        .unwrap();
    assert_eq!(
        [8, 9, 10, 11].map(|r| lane(&wave, r, 0)),
        [0x0302_0100, 0x0706_0504, 0x0b0a_0908, 0]
    );
    assert_eq!(
        [8, 9, 10, 11].map(|r| lane(&wave, r, 4)),
        [0x0706_0504, 0x0b0a_0908, 0, 0]
    );
}

#[test]
fn an_offset_near_the_top_does_not_wrap_into_the_buffer() {
    let mut unit = unit();
    let mut wave = wave(buffer(0, 64), 1);
    wave.rows[0].0[0] = 0xffff_fffc;
    let inst = Mubuf {
        offset: 8,
        ..mubuf(MubufOp::BUFFER_STORE_DWORD)
    };
    wave.rows[8].0[0] = 7;
    unit.call(&Inst::Mubuf(inst), &mut wave).unwrap();
    assert_eq!(unit.memory.load(BASE + 4), Some(0x0706_0504));
}

#[test]
fn bytes_are_sign_extended_and_stored_alone() {
    let mut unit = unit();
    let mut wave = wave(buffer(0, 256), 1 << 63 | 1 << 3);
    wave.rows[0].0[63] = 0xf1;
    unit.call(&Inst::Mubuf(mubuf(MubufOp::BUFFER_LOAD_SBYTE)), &mut wave)
        .unwrap();
    assert_eq!(lane(&wave, 8, 63), 0xffff_fff1);
    wave.rows[8].0[3] = 0x1ff;
    unit.call(&Inst::Mubuf(mubuf(MubufOp::BUFFER_STORE_BYTE)), &mut wave)
        .unwrap();
    assert_eq!(unit.memory.load(BASE), Some(0xff02_0100));
}

#[test]
fn swizzled_buffers_interleave_lanes() {
    let mut unit = unit();
    let resource = BufferResource {
        swizzle_enable: true,
        add_tid_enable: true,
        element_size: 1,
        index_stride: 3,
        ..buffer(8, 64)
    };
    let mut wave = wave(resource, u64::MAX);
    wave.rows[8] = wave.rows[0];
    let inst = Mubuf {
        offen: false,
        offset: 4,
        ..mubuf(MubufOp::BUFFER_STORE_DWORD)
    };
    unit.call(&Inst::Mubuf(inst), &mut wave).unwrap();
    // Component 1 of lane t lies at (64 + t) dwords.
    assert_eq!(unit.memory.load(BASE + (64 + 5) * 4), Some(5));
}

#[test]
fn atomics_return_the_old_value_with_glc() {
    let mut unit = unit();
    let mut wave = wave(buffer(0, 256), 0b11);
    wave.rows[0] = Row::ZERO;
    wave.rows[8] = Row::splat(1);
    let inst = Mubuf {
        glc: true,
        ..mubuf(MubufOp::BUFFER_ATOMIC_ADD)
    };
    unit.call(&Inst::Mubuf(inst), &mut wave).unwrap();
    assert_eq!(
        [0, 1].map(|l| lane(&wave, 8, l)),
        [0x0302_0100, 0x0302_0101]
    );
    assert_eq!(unit.memory.load(BASE), Some(0x0302_0102));
}

#[test]
fn addresses_outside_memory_are_faults() {
    let mut unit = unit();
    let mut wave = wave(
        BufferResource {
            base_address: 1 << 40,
            ..buffer(0, 256)
        },
        0b100,
    );
    let got = unit.call(&Inst::Mubuf(mubuf(MubufOp::BUFFER_LOAD_DWORD)), &mut wave);
    assert_eq!(
        got,
        Err(Fault::Address {
            lane: 2,
            address: 1 << 40
        })
    );
}

#[test]
fn scalar_loads_count_dwords_or_bytes() {
    let mut unit = unit();
    let mut wave = wave(buffer(0, 8), 1);
    wave.set_mask(0, BASE);
    wave.scalars[9] = 8;
    let smrd = Smrd {
        op: SmrdOp::S_LOAD_DWORDX2,
        sdst: 20,
        sbase: 0,
        imm: true,
        offset: 1,
    };
    unit.call(&Inst::Smrd(smrd), &mut wave).unwrap();
    assert_eq!(wave.scalars[20..22], [0x0706_0504, 0x0b0a_0908]);
    unit.call(
        &Inst::Smrd(Smrd {
            imm: false,
            offset: 9,
            ..smrd
        }),
        &mut wave,
    )
    .unwrap();
    assert_eq!(wave.scalars[20..22], [0x0b0a_0908, 0x0f0e_0d0c]);
    let bounded = Smrd {
        op: SmrdOp::S_BUFFER_LOAD_DWORDX2,
        sbase: 2,
        ..smrd
    };
    unit.call(&Inst::Smrd(bounded), &mut wave).unwrap();
    assert_eq!(
        wave.scalars[20..22],
        [0x0706_0504, 0],
        "the second dword is outside"
    );
}

#[test]
fn data_share_reads_what_it_wrote_inside_the_limit() {
    let mut unit = unit();
    let mut wave = wave(buffer(0, 0), u64::MAX);
    wave.rows[0] = Row(std::array::from_fn(|lane| 4 * lane as u32));
    wave.rows[1] = Row(std::array::from_fn(|lane| lane as u32 + 100));
    let write = Ds {
        vdst: 0,
        data1: 0,
        data0: 1,
        addr: 0,
        op: DsOp::DS_WRITE_B32,
        gds: false,
        offset1: 0,
        offset0: 8,
    };
    unit.call(&Inst::Ds(write), &mut wave).unwrap();
    assert_eq!(unit.lds[2], 0, "M0 is 0: everything is outside");
    wave.scalars[124] = u32::MAX;
    unit.call(&Inst::Ds(write), &mut wave).unwrap();
    let read = Ds {
        vdst: 4,
        op: DsOp::DS_READ2_B32,
        offset0: 2,
        offset1: 3,
        ..write
    };
    unit.call(&Inst::Ds(read), &mut wave).unwrap();
    assert_eq!((lane(&wave, 4, 10), lane(&wave, 5, 10)), (110, 111));
    let compare = Ds {
        vdst: 6,
        data0: 1,
        data1: 0,
        op: DsOp::DS_CMPST_RTN_B32,
        ..write
    };
    unit.call(&Inst::Ds(compare), &mut wave).unwrap();
    assert_eq!(
        (unit.lds[12], lane(&wave, 6, 10)),
        (40, 110),
        "the comparator comes first"
    );
}

#[test]
fn swizzles_move_lanes_and_give_zero_from_disabled_ones() {
    let mut unit = unit();
    let mut wave = wave(buffer(0, 0), !2);
    let quad = Ds {
        vdst: 4,
        data1: 0,
        data0: 0,
        addr: 0,
        op: DsOp::DS_SWIZZLE_B32,
        gds: false,
        offset1: 0x80,
        offset0: 0b1011_0001,
    };
    unit.call(&Inst::Ds(quad), &mut wave).unwrap();
    assert_eq!([0, 2, 3, 4].map(|l| lane(&wave, 4, l)), [0, 3, 2, 5]);
    let reverse = Ds {
        offset1: 0x7c,
        offset0: 0x1f,
        ..quad
    };
    unit.call(&Inst::Ds(reverse), &mut wave).unwrap();
    assert_eq!([0, 31, 32].map(|l| lane(&wave, 4, l)), [31, 0, 63]);
}
