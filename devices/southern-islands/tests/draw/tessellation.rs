//! Patches of three control points: local, hull and domain shaders by hand, against a triangle of the same corners.

use silicon::{Stats, Trap};
use southern_islands::Start;
use southern_islands::descriptor::BufferResource;
use southern_islands::isa::assemble;
use southern_islands::regs::*;
use southern_islands::tiling::ImageKind;

use super::code;
use super::rig::*;

const LOCAL_CODE: u64 = 0x5000;
const HULL_CODE: u64 = 0x6000;
const DOMAIN_CODE: u64 = 0x7000;
/// What hull shaders leave for domain shaders, and their levels.
const OFF_CHIP: u64 = 0x2_0000;
const LEVELS: u64 = 0x7_0000;

/// x and y of a vertex to the local data share of the group.
const LOCAL: &str = "s_load_dwordx4 s[4:7], s[0:1], 0x0
s_mov_b32 m0, -1
s_waitcnt lgkmcnt(0)
buffer_load_format_xyzw v[4:7], v0, s[4:7], 0 idxen
v_lshlrev_b32 v2, 3, v1
s_waitcnt vmcnt(0)
ds_write_b64 v2, v[4:5]
s_waitcnt lgkmcnt(0)
s_endpgm";

/// Control points from the share to memory, by the lane of each; levels by that of the first.
const HULL: &str = "s_load_dwordx4 s[4:7], s[0:1], 0x4
s_load_dwordx4 s[8:11], s[0:1], 0x8
s_mov_b32 m0, -1
v_and_b32 v2, 0xff, v1
v_lshrrev_b32 v3, 8, v1
v_mul_u32_u24 v4, 3, v2
v_add_i32 v4, vcc, v4, v3
v_lshlrev_b32 v4, 3, v4
ds_read_b64 v[5:6], v4
s_waitcnt lgkmcnt(0)
buffer_store_dword v5, v4, s[4:7], s2 offen
buffer_store_dword v6, v4, s[4:7], s2 offen offset:4
v_cmp_eq_i32 vcc, 0, v1
s_and_saveexec_b64 s[12:13], vcc
v_mov_b32 v7, CONTROL
buffer_store_dword v7, off, s[8:11], s3
s_mov_b64 exec, s[12:13]
v_cmp_eq_i32 vcc, 0, v3
s_and_saveexec_b64 s[12:13], vcc
v_lshlrev_b32 v8, 4, v2
v_mov_b32 v9, 4.0
buffer_store_dword v9, v8, s[8:11], s3 offen offset:4
buffer_store_dword v9, v8, s[8:11], s3 offen offset:8
buffer_store_dword v9, v8, s[8:11], s3 offen offset:12
buffer_store_dword v9, v8, s[8:11], s3 offen offset:16
s_endpgm";

/// A position between the control points; the colour is where it lies.
const DOMAIN: &str = "s_load_dwordx4 s[4:7], s[0:1], 0x4
v_mul_u32_u24 v4, 24, v2
s_waitcnt lgkmcnt(0)
buffer_load_dword v5, v4, s[4:7], s3 offen
buffer_load_dword v6, v4, s[4:7], s3 offen offset:4
buffer_load_dword v7, v4, s[4:7], s3 offen offset:8
buffer_load_dword v8, v4, s[4:7], s3 offen offset:12
buffer_load_dword v9, v4, s[4:7], s3 offen offset:16
buffer_load_dword v10, v4, s[4:7], s3 offen offset:20
v_sub_f32 v11, 1.0, v0
v_sub_f32 v11, v11, v1
s_waitcnt vmcnt(0)
v_mul_f32 v5, v5, v0
v_mac_f32 v5, v7, v1
v_mac_f32 v5, v9, v11
v_mul_f32 v6, v6, v0
v_mac_f32 v6, v8, v1
v_mac_f32 v6, v10, v11
v_mov_b32 v7, 0.5
v_mov_b32 v8, 1.0
exp pos0 v5, v6, v7, v8 done
exp param0 v0, v1, v11, v8
s_endpgm";

