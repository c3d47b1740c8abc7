//! A gallery of sampler states, side by side. The code that draws it is `api/src/scenes/samplers.rs`.

use std::process::ExitCode;

fn main() -> ExitCode {
    examples::main("samplers")
}
