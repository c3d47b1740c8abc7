//! Texture registers to textures and samplers, and texels of tiled ones.

#![allow(clippy::unwrap_used)]

use r5xx::registers;
use r5xx::regs::*;
use r5xx::tiling::Surface;
use r5xx::tx::{TextureError, Unit, units};
use radeon::registers::RegisterFile;
use silicon::Memory;
use silicon::texture::sample::{Access, Address, Border, Filter, MipFilter, Scratch, load};

const BASE: u64 = 0x800;

/// A unit with the registers of a texture of 16 by 8 texels, C4_8, red from the lowest byte.
fn rgba(number: u32) -> RegisterFile {
    let mut registers = registers::power_on();
    let mut set = |register: Register, word: u32| {
        assert!(registers.set(register.at(number), word));
    };
    set(
        TX_FILTER0,
        TX_FILTER0::MAG_FILTER.bits(1) | TX_FILTER0::MIN_FILTER.bits(2),
    );
    set(
        TX_FORMAT0,
        TX_FORMAT0::TXWIDTH.bits(15) | TX_FORMAT0::TXHEIGHT.bits(7),
    );
    set(
        TX_FORMAT1,
        TX_FORMAT1::TXFORMAT.bits(12)
            | TX_FORMAT1::SEL_RED.bits(0)
            | TX_FORMAT1::SEL_GREEN.bits(1)
            | TX_FORMAT1::SEL_BLUE.bits(2)
            | TX_FORMAT1::SEL_ALPHA.bits(5),
    );
    set(TX_OFFSET, BASE as u32);
    registers.set(TX_ENABLE.address, 1 << number);
    registers
}

fn or(registers: &mut RegisterFile, field: Field, value: u32) {
    let word = registers.get(field.address);
    registers.set(field.address, word & !field.bits(!0) | field.bits(value));
}

fn unit(registers: &RegisterFile) -> Unit<'_> {
    units(registers).next().expect("one is enabled")
}

#[test]
fn texels_lie_where_tiles_say() {
    for (tile, micro) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let mut registers = rgba(5);
        let at = TX_OFFSET.at(5);
        let word = registers.get(at)
            | TX_OFFSET::MACRO_TILE.bits(tile)
            | TX_OFFSET::MICRO_TILE.bits(micro);
        registers.set(at, word);
        let word = TX_FORMAT0::TXWIDTH.bits(127) | TX_FORMAT0::TXHEIGHT.bits(63);
        registers.set(TX_FORMAT0.at(5), word);
        let memory = Memory::new(1 << 20);
        let unit = unit(&registers);
        assert_eq!((unit.number, unit.size()), (5, [128, 64, 1]));
        let shape = unit.shape().unwrap();
        let surface = Surface::new(shape.tiling, 4, [128, 64], 1).unwrap();
        for (y, x) in (0..64).flat_map(|y| (0..128).map(move |x| (y, x))) {
            let texel = x | y << 8 | 0x55aa_0000;
            memory
                .store(BASE + surface.offset(x, y, 0, 0), texel)
                .unwrap();
        }
        let texture = unit.texture(&memory).unwrap();
        let mut out = [[9; 64]; 4];
        let columns: [u32; 64] = std::array::from_fn(|n| (n as u32 * 37) % 128);
        let lines: [u32; 64] = std::array::from_fn(|n| (n as u32 * 11) % 64);
        let access = Access {
            exec: u64::MAX,
            x: &columns,
            y: &lines,
            slice: None,
            level: None,
            sample: None,
        };
        load(
            &mut Scratch::default(),
            &memory,
            &texture,
            &access,
            &mut out,
        );
        let float = |byte: u32| (byte as f32 / 255.0).to_bits();
        for lane in 0..64 {
            let expected = [columns[lane], lines[lane], 0xaa, 255].map(float);
            assert_eq!(out.map(|row| row[lane]), expected, "{tile} {micro} {lane}");
        }
    }
}

