//! The interpreter on every level that this host has.

use lanes::{Interpreter, Level};

lanes::engine_suite!(Interpreter);
lanes::engine_suite!(baseline: Interpreter::at(Level::Baseline));
lanes::engine_suite!(avx2: Interpreter::at(Level::Avx2));
lanes::engine_suite!(avx512: Interpreter::at(Level::Avx512));
