//! What can be wrong with a shader, one variant per rule.

use std::fmt;

use crate::ir::Stage;

/// A place in shader text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 1.
    pub column: u32,
    /// Byte offset of the first character.
    pub offset: u32,
    /// Length in bytes.
    pub length: u32,
    /// The line it is on.
    pub excerpt: String,
}

impl Location {
    /// The place of a byte range of `source`; none when the range is not in it.
    pub fn new(source: &str, range: std::ops::Range<usize>) -> Option<Location> {
        let before = source.get(..range.start)?;
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let excerpt = source[start..].lines().next().unwrap_or("");
        Some(Location {
            line: before.matches('\n').count() as u32 + 1,
            column: (range.start - start) as u32 + 1,
            offset: range.start as u32,
            length: range.end.saturating_sub(range.start) as u32,
            excerpt: excerpt.to_owned(),
        })
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, column) = (self.line, self.column);
        let at = (column as usize - 1).min(self.excerpt.len());
        let (from, to) = window(&self.excerpt, at);
        let left = if from > 0 { "…" } else { "" };
        let right = if to < self.excerpt.len() { "…" } else { "" };
        writeln!(f, "  at line {line}, column {column}")?;
        writeln!(f, "{line:5} | {left}{}{right}", &self.excerpt[from..to])?;
        // Tabs stay tabs, so that the marks stand under what they mark.
        let before = self.excerpt[from..at].chars();
        let indent: String = left
            .chars()
            .chain(before)
            .map(|c| if c == '\t' { '\t' } else { ' ' })
            .collect();
        let marks = (self.length as usize).clamp(1, (to - at).max(1));
        write!(f, "      | {indent}{}", "^".repeat(marks))
    }
}

/// The part of a line that is shown around a byte of it.
fn window(line: &str, at: usize) -> (usize, usize) {
    const SHOWN: usize = 160;
    if line.len() <= 2 * SHOWN {
        return (0, line.len());
    }
    let near = |mut byte: usize| {
        while !line.is_char_boundary(byte) {
            byte += 1;
        }
        byte
    };
    let from = near(at.saturating_sub(SHOWN));
    (from.min(at), near((at + SHOWN).min(line.len())))
}

/// Where an error is: a place in the text, or nowhere in particular.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct At(pub Option<Location>);

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(location) => write!(f, "\n{location}"),
            None => Ok(()),
        }
    }
}

