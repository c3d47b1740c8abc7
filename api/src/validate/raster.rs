//! Rules of the state between shaders and targets: sizes, depth bounds, logic operations, two sources, coverage.

use pipeline::compile::LinkedStages;
use pipeline::ir::Stage;
use pipeline::state::GraphicsState;
use wgpu_types as wgt;

use crate::error::Label;
use crate::pipeline::GraphicsPipelineError as Error;

/// Largest size of a point or width of a line, in pixels.
const MAX_SIZE: f32 = 8191.0;

/// What can be judged without the shaders.
pub(crate) fn state(label: &Label, state: &GraphicsState) -> Result<(), Error> {
    let raster = &state.raster;
    for (what, size) in [("points", raster.point_size), ("lines", raster.line_width)] {
        if !(size > 0.0 && size <= MAX_SIZE) {
            return Err(Error::Size {
                label: label.clone(),
                what,
                size,
            });
        }
    }
    if let Some(stipple) = raster.line_stipple
        && !(1..=256).contains(&stipple.factor)
    {
        return Err(Error::LineStipple {
            label: label.clone(),
            factor: stipple.factor,
        });
    }
    if let Some([min, max]) = raster.depth_bounds {
        let format = state.depth_stencil.as_ref().map(|depth| depth.format);
        let ordered = (0.0..=1.0).contains(&min) && (min..=1.0).contains(&max);
        if !ordered || !format.is_some_and(|format| format.has_depth_aspect()) {
            return Err(Error::DepthBounds {
                label: label.clone(),
                min,
                max,
                format,
            });
        }
    }
    let topology = state.primitive.topology;
    let biased = state
        .depth_stencil
        .as_ref()
        .is_some_and(|depth| depth.bias.is_enabled());
    if biased && !topology.is_triangles() {
        return Err(Error::DepthBias {
            label: label.clone(),
            topology,
        });
    }
    for (target, color) in state.targets.iter().enumerate() {
        let Some(blend) = color.as_ref().and_then(|color| color.blend) else {
            continue;
        };
        let (label, target) = (label.clone(), target as u32);
        if raster.logic_op.is_some() {
            return Err(Error::LogicOp { label, target });
        }
        let count = state.targets.len() as u32;
        if takes_second(&blend) && (target, count) != (0, 1) {
            return Err(Error::DualSource {
                label,
                target,
                count,
            });
        }
    }
    let reason = if !state.multisample.alpha_to_coverage_enabled {
        return Ok(());
    } else if state.multisample.count == 1 {
        "there is one sample"
    } else if !first_has_alpha(state) {
        "color target 0 has no alpha"
    } else {
        return Ok(());
    };
    Err(Error::AlphaToCoverage {
        label: label.clone(),
        reason,
    })
}

/// What the fragment shader must, or must not, give.
pub(crate) fn outputs(label: &Label, linked: &LinkedStages) -> Result<(), Error> {
    let Some(interface) = linked.interface(Stage::Fragment) else {
        return Ok(());
    };
    let (outputs, state) = (&interface.outputs, &linked.state);
    let second = outputs.iter().any(|output| output.second);
    let blend = state
        .targets
        .first()
        .and_then(|color| color.as_ref()?.blend);
    let wanted = blend.is_some_and(|blend| takes_second(&blend));
    let count = state.targets.len() as u32;
    if wanted != second && (wanted || count > 1) {
        return Err(Error::DualSource {
            label: label.clone(),
            target: 0,
            count,
        });
    }
    let alpha = (outputs.iter()).any(|output| output.location == 0 && output.components == 4);
    let reason = if !state.multisample.alpha_to_coverage_enabled {
        return Ok(());
    } else if !alpha {
        "the fragment shader writes no alpha to location 0"
    } else if linked.writes_sample_mask() {
        "the fragment shader writes a sample mask"
    } else {
        return Ok(());
    };
    Err(Error::AlphaToCoverage {
        label: label.clone(),
        reason,
    })
}

pub(super) fn takes_second(blend: &wgt::BlendState) -> bool {
    [blend.color, blend.alpha].iter().any(|component| {
        [component.src_factor, component.dst_factor]
            .iter()
            .any(|factor| factor.ref_second_blend_source())
    })
}

fn first_has_alpha(state: &GraphicsState) -> bool {
    let format = state.targets.first().and_then(|color| color.as_ref());
    let row = format.and_then(|color| pipeline::format::texture_format(color.format));
    row.is_some_and(|row| row.is_blendable() && row.has_alpha())
}
