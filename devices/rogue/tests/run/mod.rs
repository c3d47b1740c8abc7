//! Runs text as a wave.
#![allow(dead_code, clippy::unwrap_used)]

use isa::{ExecInput, ExecOutput, LaneValue};
use rogue::exec::exec;

/// A program with its input.
pub struct Run {
    bytes: Vec<u8>,
    pub input: ExecInput,
}

/// Bits of a float.
pub fn float(value: f32) -> u32 {
    value.to_bits()
}

impl Run {
    pub fn new(text: &str) -> Run {
        let groups = rogue::isa::assemble(text).unwrap_or_else(|error| panic!("{error}"));
        Run {
            bytes: groups.concat(),
            input: ExecInput {
                lanes: Some(32),
                ..ExecInput::default()
            },
        }
    }

    /// A register of all lanes.
    pub fn set(mut self, name: &str, value: u32) -> Run {
        self.input
            .registers
            .insert(name.into(), LaneValue::One(value));
        self
    }

    /// A register lane by lane.
    pub fn lanes(mut self, name: &str, value: impl Fn(u32) -> u32) -> Run {
        let lanes = (0..64).map(value).collect();
        self.input
            .registers
            .insert(name.into(), LaneValue::Lanes(lanes));
        self
    }

    pub fn tasks(mut self, count: u32) -> Run {
        self.input.lanes = Some(32 * count);
        self
    }

    pub fn go(self) -> Found {
        Found(exec(&self.bytes, &self.input).unwrap_or_else(|error| panic!("{error}")))
    }

    pub fn error(self) -> String {
        exec(&self.bytes, &self.input).unwrap_err().to_string()
    }
}

/// What it left.
pub struct Found(pub ExecOutput);

impl Found {
    /// A register in a lane; registers that are zero are not there.
    pub fn lane(&self, name: &str, lane: usize) -> u32 {
        match self.0.registers.get(name) {
            None => 0,
            Some(LaneValue::Lanes(lanes)) => lanes[lane],
            Some(value) => value.number().unwrap() as u32,
        }
    }

    /// A mask.
    pub fn mask(&self, name: &str) -> u64 {
        self.0.registers.get(name).unwrap().number().unwrap()
    }

    /// A register that is the same in all lanes.
    pub fn all(&self, name: &str) -> u32 {
        let first = self.lane(name, 0);
        assert!((0..32).all(|lane| self.lane(name, lane) == first), "{name}");
        first
    }

    /// A word of an export.
    pub fn export(&self, target: &str, lane: usize) -> Option<u32> {
        let export = self.0.exports.iter().find(|export| export.target == target);
        export.unwrap().lanes[lane].map(|words| words[0])
    }
}
