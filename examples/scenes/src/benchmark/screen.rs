//! Scenes without vertex buffers: a triangle, blended layers, a ray march.

use super::kit::{Drawing, begin, filled, set, shader, uniform};
use crate::{Failure, Frame, Picture, Scene};
use girih::*;

pub(super) const TRIANGLE: Scene = Scene {
    name: "triangle",
    about: "one triangle of three colours",
    needs: &[],
    load: |device| {
        let shader = shader(
            device,
            "triangle",
            include_str!("../../assets/shaders/benchmark/triangle.wgsl"),
        )?;
        Ok(Box::new(Screen {
            pipeline: Drawing::new("triangle", &shader).pipeline(device)?,
            set: None,
            clear: [0.1, 0.2, 0.3],
            vertices: 3,
            instances: 1,
        }))
    },
};

pub(super) const FILL: Scene = Scene {
    name: "fill",
    about: "32 layers blended over the whole screen",
    needs: &[],
    load: |device| {
        let shader = shader(
            device,
            "fill",
            include_str!("../../assets/shaders/benchmark/fill.wgsl"),
        )?;
        Ok(Box::new(Screen {
            pipeline: Drawing {
                blend: Some(BlendState::ALPHA_BLENDING),
                ..Drawing::new("fill", &shader)
            }
            .pipeline(device)?,
            set: None,
            clear: [0.0; 3],
            vertices: 6,
            instances: 32,
        }))
    },
};

pub(super) const ALU: Scene = Scene {
    name: "alu",
    about: "a distance field marched by rays of up to 96 steps, with shadows",
    needs: &[],
    load: |device| {
        let shader = shader(
            device,
            "alu",
            include_str!("../../assets/shaders/benchmark/alu.wgsl"),
        )?;
        let (primary_steps, shadow_steps) = (96, 32);
        let aspect = super::WIDTH as f32 / super::HEIGHT as f32;
        let time = 0.8f32;
        let words = [
            time.to_bits(),
            aspect.to_bits(),
            primary_steps,
            shadow_steps,
        ];
        let uniforms = filled(device, "uniforms", BufferUsages::UNIFORM, &words)?;
        let (layout, set) = set(
            device,
            &[(ShaderStages::FRAGMENT, uniform(), (&uniforms).into())],
        )?;
        Ok(Box::new(Screen {
            pipeline: Drawing {
                sets: &[&layout],
                ..Drawing::new("alu", &shader)
            }
            .pipeline(device)?,
            set: Some(set),
            clear: [0.0; 3],
            vertices: 3,
            instances: 1,
        }))
    },
};

struct Screen {
    pipeline: GraphicsPipeline,
    set: Option<DescriptorSet>,
    clear: [f64; 3],
    vertices: u32,
    instances: u32,
}

impl Picture for Screen {
    fn draw(&mut self, frame: &mut Frame<'_>) -> Result<(), Failure> {
        begin(frame, "screen", self.clear, false)?;
        let commands = &mut *frame.commands;
        commands.bind_pipeline(&self.pipeline)?;
        if let Some(set) = &self.set {
            commands.bind_descriptor_set(0, set, &[])?;
        }
        commands.draw(0..self.vertices, 0..self.instances)?;
        commands.end_pass()?;
        Ok(())
    }
}
