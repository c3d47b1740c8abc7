//! `girih compile`: a shader to machine code, and what it looks like on the way.

use clap::{Args, ValueEnum};
use girih::driver::{self, Options, Source};
use girih::{ShaderError, Stage};

use crate::code::assembled;
use crate::device::OnDevice;
use crate::{Failure, named, print, read, read_text};

/// Arguments of `girih compile`.
#[derive(Args)]
pub struct Compile {
    /// Shader: WGSL, or SPIR-V (`.spv`), or GLSL (`.vert`, `.frag`, `.comp`).
    file: String,
    #[command(flatten)]
    device: OnDevice,
    /// Entry point; the only one of the stage when absent.
    #[arg(long)]
    entry: Option<String>,
    /// Stage; that of the entry point when absent.
    #[arg(long)]
    stage: Option<StageName>,
    /// Value of an override, by its name or, where it has `@id`, by its number; any number of times.
    #[arg(long = "override", value_name = "NAME=VALUE", value_parser = constant)]
    overrides: Vec<(String, f64)>,
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

fn constant(text: &str) -> Result<(String, f64), String> {
    let value = |text: &str| match text {
        "true" => Some(1.0),
        "false" => Some(0.0),
        _ => text.parse().ok(),
    };
    text.split_once('=')
        .filter(|(name, _)| !name.is_empty())
        .and_then(|(name, text)| Some((name.to_owned(), value(text)?)))
        .ok_or_else(|| "an override is NAME=VALUE with a number, true or false".to_owned())
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
        let target = self.device.target()?;
        let module = self.module()?;
        let function = driver::lowered(
            &module,
            self.entry.as_deref(),
            self.stage.map(Stage::from),
            &self.overrides.iter().cloned().collect(),
        )
        .map_err(|error| self.advised(error))?;
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
                let stage = driver::Name::name(&binary.stage);
                let lines = target.tools.disassemble(Some(&stage), &binary.words)?;
                let text: String = lines.into_iter().map(|line| line.text + "\n").collect();
                print(&assembled(target.tools, Some(&stage), &text)?)
            }
        }
    }

    fn module(&self) -> Result<driver::CheckedModule, Failure> {
        let extension = self.file.rsplit_once('.').map_or("", |(_, ext)| ext);
        let stage = match extension {
            "spv" => {
                let words = spirv_words(&read(&self.file)?)
                    .ok_or_else(|| format!("{}: not whole 32-bit words", named(&self.file)))?;
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
        format!("{}: {error}", named(&self.file)).into()
    }

    /// The same, with the argument that helps.
    fn advised(&self, error: ShaderError) -> Failure {
        let advice = match (&error, &self.entry, self.stage) {
            (ShaderError::AmbiguousEntryPoint { .. }, None, None) => "choose by --entry or --stage",
            (ShaderError::AmbiguousEntryPoint { .. }, None, Some(_)) => "choose by --entry",
            (ShaderError::AmbiguousEntryPoint { .. }, Some(_), _) => "choose by --stage",
            (ShaderError::MissingOverride { .. }, ..) => "give it one by --override NAME=VALUE",
            _ => return self.located(error),
        };
        self.located(format!("{error}\n{advice}"))
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
