//! Many spheres of different materials under six lights, with one sample a pixel and with four.

use super::COLOR;
use super::kit::{BOTH, CORNERS, Drawing, INSTANCES, attachment, begin, camera, cleared_depth};
use super::kit::{Loaded, filled, floats, nearer, set, shader, uniform, uniforms};
use crate::mesh::{Numbers, sphere};
use crate::{Failure, Frame, Need, Picture, Scene, depth_format};
use girih::*;

pub(super) const SCENE: Scene = Scene {
    name: "pbr",
    about: "324 spheres of 720 triangles, physically based, six lights",
    needs: &[],
    load: |device| load(device, 1),
};

pub(super) const MULTISAMPLED: Scene = Scene {
    name: "msaa4",
    about: "the same with four samples a pixel, resolved",
    needs: &[Need::Samples(4)],
    load: |device| load(device, 4),
};

struct Spheres {
    pipeline: GraphicsPipeline,
    set: DescriptorSet,
    mesh: Loaded,
    instances: Buffer,
    count: u32,
    device: Device,
    samples: u32,
    /// Colour and depth of several samples, as large as the frame before was.
    images: Option<[ImageView; 2]>,
}

const CLEAR: [f64; 3] = [0.02, 0.02, 0.03];
const EYE: [f32; 3] = [2.5, 1.6, 10.5];
/// Where the lights are.
const PLACES: [[f32; 3]; 6] = [
    [-8.0, 6.0, 5.0],
    [8.0, 5.0, 4.0],
    [0.0, -6.0, 6.0],
    [-6.0, -3.0, -4.0],
    [6.0, 6.0, -6.0],
    [0.0, 8.0, 8.0],
];
/// What they shine.
const COLORS: [[f32; 3]; 6] = [
    [60.0, 50.0, 40.0],
    [40.0, 50.0, 70.0],
    [30.0, 45.0, 30.0],
    [50.0, 20.0, 30.0],
    [40.0, 40.0, 20.0],
    [60.0, 60.0, 60.0],
];

fn load(device: &Device, samples: u32) -> Result<Box<dyn Picture>, Failure> {
    let mut scene = floats(&camera(EYE, [0.0, -0.2, -4.0], 50.0, 0.1, 60.0));
    for [x, y, z] in [EYE].into_iter().chain(PLACES).chain(COLORS) {
        scene.extend([x, y, z, 0.0]);
    }
    let uniforms = uniforms(device, &scene)?;
    let (layout, set) = set(device, &[(BOTH, uniform(), (&uniforms).into())])?;
    let shader = shader(
        device,
        "pbr",
        include_str!("../../assets/shaders/benchmark/pbr.wgsl"),
    )?;
    let pipeline = Drawing {
        sets: &[&layout],
        buffers: &[CORNERS, INSTANCES],
        depth: Some(nearer()),
        cull_back: true,
        samples,
        ..Drawing::new("pbr", &shader)
    }
    .pipeline(device)?;
    let instances = instances();
    Ok(Box::new(Spheres {
        pipeline,
        set,
        mesh: Loaded::new(device, &sphere(24, 16))?,
        instances: filled(
            device,
            "instances",
            BufferUsages::VERTEX,
            instances.as_flattened(),
        )?,
        count: instances.len() as u32,
        device: device.clone(),
        samples,
        images: None,
    }))
}

/// Centre and radius, colour and roughness, metalness of each sphere, in an order that is neither front to back nor back
/// to front.
fn instances() -> Vec<[f32; 12]> {
    let mut numbers = Numbers(42);
    let mut spheres = Vec::new();
    for z in 0..6 {
        for y in 0..6 {
            for x in 0..9 {
                let mut near = |grid: f32| grid + numbers.between(-0.35, 0.35);
                let [x, y, z] = [
                    near((x as f32 - 4.0) * 1.9),
                    near((y as f32 - 2.5) * 1.75),
                    near(-(z as f32) * 2.2),
                ];
                let radius = numbers.between(0.45, 0.85);
                let [r, g, b] = std::array::from_fn(|_| numbers.between(0.2, 0.95));
                let roughness = numbers.between(0.15, 0.9);
                let metal = f32::from(numbers.unit() > 0.5);
                spheres.push([x, y, z, radius, r, g, b, roughness, metal, 0.0, 0.0, 0.0]);
            }
        }
    }
    for i in (1..spheres.len()).rev() {
        spheres.swap(i, numbers.word() as usize % (i + 1));
    }
    spheres
}

impl Spheres {
    /// Images of several samples, of the size of the frame; none for one sample.
    fn images(&mut self, frame: &Frame<'_>) -> Result<Option<[ImageView; 2]>, Failure> {
        let size = frame.color.size();
        let fits = |images: &[ImageView; 2]| images[0].size() == size;
        if self.samples > 1 && !self.images.as_ref().is_some_and(fits) {
            let image = |label, format| {
                let size = (size.width, size.height);
                let usage = TextureUsages::empty();
                attachment(&self.device, label, size, format, self.samples, usage)
            };
            self.images = Some([
                image("samples of colour", COLOR)?,
                image("samples of depth", depth_format(&self.device))?,
            ]);
        }
        Ok(self.images.clone())
    }
}

impl Picture for Spheres {
    fn draw(&mut self, frame: &mut Frame<'_>) -> Result<(), Failure> {
        match &self.images(frame)? {
            None => begin(frame, "spheres", CLEAR, true)?,
            Some([color, depth]) => {
                let old = ImageLayout::Undefined;
                let [r, g, b] = CLEAR;
                let commands = &mut *frame.commands;
                commands.transition(color.image(), old, ImageLayout::ColorAttachment)?;
                commands.transition(depth.image(), old, ImageLayout::DepthStencilAttachment)?;
                commands.begin_pass(&RenderPass {
                    label: Some("spheres"),
                    colors: &[Some(ColorAttachment {
                        view: color,
                        resolve: Some(frame.color.into()),
                        load: LoadOp::Clear(Color { r, g, b, a: 1.0 }),
                        store: StoreOp::Discard,
                    })],
                    depth_stencil: Some(cleared_depth(depth, StoreOp::Discard)),
                })?;
            }
        }
        let commands = &mut *frame.commands;
        commands.bind_pipeline(&self.pipeline)?;
        commands.bind_descriptor_set(0, &self.set, &[])?;
        commands.bind_vertex_buffer(1, &self.instances, 0)?;
        self.mesh.draw(commands, 0..self.count)?;
        commands.end_pass()?;
        Ok(())
    }
}
