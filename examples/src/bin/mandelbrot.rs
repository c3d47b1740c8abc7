//! The Mandelbrot set, by a loop in the fragment shader. The code that draws it is `examples/scenes/src/mandelbrot.rs`.

use std::process::ExitCode;

fn main() -> ExitCode {
    examples::main("mandelbrot")
}