/// Two triangles whose quarters lie on pixels, with a colour a corner.
fn vertices() -> Vec<Vertex> {
    let corners = [(-0.8, -0.8), (0.8, -0.8), (-0.8, 0.8)];
    let corners = corners
        .into_iter()
        .chain([(0.8, 0.8), (0.8, 0.0), (0.16, 0.8)]);
    let color = |n: usize| [0, 1, 2].map(|channel| if n % 3 == channel { 1.0 } else { 0.0 });
    let vertex = |(n, (x, y)): (usize, (f32, f32))| {
        let [r, g, b] = color(n);
        [x, y, 0.5, 1.0, r, g, b, 1.0]
    };
    corners.enumerate().map(vertex).collect()
}

/// What a draw of the patches takes, and what tests change.
struct Setup {
    threads: usize,
    /// Patches of a group.
    patches: u8,
    /// Groups in memory, and words of their levels.
    room: (u8, u16),
    control: u32,
}

impl Default for Setup {
    fn default() -> Setup {
        Setup {
            threads: 1,
            patches: 2,
            room: (4, 0x100),
            control: 0x8000_0000,
        }
    }
}

fn rig(setup: &Setup) -> Rig {
    let start = Start {
        threads: Some(setup.threads),
        ..Start::default()
    };
    let mut rig = Rig::started(start, [WIDTH, HEIGHT]);
    rig.setup(&vertices(), &code::pixel(), ImageKind::Color);
    let hull = HULL.replace("CONTROL", &format!("{:#x}", setup.control));
    for (at, text) in [
        (LOCAL_CODE, LOCAL),
        (HULL_CODE, hull.as_str()),
        (DOMAIN_CODE, DOMAIN),
    ] {
        rig.words(at, &assemble(text).unwrap().concat());
    }
    for (n, base) in [OFF_CHIP, LEVELS].into_iter().enumerate() {
        let buffer = BufferResource {
            base_address: base,
            num_records: 0x2_0000,
            num_format: 7,
            data_format: 4,
            ..BufferResource::from_word(0)
        };
        let words = [0, 1, 2, 3].map(|n| (buffer.pack() >> (32 * n)) as u32);
        rig.words(TABLE + 16 * (n as u64 + 1), &words);
    }
    for (register, at) in [
        (SPI_SHADER_PGM_LO_LS, LOCAL_CODE),
        (SPI_SHADER_PGM_LO_HS, HULL_CODE),
        (SPI_SHADER_PGM_LO_VS, DOMAIN_CODE),
    ] {
        rig.set(register, (at >> 8) as u32);
    }
    // 16 registers of each kind, floats as usual.
    let resources = 3 | 1 << 6 | 0xf0 << 12;
    rig.set(SPI_SHADER_PGM_RSRC1_LS, resources | 1 << 24);
    rig.set(SPI_SHADER_PGM_RSRC1_HS, resources);
    rig.set(SPI_SHADER_PGM_RSRC1_VS, resources | 2 << 24);
    let local = SpiShaderPgmRsrc2Ls {
        user_sgpr: 2,
        lds_size: 4,
        ..SpiShaderPgmRsrc2Ls::from_word(0)
    };
    rig.set(SPI_SHADER_PGM_RSRC2_LS, local.pack());
    let hull = SpiShaderPgmRsrc2Hs {
        user_sgpr: 2,
        oc_lds_en: true,
        ..SpiShaderPgmRsrc2Hs::from_word(0)
    };
    rig.set(SPI_SHADER_PGM_RSRC2_HS, hull.pack());
    let domain = SpiShaderPgmRsrc2Vs {
        user_sgpr: 2,
        oc_lds_en: true,
        ..SpiShaderPgmRsrc2Vs::from_word(0)
    };
    rig.set(SPI_SHADER_PGM_RSRC2_VS, domain.pack());
    rig.set(SPI_SHADER_USER_DATA_LS_0, TABLE as u32);
    rig.set(SPI_SHADER_USER_DATA_HS_0, TABLE as u32);
    let stages = VgtShaderStagesEn {
        ls_en: 1,
        hs_en: true,
        vs_en: VS_STAGE_DS,
        dynamic_hs: true,
        ..VgtShaderStagesEn::from_word(0)
    };
    rig.set(VGT_SHADER_STAGES_EN, stages.pack());
    let config = VgtLsHsConfig {
        num_patches: setup.patches,
        hs_num_input_cp: 3,
        hs_num_output_cp: 3,
        ..VgtLsHsConfig::from_word(0)
    };
    rig.set(VGT_LS_HS_CONFIG, config.pack());
    let param = VgtTfParam {
        kind: tf::TRIANGLE,
        partitioning: tf::PART_INTEGER,
        topology: tf::OUTPUT_TRIANGLE_CW,
        ..VgtTfParam::from_word(0)
    };
    rig.set(VGT_TF_PARAM, param.pack());
    rig.set(VGT_TF_RING_SIZE, setup.room.1.into());
    rig.set(VGT_TF_MEMORY_BASE, (LEVELS >> 8) as u32);
    rig.set(VGT_HS_OFFCHIP_PARAM, setup.room.0.into());
    rig.set(VGT_PRIMITIVE_TYPE, PATCH);
    rig
}

