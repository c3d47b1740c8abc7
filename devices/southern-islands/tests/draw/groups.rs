//! Waves that run side by side leave what each leaves alone: the same program with an access to the local data share,
//! which keeps waves apart.

use silicon::{Stats, Trap};
use southern_islands::Start;
use southern_islands::isa::assemble;
use southern_islands::regs::*;
use southern_islands::tiling::ImageKind;

use super::hi_z::soup;
use super::rig::*;

const TRIANGLES: usize = 240;

/// Instructions that change nothing.
const APART: &str = "ds_read_b32 v8, v8\ns_endpgm";

/// Makes v4 to v7 the colour.
fn color() -> String {
    let channel = |n: usize| {
        let (register, channel) = (4 + n, ["x", "y", "z", "w"][n]);
        format!(
            "v_interp_p1_f32 v{register}, v0, attr0.{channel}\nv_interp_p2_f32 v{register}, v1, attr0.{channel}\n"
        )
    };
    let channels: String = (0..4).map(channel).collect();
    format!("s_mov_b32 m0, s0\n{channels}")
}

/// What a draw leaves: the picture and counts, or a trap.
type Left = (Vec<u32>, Result<Stats, Trap>);

/// Draws many triangles of all sizes over each other.
fn draw(program: &str, threads: usize, prepare: impl Fn(&mut Rig)) -> Left {
    let start = Start {
        threads: Some(threads),
        ..Start::default()
    };
    let mut rig = Rig::started(start, [WIDTH, HEIGHT]);
    let words = assemble(program).unwrap().concat();
    rig.setup(&soup(3, TRIANGLES), &words, ImageKind::Color);
    rig.blend_over();
    prepare(&mut rig);
    rig.draw(3 * TRIANGLES as u32);
    let stats = rig.run();
    (rig.picture(), stats)
}

/// Draws with a program without its end, together and apart.
fn check(name: &str, body: &str, prepare: impl Fn(&mut Rig)) {
    let body = format!("{body}\n");
    let together = draw(&format!("{body}s_endpgm"), 1, &prepare);
    let apart = draw(&format!("{body}{APART}"), 1, &prepare);
    let (stats, mut alone) = (together.1.unwrap(), apart.1.unwrap());
    assert!(together.0.iter().any(|pixel| *pixel != 0), "{name}");
    assert!(together.0 == apart.0, "{name}: the pictures differ");
    // One instruction more in every wave of pixels.
    alone.instructions -= alone.fragment_waves;
    assert_eq!(stats, alone, "{name}");
    let others = draw(&format!("{body}s_endpgm"), 2, &prepare);
    assert!(together.0 == others.0, "{name}: threads show");
    assert_eq!(others.1.unwrap(), stats, "{name}");
}

const EXPORT: &str = "v_mov_b32 v7, 0.5\nexp mrt0 v4, v5, v6, v7 done vm";

#[test]
fn what_each_gives_alone() {
    let depth = |rig: &mut Rig| rig.depth(compare::LESS, true);
    let nothing = |_: &mut Rig| ();
    let check = |name: &str, body: &str, prepare: &dyn Fn(&mut Rig)| {
        check(name, &format!("{}{body}", color()), prepare);
    };
    check("colour", EXPORT, &nothing);
    check("colour where depths are less", EXPORT, &depth);
    let quads = format!(
        "s_mov_b64 s[4:5], exec\ns_wqm_b64 exec, exec\nv_mul_f32 v4, v4, v5\nv_mov_b32 v8, v4\n\
         s_and_b64 exec, exec, s[4:5]\nv_add_f32 v5, v8, v5\n{EXPORT}"
    );
    check("whole quads", &quads, &nothing);
    check("whole quads where depths are less", &quads, &depth);
    let killed = format!("v_cmp_lt_f32 vcc, v4, v5\ns_and_b64 exec, exec, vcc\n{EXPORT}");
    check("killed lanes", &killed, &nothing);
    let branch = format!(
        "v_cmp_lt_f32 vcc, v4, v5\ns_and_saveexec_b64 s[4:5], vcc\ns_cbranch_execz 2\nv_mov_b32 v6, 1.0\n\
         v_mul_f32 v5, v5, v6\ns_mov_b64 exec, s[4:5]\n{EXPORT}"
    );
    check("lanes that skip", &branch, &nothing);
    let apart = format!(
        "v_readfirstlane_b32 s4, v4\ns_cmp_lt_u32 s4, 0x3e800000\ns_cbranch_scc1 2\nv_mov_b32 v6, 1.0\n\
         v_mul_f32 v5, v5, v6\n{EXPORT}"
    );
    check("waves that skip", &apart, &nothing);
}

#[test]
fn inputs_other_than_weights() {
    let program = "s_mov_b32 m0, s0\nv_interp_p1_f32 v8, v0, attr0.x\nv_interp_p2_f32 v8, v1, attr0.x\n\
                   v_mul_f32 v4, 0.5, v4\nv_fract_f32 v4, v4\nv_mul_f32 v5, 0x3c000000, v5\nv_add_f32 v4, v4, v8\n\
                   v_mul_f32 v5, v5, v2\nv_max_f32 v6, v6, v7\nv_add_f32 v6, v6, v3\n";
    check("inputs", &format!("{program}{EXPORT}"), |rig| {
        // Weights of perspective and of the screen, x, y, z and the face.
        rig.set(SPI_PS_INPUT_ENA, 0x1722);
        rig.set(SPI_PS_INPUT_ADDR, 0x1722);
    });
}

/// Waves in which a load goes nowhere: the first of them in the order of the primitives is reported.
#[test]
fn the_first_fault_is_that_of_waves_apart() {
    for limit in [0x3f78_0000_u32, 0x3f70_0000, 0x3f40_0000, 0] {
        let body = format!(
            "{}v_readfirstlane_b32 s4, v4\ns_cmp_lt_u32 s4, {limit:#x}\ns_cbranch_scc1 8\n\
             v_readfirstlane_b32 s4, v5\ns_mov_b32 s5, 0xfff\ns_cmp_lt_u32 s4, 0x3f000000\n\
             s_cbranch_scc1 1\ns_load_dword s6, s[4:5], 0x0\ns_load_dword s6, s[4:5], 0x1\n{EXPORT}\n",
            color()
        );
        let together = draw(&format!("{body}s_endpgm"), 1, |_| ());
        let apart = draw(&format!("{body}{APART}"), 1, |_| ());
        assert_eq!(together.1.unwrap_err(), apart.1.unwrap_err(), "{limit:#x}");
    }
}
