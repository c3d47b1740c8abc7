//! Stippled lines, thin, wide and as outlines, each kind in a viewport that its vertices choose. Where a device has one
//! viewport each draw sets it, and where it has no stipples lines are whole.

use crate::bytes::bytes;
use crate::{COLOR, Failure, Frame, Picture, Scene, begin, cell, wgsl};
use girih::*;

pub(super) const SCENE: Scene = Scene {
    name: "lines",
    about: "stippled lines, thin, wide and as outlines, in four viewports",
    needs: &[],
    load,
};

const CORNERS: u32 = 14;
/// Location of the vertex output that names the viewport.
const VIEWPORT: u32 = 1;

/// Panels of the picture, two across and two down.
const PANELS: [[u32; 2]; 4] = [[0, 0], [1, 0], [0, 1], [1, 1]];

struct Lines {
    panels: Vec<GraphicsPipeline>,
    /// Vertices choose the viewport.
    chosen: bool,
}

fn load(device: &Device) -> Result<Box<dyn Picture>, Failure> {
    let shader = wgsl(
        device,
        "lines",
        include_str!("../assets/shaders/lines.wgsl"),
    )?;
    let stage = |entry| ShaderStage {
        module: &shader,
        entry: Some(entry),
        constants: &[],
    };
    let modes = device.features().line_modes;
    let chosen = device.limits().viewports >= PANELS.len() as u32;
    let panel = |label, outline: bool, width, mode, factor, pattern| {
        device.create_graphics_pipeline(&GraphicsPipelineDescriptor {
            label: Some(label),
            fragment: Some(stage("paint")),
            targets: &[Some(COLOR.into())],
            primitive: PrimitiveState {
                topology: match outline {
                    true => PrimitiveTopology::TriangleStrip,
                    false => PrimitiveTopology::LineStrip,
                },
                polygon_mode: match outline {
                    true => PolygonMode::Line,
                    false => PolygonMode::Fill,
                },
                ..PrimitiveState::default()
            },
            raster: RasterState {
                line_width: width,
                line_mode: if modes { mode } else { LineMode::default() },
                line_stipple: modes.then_some(LineStipple { factor, pattern }),
                viewport_output: chosen.then_some(VIEWPORT),
                ..RasterState::default()
            },
            ..GraphicsPipelineDescriptor::new(stage("spiral"))
        })
    };
    use LineMode::{Bresenham, Rectangular};
    let panels = [
        panel("thin", false, 1.0, Bresenham, 3, 0x3333),
        panel("wide", false, 5.0, Rectangular, 2, 0x3c3f),
        panel("square", false, 2.0, Rectangular, 1, 0x0f0f),
        panel("outlines", true, 1.0, Bresenham, 2, 0x7777),
    ];
    let panels = panels.into_iter().collect::<Result<_, _>>()?;
    Ok(Box::new(Lines { panels, chosen }))
}

impl Picture for Lines {
    fn draw(&mut self, frame: &mut Frame<'_>) -> Result<(), Failure> {
        begin(frame, "lines", Color::BLACK)?;
        let size = frame.color.size();
        let viewports = PANELS.map(|at| cell(size, [2, 2], at));
        if self.chosen {
            frame.commands.set_viewports(0, &viewports)?;
        }
        let reach = 1.0 + frame.number.min(60) as f32 / 500.0;
        for (number, pipeline) in (0u32..).zip(&self.panels) {
            let panel = [number, reach.to_bits(), frame.aspect().to_bits()];
            if !self.chosen {
                frame.commands.set_viewport(viewports[number as usize])?;
            }
            frame.commands.bind_pipeline(pipeline)?;
            frame.commands.push_constants(0, &bytes(&panel))?;
            frame.commands.draw(0..CORNERS, 0..1)?;
        }
        frame.commands.end_pass()?;
        Ok(())
    }
}
