//! Stippled lines in four viewports. The code that draws them is `examples/scenes/src/lines.rs`.

use std::process::ExitCode;

fn main() -> ExitCode {
    examples::main("lines")
}
