//! Passes of chips that draw as they go: fills clear attachments before the first draw, a draw after the last resolves
//! them, and stores need nothing. A chip that keeps tiles on the chip does without.

use wgpu_types as wgt;

use crate::compile::{CompiledPipeline, LinkedStages, PipelineSource, StageSource};
use crate::encode::Encoder;
use crate::format::Texel;
use crate::image::{Plane, Region, ResolveMode};
use crate::layout::PipelineLayout;
use crate::state::{
    Attachment, ClearAttachment, ColorTarget, DepthStencilTarget, GraphicsState, PassTargets, Rect,
};
use crate::targets::{Chip, Target};
use crate::upload::Result;
use crate::wgsl::{self, Source};

/// What is left to a chip.
pub trait ImmediateMode: Chip {
    /// Sets the attachments.
    fn attachments(&self, targets: &PassTargets<'_>, out: &mut Vec<u32>);
    /// Makes what follows, up to the next pipeline, average the samples of the first attachment into the second one wherever
    /// it draws. They are colour attachments 0 and 1.
    fn average(&self, sides: [&Attachment<'_>; 2], out: &mut Vec<u32>);
}

/// Clears the attachments that the pass clears when it begins.
pub fn load(targets: &PassTargets<'_>, out: &mut Encoder<'_>) -> Result<()> {
    for color in targets.colors.iter().flatten() {
        if let wgt::LoadOp::Clear(value) = &color.load {
            let texel = Texel::color(color.view.format, value);
            fill(&color.view, 0, &texel, out)?;
        }
    }
    match &targets.depth_stencil {
        Some(depth) => load_depth(depth, out),
        None => Ok(()),
    }
}

fn load_depth(target: &DepthStencilTarget<Attachment<'_>>, out: &mut Encoder<'_>) -> Result<()> {
    let view = &target.view;
    let planes = &view.memory.planes;
    // A view of one aspect attaches that aspect alone.
    let depth = target
        .depth
        .clear()
        .filter(|_| view.format.has_depth_aspect());
    let stencil = target
        .stencil
        .clear()
        .filter(|_| view.format.has_stencil_aspect());
    let texel = |(n, plane): (usize, &Plane)| match plane.aspect {
        wgt::TextureAspect::StencilOnly => stencil.map(Texel::stencil),
        _ => depth.map(|value| Texel::depth(view.memory, n, value)),
    };
    let texels: Vec<Option<Texel>> = planes.iter().enumerate().map(texel).collect();
    // Planes between each other's bytes, cleared together, are one range of whole elements.
    let together = planes.iter().all(Plane::is_interleaved) && texels.iter().all(Option::is_some);
    if let (true, Some(plane)) = (together, planes.first()) {
        let mut element = [0; 16];
        for (plane, texel) in planes.iter().zip(texels.iter().flatten()) {
            let bytes = texel.bytes();
            element[plane.place as usize..][..bytes.len()].copy_from_slice(bytes);
        }
        let bytes = plane.levels[view.level as usize].bytes(view.slices());
        let element = &element[..plane.stored_bytes as usize];
        return out.fill_pieces(view.base, &[bytes], element);
    }
    for (n, texel) in texels.iter().enumerate() {
        if let Some(texel) = texel {
            fill(view, n, texel, out)?;
        }
    }
    Ok(())
}

/// Clears a rectangle of an attachment.
pub fn clear(
    targets: &PassTargets<'_>,
    clear: ClearAttachment,
    rect: Rect,
    out: &mut Encoder<'_>,
) -> Result<()> {
    let depth = targets.depth_stencil.as_ref().map(|depth| &depth.view);
    let plane = |aspect| depth.and_then(|view| Some((view, view.memory.plane(aspect)?)));
    let found = match clear {
        ClearAttachment::Color { index, value } => {
            let color = targets.colors.get(index as usize).and_then(Option::as_ref);
            color.map(|color| (&color.view, 0, Texel::color(color.view.format, &value)))
        }
        ClearAttachment::Depth(value) => plane(wgt::TextureAspect::DepthOnly)
            .map(|(view, plane)| (view, plane, Texel::depth(view.memory, plane, value))),
        ClearAttachment::Stencil(value) => plane(wgt::TextureAspect::StencilOnly)
            .map(|(view, plane)| (view, plane, Texel::stencil(value))),
    };
    let Some((view, plane, texel)) = found else {
        debug_assert!(false, "the pass has no attachment for {clear:?}");
        return Ok(());
    };
    let region = Region {
        plane,
        level: view.level,
        x: rect.x..rect.x + rect.width,
        y: rect.y..rect.y + rect.height,
        slices: view.slices(),
    };
    out.fill_texels(view.base, view.memory, &region, texel.bytes())
}

/// Fills all that an attachment shows of a plane.
fn fill(view: &Attachment<'_>, plane: usize, texel: &Texel, out: &mut Encoder<'_>) -> Result<()> {
    let level = (plane, view.level);
    out.fill_slices(view.base, view.memory, level, view.slices(), texel.bytes())
}

/// Resolves the colour attachments whose samples are averaged, each by a draw from one attachment to the other for every
/// layer.
pub fn resolve(
    chip: &dyn ImmediateMode,
    targets: &PassTargets<'_>,
    out: &mut Encoder<'_>,
) -> Result<()> {
    let (width, height) = (targets.width, targets.height);
    for color in targets.colors.iter().flatten() {
        let Some((to, ResolveMode::Average)) = &color.resolve else {
            continue;
        };
        for layer in 0..color.view.layers {
            let views = [&color.view, to].map(|view| view.of_layer(layer));
            let sides = views.clone().map(|view| {
                Some(ColorTarget {
                    view,
                    load: wgt::LoadOp::Load,
                    store: wgt::StoreOp::Store,
                    resolve: None,
                })
            });
            let targets = PassTargets {
                colors: sides.to_vec(),
                depth_stencil: None,
                width,
                height,
            };
            chip.attachments(&targets, &mut out.words);
            let [from, to] = &views;
            out.draw_cover([width, height], |words| chip.average([from, to], words))?;
        }
    }
    Ok(())
}

/// A triangle that covers every viewport.
const COVER: &str = "@vertex fn cover(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
    return vec4f(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}";

/// The pipeline that draws it.
pub(crate) fn cover(target: &Target) -> CompiledPipeline {
    let module = wgsl::parse(Source::Wgsl(COVER)).expect("the shader is this module's own");
    let source = PipelineSource {
        vertex: StageSource {
            module: &module,
            entry: None,
            constants: &[],
        },
        geometry: None,
        fragment: None,
    };
    LinkedStages::link(target, &source, GraphicsState::default())
        .and_then(|linked| linked.compile(target, &PipelineLayout::default()))
        .expect("every device draws triangles")
}
