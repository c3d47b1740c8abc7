//! Every field of the manual's list acts, stops a draw by its name, or has no effect.

use r5xx::regs::effects::{self, Effect};
use r5xx::regs::*;
use silicon::Stats;

use crate::rig::{DEPTH, Rig, SIZE, Stream, TEXTURE, TRIANGLES};

/// State of a draw with a texture and tests of depth.
fn state() -> Stream {
    let mut s = Stream::state();
    s.coordinates();
    use TX_FORMAT1::*;
    s.word(TX_ENABLE, 0, 1);
    s.word(
        TX_FILTER0,
        0,
        TX_FILTER0::MAG_FILTER.bits(1) | TX_FILTER0::MIN_FILTER.bits(1),
    );
    let size = [(TX_FORMAT0::TXWIDTH, 3), (TX_FORMAT0::TXHEIGHT, 3)];
    s.fields(TX_FORMAT0, &size);
    let format = [
        (TXFORMAT, 12),
        (SEL_ALPHA, 3),
        (SEL_RED, 2),
        (SEL_GREEN, 1),
        (SEL_BLUE, 0),
    ];
    s.fields(TX_FORMAT1, &format);
    s.word(TX_OFFSET, 0, TEXTURE as u32);
    s.pixel_program(
        "TEX LD_acquire T0.rgba = t0.rgba, T0.rgba\nOUT.last.wait MAX A.rgb = src0.rgb, src0.rgb [T0] / MAX A.a = src0.a, src0.a [T0]",
        1,
    );
    use ZB_CNTL::*;
    s.fields(ZB_CNTL, &[(Z_ENABLE, 1), (ZWRITEENABLE, 1)]);
    s.fields(ZB_ZSTENCILCNTL, &[(ZB_ZSTENCILCNTL::ZFUNC, 5)]);
    s.fields(ZB_FORMAT, &[(ZB_FORMAT::DEPTHFORMAT, 2)]);
    s.word(ZB_DEPTHOFFSET, 0, DEPTH as u32);
    let pitch = SIZE as u32 / 4;
    s.fields(ZB_DEPTHPITCH, &[(ZB_DEPTHPITCH::DEPTHPITCH, pitch)]);
    s
}

fn draw(s: &mut Stream) {
    let corner = |x: f32, y: f32, z: f32| [[x, y, z, 1.0], [x, y, 0.0, 1.0]];
    let [a, b, c] = [
        corner(-0.9, -0.8, 0.2),
        corner(0.9, -0.7, 0.6),
        corner(-0.2, 0.9, 0.4),
    ];
    s.draw(TRIANGLES, &[a, b, c]);
    s.draw(TRIANGLES, &[c, b, corner(0.8, 0.7, 0.9)]);
}

/// What a stream draws: colours, depths, counters.
fn drawn(s: &Stream) -> Result<(Vec<u32>, Stats), String> {
    let mut rig = Rig::new(1);
    let texels: Vec<u32> = (0..32).map(|n| 0x0103_0507 * n).collect();
    rig.put(TEXTURE, &texels);
    let stats = rig.run(s).map_err(|trap| trap.to_string())?;
    let depths = (0..SIZE * SIZE).map(|n| rig.memory.load(DEPTH + 4 * n).unwrap());
    let colors = rig.pixels();
    Ok((
        colors.into_flattened().into_iter().chain(depths).collect(),
        stats,
    ))
}

/// The state with bits of a register set as well.
fn with(register: &Register, bits: u32) -> Stream {
    let mut s = state();
    let mut rig = Rig::new(1);
    rig.run(&s).unwrap();
    let word = register.read(&rig.chip.command_processor().state().registers, 0);
    s.word(*register, 0, word | bits);
    s
}

