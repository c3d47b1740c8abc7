//! A cube map drawn in one pass of six layers, chosen by a geometry shader. The code that draws it is
//! `examples/scenes/src/geometry/reflections.rs`.

use std::process::ExitCode;

fn main() -> ExitCode {
    examples::main("reflections")
}
