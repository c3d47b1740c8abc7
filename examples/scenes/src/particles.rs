//! A fountain: a compute shader moves particles in their buffer, which the next pass draws as quads.

use crate::bytes::bytes;
use crate::{COLOR, Failure, Frame, Need, Picture, Scene, begin, untested, wgsl};
use girih::*;

pub(super) const SCENE: Scene = Scene {
    name: "particles",
    about: "a fountain of particles that a compute shader moves",
    needs: &[Need::Compute],
    load,
};

const COUNT: u32 = 1536;
/// Bytes of a particle: place, speed, age and seed.
const BYTES: u64 = 24;
/// Threads of a group.
const GROUP: u32 = 64;
/// Steps before the first frame, in which particles meet the balls.
const BEFORE: u32 = 90;

struct Particles {
    advance: ComputePipeline,
    moved: DescriptorSet,
    room: GraphicsPipeline,
    sparks: GraphicsPipeline,
    drawn: DescriptorSet,
    /// Where all begin, and where they are.
    buffers: [Buffer; 2],
    /// Steps that they have gone.
    steps: Option<u32>,
}

/// Particles on their way through the air, as if there were no balls.
fn start() -> Vec<u8> {
    let mut state = 1_u32;
    let mut random = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 24) as f32
    };
    let mut particles = Vec::new();
    for n in 0..COUNT {
        let age = 3.0 * random();
        let speed = [0.75 * (random() - random()), 1.7 + 0.35 * random()];
        let place = [speed[0] * age, -0.35 + speed[1] * age - 0.75 * age * age];
        let speed = [speed[0], speed[1] - 1.5 * age];
        particles.extend(bytes(&[place, speed]));
        particles.extend(bytes(&[age]));
        particles.extend(bytes(&[n]));
    }
    particles
}

fn load(device: &Device) -> Result<Box<dyn Picture>, Failure> {
    let text = include_str!("../assets/shaders/particles.wgsl");
    let shader = wgsl(device, "particles", text)?;
    let stage = |entry| ShaderStage {
        module: &shader,
        entry: Some(entry),
        constants: &[],
    };
    let buffer = |label, usage| {
        device.create_buffer_init(&BufferInitDescriptor {
            label: Some(label),
            contents: &start(),
            usage,
        })
    };
    let buffers = [
        buffer("start", BufferUsages::COPY_SRC)?,
        buffer("particles", BufferUsages::STORAGE | BufferUsages::COPY_DST)?,
    ];
    let advance = device.create_compute_pipeline(&ComputePipelineDescriptor {
        label: Some("advance"),
        ..ComputePipelineDescriptor::new(stage("advance"))
    })?;
    let pipeline = |label, [vertex, fragment]: [&'static str; 2], blend| {
        device.create_graphics_pipeline(&GraphicsPipelineDescriptor {
            label: Some(label),
            fragment: Some(stage(fragment)),
            targets: &[Some(ColorTargetState {
                blend,
                ..COLOR.into()
            })],
            depth_stencil: Some(untested(device)),
            ..GraphicsPipelineDescriptor::new(stage(vertex))
        })
    };
    let added = BlendComponent {
        src_factor: BlendFactor::One,
        dst_factor: BlendFactor::One,
        operation: BlendOperation::Add,
    };
    let room = pipeline("room", ["vertex", "room"], None)?;
    let light = BlendState {
        color: added,
        alpha: BlendComponent::REPLACE,
    };
    let sparks = pipeline("sparks", ["quad", "spark"], Some(light))?;
    let set = |label, layout: Option<&DescriptorSetLayout>, binding| -> Result<_, Failure> {
        Ok(device.create_descriptor_set(&DescriptorSetDescriptor {
            label: Some(label),
            layout: layout.ok_or("the shader has bindings")?,
            entries: &[(binding, (&buffers[1]).into())],
        })?)
    };
    Ok(Box::new(Particles {
        moved: set("moved", advance.set_layout(0), 0)?,
        drawn: set("drawn", sparks.set_layout(0), 1)?,
        advance,
        room,
        sparks,
        buffers,
        steps: None,
    }))
}

impl Picture for Particles {
    fn draw(&mut self, frame: &mut Frame<'_>) -> Result<(), Failure> {
        let wanted = BEFORE + frame.number;
        let commands = &mut *frame.commands;
        // A frame shows what its number says, whichever was drawn before.
        let done = match self.steps {
            Some(done) if done <= wanted => done,
            _ => {
                let [from, to] = self.buffers.each_ref();
                let [from, to] = [from, to].map(|buffer| BufferCopy::at(buffer, 0));
                commands.copy_buffer(&from, &to, BYTES * u64::from(COUNT))?;
                0
            }
        };
        self.steps = Some(wanted);
        commands.begin_compute_pass(&ComputePass {
            label: Some("particles"),
        })?;
        commands.bind_compute_pipeline(&self.advance)?;
        commands.bind_descriptor_set(0, &self.moved, &[])?;
        for _ in done..wanted {
            commands.dispatch([COUNT.div_ceil(GROUP), 1, 1])?;
        }
        commands.end_pass()?;

        let aspect = bytes(&[frame.aspect()]);
        begin(frame, "particles", Color::BLACK)?;
        frame.commands.bind_pipeline(&self.room)?;
        frame.commands.push_constants(0, &aspect)?;
        frame.commands.draw(0..3, 0..1)?;
        frame.commands.bind_pipeline(&self.sparks)?;
        frame.commands.bind_descriptor_set(0, &self.drawn, &[])?;
        frame.commands.push_constants(0, &aspect)?;
        frame.commands.draw(0..6, 0..COUNT)?;
        frame.commands.end_pass()?;
        Ok(())
    }
}