fn draw(setup: &Setup) -> (Vec<u32>, Result<Stats, Trap>) {
    let mut rig = rig(setup);
    rig.draw(6);
    let stats = rig.run();
    (rig.picture(), stats)
}

#[test]
fn patches_are_the_triangles_of_their_corners() {
    let mut plain = Rig::new(1);
    plain.setup(&vertices(), &code::pixel(), ImageKind::Color);
    plain.draw(6);
    plain.run().unwrap();
    let wanted = plain.picture();
    let (picture, stats) = draw(&Setup::default());
    let stats = stats.unwrap();
    let differs = |a: u32, b: u32| {
        let bytes = a.to_le_bytes().into_iter().zip(b.to_le_bytes());
        bytes.map(|(a, b)| a.abs_diff(b)).max() > Some(1)
    };
    let pixels = picture.iter().zip(&wanted);
    assert_eq!(pixels.filter(|(a, b)| differs(**a, **b)).count(), 0);
    assert!(picture.iter().filter(|pixel| **pixel != 0).count() > 5000);
    // Four parts a side: 18 triangles around 6.
    assert_eq!((stats.primitives, stats.clipping_invocations), (2, 48));
    // Six control points, and 12 + 6 + 1 domain points a patch.
    assert_eq!(stats.vertices, 6);
}

#[test]
fn pictures_depend_on_neither_groups_nor_threads() {
    let (picture, stats) = draw(&Setup::default());
    let counts = |stats: Stats| {
        (
            stats.primitives,
            stats.clipping_invocations,
            stats.samples_passed,
        )
    };
    let counted = counts(stats.unwrap());
    // One patch a group; one group in memory at a time; more patches than there are.
    for (patches, room) in [(1, (4, 0x100)), (1, (1, 5)), (2, (1, 9)), (21, (9, 0x400))] {
        for threads in [1, 3] {
            let setup = Setup {
                threads,
                patches,
                room,
                ..Setup::default()
            };
            let (other, stats) = draw(&setup);
            assert_eq!(counts(stats.unwrap()), counted, "{patches} {room:?}");
            assert!(picture == other, "{patches} {room:?} {threads}");
        }
    }
}

