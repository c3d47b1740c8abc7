//! The whole chip without a compiler: hand-made programs and hand-written packets draw, and pixels are checked.
#![allow(clippy::unwrap_used)]

mod code;
mod fetches;
mod packets;
mod rig;
mod state;
mod textures;
mod triangles;
mod waves;

use rig::Rig;

/// Power-on and an empty stream.
#[test]
fn nothing_happens_without_packets() {
    let mut rig = Rig::new(1);
    let stats = rig.run().unwrap();
    assert_eq!(stats, silicon::Stats::default());
}
