//! A lit, textured, depth-tested, mip-mapped spinning cube. The code that draws it is `examples/scenes/src/cube.rs`.

use std::process::ExitCode;

fn main() -> ExitCode {
    examples::main("cube")
}
