//! Rules of graphics pipelines.

use std::collections::BTreeSet;

use pipeline::state::{GraphicsState, LineMode, MAX_GEOMETRY_INVOCATIONS, VertexBufferLayout};
use pipeline::stream::{MAX_STREAM_STRIDE, STREAM_BUFFERS, StreamedOutput};
use wgpu_types as wgt;

use crate::device::Device;
use crate::error::Label;
use crate::pipeline::GraphicsPipelineError as Error;

/// Everything of a pipeline that can be judged without its shaders.
pub(crate) fn state(device: &Device, label: &Label, state: &GraphicsState) -> Result<(), Error> {
    vertex(device, label, &state.vertex_buffers)?;
    targets(device, label, state)?;
    samples(device, label, state)?;
    let attached = state.targets.iter().flatten().next().is_some() || state.depth_stencil.is_some();
    if !attached && state.stream.is_none() {
        return Err(Error::NoAttachment {
            label: label.clone(),
        });
    }
    if state.primitive.conservative {
        return Err(Error::Feature {
            label: label.clone(),
            feature: "conservative rasterisation",
        });
    }
    if let Some(feature) = lacking(device, state) {
        return Err(Error::Feature {
            label: label.clone(),
            feature,
        });
    }
    if let Some(stage) = state.geometry
        && !(1..=MAX_GEOMETRY_INVOCATIONS).contains(&stage.invocations)
    {
        return Err(Error::GeometryInvocations {
            label: label.clone(),
            invocations: stage.invocations,
            limit: MAX_GEOMETRY_INVOCATIONS,
        });
    }
    stream(label, state)?;
    super::raster::state(label, state)
}

/// Outputs of a stream are whole words of a vertex, apart from each other.
fn stream(label: &Label, state: &GraphicsState) -> Result<(), Error> {
    let Some(layout) = &state.stream else {
        return Ok(());
    };
    let range = |o: &StreamedOutput| o.offset..o.offset.saturating_add(4 * o.components.min(4));
    for (n, output) in (0..).zip(&layout.outputs) {
        let stride = layout.strides.get(output.buffer as usize).copied();
        let end = range(output).end;
        let others = layout.outputs[..n as usize].iter();
        let apart = |other: &StreamedOutput| {
            let (a, b) = (range(other), range(output));
            other.buffer != output.buffer || a.end <= b.start || b.end <= a.start
        };
        let reason = match stride {
            None => format!("there are {STREAM_BUFFERS} buffers"),
            Some(stride) if !stride.is_multiple_of(4) || stride > MAX_STREAM_STRIDE => format!(
                "its vertices are {stride} bytes apart; multiples of 4 up to {MAX_STREAM_STRIDE} are possible"
            ),
            Some(stride) if end > stride => {
                format!("it ends at byte {end} of {stride}")
            }
            _ if !(1..=4).contains(&output.components) || output.first > 3 => format!(
                "{} components from {} on are not one to four",
                output.components, output.first
            ),
            _ if !output.offset.is_multiple_of(4) => {
                format!("offset {} is no multiple of 4", output.offset)
            }
            _ if !others.into_iter().all(apart) => "another output lies there".to_owned(),
            _ => continue,
        };
        return Err(Error::Stream {
            label: label.clone(),
            output: n,
            buffer: output.buffer,
            reason,
        });
    }
    Ok(())
}

/// What of a state a device has not.
fn lacking(device: &Device, state: &GraphicsState) -> Option<&'static str> {
    let features = device.features();
    let (raster, multisample) = (&state.raster, &state.multisample);
    let bias = state.depth_stencil.as_ref().map(|depth| depth.bias);
    let mut blends = state.targets.iter().flatten().map(|color| color.blend);
    let first = blends.next();
    let differ = first.is_some_and(|first| blends.any(|blend| blend != first));
    let blended = state.targets.iter().flatten();
    let two_sources = blended
        .filter_map(|color| color.blend.as_ref())
        .any(super::raster::takes_second);
    let rectangles = raster.line_mode == LineMode::Rectangular && draws_lines(state);
    let every_sample = multisample.count > 1 && raster.sample_shading;
    let chooses = raster.viewport_output.is_some() && device.limits().viewports == 1;
    let all = 1u64
        .checked_shl(multisample.count)
        .map_or(u64::MAX, |bit| bit - 1);
    let mask = multisample.mask & all != all;
    let wanted = [
        (
            raster.depth_bounds.is_some(),
            features.depth_bounds,
            "depth bounds",
        ),
        (
            differ,
            features.independent_blend,
            "blending that differs between targets",
        ),
        (
            two_sources,
            features.dual_source_blend,
            "blending with two sources",
        ),
        (
            state.primitive.unclipped_depth,
            features.depth_clamp,
            "depths that are not clipped",
        ),
        (
            bias.is_some_and(|bias| bias.clamp != 0.0),
            features.depth_bias_clamp,
            "a limit of depth bias",
        ),
        (
            raster.line_stipple.is_some(),
            features.line_modes,
            "stippled lines",
        ),
        (rectangles, features.line_modes, "rectangular lines"),
        (mask, features.sample_coverage, "a mask of samples"),
        (
            multisample.alpha_to_coverage_enabled,
            features.sample_coverage,
            "coverage from alpha",
        ),
        (
            every_sample,
            features.sample_shading,
            "shading of every sample",
        ),
        (
            state.geometry.is_some(),
            features.geometry,
            "a geometry shader",
        ),
        (
            state.stream.is_some(),
            features.stream_output,
            "stream output",
        ),
        (raster.discard, features.stream_output, "rasteriser discard"),
        (chooses, false, "vertices that choose a viewport"),
    ];
    let mut missing = wanted.into_iter().filter(|(asked, has, _)| *asked && !has);
    missing.next().map(|(.., name)| name)
}

