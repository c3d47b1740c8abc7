//! Depth and colour registers to tests, targets and blending.

#![allow(clippy::unwrap_used)]

use r5xx::cb::{Channel, Target, targets};
use r5xx::registers;
use r5xx::regs::*;
use r5xx::zb::{self, depth};
use radeon::registers::RegisterFile;
use silicon::fragment::blend::{Equation, Factor, Logic, Operation, Range};
use silicon::fragment::depth::{Compare, DepthFormat};
use silicon::fragment::stencil::StencilOp;
use silicon::fragment::surface::Cache;
use silicon::{Format, Memory};

fn or(registers: &mut RegisterFile, fields: &[(Field, u32)]) {
    for (field, value) in fields {
        let word = registers.get(field.address) & !field.bits(!0);
        registers.set(field.address, word | field.bits(*value));
    }
}

/// One target of 64 pixels a row: bytes blue, green, red, alpha.
fn bgra() -> RegisterFile {
    let mut registers = registers::power_on();
    for n in 0..4 {
        registers.set(US_OUT_FMT.at(n), 15);
    }
    use US_OUT_FMT::*;
    let fields = [
        (OUT_FMT, 0),
        (C0_SEL, 3),
        (C1_SEL, 2),
        (C2_SEL, 1),
        (C3_SEL, 0),
    ];
    or(&mut registers, &fields);
    or(&mut registers, &[(RB3D_COLORPITCH::COLORPITCH, 32)]);
    registers
}

fn first(registers: &RegisterFile) -> Result<Target, String> {
    targets(registers, 32, 1).map(|targets| targets[0].clone())
}

#[test]
fn targets_have_formats_and_places() {
    let mut registers = bgra();
    or(
        &mut registers,
        &[
            (RB3D_COLORPITCH::COLORTILE, 1),
            (RB3D_COLORPITCH::COLORMICROTILE, 1),
        ],
    );
    registers.set(RB3D_COLOROFFSET.at(0), 0x1_0000);
    let all = targets(&registers, 30, 1).unwrap();
    let target = &all[0];
    assert_eq!((all.len(), target.output), (1, 0));
    assert_eq!(
        (target.format, target.base),
        (Format::B8G8R8A8Unorm, 0x1_0000)
    );
    let channels = [Channel::Red, Channel::Green, Channel::Blue, Channel::Alpha];
    assert_eq!(target.sources, channels.map(Some));
    assert_eq!((target.surface.pitch, target.surface.height), (64, 32));
    assert_eq!(
        (target.blend.write, target.blend.color),
        (15, Equation::REPLACE)
    );
    let memory = Memory::new(1 << 20);
    assert!(target.output(&memory, &mut Cache::default()).is_ok());
    registers.set(RB3D_COLOROFFSET.at(0), 0xf_f800);
    let outside = first(&registers)
        .unwrap()
        .output(&memory, &mut Cache::default());
    assert!(outside.is_err());

    // Red in the lowest byte, as Mesa's driver draws RGBA.
    let mut registers = bgra();
    or(
        &mut registers,
        &[(US_OUT_FMT::C0_SEL, 1), (US_OUT_FMT::C2_SEL, 3)],
    );
    let swapped = [Channel::Blue, Channel::Green, Channel::Red, Channel::Alpha];
    assert_eq!(first(&registers).unwrap().sources, swapped.map(Some));
    // Two halves: C0 and C1 are x and y.
    let halves = [
        (US_OUT_FMT::OUT_FMT, 17),
        (US_OUT_FMT::C0_SEL, 1),
        (US_OUT_FMT::C1_SEL, 0),
    ];
    or(&mut registers, &halves);
    or(&mut registers, &[(RB3D_COLOR_CHANNEL_MASK::BLUE_MASK, 0)]);
    let target = first(&registers).unwrap();
    assert_eq!(target.format, Format::R16G16Float);
    assert_eq!(
        target.sources,
        [Some(Channel::Red), Some(Channel::Alpha), None, None]
    );
    assert_eq!(target.blend.write, 0b10);
}

