//! R5xx: vectors for PVS, pairs of colour and alpha for US, integers as floats.

pub mod interface;
