#![allow(clippy::unwrap_used)]

use lanes::Row;
use silicon::Addr;

use super::*;
use crate::descriptor::{BufferResource, dst_sel};
use crate::isa::memory::{DsOp, MtbufOp, MubufOp, SmrdOp};
use crate::isa::words::{Ds, Mtbuf, Mubuf, Smrd};

mod rows;

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

mod image {
    use super::*;
    use crate::descriptor::{
        ImageResource, ImageResourceHigh, ImageSampler, clamp, dim, mip_filter, xy_filter,
    };
    use crate::isa::image::MimgOp;
    use crate::isa::words::Mimg;
    use crate::tiling::{ImageShape, layout};

    const AT: u64 = 0x8000;

    fn resource(tiling_index: u8, kind: u8) -> ImageResource {
        ImageResource {
            kind,
            tiling_index,
            last_level: 1,
            dst_sel_x: dst_sel::X,
            dst_sel_y: dst_sel::Y,
            dst_sel_z: dst_sel::Z,
            dst_sel_w: dst_sel::W,
            height: 15,
            width: 15,
            num_format: 0,
            data_format: 10,
            base_address: AT >> 8,
            ..ImageResource::from_word(0)
        }
    }

    fn high(depth: u16, pitch: u16) -> ImageResourceHigh {
        ImageResourceHigh {
            last_array: depth - 1,
            depth: depth - 1,
            pitch: pitch - 1,
            ..ImageResourceHigh::from_word(0)
        }
    }

    /// Two levels of 16 by 16 texels whose red is x, green y, blue the slice, and alpha the level, in 1/255.
    fn filled(tiling_index: u8, layers: u32) -> (MemoryUnit, u16) {
        let unit = MemoryUnit::new(Memory::new(1 << 18));
        let shape = ImageShape {
            mode: tiling_index,
            element_bytes: 4,
            block: [1, 1],
            width: 16,
            height: 16,
            depth: 1,
            layers,
            single_cube: false,
            levels: 2,
            samples: 1,
            pitch: 0,
        };
        let layout = layout(&shape);
        for (number, level) in layout.levels.iter().enumerate() {
            for (x, y, z) in (0..16 * 16 * layers).map(|i| (i % 16, i / 16 % 16, i / 256)) {
                if x < level.width && y < level.height {
                    let at = AT + level.offset + level.surface.offset(x, y, z, 0);
                    unit.memory
                        .store(at, x | y << 8 | z << 16 | (number as u32) << 24)
                        .unwrap();
                }
            }
        }
        (unit, layout.levels[0].surface.pitch as u16)
    }

    fn mimg(op: MimgOp) -> Mimg {
        // Addresses from v0, data to v8.., T# in s[8:15], S# in s[16:19].
        Mimg {
            ssamp: 4,
            srsrc: 2,
            vdata: 8,
            vaddr: 0,
            slc: false,
            op,
            lwe: false,
            tfe: false,
            r128: false,
            da: false,
            glc: false,
            unorm: false,
            dmask: 15,
        }
    }

    fn image_wave(low: ImageResource, high: ImageResourceHigh, sampler: ImageSampler) -> Wave {
        let mut wave = super::wave(BufferResource::from_word(0), u64::MAX);
        for (i, word) in [low.pack(), high.pack(), sampler.pack()]
            .into_iter()
            .enumerate()
        {
            for j in 0..4 {
                wave.scalars[8 + 4 * i + j] = (word >> (32 * j)) as u32;
            }
        }
        wave
    }

    fn texel(wave: &Wave, lane: usize) -> [u32; 4] {
        [8, 9, 10, 11].map(|r| (f32::from_bits(super::lane(wave, r, lane)) * 255.0).round() as u32)
    }

    #[test]
    fn loads_find_texels_in_every_tiling_level_and_slice() {
        for tiling_index in [8, 13, 16] {
            let (mut unit, pitch) = filled(tiling_index, 3);
            let mut wave = image_wave(
                resource(tiling_index, dim::D2_ARRAY),
                high(3, pitch),
                ImageSampler::from_word(0),
            );
            wave.rows[0] = Row(std::array::from_fn(|l| l as u32 % 8));
            wave.rows[1] = Row(std::array::from_fn(|l| l as u32 / 8));
            wave.rows[2] = Row::splat(2);
            wave.rows[3] = Row::splat(1);
            let inst = Mimg {
                da: true,
                unorm: true,
                ..mimg(MimgOp::IMAGE_LOAD_MIP)
            };
            unit.call(&Inst::Mimg(inst), &mut wave).unwrap();
            assert_eq!(texel(&wave, 43), [3, 5, 2, 1], "tile mode {tiling_index}");
        }
    }

    #[test]
    fn stores_are_read_back_and_bounds_drop_them() {
        let (mut unit, pitch) = filled(13, 1);
        let mut wave = image_wave(
            resource(13, dim::D2),
            high(1, pitch),
            ImageSampler::from_word(0),
        );
        wave.rows[0] = Row(std::array::from_fn(|l| if l == 1 { 16 } else { 5 }));
        wave.rows[1] = Row::splat(6);
        wave.rows[8] = Row::splat(1f32.to_bits());
        wave.rows[9] = Row::splat(0.5f32.to_bits());
        wave.set_mask(126, 0b11);
        let inst = Mimg {
            unorm: true,
            dmask: 0b1001,
            ..mimg(MimgOp::IMAGE_STORE)
        };
        unit.call(&Inst::Mimg(inst), &mut wave).unwrap();
        let inst = Mimg {
            unorm: true,
            vdata: 8,
            ..mimg(MimgOp::IMAGE_LOAD)
        };
        unit.call(&Inst::Mimg(inst), &mut wave).unwrap();
        assert_eq!(texel(&wave, 0), [255, 0, 0, 128]);
        assert_eq!(texel(&wave, 1), [0, 0, 0, 0], "outside");
    }