fn draws_lines(state: &GraphicsState) -> bool {
    use wgt::PrimitiveTopology::{LineList, LineStrip};
    matches!(state.primitive.topology, LineList | LineStrip)
        || state.primitive.polygon_mode == wgt::PolygonMode::Line
}

fn vertex(device: &Device, label: &Label, buffers: &[VertexBufferLayout]) -> Result<(), Error> {
    let limits = device.limits();
    let attributes: usize = buffers.iter().map(|buffer| buffer.attributes.len()).sum();
    let counts = [
        (
            "vertex buffers",
            buffers.len() as u32,
            limits.vertex_buffers,
        ),
        (
            "vertex attributes",
            attributes as u32,
            limits.vertex_attributes,
        ),
    ];
    for (what, count, limit) in counts {
        if count > limit {
            return Err(Error::VertexCount {
                label: label.clone(),
                what,
                count,
                limit,
            });
        }
    }
    let mut locations = BTreeSet::new();
    for buffer in buffers {
        for attribute in &buffer.attributes {
            let format = attribute.format;
            let location = attribute.shader_location;
            if !locations.insert(location) || location >= limits.vertex_attributes {
                return Err(Error::VertexLocation {
                    label: label.clone(),
                    location,
                });
            }
            if !device.shared.driver.target.fetches_vertices(format) {
                return Err(Error::VertexFormat {
                    label: label.clone(),
                    format,
                });
            }
            let (bytes, offset) = (format.size(), attribute.offset);
            let align = bytes.min(4);
            let fits = offset.checked_add(bytes).is_some_and(|end| {
                buffer.stride == 0 && end <= 2048 || end <= u64::from(buffer.stride)
            });
            let limit = limits.vertex_stride;
            let stepped = buffer.stride.is_multiple_of(4) && buffer.stride <= limit;
            if !fits || !stepped || !offset.is_multiple_of(align) {
                return Err(Error::VertexStride {
                    label: label.clone(),
                    location,
                    bytes,
                    offset,
                    stride: buffer.stride,
                    align,
                    limit,
                });
            }
        }
    }
    Ok(())
}

fn targets(device: &Device, label: &Label, state: &GraphicsState) -> Result<(), Error> {
    let limit = device.limits().color_attachments;
    let count = state.targets.len() as u32;
    if count > limit {
        return Err(Error::TargetCount {
            label: label.clone(),
            count,
            limit,
        });
    }
    let chip = device.shared.driver.target;
    for (target, color) in state.targets.iter().enumerate() {
        let Some(color) = color else { continue };
        let support = chip.format_capabilities(color.format);
        let verb = if !support.renderable {
            "render to"
        } else if color.blend.is_some() && !support.blendable {
            "blend"
        } else {
            continue;
        };
        return Err(Error::TargetFormat {
            label: label.clone(),
            target: target as u32,
            format: color.format,
            verb,
        });
    }
    let Some(depth) = &state.depth_stencil else {
        return Ok(());
    };
    let format = depth.format;
    if !chip.format_capabilities(format).depth_stencil {
        return Err(Error::DepthFormat {
            label: label.clone(),
            format,
        });
    }
    let aspect = if depth.is_depth_enabled() && !format.has_depth_aspect() {
        "depth"
    } else if depth.stencil.is_enabled() && !format.has_stencil_aspect() {
        "stencil"
    } else {
        return Ok(());
    };
    Err(Error::DepthAspect {
        label: label.clone(),
        aspect,
        format,
    })
}

/// All attachments can have as many samples as the pipeline draws.
fn samples(device: &Device, label: &Label, state: &GraphicsState) -> Result<(), Error> {
    let count = state.multisample.count;
    let colors = state.targets.iter().flatten().map(|color| color.format);
    let depth = state.depth_stencil.iter().map(|depth| depth.format);
    let chip = device.shared.driver.target;
    let short = |format: &wgt::TextureFormat| !chip.format_capabilities(*format).has_samples(count);
    match colors.chain(depth).find(short) {
        None => Ok(()),
        Some(format) => Err(Error::Samples {
            label: label.clone(),
            count,
            format,
        }),
    }
}
