//! The whole chip without a compiler: hand-encoded shaders and hand-written packets draw, and pixels are checked.
#![allow(clippy::unwrap_used)]

mod coarse;
mod code;
mod groups;
mod lines;
mod packets;
mod programs;
mod rig;
mod triangles;
mod viewports;

use rig::Rig;

/// Power-on and an empty stream.
#[test]
fn nothing_happens_without_packets() {
    let mut rig = Rig::new(1);
    let stats = rig.run().unwrap();
    assert_eq!(stats, silicon::Stats::default());
}
