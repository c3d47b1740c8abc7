//! The tests that every instruction set passes, written once.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use crate::tools::InstructionRow;
use crate::vectors::{list, vectors};

/// An instruction set as the suite sees it.
pub trait InstructionSet {
    /// A decoded instruction with its text; a whole program where the words of an instruction depend on others.
    type Inst: Clone + PartialEq + Debug + Display + FromStr<Err = String>;
    /// Why words are no instruction.
    type Error: Display;

    /// Every instruction of every encoding, in the manual's order.
    fn rows() -> Vec<InstructionRow>;
    /// The instruction at the start of `words` and the number of words it takes.
    fn decode(words: &[u32]) -> Result<(Self::Inst, usize), Self::Error>;
    /// Appends the words of an instruction.
    fn encode(inst: &Self::Inst, out: &mut Vec<u32>);
    /// Words with the opcode of a row and random operands. One in [`DRAWS`] has to decode.
    fn sample(row: &InstructionRow, random: &mut Random) -> Vec<u32>;
    /// Random words of which some decode.
    fn words(random: &mut Random) -> Vec<u32> {
        let bits = random.word();
        vec![bits as u32, (bits >> 32) as u32]
    }
    /// Whether an instruction has assembly text; reserved operands may have none.
    fn has_text(_: &Self::Inst) -> bool {
        true
    }
    /// Whether assembled words match the words of a vector.
    fn holds(words: &[u32], vector: &[u32]) -> bool {
        words == vector
    }
    /// Lifts a program of one instruction; says what is wrong with the result.
    fn lift(words: &[u32]) -> Result<(), String>;
}

/// Draws among which at least one is a sample of a row: it decodes and has text.
pub const DRAWS: u64 = 256;

/// Numbers for tests, the same on every machine.
#[derive(Clone, Copy, Debug)]
pub struct Random(pub u64);

