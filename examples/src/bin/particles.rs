//! A fountain of particles that a compute shader moves. The code that draws it is `examples/scenes/src/particles.rs`.

use std::process::ExitCode;

fn main() -> ExitCode {
    examples::main("particles")
}
