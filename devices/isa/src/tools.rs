//! Command-line services of every instruction set: lists, assembler, disassembler, raw execution.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// One instruction of one encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstructionRow {
    /// Name of the encoding, as in the manual.
    pub encoding: &'static str,
    /// Mnemonic in the manual's spelling.
    pub mnemonic: &'static str,
    /// Opcode.
    pub opcode: u32,
}

/// One disassembled instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Byte offset in the program.
    pub pc: u32,
    /// Its words.
    pub words: Vec<u32>,
    /// Its assembly text.
    pub text: String,
}

/// Text or words that are no program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TextError {
    /// A line that cannot be assembled.
    #[error("line {line}: {reason}: `{text}`")]
    Line {
        /// Line number from 1.
        line: u32,
        /// The line.
        text: String,
        /// What is wrong.
        reason: String,
    },
    /// A word that cannot be decoded.
    #[error("{chip} at {pc:#x}: {reason} (word {word:#010x})")]
    Word {
        /// Chip.
        chip: &'static str,
        /// Byte offset.
        pc: u32,
        /// First word.
        word: u32,
        /// What is wrong.
        reason: String,
    },
    /// The chip has no such stage.
    #[error("{chip} has no stage `{stage}`")]
    Stage {
        /// Chip.
        chip: &'static str,
        /// Stage asked for.
        stage: String,
    },
}

/// One value for all lanes, or one a lane. All values are u32 bit patterns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "a register holds 32-bit patterns: a number for all lanes, text such as \"0xffff\", a number a lane, \
                 or [x, y, z, w] a lane where it has four components"
)]
pub enum LaneValue {
    /// The same for all; also written as text such as `"0xffff"`.
    One(u32),
    /// Text of a number, for 64-bit masks: decimal or `0x…`.
    Text(String),
    /// One a lane.
    Lanes(Vec<u32>),
    /// A vector register of four components, or a list of them a lane.
    Vectors(Vec<[u32; 4]>),
}

/// Bytes in memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryBlock {
    /// Byte address.
    pub address: u64,
    /// The bytes, two hexadecimal digits each, in address order.
    pub hex: String,
}

/// Hexadecimal digits as bytes; space between them means nothing.
pub fn bytes_of_hex(hex: &str) -> Result<Vec<u8>, String> {
    let digits: Vec<u8> = hex.bytes().filter(|b| !b.is_ascii_whitespace()).collect();
    if !digits.len().is_multiple_of(2) {
        return Err(format!(
            "{} hexadecimal digits are no whole number of bytes",
            digits.len()
        ));
    }
    let digit = |b: u8| (b as char).to_digit(16).map(|d| d as u8);
    let bytes: Option<Vec<u8>> = digits
        .chunks_exact(2)
        .map(|p| Some(digit(p[0])? << 4 | digit(p[1])?))
        .collect();
    bytes.ok_or_else(|| "not hexadecimal".into())
}

impl MemoryBlock {
    /// A block of these bytes.
    pub fn new(address: u64, bytes: &[u8]) -> MemoryBlock {
        MemoryBlock {
            address,
            hex: bytes.iter().map(|b| format!("{b:02x}")).collect(),
        }
    }

    /// Its bytes, which must end at or below `limit`.
    pub fn bytes(&self, limit: u64) -> Result<Vec<u8>, ExecError> {
        let wrong = |reason: String| ExecError::Input {
            what: format!("memory at {:#x}", self.address),
            reason,
        };
        let bytes = bytes_of_hex(&self.hex).map_err(wrong)?;
        match self.address.checked_add(bytes.len() as u64) {
            Some(end) if end <= limit => Ok(bytes),
            _ => Err(wrong(format!(
                "{} bytes end beyond {limit:#x}",
                bytes.len()
            ))),
        }
    }
}

impl LaneValue {
    /// The number, if it is one for the whole wave.
    pub fn number(&self) -> Option<u64> {
        match self {
            LaneValue::One(number) => Some(u64::from(*number)),
            LaneValue::Text(text) => match text.strip_prefix("0x") {
                Some(digits) => u64::from_str_radix(digits, 16).ok(),
                None => text.parse().ok(),
            },
            LaneValue::Lanes(lanes) if lanes.len() == 1 => Some(u64::from(lanes[0])),
            LaneValue::Lanes(_) | LaneValue::Vectors(_) => None,
        }
    }
}

