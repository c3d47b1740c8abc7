//! Southern Islands.

mod images;
mod packets;
mod pass;
pub mod state;

use super::{Binary, CompileError, Options};
use crate::ir::Function;

/// Compiles an entry point.
pub fn compile(function: &Function, options: &Options) -> Result<Binary, CompileError> {
    let _ = options;
    Err(CompileError::Unsupported {
        entry: function.name.clone(),
        target: "southern-islands",
        what: "code".into(),
    })
}
