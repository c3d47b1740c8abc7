//! Whole draws on a device that the tests make. One program: each of these by itself would be built with all of drawing anew.
#![allow(clippy::unwrap_used)]

mod draw;
mod halves;
mod pass;
mod traps;