#[test]
fn masks_are_those_of_the_bits() {
    let mut registers = bgra();
    registers.set(RB3D_COLOR_CHANNEL_MASK.address, 0b1000_0001);
    // Blue is silicon's z.
    assert_eq!(first(&registers).unwrap().blend.write, 0b0100);
    registers.set(US_OUT_FMT.at(1), US_OUT_FMT::C0_SEL.bits(3));
    registers.set(RB3D_COLORPITCH.at(1), RB3D_COLORPITCH.read(&registers, 0));
    let shared = targets(&registers, 8, 1).unwrap();
    assert_eq!(shared[1].blend.write, 0b0100);
    or(
        &mut registers,
        &[(RB3D_CCTL::INDEPENDENT_COLOR_CHANNEL_MASK_ENABLE, 1)],
    );
    let own = targets(&registers, 8, 1).unwrap();
    assert_eq!((own[1].output, own[1].blend.write), (1, 0b1000));
}

#[test]
fn equations_have_codes_of_both_families() {
    use Factor::*;
    use RB3D_BLENDCNTL::*;
    let of = |function: u32, src: u32, dst: u32| {
        let mut registers = bgra();
        let fields = [
            (ALPHA_BLEND_ENABLE, 1),
            (COMB_FCN, function),
            (SRCBLEND, src),
            (DESTBLEND, dst),
        ];
        or(&mut registers, &fields);
        first(&registers).map(|target| target.blend.color)
    };
    let cases = [
        (0, 2, 1, One, Zero, Operation::Add),
        (1, 33, 32, One, Zero, Operation::Add),
        (2, 38, 39, SrcAlpha, OneMinusSrcAlpha, Operation::Subtract),
        (3, 5, 6, SrcAlpha, OneMinusSrcAlpha, Operation::Subtract),
        (
            6,
            9,
            10,
            DstColor,
            OneMinusDstColor,
            Operation::ReverseSubtract,
        ),
        (
            7,
            36,
            37,
            DstColor,
            OneMinusDstColor,
            Operation::ReverseSubtract,
        ),
        (4, 3, 4, SrcColor, OneMinusSrcColor, Operation::Min),
        (5, 34, 35, SrcColor, OneMinusSrcColor, Operation::Max),
        (0, 7, 8, DstAlpha, OneMinusDstAlpha, Operation::Add),
        (0, 40, 41, DstAlpha, OneMinusDstAlpha, Operation::Add),
        (0, 42, 43, SrcAlphaSaturate, ConstantColor, Operation::Add),
        (
            0,
            11,
            44,
            SrcAlphaSaturate,
            OneMinusConstantColor,
            Operation::Add,
        ),
        (
            0,
            45,
            46,
            ConstantAlpha,
            OneMinusConstantAlpha,
            Operation::Add,
        ),
        (0, 12, 0, SrcAlpha, OneMinusSrcAlpha, Operation::Add),
        (0, 13, 0, OneMinusSrcAlpha, SrcAlpha, Operation::Add),
    ];
    for (function, src_code, dst_code, src, dst, op) in cases {
        let equation = of(function, src_code, dst_code);
        assert_eq!(
            equation,
            Ok(Equation { src, dst, op }),
            "{src_code} {dst_code}"
        );
    }
    let error = of(0, 47, 1).unwrap_err();
    assert_eq!(error, "RB3D_BLENDCNTL.SRCBLEND 47 is reserved");
}

#[test]
fn alpha_and_constants_are_their_own() {
    let mut registers = bgra();
    use RB3D_BLENDCNTL::*;
    let color = [(ALPHA_BLEND_ENABLE, 1), (SRCBLEND, 33), (DESTBLEND, 33)];
    or(&mut registers, &color);
    or(
        &mut registers,
        &[
            (RB3D_ABLENDCNTL::SRCBLEND, 32),
            (RB3D_ABLENDCNTL::DESTBLEND, 33),
        ],
    );
    registers.set(RB3D_CONSTANT_COLOR_AR.address, 0x03ff_0000);
    registers.set(RB3D_CONSTANT_COLOR_GB.address, 0x0000_03ff);
    let blend = first(&registers).unwrap().blend;
    assert_eq!((blend.alpha, blend.range), (blend.color, Range::Unorm));
    // Red is silicon's x; blue has the low half of GB.
    assert_eq!(blend.constant, [0.0, 0.0, 1.0, 1.0]);
    or(&mut registers, &[(SEPARATE_ALPHA_ENABLE, 1)]);
    assert_eq!(first(&registers).unwrap().blend.alpha.src, Factor::Zero);
    // Half floats have half floats as constants; functions clamp what comes out.
    or(
        &mut registers,
        &[
            (US_OUT_FMT::OUT_FMT, 18),
            (RB3D_COLORPITCH::COLORFORMAT, 10),
        ],
    );
    assert_eq!(first(&registers).unwrap().blend.range, Range::Saturated);
    or(&mut registers, &[(COMB_FCN, 1)]);
    let error = first(&registers).unwrap_err();
    let reason = "RB3D_BLENDCNTL.COMB_FCN clamps colour or alpha of floats alone";
    assert!(error.starts_with(reason), "{error}");
    or(&mut registers, &[(RB3D_ABLENDCNTL::COMB_FCN, 1)]);
    registers.set(RB3D_CONSTANT_COLOR_AR.address, 0x3c00_4000);
    let blend = first(&registers).unwrap().blend;
    assert_eq!(
        (blend.constant[2], blend.constant[3], blend.range),
        (2.0, 1.0, Range::Float)
    );
}