#[test]
fn samplers_have_the_fields_of_their_registers() {
    let mut registers = rgba(0);
    use TX_FILTER0::*;
    for (field, value) in [
        (CLAMP_S, 1),
        (CLAMP_T, 4),
        (CLAMP_R, 7),
        (MIP_FILTER, 2),
        (VOL_FILTER, 1),
        (MAX_MIP_LEVEL, 2),
        (TX_FILTER1::LOD_BIAS, 0x3f0),
        (TX_FORMAT0::NUM_LEVELS, 3),
        (TX_BORDER_COLOR::BORDER_COLOR, 0xff00_00ff),
    ] {
        or(&mut registers, field, value);
    }
    let sampler = unit(&registers).sampler_state().unwrap();
    let modes = [Address::Mirror, Address::HalfBorder, Address::MirrorBorder];
    assert_eq!(sampler.address, modes);
    assert_eq!(
        (sampler.mag, sampler.min),
        (Filter::Nearest, Filter::Linear)
    );
    assert_eq!(
        (sampler.mip, sampler.slices),
        (MipFilter::Linear, Some(Filter::Nearest))
    );
    assert_eq!(
        (sampler.lod_bias, sampler.lod_min, sampler.lod_max),
        (-0.531_25, 2.0, 15.0)
    );
    let red = [1.0, 0.0, 0.0, 1.0].map(f32::to_bits);
    assert_eq!(sampler.border, Border::Custom(red));
    // Floats are not filtered.
    or(&mut registers, TX_FORMAT1::TXFORMAT, 27);
    let sampler = unit(&registers).sampler_state().unwrap();
    assert_eq!(
        (sampler.min, sampler.mip),
        (Filter::Nearest, MipFilter::Nearest)
    );
}

/// ATI1N and ATI2N have components 0 and 1 whatever the bit says that swaps those of blocks of colours, and borders of bytes.
/// [ERRATA 31, 54]
#[test]
fn blocks_of_one_and_two_components_are_not_swapped() {
    use TX_FORMAT1::{SEL_BLUE, SEL_GREEN, SEL_RED, SIGNED_COMP0, TXFORMAT};
    const ATI1N: u32 = 5;
    const ATI2N: u32 = 31;
    let cases = [
        (ATI1N, 1, 0, [1.0, 0.0, 0.0], [32.0 / 255.0, 0.0, 0.0]),
        (ATI1N, 1, 1, [1.0, 0.0, 0.0], [32.0 / 127.0, 0.0, 0.0]),
        (
            ATI2N,
            0,
            0,
            [1.0, 0.5, 0.0],
            [32.0 / 255.0, 64.0 / 255.0, 0.0],
        ),
    ];
    for (code, high, signed, texel, border) in cases {
        let mut registers = rgba(0);
        for (field, value) in [(SEL_RED, 0), (SEL_GREEN, 1), (SEL_BLUE, 2)] {
            or(&mut registers, field, value);
        }
        for (field, value) in [
            (TXFORMAT, code),
            (TX_FORMAT2::TXFORMAT_MSB, high),
            (SIGNED_COMP0, signed),
            (TX_FILTER1::RESERVED_21, 1),
            (TX_BORDER_COLOR::BORDER_COLOR, 0xffff_4020),
        ] {
            or(&mut registers, field, value);
        }
        let memory = Memory::new(1 << 16);
        // One value everywhere: end points that are the same.
        for block in 0..64 {
            let (one, half) = if signed == 1 { (127, 0) } else { (255, 0x80) };
            memory.store(BASE + 16 * block, one * 0x101).unwrap();
            memory.store(BASE + 16 * block + 4, 0).unwrap();
            let second = if code == ATI1N { one } else { half };
            memory.store(BASE + 16 * block + 8, second * 0x101).unwrap();
            memory.store(BASE + 16 * block + 12, 0).unwrap();
        }
        let texture = unit(&registers).texture(&memory).unwrap();
        let mut out = [[0; 64]; 4];
        let access = Access {
            exec: 1,
            x: &[0; 64],
            y: &[0; 64],
            slice: None,
            level: None,
            sample: None,
        };
        load(
            &mut Scratch::default(),
            &memory,
            &texture,
            &access,
            &mut out,
        );
        for (row, texel) in out.iter().zip(texel) {
            let found = f32::from_bits(row[0]);
            assert!(
                (found - texel).abs() < 0.003,
                "{code} {signed}: {found}, not {texel}"
            );
        }
        let Border::Custom(found) = unit(&registers).sampler_state().unwrap().border else {
            panic!("a border colour");
        };
        assert_eq!(found[..3], border.map(f32::to_bits), "{code} {signed}");
    }
}

