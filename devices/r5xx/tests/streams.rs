//! A stream of a second author: Mesa 22.3.6's `r300` driver drawing OpenGL ES 2.0 on an R580. It uploads a texture of
//! 16 by 16 texels, makes its levels by drawing, then draws triangles, indexed triangles, points and lines. Addresses are
//! relative to buffers.

#![allow(clippy::unwrap_used)]

use r5xx::cp::{CommandProcessor, Draw, Engine, IndexPart, Source, State, VertexArray};
use r5xx::isa::{pvs, us};
use r5xx::packets::dump;
use r5xx::regs::*;
use r5xx::tiling::{Micro, Shape, Tiling, layout};
use radeon::packets::Processor;
use silicon::fragment::bins::Threads;
use silicon::geometry::topology::Topology;
use silicon::geometry::vertices::Vertices;
use silicon::{Addr, Memory, Stats};

const TEXTURED: &str = include_str!("streams/r300-textured.hex");

fn words() -> Vec<u32> {
    let words = TEXTURED.split_whitespace();
    words
        .map(|word| u32::from_str_radix(word, 16).unwrap())
        .collect()
}

/// Keeps the draws, and the registers at their trigger.
#[derive(Default)]
struct Recorder(Vec<(Draw, radeon::registers::RegisterFile)>, Vec<State>);

impl Engine for Recorder {
    fn draw(
        &mut self,
        _: &Memory,
        state: &mut State,
        draw: &Draw,
        _: &mut Stats,
    ) -> Result<(), String> {
        self.0.push((draw.clone(), state.registers.clone()));
        self.1.push(state.clone());
        Ok(())
    }
}

fn run() -> CommandProcessor<Recorder> {
    let memory = Memory::new(1 << 20);
    let words = words();
    for (n, word) in words.iter().enumerate() {
        memory.store(0x8_0000 + 4 * n as u64, *word).unwrap();
    }
    let mut cp = CommandProcessor::new(memory, Threads::new(1), Recorder::default());
    let end = 0x8_0000 + 4 * words.len() as u64;
    cp.execute_stream(Addr(0x8_0000)..Addr(end)).unwrap();
    cp
}

#[test]
fn the_dump_knows_every_register_and_packet() {
    let text = dump(&words(), 0, &|_| None);
    assert!(!text.contains("unknown"), "{text}");
    assert!(!text.contains("ends here"), "{text}");
    let lines = [
        "    RB3D_COLORPITCH0 = 00c20010: COLORPITCH 0x8, COLORMICROTILE 1 (tiled), COLORFORMAT 6 (ARGB8888)",
        "    SU_DEPTH_SCALE = 4b7fffff: SCALE 16777215.0",
        "0x00001ab4 c0032f00 3D_LOAD_VBPNTR",
        "    VAP_VTX_AOS_ATTR01 = 06020604: VTX_AOS_COUNT0 0x4, VTX_AOS_STRIDE0 0x6, VTX_AOS_COUNT1 0x2, VTX_AOS_STRIDE1 0x6",
    ];
    for line in lines {
        assert!(text.lines().any(|own| own == line), "{line}");
    }
}

#[test]
fn draws_are_those_of_the_program() {
    let cp = run();
    let draws: Vec<&Draw> = cp.engine().0.iter().map(|(draw, _)| draw).collect();
    let kinds = draws.iter().map(|draw| draw.topology).collect::<Vec<_>>();
    use Topology::*;
    let copies = [Points; 5];
    let scene = [Triangles, Triangles, Points, LineLoop, Points];
    assert_eq!(kinds, [copies, scene].concat());
    for draw in draws.iter().filter(|draw| draw.topology != Triangles) {
        assert!(
            matches!(&draw.source, Source::Stream { words, each } if words.len().is_multiple_of(*each as usize))
        );
    }
    let expected = Draw {
        topology: Triangles,
        vertices: Vertices::Indexed {
            address: 0,
            first: 0,
            count: 300,
            limit: 300,
            wide: false,
        },
        offset: 0,
        range: [0, 2],
        reuse: true,
        source: Source::Arrays(vec![
            VertexArray {
                address: 0,
                words: 4,
                stride: 24,
                index: IndexPart::Whole,
            },
            VertexArray {
                address: 16,
                words: 2,
                stride: 24,
                index: IndexPart::Whole,
            },
        ]),
    };
    assert_eq!(draws[6], &expected);
}