/// The state that a raw program starts from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExecInput {
    /// Lanes enabled: the first this many. 64 when absent.
    #[serde(default)]
    pub lanes: Option<u32>,
    /// Registers by name.
    #[serde(default)]
    pub registers: BTreeMap<String, LaneValue>,
    /// Memory contents; the blocks are reported back after the run.
    #[serde(default)]
    pub memory: Vec<MemoryBlock>,
    /// Initial group-shared memory, as bytes of [`MemoryBlock`]; holds the primitive parameters of fragment shaders.
    #[serde(default)]
    pub shared: Option<String>,
    /// Reports a program that relies on undefined timing as an error.
    #[serde(default)]
    pub strict: bool,
    /// Threads of a group along x, y and z: the program runs as groups of waves, whose lanes are those of the group. One
    /// wave that is no group when absent.
    #[serde(default)]
    pub workgroup: Option<[u32; 3]>,
    /// Number of groups along x, y and z, which run one after the other; one when absent.
    #[serde(default)]
    pub groups: Option<[u32; 3]>,
    /// Registers, in the chip's order, before those that say which group it is; none when absent.
    #[serde(default)]
    pub user: Option<u32>,
    /// What a geometry program finds: it runs on the primitives of the lanes.
    #[serde(default)]
    pub primitives: Option<ExecPrimitives>,
}

/// The primitives of a geometry program, and what they may become.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExecPrimitives {
    /// Words of the vertices of each lane's primitive: at most six vertices, all of the same length.
    pub vertices: Vec<Vec<Vec<u32>>>,
    /// Words of an emitted vertex, as the program stores it.
    pub words: u32,
    /// Vertices that a lane emits at most.
    pub most: u32,
    /// Where descriptors of the rings are put, on chips whose programs load them.
    #[serde(default)]
    pub descriptors: Option<u64>,
}

/// What a lane of a geometry program emitted, in order: the words of a vertex, or none where the strip ends.
pub type Emitted = Vec<Option<Vec<u32>>>;

impl ExecPrimitives {
    /// Most vertices of a primitive.
    pub const VERTICES: usize = 6;

    /// Vertices of a primitive and their words, of the primitives of at most 64 lanes; or what is wrong.
    pub fn shape(&self) -> Result<(usize, usize), ExecError> {
        let wrong = |reason: String| ExecError::Input {
            what: "primitives".to_owned(),
            reason,
        };
        let first = self.vertices.first().map_or(&[][..], Vec::as_slice);
        let (vertices, words) = (first.len(), first.first().map_or(0, Vec::len));
        let mut lanes = self.vertices.iter();
        if !lanes.all(|lane| lane.len() == vertices && lane.iter().all(|v| v.len() == words)) {
            return Err(wrong("they differ in vertices or words".to_owned()));
        }
        for (what, found, most) in [
            ("primitives", self.vertices.len(), 64),
            (
                "vertices of a primitive",
                vertices,
                ExecPrimitives::VERTICES,
            ),
            ("words of a vertex", words, 1 << 10),
            ("words of an emitted vertex", self.words as usize, 1 << 10),
            ("vertices that a lane emits", self.most as usize, 1 << 10),
        ] {
            if found > most {
                return Err(wrong(format!("{found} {what}, but {most} is the most")));
            }
        }
        Ok((vertices, words))
    }
}

/// A group as it ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExecGroup {
    /// Its place along x, y and z.
    pub group: [u32; 3],
    /// The memory that its waves share, as bytes of [`MemoryBlock`].
    pub shared: String,
    /// Registers of its waves by name.
    pub waves: Vec<BTreeMap<String, LaneValue>>,
}

/// One export instruction executed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Export {
    /// Target in the manual's spelling.
    pub target: String,
    /// Four components a lane, none where the lane exported nothing.
    pub lanes: Vec<Option<[u32; 4]>>,
}

/// What a raw program left behind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExecOutput {
    /// Exports in program order.
    pub exports: Vec<Export>,
    /// Registers by name.
    pub registers: BTreeMap<String, LaneValue>,
    /// The blocks of the input, as they are now.
    pub memory: Vec<MemoryBlock>,
    /// Instructions executed.
    pub instructions: u64,
    /// What the lanes of a geometry program emitted, where the input has primitives.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub emitted: Vec<Emitted>,
    /// The groups, where the program ran as groups: then `registers` is empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<ExecGroup>,
}