#[test]
fn raster_operations_are_their_truth_tables() {
    let mut registers = bgra();
    assert_eq!(first(&registers).unwrap().logic, None);
    for code in 0..16 {
        or(
            &mut registers,
            &[(RB3D_ROPCNTL::ROP_ENABLE, 1), (RB3D_ROPCNTL::ROP, code)],
        );
        let logic = first(&registers).unwrap().logic.unwrap();
        let truth: fn(u32, u32) -> u32 = match logic {
            Logic::Clear => |_, _| 0,
            Logic::And => |s, d| s & d,
            Logic::AndReverse => |s, d| s & !d,
            Logic::Copy => |s, _| s,
            Logic::AndInverted => |s, d| !s & d,
            Logic::NoOp => |_, d| d,
            Logic::Xor => |s, d| s ^ d,
            Logic::Or => |s, d| s | d,
            Logic::Nor => |s, d| !(s | d),
            Logic::Equivalent => |s, d| !(s ^ d),
            Logic::Invert => |_, d| !d,
            Logic::OrReverse => |s, d| s | !d,
            Logic::CopyInverted => |s, _| !s,
            Logic::OrInverted => |s, d| !s | d,
            Logic::Nand => |s, d| !(s & d),
            Logic::Set => |_, _| !0,
        };
        // Bits of source and destination for the four rows of the table.
        assert_eq!(truth(0b1100, 0b1010) & 15, code, "{logic:?}");
    }
}

#[test]
fn depth_and_stencil_have_their_codes() {
    let mut registers = registers::power_on();
    let state = depth(&registers, 32, 1).unwrap();
    assert_eq!(
        (state.test.depth, state.test.stencil, state.surface),
        (None, None, None)
    );
    assert!(!state.early && !state.exports_depth);
    use ZB_ZSTENCILCNTL::*;
    let fields = [
        (ZB_CNTL::Z_ENABLE, 1),
        (ZB_CNTL::ZWRITEENABLE, 1),
        (ZB_CNTL::STENCIL_ENABLE, 1),
        (ZB_CNTL::STENCIL_FRONT_BACK, 1),
        (ZB_FORMAT::DEPTHFORMAT, 2),
        (ZB_DEPTHPITCH::DEPTHPITCH, 16),
        (ZB_DEPTHPITCH::DEPTHMICROTILE, 1),
        (ZB_ZTOP::ZTOP, 1),
        (FG_DEPTH_SRC::DEPTH_SRC, 1),
        (ZFUNC, 4),
        (STENCILFUNC, 3),
        (STENCILFAIL, 2),
        (STENCILZPASS, 6),
        (STENCILZFAIL, 5),
        (STENCILFUNC_BF, 7),
        (STENCILFAIL_BF, 1),
        (STENCILZPASS_BF, 4),
        (STENCILZFAIL_BF, 7),
    ];
    or(&mut registers, &fields);
    registers.set(ZB_STENCILREFMASK.address, 0x0030_2010);
    registers.set(ZB_STENCILREFMASK_BF.address, 0x0003_0201);
    registers.set(ZB_DEPTHOFFSET.address, 0x4_0020);
    let state = depth(&registers, 30, 1).unwrap();
    assert!(state.early && state.exports_depth);
    let test = state.test.depth.unwrap();
    assert_eq!((test.compare, test.write), (Compare::GreaterEqual, true));
    let [front, back] = state.test.stencil.unwrap();
    assert_eq!(
        (front.compare, back.compare),
        (Compare::Equal, Compare::Always)
    );
    let ops = |face: silicon::fragment::stencil::Face| [face.fail, face.pass, face.depth_fail];
    use StencilOp::*;
    assert_eq!(ops(front), [Replace, IncrementWrap, Invert]);
    assert_eq!(ops(back), [Zero, DecrementClamp, DecrementWrap]);
    let masks = |face: silicon::fragment::stencil::Face| {
        (face.reference, face.compare_mask, face.write_mask)
    };
    assert_eq!(
        (masks(front), masks(back)),
        ((0x10, 0x20, 0x30), (0x10, 0x20, 0x30))
    );
    or(&mut registers, &[(ZB_CNTL::STENCIL_REFMASK_FRONT_BACK, 1)]);
    let [_, back] = depth(&registers, 30, 1).unwrap().test.stencil.unwrap();
    assert_eq!(masks(back), (1, 2, 3));
    let (storage, base, surface) = state.surface.unwrap();
    assert_eq!(
        (storage.format, storage.depth_shift, storage.stencil_shift),
        (DepthFormat::Unorm24, 8, Some(0))
    );
    assert_eq!((base, surface.pitch, surface.height), (0x4_0020, 64, 30));
    // All comparisons, which are not in the order of the alpha test.
    let order = (0..8).map(zb::compare).collect::<Vec<_>>();
    use Compare::*;
    assert_eq!(
        order,
        [
            Never,
            Less,
            LessEqual,
            Equal,
            GreaterEqual,
            Greater,
            NotEqual,
            Always
        ]
    );
    // 16 bits have no stencil.
    or(&mut registers, &[(ZB_FORMAT::DEPTHFORMAT, 0)]);
    let state = depth(&registers, 30, 1).unwrap();
    assert_eq!(
        (state.test.stencil, state.surface.unwrap().0.bytes),
        (None, 2)
    );
}

