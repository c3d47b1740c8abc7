//! `girih asm`, `girih disasm` and `girih exec`: text and words of machine code.

use clap::Args;
use girih::driver::isa::{ExecInput, Tools};
use serde_json::Value;

use crate::device::OnDevice;
use crate::{Failure, named, print, read, read_text};

/// Arguments of `girih asm`.
#[derive(Args)]
pub struct Asm {
    #[command(flatten)]
    device: OnDevice,
    /// Stage, for devices whose stages have instruction sets of their own.
    #[arg(long)]
    stage: Option<String>,
    /// Assembly text; `-` reads standard input.
    file: String,
}

impl Asm {
    /// Prints words, one instruction a line.
    pub fn run(self) -> Result<(), Failure> {
        let tools = self.device.tools()?;
        let text = read_text(&self.file)?;
        let lines = assembled(tools, self.stage.as_deref(), &text)
            .map_err(|error| format!("{}: {error}", named(&self.file)))?;
        if lines.is_empty() {
            return Err(format!("{} holds no instruction", named(&self.file)).into());
        }
        print(&lines)
    }
}

/// Machine code of a text, an instruction a line: words, or bytes where instructions are no whole words.
pub fn assembled(
    tools: &dyn Tools,
    stage: Option<&str>,
    text: &str,
) -> Result<String, girih::driver::isa::TextError> {
    match tools.assemble_bytes(stage, text) {
        Some(lines) => Ok(lines?.iter().map(|bytes| hex_bytes(bytes)).collect()),
        None => {
            let lines = tools.assemble(stage, text)?;
            Ok(lines.iter().map(|words| hex(words)).collect())
        }
    }
}

/// Arguments of `girih disasm`.
#[derive(Args)]
pub struct Disasm {
    #[command(flatten)]
    device: OnDevice,
    /// Stage, for devices whose stages have instruction sets of their own.
    #[arg(long)]
    stage: Option<String>,
    /// In the syntax of the chip's manual, where listings have another.
    #[arg(long)]
    manual: bool,
    /// Words in hexadecimal, or bytes of two digits each; `-` reads standard input.
    file: String,
}

impl Disasm {
    /// Prints assembly text.
    pub fn run(self) -> Result<(), Failure> {
        let tools = self.device.tools()?;
        let words = words(&self.file)?;
        let stage = self.stage.as_deref();
        let lines = match self.manual {
            true => tools.disassemble_as_manual(stage, &words),
            false => tools.disassemble(stage, &words),
        };
        let lines = lines.map_err(|error| format!("{}: {error}", named(&self.file)))?;
        let text: String = lines
            .iter()
            .map(|line| format!("{}\n", line.text))
            .collect();
        print(&text)
    }
}

/// What `girih exec --help` says of its files. A test runs the example.
const EXEC_HELP: &str = r#"The input is JSON, and everything in it may be absent:

  {
    "lanes": 2,
    "registers": { "v0": [1, 2], "s0": 40, "vcc": "0xffffffff00000000" },
    "memory": [{ "address": 4096, "hex": "01000000 02000000" }],
    "shared": "0000803f",
    "strict": true
  }

  lanes      lanes that are enabled, from the first on; 64 when absent
  registers  by their names in assembly: a number for all lanes, a number a lane, or [x, y, z, w] a lane where a
             register has four components; text such as "0xffff" where it has 64 bits. Others are zero
  memory     blocks of bytes in hexadecimal
  shared     first bytes of the memory that the lanes of a group share
  strict     a program that relies on undefined timing is an error

With --stage compute the program may run as groups of waves, one group after the other:

  workgroup  [x, y, z], the threads of a group; `lanes` holds for each wave
  groups     [x, y, z], the number of groups; one when absent
  user       scalar registers before those with the place of the group; none when absent

All waves start with the registers of the input. Southern Islands then has the numbers of a thread in v0, v1 and v2; x, y
and z of the group and TG_SIZE follow the user registers. Rogue has the numbers in vi0, vi1 and vi2, x, y and z of the
group in sh0, sh1 and sh2, the number of groups in sh3, sh6 and sh7. `shared` is what each group starts with.

With --stage geometry the program may run on primitives, one a lane:

  primitives  { "vertices": [[[1065353216, 0, 0, 1065353216]], [[0, 0, 0, 1065353216]]], "words": 4, "most": 1 }

  vertices    of each lane, and of each vertex of its primitive, the words that a vertex shader stores for it; on Rogue
              those of them that the program reads
  words       words of an emitted vertex, as the program stores it
  most        vertices that a lane emits at most
  descriptors byte address where Southern Islands gets the descriptors of the rings: behind the push constants of compiled
              code, 272 bytes from their start. R600 fetches vertices from any resource that is not given, Rogue
              has them in its vertex inputs

The number of a primitive is that of its lane.

The output is JSON, too:

  exports       in the order of the program: the target, and [x, y, z, w] a lane; null where a lane exported nothing
  instructions  number of instructions that ran
  memory        the blocks of the input as the program left them
  registers     those that the program wrote
  emitted       of each lane with a primitive the words of the vertices that it emitted, and null where a strip ends
  groups        of each group its place, the shared memory up to the last byte that is not zero, and the registers of each
                wave; there are no others then

Numbers are 32-bit patterns: 1065353216 is 1.0. With the lines above in input.json:

  printf 'v_add_i32 v1, vcc, s0, v0 \n s_endpgm \n' | girih asm - > add.hex
  girih exec add.hex --input input.json --pretty"#;

