//! A gallery of sampler states, side by side. The code that draws it is `examples/scenes/src/samplers.rs`.

use std::process::ExitCode;

fn main() -> ExitCode {
    examples::main("samplers")
}