#[test]
fn sizes_have_a_bit_elsewhere() {
    let mut registers = rgba(0);
    for (field, value) in [
        (TX_FORMAT2::TXWIDTH_11, 1),
        (TX_FORMAT2::TXHEIGHT_11, 1),
        (TX_FORMAT0::TXDEPTH, 4),
    ] {
        or(&mut registers, field, value);
    }
    assert_eq!(unit(&registers).size(), [2048 + 16, 2048 + 8, 1]);
    or(&mut registers, TX_FORMAT1::TEX_COORD_TYPE, 1);
    assert_eq!(unit(&registers).size(), [2064, 2056, 16]);
    or(&mut registers, TX_FORMAT0::TXPITCH_EN, 1);
    or(&mut registers, TX_FORMAT2::TXPITCH, 4095);
    assert_eq!(unit(&registers).shape().unwrap().pitch, Some(4096));
}

#[test]
fn what_is_not_executed_is_named() {
    let memory = Memory::new(1 << 16);
    let cases = [
        (TX_FILTER0::MAG_FILTER, 0, "TX_FILTER0.MAG_FILTER 0"),
        (TX_FILTER0::MIN_FILTER, 0, "TX_FILTER0.MIN_FILTER 0"),
        (TX_FILTER0::MIP_FILTER, 3, "TX_FILTER0.MIP_FILTER 3"),
        (TX_FILTER0::VOL_FILTER, 3, "TX_FILTER0.VOL_FILTER 3"),
        (
            TX_FILTER1::CHROMA_KEY_MODE,
            3,
            "TX_FILTER1.CHROMA_KEY_MODE 3",
        ),
        (TX_FILTER1::MC_ROUND, 1, "TX_FILTER1.MC_ROUND 1"),
        (TX_FORMAT1::YUV_TO_RGB, 1, "TX_FORMAT1.YUV_TO_RGB 1"),
        (TX_FORMAT1::SEL_RED, 6, "TX_FORMAT1.SEL_RED 6"),
        (TX_FORMAT1::TEX_COORD_TYPE, 3, "TX_FORMAT1.TEX_COORD_TYPE 3"),
        (TX_FORMAT1::SWAP_YUV, 1, "TX_FORMAT1.SWAP_YUV 1"),
        (TX_OFFSET::MICRO_TILE, 3, "TX_OFFSET.MICRO_TILE 3"),
        (TX_OFFSET::MICRO_TILE, 2, "no elements of 4 bytes"),
        (TX_OFFSET::TXOFFSET, 0x7f8, "outside the 65536 bytes"),
    ];
    for (field, value, reason) in cases {
        let mut registers = rgba(0);
        or(&mut registers, field, value);
        let unit = unit(&registers);
        let both = || -> Result<(), TextureError> {
            unit.sampler()?;
            unit.texture(&memory).map(|_| ())
        };
        let text = both().unwrap_err().to_string();
        assert!(text.contains(reason), "{text} and not {reason}");
    }
    // Macro tiles start at multiples of 2 KiB.
    let mut registers = rgba(0);
    or(&mut registers, TX_OFFSET::MACRO_TILE, 1);
    or(&mut registers, TX_OFFSET::TXOFFSET, 1);
    let text = unit(&registers).texture(&memory).unwrap_err().to_string();
    assert!(text.contains("multiple of 2048"), "{text}");
}
