//! Machine code of the host.
#![cfg(all(not(miri), unix, target_arch = "x86_64"))]

use lanes::{Native, SimdLevel};

/// The engine, on hosts that run its code.
fn machine() -> Option<Native> {
    let engine = Native::at(SimdLevel::named("avx512")?);
    engine.is_machine().then_some(engine)
}

lanes::engine_suite!(native: machine());