#[test]
fn fields_without_effect_change_nothing() {
    let mut plain = state();
    draw(&mut plain);
    let plain = drawn(&plain).unwrap();
    assert!(plain.0.iter().filter(|word| **word != 0).count() > 200);
    let mut count = 0;
    for (register, field, effect) in effects::all() {
        // Instructions have no addresses that packets reach.
        let reachable = SPACE.contains(&register.address);
        let Effect::None(why) = effect else { continue };
        count += 1;
        assert!(!why.is_empty());
        if reachable {
            let mut s = with(register, field.bits(u32::MAX));
            draw(&mut s);
            let name = format!("{}.{}", register.name, field.name);
            assert!(drawn(&s).as_ref() == Ok(&plain), "{name}");
        }
    }
    assert_eq!(count, 386);
}

#[test]
fn fields_that_are_not_executed_stop_a_draw_by_name() {
    let mut count = 0;
    for (register, field, effect) in effects::all() {
        let Effect::Traps(why) = effect else { continue };
        assert!(!why.is_empty());
        count += 1;
        let mut s = with(register, field.bits(1));
        if register.name.contains("PS3") {
            s.word(PS3_ENABLE, 0, 1);
        }
        if register.name.starts_with("GA_FILL") {
            s.colors();
            s.word(GA_COLOR_CONTROL, 0, 0);
        }
        if register.address == VAP_VF_CNTL.address {
            let bits = VAP_VF_CNTL::PRIM_TYPE.bits(TRIANGLES) | field.bits(1);
            s.word(VAP_VF_CNTL, 0, bits);
        }
        draw(&mut s);
        let error = drawn(&s).unwrap_err();
        let start = register.name.split('[').next().unwrap();
        let named = error.contains(field.name) || error.contains(start);
        assert!(named, "{}.{}: {error}", register.name, field.name);
    }
    assert_eq!(count, 17);
}

#[test]
fn values_that_are_not_executed_stop_a_draw_by_name() {
    let mut count = 0;
    for (register, field, effect) in effects::all() {
        let Effect::Partly(value, why) = effect else {
            continue;
        };
        assert!(!why.is_empty());
        count += 1;
        let mut s = state();
        let fields = register.fields.iter();
        let others = fields.filter(|other| other.name != field.name);
        let words = with(register, 0);
        let word = words.0[words.0.len() - 1];
        let kept: u32 = others.map(|other| other.bits(other.get(word))).sum();
        s.word(*register, 0, kept | field.bits(value));
        s.fields(FG_DEPTH_SRC, &[(FG_DEPTH_SRC::DEPTH_SRC, 1)]);
        if register.address == RB3D_DITHER_CTL.address {
            let narrow = [
                (RB3D_COLORPITCH::COLORPITCH, SIZE as u32 / 2),
                (RB3D_COLORPITCH::COLORFORMAT, 15),
            ];
            s.fields(RB3D_COLORPITCH, &narrow);
        }
        if register.address != US_W_FMT.address {
            s.word(FG_DEPTH_SRC, 0, 0);
        }
        draw(&mut s);
        let error = drawn(&s).unwrap_err();
        assert!(
            error.contains(field.name),
            "{}.{}: {error}",
            register.name,
            field.name
        );
    }
    assert_eq!(count, 6);
}

/// The code of all blocks, without the tables of registers.
fn sources(folder: &std::path::Path, found: &mut String) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap();
        if path.is_dir() && name != "regs" {
            sources(&path, found);
        } else if path.is_file() && name != "regs.rs" {
            found.push_str(&std::fs::read_to_string(path).unwrap());
        }
    }
}

#[test]
fn fields_that_act_are_read_by_a_block() {
    let mut code = String::new();
    sources(
        &std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src"),
        &mut code,
    );
    let mut count = 0;
    for (register, field, effect) in effects::all() {
        if !matches!(effect, Effect::Acts | Effect::Partly(..)) {
            continue;
        }
        count += 1;
        let start = register.name.split('[').next().unwrap();
        let name = start.trim_end_matches('_');
        assert!(code.contains(name), "{name}.{}", field.name);
    }
    assert_eq!(count, 541);
    assert_eq!(effects::listing().lines().count(), 944);
}
