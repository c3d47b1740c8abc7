//! Points that a geometry shader turns into blades of grass. The code that draws them is `examples/scenes/src/geometry/mod.rs`.

use std::process::ExitCode;

fn main() -> ExitCode {
    examples::main("grass")
}