/// Arguments of `girih exec`.
#[derive(Args)]
#[command(after_help = EXEC_HELP)]
pub struct Exec {
    #[command(flatten)]
    device: OnDevice,
    /// Stage that the program runs as.
    #[arg(long, default_value = "fragment", value_parser = ["vertex", "geometry", "fragment", "compute"])]
    stage: String,
    /// Words in hexadecimal, or bytes of two digits each; `-` reads standard input.
    file: String,
    /// JSON file with registers and memory at the start; all zero when absent.
    #[arg(long, value_name = "IN.json")]
    input: Option<String>,
    /// Prints one lane a line.
    #[arg(long)]
    pretty: bool,
}

impl Exec {
    /// Prints exports, registers and memory at the end as JSON.
    pub fn run(self) -> Result<(), Failure> {
        let tools = self.device.tools()?;
        if self.file == "-" && self.input.as_deref() == Some("-") {
            return Err("words and input cannot both come from standard input".into());
        }
        let words = words(&self.file)?;
        let input: ExecInput = match &self.input {
            None => Default::default(),
            Some(path) => serde_json::from_slice(&read(path)?)
                .map_err(|error| format!("{}: {error}", named(path)))?,
        };
        check_groups(&self.stage, &input)?;
        if input.primitives.is_some() && self.stage != "geometry" {
            let stage = &self.stage;
            return Err(format!(
                "the input has primitives, which the stage {stage} has not; use --stage geometry"
            )
            .into());
        }
        let output = tools.exec(&self.stage, &words, &input)?;
        let text = match self.pretty {
            true => pretty(&serde_json::to_value(&output)?, 0),
            false => serde_json::to_string(&output)?,
        };
        print(&(text + "\n"))
    }
}

/// Only compute shaders run as groups.
fn check_groups(stage: &str, input: &ExecInput) -> Result<(), Failure> {
    let asked = input.workgroup.is_some() || input.groups.is_some() || input.user.is_some();
    match asked && stage != "compute" {
        true => Err(format!(
            "the input asks for groups, which the stage {stage} has not; use --stage compute"
        )
        .into()),
        false => Ok(()),
    }
}

/// JSON with a line for each lane: lists are broken, what is in them is not, unless it is an object.
fn pretty(value: &Value, indent: usize) -> String {
    let inner = indent + 2;
    let (brackets, items): (_, Vec<String>) = match value {
        Value::Object(fields) => {
            let field = |(name, value)| format!("{}: {}", Value::from(name), pretty(value, inner));
            let named = fields.iter().map(|(name, value)| (name.as_str(), value));
            (["{", "}"], named.map(field).collect())
        }
        Value::Array(items) => {
            let item = |item: &Value| match item {
                Value::Object(_) => pretty(item, inner),
                _ => item.to_string(),
            };
            (["[", "]"], items.iter().map(item).collect())
        }
        _ => return value.to_string(),
    };
    if items.is_empty() {
        return brackets.concat();
    }
    let [open, close] = brackets;
    let (pad, end) = (" ".repeat(inner), " ".repeat(indent));
    let items = items.join(&format!(",\n{pad}"));
    format!("{open}\n{pad}{items}\n{end}{close}")
}

/// One instruction as a line of hexadecimal words.
fn hex(words: &[u32]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("{word:08x}")).collect();
    words.join(" ") + "\n"
}

/// One instruction as a line of bytes.
fn hex_bytes(bytes: &[u8]) -> String {
    let bytes: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    bytes.join(" ") + "\n"
}

/// Bytes of two digits each as words, the last filled up with zeros; none where something else stands there.
fn words_of_bytes(text: &str) -> Option<Vec<u32>> {
    let bytes = text.split_whitespace().map(|word| match word.len() {
        2 => u8::from_str_radix(word, 16).ok(),
        _ => None,
    });
    let bytes: Vec<u8> = bytes.collect::<Option<_>>()?;
    let word = |bytes: &[u8]| {
        let bytes = bytes.iter().enumerate();
        bytes.fold(0, |word, (n, byte)| word | u32::from(*byte) << (8 * n))
    };
    Some(bytes.chunks(4).map(word).collect())
}

/// Reads 32-bit words in hexadecimal, whitespace apart, with or without `0x`; or bytes of two digits each, the lowest first.
pub fn words(path: &str) -> Result<Vec<u32>, Failure> {
    let text = read_text(path)?;
    if let Some(words) = words_of_bytes(&text).filter(|words| !words.is_empty()) {
        return Ok(words);
    }
    let mut words = Vec::new();
    for (i, line) in text.lines().enumerate() {
        for word in line.split_whitespace() {
            let digits = word.strip_prefix("0x").unwrap_or(word);
            let valid = digits.len() <= 8 && digits.bytes().all(|b| b.is_ascii_hexdigit());
            let value = u32::from_str_radix(digits, 16);
            match value {
                Ok(value) if valid => words.push(value),
                _ => {
                    let line = i + 1;
                    return Err(format!(
                        "{}: line {line}: `{word}` is no 32-bit word in hexadecimal",
                        named(path)
                    )
                    .into());
                }
            }
        }
    }
    if words.is_empty() {
        return Err(format!("{} holds no words", named(path)).into());
    }
    Ok(words)
}