    #[test]
    fn samples_filter_and_pack_enabled_components() {
        let (mut unit, pitch) = filled(13, 1);
        let sampler = ImageSampler {
            xy_mag_filter: xy_filter::BILINEAR,
            xy_min_filter: xy_filter::BILINEAR,
            mip_filter: mip_filter::POINT,
            clamp_x: clamp::LAST_TEXEL,
            clamp_y: clamp::LAST_TEXEL,
            max_lod: 0xfff,
            ..ImageSampler::from_word(0)
        };
        let mut wave = image_wave(resource(13, dim::D2), high(1, pitch), sampler);
        wave.rows[0] = Row::splat((4.0f32 / 16.0).to_bits());
        wave.rows[1] = Row::splat((8.5f32 / 16.0).to_bits());
        let inst = Mimg {
            dmask: 0b1010,
            ..mimg(MimgOp::IMAGE_SAMPLE_LZ)
        };
        unit.call(&Inst::Mimg(inst), &mut wave).unwrap();
        assert_eq!(texel(&wave, 9)[..2], [8, 0], "green and alpha of level 0");
        wave.rows[2] = Row::splat(1f32.to_bits());
        unit.call(
            &Inst::Mimg(Mimg {
                op: MimgOp::IMAGE_SAMPLE_L,
                ..inst
            }),
            &mut wave,
        )
        .unwrap();
        assert_eq!(texel(&wave, 9)[1], 1, "alpha of level 1");
    }

    #[test]
    fn gathers_of_integers_begin_at_the_nearest_texel() {
        let (mut unit, pitch) = filled(13, 1);
        // UINT reads four bytes as they are; columns are red.
        for (num_format, at, columns) in [
            (0, 4.5, [4, 5, 5, 4]),
            (0, 4.25, [3, 4, 4, 3]),
            (4, 4.5, [4, 5, 5, 4]),
            (4, 4.25, [4, 5, 5, 4]),
            // A driver's shift may round down.
            (4, 3.999, [4, 5, 5, 4]),
            (4, 3.99, [3, 4, 4, 3]),
            (4, 15.5, [15, 15, 15, 15]),
            (4, -0.5, [0, 0, 0, 0]),
        ] {
            let low = ImageResource {
                num_format,
                ..resource(13, dim::D2)
            };
            let sampler = ImageSampler {
                clamp_x: clamp::LAST_TEXEL,
                clamp_y: clamp::LAST_TEXEL,
                ..ImageSampler::from_word(0)
            };
            let mut wave = image_wave(low, high(1, pitch), sampler);
            wave.rows[0] = Row::splat((at / 16.0f32).to_bits());
            wave.rows[1] = Row::splat((8.5f32 / 16.0).to_bits());
            let inst = Mimg {
                dmask: 1,
                ..mimg(MimgOp::IMAGE_GATHER4_LZ)
            };
            unit.call(&Inst::Mimg(inst), &mut wave).unwrap();
            let found = match num_format {
                0 => texel(&wave, 5),
                _ => [8, 9, 10, 11].map(|row| super::lane(&wave, row, 5)),
            };
            assert_eq!(found, columns, "NUM_FORMAT {num_format} at {at}");
        }
    }

    #[test]
    fn sizes_and_unbound_images() {
        let (mut unit, pitch) = filled(13, 3);
        let mut wave = image_wave(
            resource(13, dim::D2_ARRAY),
            high(3, pitch),
            ImageSampler::from_word(0),
        );
        wave.rows[0] = Row::splat(1);
        unit.call(&Inst::Mimg(mimg(MimgOp::IMAGE_GET_RESINFO)), &mut wave)
            .unwrap();
        assert_eq!(
            [8, 9, 10, 11].map(|r| super::lane(&wave, r, 0)),
            [8, 8, 3, 2]
        );
        let nothing = ImageResource::from_word(0);
        let mut wave = image_wave(
            nothing,
            ImageResourceHigh::from_word(0),
            ImageSampler::from_word(0),
        );
        wave.rows[8] = Row::splat(7);
        unit.call(&Inst::Mimg(mimg(MimgOp::IMAGE_SAMPLE)), &mut wave)
            .unwrap();
        assert_eq!(super::lane(&wave, 8, 0), 0);
    }

    #[test]
    fn descriptors_that_cannot_be_are_faults_with_numbers() {
        let mut unit = MemoryUnit::new(Memory::new(1 << 12));
        let mut error = |low: ImageResource| {
            let mut wave = image_wave(low, high(1, 16), ImageSampler::from_word(0));
            unit.call(&Inst::Mimg(mimg(MimgOp::IMAGE_LOAD)), &mut wave)
                .unwrap_err()
                .to_string()
        };
        assert!(
            error(ImageResource {
                data_format: 61,
                ..resource(13, dim::D2)
            })
            .contains("data format 61")
        );
        assert!(
            error(ImageResource {
                kind: 3,
                ..resource(13, dim::D2)
            })
            .contains("type 3")
        );
        assert!(error(resource(13, dim::D2)).contains("outside the 4096 bytes"));
        assert!(
            error(ImageResource {
                base_level: 2,
                ..resource(13, dim::D2)
            })
            .contains("levels 2 to 1")
        );
    }
}
