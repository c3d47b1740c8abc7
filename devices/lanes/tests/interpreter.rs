//! The interpreter on every level that this host has.

use lanes::{Interpreter, SimdLevel};

lanes::engine_suite!(Interpreter);
lanes::engine_suite!(baseline: SimdLevel::named("baseline").map(Interpreter::at));
lanes::engine_suite!(avx2: SimdLevel::named("avx2").map(Interpreter::at));
lanes::engine_suite!(avx512: SimdLevel::named("avx512").map(Interpreter::at));
