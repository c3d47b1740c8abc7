//! Pixel programs in assembly text, run by the whole chip: strict devices, trap handlers, the border colour table.

use silicon::Trap;
use southern_islands::descriptor::{ImageResource, ImageResourceHigh, ImageSampler, border, clamp};
use southern_islands::isa::assemble;
use southern_islands::regs::*;
use southern_islands::tiling::{self, ImageKind};
use southern_islands::{CHIP, Start};

use super::rig::*;

fn words(text: &str) -> Vec<u32> {
    assemble(text).unwrap().concat()
}

/// Draws one triangle over everything with this pixel program.
fn draw(strict: bool, pixel: &str, prepare: impl Fn(&mut Rig)) -> Result<u32, Trap> {
    let start = Start {
        threads: Some(1),
        strict,
        ..Start::default()
    };
    let mut rig = Rig::started(start, [16, 16]);
    let vertices = [(-1.0, -1.0), (3.0, -1.0), (-1.0, 3.0)];
    let vertices = vertices.map(|(x, y)| [x, y, 0.5, 1.0, 1.0, 0.5, 0.25, 1.0]);
    rig.setup(&vertices, &words(pixel), ImageKind::Color);
    prepare(&mut rig);
    rig.draw(3);
    rig.run()?;
    Ok(rig.pixel(7, 7))
}

fn color(body: &str) -> String {
    format!("{body}\nexp mrt0 v0, v1, v2, v3 done vm\ns_endpgm")
}

#[test]
fn a_strict_device_stops_at_undefined_timing() {
    let late = color("s_load_dword s0, s[2:3], 0x0\nv_mov_b32 v0, s0");
    draw(false, &late, |_| {}).unwrap();
    let trap = draw(true, &late, |_| {}).unwrap_err();
    assert_eq!((trap.chip, trap.address), (CHIP, PIXEL_CODE + 4));
    assert_eq!(trap.word, words("v_mov_b32 v0, s0")[0]);
    assert_eq!(
        trap.reason,
        "scalar 0 is used while lgkmcnt still counts the load that writes it"
    );
    let right = color("s_load_dword s0, s[2:3], 0x0\ns_waitcnt lgkmcnt(0)\nv_mov_b32 v0, s0");
    draw(true, &right, |_| {}).unwrap();
}

#[test]
fn a_strict_device_stops_at_registers_that_a_wave_does_not_have() {
    // The rig's waves have 16 vector and 16 scalar registers.
    for (line, reason) in [
        (
            "v_mov_b32 v16, 1.0",
            "v16 does not exist: the wave has 16 vector and 16 scalar registers",
        ),
        (
            "v_mov_b32 v0, s20",
            "s20 does not exist: the wave has 16 vector and 16 scalar registers",
        ),
    ] {
        let program = color(&format!("s_nop 0\n{line}"));
        draw(false, &program, |_| {}).unwrap();
        let trap = draw(true, &program, |_| {}).unwrap_err();
        assert_eq!((trap.address, trap.word), (PIXEL_CODE + 4, words(line)[0]));
        assert_eq!(trap.reason, reason);
    }
}

/// Four whole tiles, of which those from column 8 on load from an address that is nowhere: the tile before is drawn, and
/// the fault is that of the first of them, as when each wave runs by itself. Local data share keeps waves apart.
#[test]
fn a_wave_among_others_faults_as_alone() {
    let run = |apart: &str| {
        let start = Start {
            threads: Some(1),
            ..Start::default()
        };
        let mut rig = Rig::started(start, [16, 16]);
        let vertices = [(-1.0, -1.0), (3.0, -1.0), (-1.0, 3.0)];
        let vertices = vertices.map(|(x, y)| [x, y, 0.5, 1.0, x + 1.0, 0.5, 0.25, 1.0]);
        let body = format!(
            "s_mov_b32 m0, s0\nv_interp_p1_f32 v4, v0, attr0.x\nv_interp_p2_f32 v4, v1, attr0.x\nv_cvt_u32_f32 v4, v4\n\
             v_readfirstlane_b32 s4, v4\ns_lshl_b32 s4, s4, 28\ns_mov_b32 s5, 0\n\
             v_mov_b32 v0, 1.0\nv_mov_b32 v1, 0\nv_mov_b32 v2, 0\nv_mov_b32 v3, 1.0\n\
             s_load_dword s6, s[4:5], 0x0\n{apart}"
        );
        rig.setup(&vertices, &words(&color(&body)), ImageKind::Color);
        rig.draw(3);
        let trap = rig.run().unwrap_err();
        (trap, rig.picture())
    };
    let (trap, picture) = run("");
    let alone = run("v_mov_b32 v5, 0\nds_read_b32 v5, v5");
    assert_eq!((&trap, &picture), (&alone.0, &alone.1));
    assert_eq!((picture[0], picture[8]), (0xff00_00ff, 0), "{trap:?}");
}