#[test]
fn what_is_not_executed_stops_a_draw() {
    for (register, field) in r5xx::cb::UNEXECUTED {
        let mut registers = bgra();
        or(&mut registers, &[(field, 1)]);
        let error = first(&registers).unwrap_err();
        assert_eq!(
            error,
            format!("{register}.{} 0x1 is not executed", field.name)
        );
    }
    for (register, field) in zb::UNEXECUTED {
        let mut registers = registers::power_on();
        or(
            &mut registers,
            &[
                (ZB_CNTL::Z_ENABLE, 1),
                (ZB_FORMAT::DEPTHFORMAT, 2),
                (field, 1),
            ],
        );
        let error = depth(&registers, 8, 1).unwrap_err();
        assert_eq!(
            error,
            format!("{register}.{} 0x1 is not executed", field.name)
        );
        // Nothing is tested.
        or(&mut registers, &[(ZB_CNTL::Z_ENABLE, 0)]);
        assert!(depth(&registers, 8, 1).is_ok());
    }
    let cases = [
        (
            RB3D_COLORPITCH::COLORMICROTILE,
            3,
            "COLORMICROTILE 3 is reserved",
        ),
        (
            RB3D_COLORPITCH::COLORFORMAT,
            12,
            "COLORFORMAT 12 does not take US_OUT_FMT 0",
        ),
        (RB3D_COLORPITCH::COLORPITCH, 0, "a surface of 0 by 32"),
    ];
    for (field, value, reason) in cases {
        let mut registers = bgra();
        or(&mut registers, &[(field, value)]);
        let error = first(&registers).unwrap_err();
        assert!(error.contains(reason), "{error}");
    }
    let mut registers = bgra();
    or(&mut registers, &[(RB3D_DITHER_CTL::DITHER_MODE, 2)]);
    assert!(first(&registers).is_ok());
    or(&mut registers, &[(RB3D_COLORPITCH::COLORFORMAT, 4)]);
    let error = first(&registers).unwrap_err();
    assert_eq!(
        error,
        "RB3D_DITHER_CTL.DITHER_MODE 2: the table is not given"
    );
    let mut registers = registers::power_on();
    or(
        &mut registers,
        &[(ZB_CNTL::Z_ENABLE, 1), (ZB_FORMAT::DEPTHFORMAT, 3)],
    );
    let error = depth(&registers, 8, 1).unwrap_err();
    assert_eq!(error, "ZB_FORMAT.DEPTHFORMAT 3 is reserved");
}
