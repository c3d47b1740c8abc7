//! Shaders on the machines of all chips. One program: each of these tests by itself would be built with every chip anew.
#![allow(clippy::unwrap_used)]

mod accuracy;
mod agree;
mod compute;
#[path = "../corpus/mod.rs"]
mod corpus;
#[path = "../direct/mod.rs"]
mod direct;
mod flow;
mod harness;
mod memory;
mod r5xx;
mod rogue;
mod spirv_cases;
mod spirv_corpus;
mod spirv_features;
