//! A triangle with a colour at each corner. The code that draws it is `examples/scenes/src/triangle.rs`.

use std::process::ExitCode;

fn main() -> ExitCode {
    examples::main("triangle")
}
