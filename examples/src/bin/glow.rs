//! Lamps that glow, with a blur and a histogram by compute shaders. The code that draws it is `examples/scenes/src/glow.rs`.

use std::process::ExitCode;

fn main() -> ExitCode {
    examples::main("glow")
}
