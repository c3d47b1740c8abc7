//! `girih compile`: a shader to machine code, and what it looks like on the way.

use clap::{Args, ValueEnum};
use girih::Stage;
use girih::driver::{self, Options, Source};

use crate::code::hex;
use crate::{Failure, print, read, read_text, target};

/// Arguments of `girih compile`.
#[derive(Args)]
pub struct Compile {
    /// Shader: WGSL, or SPIR-V (`.spv`), or GLSL (`.vert`, `.frag`, `.comp`).
    file: String,
    /// Name of the device.
    #[arg(long)]
    device: String,
    /// Entry point; the only one of the stage when absent.
    #[arg(long)]
    entry: Option<String>,
    /// Stage; that of the entry point when absent.
    #[arg(long)]
    stage: Option<StageName>,
    /// What is printed.
    #[arg(long, default_value = "asm")]
    emit: Emit,
}

#[derive(Clone, Copy, ValueEnum)]
enum StageName {
    Vertex,
    Geometry,
    Fragment,
    Compute,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Emit {
    /// Assembly text.
    Asm,
    /// Words, one instruction a line.
    Hex,
    /// The compiler's SSA.
    Ssa,
    /// The lane program that the machine code is lifted to.
    Lanes,
    /// Counts of instructions, registers and bytes.
    Stats,
}

impl From<StageName> for Stage {
    fn from(name: StageName) -> Stage {
        match name {
            StageName::Vertex => Stage::Vertex,
            StageName::Geometry => Stage::Geometry,
            StageName::Fragment => Stage::Fragment,
            StageName::Compute => Stage::Compute,
        }
    }
}

impl Compile {
    /// Prints what was asked for.
    pub fn run(self) -> Result<(), Failure> {
        let target = target(&self.device)?;
        let module = self.module()?;
        let function = driver::lowered(
            &module,
            self.entry.as_deref(),
            self.stage.map(Stage::from),
            &driver::Overrides::default(),
        )
        .map_err(|error| self.located(error))?;
        if self.emit == Emit::Ssa {
            return print(&driver::print(&function));
        }
        let binary = (target.compile)(&function, &Options::default())
            .map_err(|error| self.located(error))?;
        match self.emit {
            Emit::Ssa => Ok(()),
            Emit::Asm => print(&binary.listing()),
            Emit::Stats => print(&binary.stats.to_string()),
            Emit::Lanes => print(&(target.lanes)(&binary)),
            Emit::Hex => {
                // In the order of memory, which is not that of every chip's listing.
                let lines = target.tools.disassemble(None, &binary.words)?;
                let text: String = lines.into_iter().map(|line| line.text + "\n").collect();
                let instructions = target.tools.assemble(None, &text)?;
                print(
                    &instructions
                        .iter()
                        .map(|words| hex(words))
                        .collect::<String>(),
                )
            }
        }
    }

    fn module(&self) -> Result<driver::CheckedModule, Failure> {
        let extension = self.file.rsplit_once('.').map_or("", |(_, ext)| ext);
        let stage = match extension {
            "spv" => {
                let words = spirv_words(&read(&self.file)?)
                    .ok_or_else(|| format!("{}: not whole 32-bit words", self.file))?;
                return driver::parse(Source::Spirv(&words)).map_err(|error| self.located(error));
            }
            "vert" => Some(Stage::Vertex),
            "frag" => Some(Stage::Fragment),
            "comp" => Some(Stage::Compute),
            "glsl" => self.stage.map(Stage::from),
            _ => None,
        };
        let text = read_text(&self.file)?;
        let source = match stage {
            Some(stage) => Source::Glsl { text: &text, stage },
            None if extension == "glsl" => {
                return Err(format!("{}: --stage is needed for GLSL", self.file).into());
            }
            None => Source::Wgsl(&text),
        };
        driver::parse(source).map_err(|error| self.located(error))
    }

    /// The file's name in front of an error.
    fn located(&self, error: impl std::fmt::Display) -> Failure {
        format!("{}: {error}", self.file).into()
    }
}

/// SPIR-V words in the byte order that their first word tells.
fn spirv_words(bytes: &[u8]) -> Option<Vec<u32>> {
    if !bytes.len().is_multiple_of(4) {
        return None;
    }
    let words = bytes
        .chunks_exact(4)
        .map(|word| [word[0], word[1], word[2], word[3]]);
    let swapped = bytes.starts_with(&[0x07, 0x23, 0x02, 0x03]);
    Some(match swapped {
        true => words.map(u32::from_be_bytes).collect(),
        false => words.map(u32::from_le_bytes).collect(),
    })
}
