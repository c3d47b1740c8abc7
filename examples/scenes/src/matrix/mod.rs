//! The matrix of `girih bench --matrix`: frames as data ([`cells`]), drawn through girih ([`Drawing`]) and, by
//! `api/tests/vulkan`, through a Vulkan driver.

pub mod cells;
mod draw;

pub use draw::Drawing;
