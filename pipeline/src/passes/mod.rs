//! SSA to better SSA. Every pass keeps the meaning to the bit.
//!
//! [`clean`] leaves the function as the lowering would have liked to write it; [`run`] is everything before code
//! generation.

mod control;
mod dce;
mod lcssa;
mod loops;
mod params;
pub mod uniformity;

use crate::ir::Function;

/// Removes superfluous block parameters, dead instructions and empty blocks.
pub fn clean(function: &mut Function) {
    control::remove_unreachable(function);
    params::remove_redundant(function);
    dce::run(function);
    control::thread(function);
}

/// Improves a function until little is left to gain, and closes its loops: a value of a loop is used behind it only
/// as a parameter of the loop's merge block.
pub fn run(function: &mut Function) {
    clean(function);
    lcssa::run(function);
}
