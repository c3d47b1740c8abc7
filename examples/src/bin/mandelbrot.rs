//! The Mandelbrot set, by a loop in the fragment shader. The code that draws it is `api/src/scenes/mandelbrot.rs`.

use std::process::ExitCode;

fn main() -> ExitCode {
    examples::main("mandelbrot")
}
