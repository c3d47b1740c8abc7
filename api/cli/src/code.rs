//! `girih asm`, `girih disasm` and `girih exec`: text and words of machine code.

use clap::Args;

use crate::{Failure, print, read, read_text, tools};

/// Arguments of `girih asm`.
#[derive(Args)]
pub struct Asm {
    /// Name of the device.
    #[arg(long)]
    device: String,
    /// Stage, for devices whose stages have instruction sets of their own.
    #[arg(long)]
    stage: Option<String>,
    /// Assembly text; `-` reads standard input.
    file: String,
}

impl Asm {
    /// Prints words, one instruction a line.
    pub fn run(self) -> Result<(), Failure> {
        let tools = tools(&self.device)?;
        let text = read_text(&self.file)?;
        let instructions = tools
            .assemble(self.stage.as_deref(), &text)
            .map_err(|error| format!("{}: {error}", self.file))?;
        print(
            &instructions
                .iter()
                .map(|words| hex(words))
                .collect::<String>(),
        )
    }
}

/// Arguments of `girih disasm`.
#[derive(Args)]
pub struct Disasm {
    /// Name of the device.
    #[arg(long)]
    device: String,
    /// Stage, for devices whose stages have instruction sets of their own.
    #[arg(long)]
    stage: Option<String>,
    /// Words in hexadecimal; `-` reads standard input.
    file: String,
}

impl Disasm {
    /// Prints assembly text.
    pub fn run(self) -> Result<(), Failure> {
        let tools = tools(&self.device)?;
        let words = words(&self.file)?;
        let lines = tools.disassemble(self.stage.as_deref(), &words)?;
        let text: String = lines
            .iter()
            .map(|line| format!("{}\n", line.text))
            .collect();
        print(&text)
    }
}

/// Arguments of `girih exec`.
#[derive(Args)]
pub struct Exec {
    /// Name of the device.
    #[arg(long)]
    device: String,
    /// Stage that the program runs as.
    #[arg(long, default_value = "fragment", value_parser = ["vertex", "geometry", "fragment", "compute"])]
    stage: String,
    /// Words in hexadecimal; `-` reads standard input.
    file: String,
    /// JSON file with registers and memory at the start; all zero when absent.
    #[arg(long)]
    input: Option<String>,
}

impl Exec {
    /// Prints exports, registers and memory at the end as JSON.
    pub fn run(self) -> Result<(), Failure> {
        let tools = tools(&self.device)?;
        let words = words(&self.file)?;
        let input = match &self.input {
            None => Default::default(),
            Some(path) => {
                serde_json::from_slice(&read(path)?).map_err(|error| format!("{path}: {error}"))?
            }
        };
        let output = tools.exec(&self.stage, &words, &input)?;
        print(&(serde_json::to_string(&output)? + "\n"))
    }
}

/// One instruction as a line of hexadecimal words.
pub fn hex(words: &[u32]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("{word:08x}")).collect();
    words.join(" ") + "\n"
}

/// Reads 32-bit words in hexadecimal, whitespace apart, with or without `0x`.
fn words(path: &str) -> Result<Vec<u32>, Failure> {
    let text = read_text(path)?;
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
                        "{path}: line {line}: `{word}` is no 32-bit word in hexadecimal"
                    )
                    .into());
                }
            }
        }
    }
    Ok(words)
}