#[test]
fn levels_lie_where_the_driver_draws_them() {
    let cp = run();
    let shape = Shape {
        tiling: Tiling {
            macro_tiled: false,
            micro: Micro::Tiled,
        },
        element_bytes: 4,
        block: [1, 1],
        size: [16, 16, 1],
        pitch: None,
        levels: 5,
        cube: false,
        macro_switch: false,
    };
    let levels = layout(&shape).unwrap();
    for (level, (_, registers)) in levels.iter().zip(&cp.engine().0) {
        assert_eq!(u64::from(RB3D_COLOROFFSET.read(registers, 0)), level.offset);
        let pitch = RB3D_COLORPITCH.read(registers, 0) & RB3D_COLORPITCH::COLORPITCH.bits(!0);
        assert_eq!(pitch, level.surface.pitch);
    }
}

/// The driver's programs decode, have text, keep the rules of the hardware and lift.
#[test]
fn programs_of_the_driver_lift() {
    let cp = run();
    let (mut vertex, mut pixel) = (Vec::new(), Vec::new());
    for state in &cp.engine().1 {
        let control = r5xx::pvs::control(&state.registers);
        let code = &state.vectors[..r5xx::pvs::CONSTANTS];
        let lifted = pvs::lift(code, &control).unwrap();
        assert!(lifted.written & 15 == 15, "a position is written");
        let words = &code[usize::from(control.first)..=usize::from(control.last)];
        let insts: Vec<pvs::Inst> = words
            .iter()
            .map(|words| pvs::Inst::decode(*words).unwrap())
            .collect();
        pvs::check(&insts).unwrap();
        vertex.push(
            insts
                .iter()
                .map(|inst| inst.to_string())
                .collect::<Vec<_>>(),
        );
        for (inst, words) in insts.iter().zip(words) {
            assert_eq!(
                inst.to_string().parse::<pvs::Inst>().unwrap().encode(),
                *words
            );
        }
        let setup = r5xx::us::setup(&state.registers);
        let lifted = us::lift(&state.us_code, &setup).unwrap();
        assert!(lifted.written[0] != 0, "a target is written");
        let words = &state.us_code[usize::from(setup.start)..=usize::from(setup.end)];
        let insts: Vec<us::Inst> = words
            .iter()
            .map(|words| us::Inst::decode(*words).unwrap())
            .collect();
        us::check(
            &insts,
            &us::Setup {
                end: setup.end - setup.start,
                ..setup
            },
        )
        .unwrap();
        pixel.push(
            insts
                .iter()
                .map(|inst| inst.to_string())
                .collect::<Vec<_>>(),
        );
        for (inst, words) in insts.iter().zip(words) {
            assert_eq!(
                inst.to_string().parse::<us::Inst>().unwrap().encode(),
                *words
            );
        }
    }
    assert!(vertex.iter().any(|text| text.len() > 2), "{vertex:#?}");
    assert!(
        pixel
            .iter()
            .flatten()
            .any(|line| line.starts_with("TEX.wait LD_acquire")),
        "{pixel:#?}"
    );
}

#[test]
fn every_draw_has_a_state_that_is_executed() {
    use r5xx::{cb, fg, ga, rs, tx, vap, zb};
    let memory = Memory::new(1 << 20);
    let cp = run();
    let mut sizes = Vec::new();
    for (draw, registers) in &cp.engine().0 {
        let (assembly, area) = ga::assembly(registers).unwrap();
        assert!(assembly.draws);
        let samples = ga::samples(registers);
        assert!(samples.is_centre());
        let stream = vap::Stream::new(registers, &draw.source).unwrap();
        assert_eq!(stream.vectors(), 0b11);
        let outputs = vap::outputs(registers).unwrap();
        let packet = rs::packet(registers, &outputs, draw.topology.kind()).unwrap();
        let writes = rs::writes(registers, &packet).unwrap();
        assert_eq!((packet.vectors.len(), writes.len()), (1, 1));
        let targets = cb::targets(registers, area.y1 as u32, 1).unwrap();
        assert_eq!(targets.len(), 1);
        zb::depth(registers, area.y1 as u32, 1).unwrap();
        assert_eq!(fg::alpha_test(registers), Ok(None));
        for unit in tx::units(registers) {
            unit.sampler().unwrap();
            unit.texture(&memory).unwrap();
        }
        let color = targets[0].blend.color;
        sizes.push((area, assembly.point_size, color.dst));
    }
    use silicon::fragment::blend::Factor;
    use silicon::fragment::tile::Rect;
    let square = |size: i32| Rect::new(0, 0, size, size);
    // The levels, each drawn as one point of its size.
    let copies = [16, 8, 4, 2, 1].map(|size| (square(size), [size as f32; 2], Factor::Zero));
    assert_eq!(sizes[..5], copies);
    let blended = Factor::OneMinusSrcAlpha;
    assert_eq!((sizes[5].0, sizes[5].2), (square(64), blended));
    // glScissor(3, 4, 20, 21) from the bottom of 64 lines.
    assert_eq!(
        (sizes[7].0, sizes[7].2),
        (Rect::new(3, 39, 20, 21), blended)
    );
}
