//! Stippled lines in four viewports. The code that draws them is `api/src/scenes/lines.rs`.

use std::process::ExitCode;

fn main() -> ExitCode {
    examples::main("lines")
}