#[test]
fn outputs_are_points_lines_and_either_side() {
    let passed = |topology: u8, cull: u32| {
        let mut rig = rig(&Setup::default());
        let param = VgtTfParam {
            kind: tf::TRIANGLE,
            topology,
            ..VgtTfParam::from_word(0)
        };
        rig.set(VGT_TF_PARAM, param.pack());
        rig.set(PA_SU_POINT_SIZE, 8 | 8 << 16);
        rig.set(PA_SU_SC_MODE_CNTL, cull);
        rig.draw(6);
        let stats = rig.run().unwrap();
        (stats.clipping_invocations, stats.samples_passed)
    };
    // Points of one pixel; a line from each of the 19 points to the next.
    assert_eq!(passed(tf::OUTPUT_POINT, 0), (38, 38));
    assert_eq!(passed(tf::OUTPUT_LINE, 0).0, 36);
    // Fronts are counterclockwise; the first patch runs so, the second does not.
    let sides = |cull| [tf::OUTPUT_TRIANGLE_CW, tf::OUTPUT_TRIANGLE_CCW].map(|t| passed(t, cull).1);
    let both = passed(tf::OUTPUT_TRIANGLE_CW, 0).1;
    let [front, back] = [sides(1), sides(2)];
    assert_eq!(front[0] + back[0], both);
    assert_eq!([front[1], back[1]], [back[0], front[0]]);
    assert!(front[0] > 0 && back[0] > 0);
}

#[test]
fn what_does_not_fit_is_named() {
    let trap = |change: &dyn Fn(&mut Rig)| {
        let mut rig = rig(&Setup::default());
        change(&mut rig);
        rig.draw(6);
        rig.run().unwrap_err().reason
    };
    let cases: [(u32, u32, &str); 8] = [
        (
            VGT_SHADER_STAGES_EN,
            1 << 6 | 1 << 2 | 1 << 8,
            "VGT_SHADER_STAGES_EN.LS_EN 0x0",
        ),
        (
            VGT_SHADER_STAGES_EN,
            1 << 6 | 1 << 2 | 1,
            "VGT_SHADER_STAGES_EN.DYNAMIC_HS 0x0",
        ),
        (
            VGT_PRIMITIVE_TYPE,
            prim_type::TRILIST,
            "VGT_PRIMITIVE_TYPE 4",
        ),
        (VGT_LS_HS_CONFIG, 2 | 3 << 8, "HS_NUM_OUTPUT_CP is 0"),
        (VGT_LS_HS_CONFIG, 3 << 8 | 3 << 14, "NUM_PATCHES 0"),
        (VGT_TF_PARAM, 3, "VGT_TF_PARAM.TYPE 3"),
        (VGT_TF_RING_SIZE, 8, "VGT_TF_RING_SIZE 8"),
        (
            SPI_SHADER_PGM_RSRC2_HS,
            2 << 1 | 1 << 8,
            "SPI_SHADER_PGM_RSRC2_HS.TG_SIZE_EN 0x1",
        ),
    ];
    for (register, value, reason) in cases {
        let found = trap(&|rig| rig.set(register, value));
        assert!(found.contains(reason), "{reason}: {found}");
    }
    let found = trap(&|rig| rig.set(VGT_TF_MEMORY_BASE, u32::MAX));
    assert!(found.contains("outside memory"), "{found}");
    let (_, result) = draw(&Setup {
        control: 1,
        ..Setup::default()
    });
    let found = result.unwrap_err().reason;
    assert!(found.contains("control word 0x1"), "{found}");
    // Patches without a hull shader.
    let found = trap(&|rig| rig.set(VGT_SHADER_STAGES_EN, 0));
    assert!(
        found.contains("SPI_SHADER_PGM_RSRC2_VS.OC_LDS_EN"),
        "{found}"
    );
    let found = trap(&|rig| {
        rig.set(VGT_SHADER_STAGES_EN, 0);
        rig.set(SPI_SHADER_PGM_RSRC2_VS, 0);
    });
    assert!(found.contains("VGT_PRIMITIVE_TYPE 9"), "{found}");
}
