//! SSA to better SSA. Every pass keeps the meaning to the bit.
//!
//! [`clean`] leaves the function as the lowering would have liked to write it; [`run`] is everything before code
//! generation.

pub(crate) mod bounds;
mod conditions;
mod control;
mod cse;
mod dce;
mod fold;
mod hoist;
mod if_convert;
mod lcssa;
mod loops;
mod mad;
mod merge_loads;
mod params;
pub(crate) mod quotients;
mod unroll;
mod unstored;

use crate::error::ShaderError;
use crate::guard::{self, Panicked};
use crate::ir::{Function, Stage};
use crate::lower::{Overrides, lower};
use crate::wgsl::CheckedModule;

pub(crate) use unstored::drop_unstored;

/// Removes superfluous block parameters, dead instructions and empty blocks.
pub fn clean(function: &mut Function) {
    control::remove_unreachable(function);
    params::remove_redundant(function);
    dce::run(function);
    control::thread(function);
}

/// An entry point as back ends take it: lowered, see [`lower`], and improved.
pub fn lowered(
    checked: &CheckedModule,
    entry: Option<&str>,
    stage: Option<Stage>,
    overrides: &Overrides,
) -> Result<Function, ShaderError> {
    let compiled = guard::run(|| {
        let mut function = lower(checked, entry, stage, overrides)?;
        run(&mut function);
        Ok(function)
    });
    compiled.unwrap_or_else(|Panicked(reason)| Err(ShaderError::Compiler { reason }))
}

/// Improves a function until little is left to gain, and closes its loops: a value of a loop is used behind it only
/// as a parameter of the loop's merge block.
pub fn run(function: &mut Function) {
    step(function, "simplify", simplify);
    step(function, "lcssa", lcssa::run);
    step(function, "unroll", unroll::run);
    step(function, "simplify", simplify);
    step(function, "if_convert", if_convert::run);
    step(function, "simplify", simplify);
    step(function, "if_convert", if_convert::run);
    step(function, "simplify", simplify);
    step(function, "hoist", hoist::run);
    step(function, "merge_loads", merge_loads::run);
    step(function, "simplify", simplify);
    step(function, "mad", mad::run);
    step(function, "clean", clean);
    step(function, "lcssa", lcssa::run);
}

/// Writes loops out that are longer than [`run`] does, for chips that would not run them.
pub(crate) fn unroll(function: &mut Function) {
    const MOST: usize = 8192;
    step(function, "unroll", |function| {
        unroll::run_within(function, MOST)
    });
    run(function);
}

/// Computes once what is computed twice. Leaves the operations that it finds.
pub(crate) fn share(function: &mut Function) {
    clean(function);
    cse::run(function);
    clean(function);
}

fn simplify(function: &mut Function) {
    clean(function);
    fold::run(function);
    cse::run(function);
    conditions::run(function);
    clean(function);
}

/// Runs a pass; debug builds check that it left the function in order.
fn step(function: &mut Function, name: &str, pass: fn(&mut Function)) {
    pass(function);
    if cfg!(debug_assertions)
        && let Err(error) = crate::ir::verify(function)
    {
        panic!("after {name}: {error}\n{}", crate::ir::print(function));
    }
}