impl Random {
    /// The next 64 bits (splitmix64).
    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`.
    pub fn below(&mut self, end: u64) -> u64 {
        self.word() % end
    }
}

fn words_of<S: InstructionSet>(inst: &S::Inst) -> Vec<u32> {
    let mut words = Vec::new();
    S::encode(inst, &mut words);
    words
}

/// An instruction's words decode to it, its text parses to it, and it lifts.
fn survives<S: InstructionSet>(inst: &S::Inst) -> Result<(), String> {
    let words = words_of::<S>(inst);
    match S::decode(&words) {
        Ok((decoded, count)) if decoded == *inst && count == words.len() => {}
        Ok((decoded, _)) => return Err(format!("{inst:?} decodes to {decoded:?}")),
        Err(error) => return Err(format!("{inst:?}: {error}")),
    }
    let text = inst.to_string();
    match text.parse::<S::Inst>() {
        Ok(parsed) if parsed == *inst => {}
        Ok(parsed) => return Err(format!("{inst:?} prints as `{text}`, which is {parsed:?}")),
        Err(error) => return Err(format!("{inst:?} prints as `{text}`: {error}")),
    }
    S::lift(&words).map_err(|error| format!("`{text}`: {error}"))
}

/// The table equals the manual's list, except for rows that `todo` names.
pub fn rows_equal_the_manual<S: InstructionSet>(manual: &str, todo: &str) -> Result<(), String> {
    let todo = list(todo)?;
    let expected: Vec<_> = list(manual)?
        .into_iter()
        .filter(|row| !todo.contains(row))
        .collect();
    let found: Vec<_> = S::rows()
        .into_iter()
        .map(|row| (row.encoding.to_owned(), row.mnemonic.to_owned(), row.opcode))
        .collect();
    for (at, (expected, found)) in expected.iter().zip(&found).enumerate() {
        if expected != found {
            return Err(format!(
                "row {at}: the manual has {expected:?}, the table {found:?}"
            ));
        }
    }
    match expected.len() == found.len() {
        true => Ok(()),
        false => Err(format!(
            "{} rows, the manual has {}",
            found.len(),
            expected.len()
        )),
    }
}

/// Every line of a vector file assembles to its words, and the words print as text that assembles to them again.
pub fn vectors_hold<S: InstructionSet>(file: &str) -> Result<usize, String> {
    let vectors = vectors(file)?;
    for vector in &vectors {
        let place = format!("line {}: `{}`", vector.line, vector.text);
        let inst: S::Inst = vector
            .text
            .parse()
            .map_err(|error| format!("{place}: {error}"))?;
        let words = words_of::<S>(&inst);
        if !S::holds(&words, &vector.words) {
            return Err(format!(
                "{place} gives {words:08x?}, not {:08x?}",
                vector.words
            ));
        }
        survives::<S>(&inst).map_err(|error| format!("{place}: {error}"))?;
    }
    Ok(vectors.len())
}

/// Samples of every row survive encode and decode, print and parse, and lift. Gives the draws that they took: which
/// words decode and have text shows in it.
pub fn samples_survive<S: InstructionSet>(samples: u64) -> Result<u64, String> {
    let mut taken = 0;
    for (at, row) in S::rows().iter().enumerate() {
        let mut random = Random((at as u64) << 16);
        for _ in 0..samples {
            let mut draws = (1..=DRAWS).filter_map(|draw| {
                let (inst, _) = S::decode(&S::sample(row, &mut random)).ok()?;
                S::has_text(&inst).then_some((draw, inst))
            });
            let Some((draw, inst)) = draws.next() else {
                return Err(format!("{row:?}: no sample of {DRAWS} decodes"));
            };
            taken += draw;
            survives::<S>(&inst).map_err(|error| format!("{row:?}: {error}"))?;
        }
    }
    Ok(taken)
}

/// Random words decode without a panic, and what decodes encodes to itself; every 16th survives the rest too. Gives the
/// number that decoded.
pub fn random_words_survive<S: InstructionSet>(count: u64, seed: u64) -> Result<u64, String> {
    let mut random = Random(seed);
    let mut decoded = 0;
    for _ in 0..count {
        let words = S::words(&mut random);
        let Ok((inst, length)) = S::decode(&words) else {
            continue;
        };
        decoded += 1;
        let again = words_of::<S>(&inst);
        if again != words[..length] {
            return Err(format!("{words:08x?} is {inst:?}, which is {again:08x?}"));
        }
        if decoded % 16 == 0 && S::has_text(&inst) {
            survives::<S>(&inst)?;
        }
    }
    Ok(decoded)
}

/// Tests of an instruction set: `isa::suite!(Set, draws)` in `tests/suite.rs`, beside `manual.csv`, `todo.csv` and
/// `vectors/`. `draws` is how many words are drawn for 20 samples of each row.
#[macro_export]
macro_rules! suite {
    ($Set:ty, $draws:literal) => {
        #[test]
        fn rows_equal_the_manual() {
            let result = $crate::suite::rows_equal_the_manual::<$Set>(
                include_str!("manual.csv"),
                include_str!("todo.csv"),
            );
            assert_eq!(result, Ok(()));
        }

        #[test]
        fn vectors_hold() {
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors");
            let mut files = 0;
            for file in std::fs::read_dir(folder).expect("the vectors lie beside the suite") {
                let path = file.expect("the folder can be read").path();
                let text = std::fs::read_to_string(&path).expect("a vector file is text");
                match $crate::suite::vectors_hold::<$Set>(&text) {
                    Ok(count) => assert!(count > 0, "{} is empty", path.display()),
                    Err(error) => panic!("{}: {error}", path.display()),
                }
                files += 1;
            }
            assert!(files > 0);
        }

        #[test]
        fn samples_survive() {
            let draws = $crate::suite::samples_survive::<$Set>(20);
            assert_eq!(draws, Ok($draws), "other words decode or have text");
        }

        #[test]
        fn random_words_survive() {
            let decoded = $crate::suite::random_words_survive::<$Set>(1_000_000, 1);
            assert!(
                decoded.as_ref().is_ok_and(|count| *count > 1000),
                "{decoded:?}"
            );
        }

        #[test]
        #[ignore = "long; `cargo test -- --ignored` runs it"]
        fn ten_million_random_words_survive() {
            let decoded = $crate::suite::random_words_survive::<$Set>(10_000_000, 2);
            assert!(
                decoded.as_ref().is_ok_and(|count| *count > 10_000),
                "{decoded:?}"
            );
        }
    };
}
