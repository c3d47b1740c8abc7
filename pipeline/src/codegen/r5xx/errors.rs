//! What this back end says no to, with the place in the text.

use super::TARGET;
use crate::codegen::CompileError;
use crate::ir::{Function, Origin};

/// Makes errors of one entry point.
#[derive(Clone, Copy)]
pub struct Errors<'a>(pub &'a Function);

impl Errors<'_> {
    /// The chip lacks it.
    pub fn lacks(&self, what: impl Into<String>, origin: Origin) -> CompileError {
        CompileError::unsupported(self.0, TARGET, what, origin.or(self.somewhere()))
    }

    /// The program needs more of something than there is.
    pub fn exceeds(&self, what: &'static str, needed: usize, limit: usize) -> CompileError {
        let what = format!("{needed} {what} where there are {limit}");
        self.lacks(what, self.somewhere())
    }

    /// The last place of the program, for what has none.
    fn somewhere(&self) -> Origin {
        let origins = self.0.insts().map(|inst| inst.origin);
        let known = origins.filter(|origin| origin.is_known());
        known.last().unwrap_or_default()
    }
}
