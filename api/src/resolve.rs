//! Resolves at the end of passes: averages of colours on the chip, everything else by the driver between streams.

use pipeline::compile::{CompiledPipeline, LinkedStages, PipelineSource, StageSource};
use pipeline::encode::Encoder;
use pipeline::image::{Region, ResolveMode, ResolveSide};
use pipeline::silicon::{Addr, MemoryError};
use pipeline::state::GraphicsState;
use pipeline::wgsl::{self, Source};
use wgpu_types as wgt;

use crate::device::Shared;
use crate::image::ImageView;
use crate::pass::PassResolve;

/// A triangle that covers every viewport.
const COVER: &str = "@vertex fn cover(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
    return vec4f(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}";

/// Whether the chip's own resolve does it.
pub(crate) fn is_on_chip(resolve: &PassResolve) -> bool {
    resolve.mode == ResolveMode::Average && resolve.aspect == wgt::TextureAspect::All
}

/// The pipeline that resolves on the chip are drawn with, its code in memory that `allocate` hands out.
pub(crate) fn pipeline(
    shared: &Shared,
    allocate: &mut dyn FnMut(u64, u64) -> Result<Addr, MemoryError>,
) -> Result<CompiledPipeline, MemoryError> {
    let compiled = shared.driver.cover.get_or_init(|| {
        let module = wgsl::parse(Source::Wgsl(COVER)).expect("the shader is this module's own");
        let source = PipelineSource {
            vertex: StageSource {
                module: &module,
                entry: None,
                constants: &[],
            },
            fragment: None,
            layout: &Default::default(),
        };
        let state = GraphicsState::default();
        let compiled = LinkedStages::link(shared.driver.target, &source, state)
            .and_then(|linked| linked.compile(shared.driver.target));
        compiled.expect("every device draws triangles")
    });
    let mut pipeline = compiled.clone();
    pipeline.upload(&shared.driver, allocate)?;
    Ok(pipeline)
}

/// Draws a resolve.
pub(crate) fn on_chip<'a>(
    encoder: &mut Encoder<'a>,
    pipeline: &'a CompiledPipeline,
    resolve: &PassResolve,
) -> Result<(), MemoryError> {
    let size = resolve.to.size();
    let sides = [resolve.from.attachment(), resolve.to.attachment()];
    encoder.resolve(pipeline, sides, [size.width, size.height])
}

/// Resolves in software, whatever the aspect and the way.
pub(crate) fn on_host(shared: &Shared, resolve: &PassResolve) -> Result<(), MemoryError> {
    let view_format = resolve.from.format();
    let format = view_format.aspect_specific_format(resolve.aspect);
    let (Some(format), Some(plane)) = (
        format.and_then(pipeline::format::texture_format),
        resolve.from.image().inner.memory.plane(resolve.aspect),
    ) else {
        debug_assert!(false, "checked when the pass began");
        return Ok(());
    };
    let (from, to) = (whole(&resolve.from, plane), whole(&resolve.to, plane));
    pipeline::image::resolve(
        shared.driver.target.chip,
        &shared.driver.memory,
        format,
        resolve.mode,
        side(&resolve.from, &from),
        side(&resolve.to, &to),
    )
}

/// All that a view of one level and one layer shows.
fn whole(view: &ImageView, plane: usize) -> Region {
    let (size, range) = (view.size(), view.subresources());
    Region {
        plane,
        level: range.level,
        x: 0..size.width,
        y: 0..size.height,
        slices: view.first_slice()..view.first_slice() + 1,
    }
}

fn side<'a>(view: &'a ImageView, region: &'a Region) -> ResolveSide<'a> {
    let image = &view.image().inner;
    ResolveSide {
        base: image.base,
        image: &image.memory,
        region,
    }
}
