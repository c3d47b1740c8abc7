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
        CompileError::unsupported(self.0, TARGET, what, origin)
    }

    /// The program needs more of something than there is.
    pub fn exceeds(&self, what: &'static str, needed: usize, limit: usize) -> CompileError {
        let origin = self.0.insts().map(|inst| inst.origin);
        let origin = origin.filter(|origin| origin.is_known()).last();
        self.lacks(
            format!("{needed} {what} where there are {limit}"),
            origin.unwrap_or_default(),
        )
    }
}
