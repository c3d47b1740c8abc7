//! Machine code of the host.
#![cfg(all(not(miri), unix, target_arch = "x86_64"))]

use lanes::{Native, SimdLevel};

/// The engine of a level, on hosts that run its code.
fn machine(level: &str) -> Option<Native> {
    let engine = Native::at(SimdLevel::named(level)?);
    engine.is_machine().then_some(engine)
}

lanes::engine_suite!(sixteen: machine("avx512"));
lanes::engine_suite!(eight: machine("avx2"));