/// Two integers of sixteen bits in each register, to targets of fewer bits or as many, which saturate.
#[test]
fn packed_integers_saturate_to_their_target() {
    let program = |rg: u32, ba: u32| {
        format!(
            "v_mov_b32 v0, {rg:#x}\nv_mov_b32 v1, {ba:#x}\n\
             exp mrt0 v0, v0, v1, v1 done compr vm\ns_endpgm"
        )
    };
    let packed = |low: i16, high: i16| u32::from(low as u16) | u32::from(high as u16) << 16;
    let targets = [
        (
            color_format::C_8_8_8_8,
            number_type::UINT,
            [255, 255, 3, 255],
        ),
        (
            color_format::C_8_8_8_8,
            number_type::SINT,
            [128, 127, 3, 251],
        ),
        // 16 bits hold all of them.
        (
            color_format::C_16_16,
            number_type::UINT,
            [0x2c, 0x01, 0x70, 0xff],
        ),
        (
            color_format::C_16_16,
            number_type::SINT,
            [0x38, 0xff, 0xff, 0x7f],
        ),
    ];
    for (format, number, expected) in targets {
        let (export, program) = match number {
            number_type::UINT => {
                let rg = packed(300, 0xff70_u16 as i16);
                (col_format::UINT16_ABGR, program(rg, packed(3, -1)))
            }
            _ => (
                col_format::SINT16_ABGR,
                program(packed(-200, 0x7fff), packed(3, -5)),
            ),
        };
        let drawn = draw(false, &program, |rig| {
            rig.set(SPI_SHADER_COL_FORMAT, export.into());
            let info = CbColorInfo {
                format,
                number_type: number,
                comp_swap: comp_swap::STD,
                blend_bypass: true,
                ..CbColorInfo::from_word(0)
            };
            rig.set(CB_COLOR0_INFO, info.pack());
        });
        let found = drawn.unwrap().to_le_bytes();
        assert_eq!(found, expected, "format {format} of {number}");
    }
}

/// A program that reads a register which it never writes, behind one that left a number there.
#[test]
fn registers_that_nothing_writes_are_zero() {
    const OTHER: u64 = PIXEL_CODE + 0x400;
    let first =
        "v_mov_b32 v5, 1.0\nv_add_f32 v0, v5, v5\nexp mrt0 v5, v0, v5, v5 done vm\ns_endpgm";
    let second = words("exp mrt0 v5, v5, v5, v5 done vm\ns_endpgm");
    assert_eq!(draw(false, first, |_| {}).unwrap(), 0xffff_ffff);
    let drawn = draw(false, first, |rig| {
        rig.draw(3);
        rig.words(OTHER, &second);
        rig.set(SPI_SHADER_PGM_LO_PS, (OTHER >> 8) as u32);
    });
    assert_eq!(drawn.unwrap(), 0);
}

#[test]
fn waves_enter_the_trap_handler_of_their_stage() {
    const HANDLER: u64 = PIXEL_CODE + 0x100;
    let program =
        color("v_mov_b32 v0, 0\nv_mov_b32 v1, 0\nv_mov_b32 v2, 0\nv_mov_b32 v3, 1.0\ns_trap 3");
    let handler = "v_mov_b32 v1, 1.0\ns_add_u32 ttmp0, ttmp0, 4\ns_addc_u32 ttmp1, ttmp1, 0\ns_rfe_b64 ttmp[0:1]";
    assert_eq!(draw(false, &program, |_| {}).unwrap(), 0xff00_0000);
    let handled = draw(false, &program, |rig| {
        rig.words(HANDLER, &words(handler));
        rig.set(SPI_SHADER_TBA_LO_PS, (HANDLER >> 8) as u32);
        rig.set(SPI_SHADER_PGM_RSRC2_PS, 1 << 6);
    });
    assert_eq!(handled.unwrap(), 0xff00_ff00);
}

#[test]
fn border_colours_come_from_the_table() {
    const IMAGE: u64 = 0x20_0000;
    const COLORS: u64 = 0x30_0000;
    let layout = layout(ImageKind::Color, [8, 8]);
    let image = ImageResource {
        base_address: IMAGE >> 8,
        data_format: 10,
        width: 7,
        height: 7,
        dst_sel_x: 4,
        dst_sel_y: 5,
        dst_sel_z: 6,
        dst_sel_w: 7,
        tiling_index: tiling::tile_index(ImageKind::Color, 4, 1, [8, 8]),
        kind: 9,
        ..ImageResource::from_word(0)
    };
    let high = ImageResourceHigh {
        pitch: (layout.levels[0].surface.pitch - 1) as u16,
        ..ImageResourceHigh::from_word(0)
    };
    let sampler = ImageSampler {
        clamp_x: clamp::BORDER,
        clamp_y: clamp::BORDER,
        border_color_type: border::REGISTER,
        border_color_ptr: 2,
        ..ImageSampler::from_word(0)
    };
    let mut program = String::new();
    for (at, word) in [(8, image.pack()), (12, high.pack()), (4, sampler.pack())] {
        for n in 0..4 {
            let value = (word >> (32 * n)) as u32;
            program += &format!("s_mov_b32 s{}, {value:#x}\n", at + n);
        }
    }
    program += "v_mov_b32 v0, -1.0\nv_mov_b32 v1, 0.5\nimage_sample v[0:3], v[0:1], s[8:15], s[4:7] dmask:0xf\n";
    let program = color(&(program + "s_waitcnt vmcnt(0)"));
    let found = draw(true, &program, |rig| {
        let colors = [
            0.0f32, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.2, 0.4, 0.6, 0.8,
        ];
        rig.words(COLORS, &colors.map(f32::to_bits));
        rig.set(TA_BC_BASE_ADDR, (COLORS >> 8) as u32);
        // 24 scalars.
        rig.set(SPI_SHADER_PGM_RSRC1_PS, 3 | 2 << 6 | 0xf0 << 12 | 1 << 21);
    });
    assert_eq!(found.unwrap(), u32::from_le_bytes([51, 102, 153, 204]));
}
