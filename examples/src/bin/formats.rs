//! A gallery of texture formats: one picture in each. The code that draws it is `examples/scenes/src/formats.rs`.

use std::process::ExitCode;

fn main() -> ExitCode {
    examples::main("formats")
}
