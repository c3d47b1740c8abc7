//! R5xx: vectors for PVS, pairs of colour and alpha for US, integers as floats.

mod bindings;
mod draws;
mod formats;
mod images;
pub mod interface;
mod packets;
mod pass;
mod rasteriser;
pub mod state;
#[cfg(test)]
mod tests;
mod transfers;
