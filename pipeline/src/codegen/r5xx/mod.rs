//! R5xx: vectors for PVS, pairs of colour and alpha for US, integers as floats.
//!
//! [`compile`] runs: [`legal`] (floats and bools only, branches as selections, by way of [`kinds`], [`ranges`] and
//! [`flatten`]), packing of scalars into vectors ([`terms`], [`pack`], [`homes`]) and of constants ([`pool`]), selection
//! ([`select`], [`lookups`], [`export`]), fewer and paired instructions ([`presums`], [`schedule`], [`duals`]), registers ([`retarget`], [`ports`],
//! [`allocate`]), encoding ([`vertex`], [`pixel`], [`pairs`], [`waits`]).
//!
//! The driver's part is [`state`] and what it uses: [`bindings`], [`draws`], [`runs`], [`hyper_z`], [`pass`], [`images`], [`rasteriser`].

mod allocate;
mod bindings;
mod build;
mod comparisons;
mod convert;
mod cubes;
mod detail;
mod draws;
mod duals;
mod errors;
mod export;
mod flatten;
mod formats;
mod homes;
mod hyper_z;
mod images;
mod integers;
pub mod interface;
mod interval;
mod kinds;
pub mod legal;
mod lookups;
mod machine;
mod order;
mod pack;
mod packets;
mod pairs;
mod pass;
mod pixel;
mod pool;
mod ports;
mod presums;
mod program;
mod ranges;
mod rasteriser;
mod retarget;
mod runs;
mod schedule;
mod select;
mod signs;
mod skips;
pub mod state;
mod terms;
#[cfg(test)]
mod tests;
mod textures;
mod transfers;
mod uses;
mod vertex;
mod waits;

pub use program::{compile, control, lanes, setup};

const TARGET: &str = "r5xx";
