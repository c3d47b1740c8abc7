//! Texels to the host, from the host, and from image to image.

use wgpu_types::TextureFormat as F;

use super::name;
use super::plan::{Contents, Plan, Step, noise};

pub(super) fn cells() -> Vec<Plan> {
    let mut cells = Vec::new();
    for format in [F::R8Unorm, F::Rgba8Unorm, F::Rgba16Float, F::Rgba32Float] {
        for label in ["read", "written", "copied"] {
            let mut plan = Plan::new(format!("transfer/{}/{label}", name(format)));
            let from = plan.target(format, [1280, 720], 1);
            plan.textures[from].contents = Contents::Noise(3);
            plan.picture = from;
            let step = match label {
                "read" => Step::Read(from),
                "written" => {
                    let bytes = plan.textures[from].level_bytes(0)[0];
                    Step::Write(from, noise(4, bytes))
                }
                _ => {
                    plan.picture = plan.target(format, [1280, 720], 1);
                    Step::Copy(from, plan.picture)
                }
            };
            plan.steps.push(step);
            cells.push(plan);
        }
    }
    cells
}
