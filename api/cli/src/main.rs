//! `girih`: devices, instruction sets, compiling, running raw machine code and rendering, from the command line.

mod bench;
mod code;
mod compile;
mod device;
mod devices;
mod differences;
mod dump;
mod matrix;
mod measure;
mod render;
mod replay;
mod run;
mod tiling;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Virtual GPUs: shaders run as the machine code of real chips.
#[derive(Parser)]
#[command(name = "girih", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Lists the devices.
    Devices(devices::Devices),
    /// Lists the instructions of a device.
    Isa(devices::Isa),
    /// Compiles a shader.
    Compile(compile::Compile),
    /// Assembles text to words.
    Asm(code::Asm),
    /// Disassembles words to text.
    Disasm(code::Disasm),
    /// Runs raw machine code as one wave.
    Exec(code::Exec),
    /// Prints the packets of a command stream, a capture, or a frame of a built-in scene.
    Dump(dump::Dump),
    /// Draws a built-in scene to a PNG.
    Render(render::Render),
    /// Executes a capture of `render --dump` and writes its picture to a PNG.
    Replay(replay::Replay),
    /// Runs a program on a device, through the system's own OpenGL or Vulkan driver for that chip.
    Run(run::Run),
    /// Shows how an image lies in memory, and tiles and untiles its bytes.
    Tiling(tiling::Tiling),
    /// Times the scenes of the benchmark, beside a Vulkan driver if one is given.
    Bench(bench::Bench),
}

/// Why a command failed; printed as one message.
type Failure = scenes::Failure;

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Run(command) => return command.run().unwrap_or_else(failed),
        Command::Devices(command) => command.run(),
        Command::Isa(command) => command.run(),
        Command::Compile(command) => command.run(),
        Command::Asm(command) => command.run(),
        Command::Disasm(command) => command.run(),
        Command::Exec(command) => command.run(),
        Command::Dump(command) => command.run(),
        Command::Render(command) => command.run(),
        Command::Replay(command) => command.run(),
        Command::Tiling(command) => command.run(),
        Command::Bench(command) => command.run(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failed(error),
    }
}

/// Says why a command failed.
fn failed(error: Failure) -> ExitCode {
    tell(&format!("girih: {error}"));
    ExitCode::FAILURE
}

/// Says a line on standard error, if anybody reads it.
fn tell(text: &str) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Prints text; a reader that closed its end early is not an error.
fn print(text: &str) -> Result<(), Failure> {
    use std::io::{ErrorKind, Write};
    let written = std::io::stdout().lock().write_all(text.as_bytes());
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(format!("standard output: {error}").into())
        }
        _ => Ok(()),
    }
}

/// A file's name in messages.
fn named(path: &str) -> &str {
    match path {
        "-" => "standard input",
        path => path,
    }
}

/// The contents of a file, or of standard input for `-`.
fn read(path: &str) -> Result<Vec<u8>, Failure> {
    use std::io::Read;
    let mut bytes = Vec::new();
    let result = match path {
        "-" => std::io::stdin().lock().read_to_end(&mut bytes),
        path => std::fs::File::open(path).and_then(|mut file| file.read_to_end(&mut bytes)),
    };
    result.map_err(|error| format!("{}: {error}", named(path)))?;
    Ok(bytes)
}

/// The same as text.
fn read_text(path: &str) -> Result<String, Failure> {
    String::from_utf8(read(path)?).map_err(|_| format!("{}: not UTF-8 text", named(path)).into())
}
