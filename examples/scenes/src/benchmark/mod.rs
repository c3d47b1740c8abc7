//! The benchmark: ten fixed scenes that other implementations of graphics draw too, with the same meshes, shaders, sizes and
//! formats, so that times can be laid side by side.
//!
//! Nothing moves: every frame is the same work. Like all scenes they use the public interface only, and their meshes are
//! made with arithmetic that is the same on every host.

mod kit;
mod screen;
mod shadow;
mod spheres;
mod terrain;
mod textured;

use crate::Scene;
use girih::TextureFormat;

/// Width of the pictures in pixels.
pub const WIDTH: u32 = 1280;
/// Height of the pictures in pixels.
pub const HEIGHT: u32 = 720;
/// Format that the scenes are drawn in.
pub const COLOR: TextureFormat = TextureFormat::Rgba8Unorm;

/// Every scene, in the order in which they are reported.
pub const SCENES: &[Scene] = &[
    screen::TRIANGLE,
    screen::FILL,
    textured::BILINEAR,
    textured::TRILINEAR,
    textured::ANISOTROPIC,
    terrain::SCENE,
    screen::ALU,
    spheres::SCENE,
    shadow::SCENE,
    spheres::MULTISAMPLED,
];