/// Why a raw program could not be run to its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExecError {
    /// The words are no program.
    #[error(transparent)]
    Text(#[from] TextError),
    /// The input is wrong.
    #[error("{what}: {reason}")]
    Input {
        /// Name of the register or block.
        what: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The program did something the chip refuses.
    #[error("{0}")]
    Trap(String),
}

/// Loads words of video memory by their byte addresses; none outside, or where there is no memory.
pub type LoadWord<'a> = &'a dyn Fn(u64) -> Option<u32>;

/// An instruction set as the command line shows it. `stage` is one of `vertex`, `geometry`, `fragment`, `compute`;
/// it matters for chips whose stages have instruction sets of their own.
pub trait Tools: Sync {
    /// Every instruction of every encoding, in the manual's order.
    fn rows(&self, stage: Option<&str>) -> Result<Vec<InstructionRow>, TextError>;
    /// Text to words, one entry a line that holds an instruction.
    fn assemble(&self, stage: Option<&str>, text: &str) -> Result<Vec<Vec<u32>>, TextError>;
    /// Text to bytes, one entry a line that holds an instruction, where instructions are no whole words; nothing otherwise.
    fn assemble_bytes(&self, _: Option<&str>, _: &str) -> Option<Result<Vec<Vec<u8>>, TextError>> {
        None
    }
    /// Words to text.
    fn disassemble(&self, stage: Option<&str>, words: &[u32]) -> Result<Vec<Line>, TextError>;
    /// Words to text in the syntax of the manual, where the listing has another.
    fn disassemble_as_manual(
        &self,
        stage: Option<&str>,
        words: &[u32],
    ) -> Result<Vec<Line>, TextError> {
        self.disassemble(stage, words)
    }
    /// Runs a raw program as one wave.
    fn exec(&self, stage: &str, words: &[u32], input: &ExecInput) -> Result<ExecOutput, ExecError>;
    /// A command stream that lies at `address`, as text: packets, registers, fields and their values. What it names in
    /// memory is printed, too, as far as `memory` has it.
    fn dump(&self, words: &[u32], address: u64, memory: LoadWord<'_>) -> String;
}

/// The tools of a chip whose stages all have the same instruction set.
#[derive(Clone, Copy, Debug)]
pub struct OneSet {
    /// Chip.
    pub chip: &'static str,
    /// Stages whose shaders run on it.
    pub stages: &'static [&'static str],
    /// [`Tools::rows`].
    pub rows: fn() -> Vec<InstructionRow>,
    /// [`Tools::assemble`].
    pub assemble: fn(&str) -> Result<Vec<Vec<u32>>, TextError>,
    /// [`Tools::disassemble`].
    pub disassemble: fn(&[u32]) -> Result<Vec<Line>, TextError>,
    /// [`Tools::exec`].
    pub exec: fn(&str, &[u32], &ExecInput) -> Result<ExecOutput, ExecError>,
    /// [`Tools::dump`].
    pub dump: fn(&[u32], u64, LoadWord<'_>) -> String,
}

impl OneSet {
    fn check(&self, stage: Option<&str>) -> Result<(), TextError> {
        match stage {
            Some(stage) if !self.stages.contains(&stage) => Err(TextError::Stage {
                chip: self.chip,
                stage: stage.to_owned(),
            }),
            _ => Ok(()),
        }
    }
}

impl Tools for OneSet {
    fn rows(&self, stage: Option<&str>) -> Result<Vec<InstructionRow>, TextError> {
        self.check(stage).map(|()| (self.rows)())
    }

    fn assemble(&self, stage: Option<&str>, text: &str) -> Result<Vec<Vec<u32>>, TextError> {
        self.check(stage).and_then(|()| (self.assemble)(text))
    }

    fn disassemble(&self, stage: Option<&str>, words: &[u32]) -> Result<Vec<Line>, TextError> {
        self.check(stage).and_then(|()| (self.disassemble)(words))
    }

    fn exec(&self, stage: &str, words: &[u32], input: &ExecInput) -> Result<ExecOutput, ExecError> {
        self.check(Some(stage))?;
        (self.exec)(stage, words, input)
    }

    fn dump(&self, words: &[u32], address: u64, memory: LoadWord<'_>) -> String {
        (self.dump)(words, address, memory)
    }
}
