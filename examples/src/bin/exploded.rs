//! A sphere whose triangles a geometry shader moves apart. The code that draws it is `examples/scenes/src/geometry/mod.rs`.

use std::process::ExitCode;

fn main() -> ExitCode {
    examples::main("exploded")
}
