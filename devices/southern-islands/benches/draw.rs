//! Draws at 1280 by 720 with hand-encoded shaders, on the threads that `GIRIH_THREADS` names.
//!
//! `cargo bench -p girih-southern-islands --bench draw`
#![allow(clippy::unwrap_used, dead_code, missing_docs)]

#[path = "../tests/draw/code.rs"]
mod code;
#[path = "../tests/draw/rig.rs"]
mod rig;
#[path = "../../radeon/tests/board/scenes.rs"]
mod scenes;

use criterion::{Criterion, criterion_group, criterion_main};
use southern_islands::regs::*;
use southern_islands::tiling::ImageKind;

use rig::*;

fn setup(vertices: &[Vertex], blended: bool) -> Rig {
    let mut rig = Rig::sized(scenes::threads(), scenes::SIZE);
    rig.setup(vertices, &code::pixel(), ImageKind::Color);
    rig.depth(compare::ALWAYS, true);
    if blended {
        rig.set(CB_BLEND0_CONTROL, scenes::over().pack());
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