/// Why a shader cannot be compiled.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ShaderError {
    /// The text does not follow the grammar.
    #[error("{message}{at}")]
    Syntax {
        /// What was met and what was expected.
        message: String,
        /// Where.
        at: At,
    },
    /// The text follows the grammar but means nothing: unknown names, types that do not fit, broken rules.
    #[error("{message}{at}")]
    Invalid {
        /// Which rule is broken.
        message: String,
        /// Where.
        at: At,
    },
    /// The words are not a SPIR-V module.
    #[error("the words are no SPIR-V module: {message}{at}")]
    Spirv {
        /// What is wrong with them.
        message: String,
        /// Where, if the module has its source.
        at: At,
    },
    /// There is no entry point of this name and stage.
    #[error("the shader has no {} entry point{}; it has {}", stage_name(*stage), named(name.as_deref()), list(available))]
    NoEntryPoint {
        /// The name wanted.
        name: Option<String>,
        /// The stage wanted.
        stage: Option<Stage>,
        /// What there is, as `name (stage)`.
        available: Vec<String>,
    },
    /// Several entry points match and none was named.
    #[error("the shader has several {} entry points, name one of {}", stage_name(*stage), list(available))]
    AmbiguousEntryPoint {
        /// The stage wanted.
        stage: Option<Stage>,
        /// What there is, as `name (stage)`.
        available: Vec<String>,
    },
    /// The shader needs something that no device here has.
    #[error("{feature} cannot be compiled{at}")]
    Unsupported {
        /// What.
        feature: String,
        /// Where.
        at: At,
    },
    /// A pipeline constant that the shader does not declare.
    #[error("the shader has no override `{name}`; it has {}", list(available))]
    UnknownOverride {
        /// Name or number given.
        name: String,
        /// What there is.
        available: Vec<String>,
    },
    /// An override without default was given no value.
    #[error("override `{name}` has no default and was given no value{at}")]
    MissingOverride {
        /// Name in the shader.
        name: String,
        /// Where it is declared.
        at: At,
    },
    /// A pipeline constant that its override's type cannot hold.
    #[error("override `{name}` is {kind}, which cannot hold {value}{at}")]
    OverrideRange {
        /// Name in the shader.
        name: String,
        /// Type in the shader.
        kind: &'static str,
        /// Value given.
        value: f64,
        /// Where it is declared.
        at: At,
    },
    /// An input or output at a location that the device does not have.
    #[error("{what} @location({location}) is beyond the {limit} locations of the device{at}")]
    Location {
        /// What is there.
        what: &'static str,
        /// Its location.
        location: u32,
        /// Locations of the device.
        limit: u32,
        /// Where.
        at: At,
    },
    /// The front end stopped without saying what is wrong with the shader.
    #[error("the {language} front end gave up on the shader: {reason}")]
    FrontEnd {
        /// Language.
        language: &'static str,
        /// Its last words.
        reason: String,
    },
    /// The compiler stopped: a defect of girih.
    #[error("the compiler gave up on the shader, which is a defect of girih: {reason}")]
    Compiler {
        /// Its last words.
        reason: String,
    },
    /// The source, or what inlining and unrolling made of it, is more than a compiled shader may be.
    #[error("the shader needs {needed} {what}, and {limit} is the most that is compiled{at}")]
    TooLarge {
        /// What there is too much of.
        what: &'static str,
        /// How much there is (at least).
        needed: u64,
        /// How much there may be.
        limit: u64,
        /// Where.
        at: At,
    },
}

impl ShaderError {
    /// The stable name of the broken rule.
    pub fn rule(&self) -> &'static str {
        match self {
            ShaderError::Syntax { .. } => "shader-syntax",
            ShaderError::Invalid { .. } => "shader-invalid",
            ShaderError::Spirv { .. } => "shader-spirv",
            ShaderError::NoEntryPoint { .. } => "shader-entry-point",
            ShaderError::AmbiguousEntryPoint { .. } => "shader-entry-point-unnamed",
            ShaderError::Unsupported { .. } => "shader-unsupported",
            ShaderError::UnknownOverride { .. } => "shader-override-unknown",
            ShaderError::MissingOverride { .. } => "shader-override-missing",
            ShaderError::OverrideRange { .. } => "shader-override-range",
            ShaderError::Location { .. } => "shader-location",
            ShaderError::FrontEnd { .. } => "shader-front-end",
            ShaderError::Compiler { .. } => "shader-compiler",
            ShaderError::TooLarge { .. } => "shader-too-large",
        }
    }

    /// Where in the text the error is, if it is in one place.
    pub fn location(&self) -> Option<&Location> {
        match self {
            ShaderError::Syntax { at, .. }
            | ShaderError::Invalid { at, .. }
            | ShaderError::Spirv { at, .. }
            | ShaderError::Unsupported { at, .. }
            | ShaderError::MissingOverride { at, .. }
            | ShaderError::OverrideRange { at, .. }
            | ShaderError::Location { at, .. }
            | ShaderError::TooLarge { at, .. } => at.0.as_ref(),
            _ => None,
        }
    }
}

fn stage_name(stage: Option<Stage>) -> &'static str {
    match stage {
        Some(Stage::Vertex) => "vertex",
        Some(Stage::Geometry) => "geometry",
        Some(Stage::Fragment) => "fragment",
        Some(Stage::Compute) => "compute",
        None => "matching",
    }
}

fn named(name: Option<&str>) -> String {
    name.map(|name| format!(" `{name}`")).unwrap_or_default()
}

fn list(items: &[String]) -> String {
    if items.is_empty() {
        "none".to_owned()
    } else {
        items.join(", ")
    }
}
