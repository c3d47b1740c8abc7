//! Thin triangles with 1, 2, 4 and 8 samples a pixel. The code that draws them is `examples/scenes/src/edges.rs`.

use std::process::ExitCode;

fn main() -> ExitCode {
    examples::main("edges")
}
