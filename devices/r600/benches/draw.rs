//! Draws at 1280 by 720 with hand-encoded shaders, on the threads that `GIRIH_THREADS` names.
//!
//! `cargo bench -p girih-r600 --bench draw`
#![allow(clippy::unwrap_used, dead_code, missing_docs)]

#[path = "../tests/draw/code.rs"]
mod code;
#[path = "../tests/draw/rig.rs"]
mod rig;
#[path = "../../radeon/tests/board/scenes.rs"]
mod scenes;

use criterion::{Criterion, criterion_group, criterion_main};
use r600::regs::*;
use silicon::Format;

use rig::*;

fn setup(vertices: &[Vertex], blended: bool) -> Rig {
    let mut rig = Rig::sized(scenes::threads(), scenes::SIZE);
    rig.setup(vertices, &code::pixel());
    let test = depth_test(compare::ALWAYS, true);
    rig.depth(Format::D32Float, 1f32.to_bits(), test);
    if blended {
        rig.set(CB_BLEND_CONTROL, scenes::over().pack());
        let targets = CbColorControl {
            target_blend_enable: 1,
            rop3: ROP3_COPY,
            ..CbColorControl::from_word(0)
        };
        rig.set(CB_COLOR_CONTROL, targets.pack());
    }
    rig
}

fn draws(criterion: &mut Criterion) {
    scenes::draws(criterion, setup);
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(std::time::Duration::from_secs(3));
    targets = draws
}
criterion_main!(benches);
