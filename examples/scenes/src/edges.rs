//! The same thin triangles with 1, 2, 4 and 8 samples a pixel, magnified: resolves and loads of what they leave.

use crate::bytes::bytes;
use crate::{COLOR, Failure, Frame, Need, Picture, Scene, begin, wgsl};
use girih::*;

pub(super) const SCENE: Scene = Scene {
    name: "edges",
    about: "thin triangles with 1, 2, 4 and 8 samples a pixel, or 4 at most, magnified four times",
    needs: &[Need::Samples(2)],
    load,
};

/// Texels of a panel.
const WIDTH: u32 = 40;
const HEIGHT: u32 = 30;
const VERTICES: u32 = 3 * 7;

/// What is drawn with one number of samples.
struct Panel {
    pipeline: GraphicsPipeline,
    /// Drawn to where there are several samples.
    samples: Option<ImageView>,
    /// What is left of them.
    picture: ImageView,
}

struct Edges {
    panels: Vec<Panel>,
    magnify: GraphicsPipeline,
    set: DescriptorSet,
}

fn load(device: &Device) -> Result<Box<dyn Picture>, Failure> {
    let shader = wgsl(
        device,
        "edges",
        include_str!("../assets/shaders/edges.wgsl"),
    )?;
    // Fewer samples where there are not as many.
    let found = device.physical_device().format_capabilities(COLOR);
    let held = |count: u32| if found.has_samples(count) { count } else { 4 };
    let panels = [1, 2, 4, 8]
        .map(|count| panel(device, &shader, held(count)))
        .into_iter()
        .collect::<Result<Vec<Panel>, Failure>>()?;

    let magnify = pipeline(device, &shader, ["cover", "magnify"], 1)?;
    let bound: Vec<(u32, Descriptor)> = (panels.iter().enumerate())
        .map(|(i, panel)| (i as u32, (&panel.picture).into()))
        .collect();
    let set = device.create_descriptor_set(&DescriptorSetDescriptor {
        label: Some("panels"),
        layout: magnify.set_layout(0).ok_or("the shader has textures")?,
        entries: &bound,
    })?;
    Ok(Box::new(Edges {
        panels,
        magnify,
        set,
    }))
}

fn pipeline(
    device: &Device,
    shader: &ShaderModule,
    [vertex, fragment]: [&str; 2],
    count: u32,
) -> Result<GraphicsPipeline, Failure> {
    let stage = |entry| ShaderStage {
        module: shader,
        entry: Some(entry),
        constants: &[],
    };
    Ok(
        device.create_graphics_pipeline(&GraphicsPipelineDescriptor {
            label: Some(fragment),
            fragment: Some(stage(fragment)),
            targets: &[Some(COLOR.into())],
            multisample: MultisampleState {
                count,
                ..MultisampleState::default()
            },
            ..GraphicsPipelineDescriptor::new(stage(vertex))
        })?,
    )
}

fn panel(device: &Device, shader: &ShaderModule, count: u32) -> Result<Panel, Failure> {
    let view = |samples, usage| -> Result<ImageView, Failure> {
        let image = device.create_image(&ImageDescriptor {
            label: Some("panel"),
            size: Extent3d {
                width: WIDTH,
                height: HEIGHT,
                depth_or_array_layers: 1,
            },
            samples,
            format: COLOR,
            usage: TextureUsages::RENDER_ATTACHMENT | usage,
            ..Default::default()
        })?;
        Ok(device.create_image_view(&image, &ImageViewDescriptor::default())?)
    };
    Ok(Panel {
        pipeline: pipeline(device, shader, ["spokes", "paint"], count)?,
        samples: match count {
            1 => None,
            _ => Some(view(count, TextureUsages::empty())?),
        },
        picture: view(1, TextureUsages::TEXTURE_BINDING)?,
    })
}

impl Picture for Edges {
    fn draw(&mut self, frame: &mut Frame<'_>) -> Result<(), Failure> {
        let turn = [frame.number as f32 * 0.01, frame.aspect()];
        let commands = &mut *frame.commands;
        for panel in &self.panels {
            let attached = ImageLayout::ColorAttachment;
            let views = panel.samples.iter().chain([&panel.picture]);
            let layouts: Vec<_> = views.map(|view| (view.image(), attached)).collect();
            commands.transition_all(&layouts)?;
            let resolve = panel.samples.is_some().then(|| (&panel.picture).into());
            commands.begin_pass(&RenderPass {
                label: Some("panel"),
                colors: &[Some(ColorAttachment {
                    view: panel.samples.as_ref().unwrap_or(&panel.picture),
                    resolve,
                    load: LoadOp::Clear(Color::BLACK),
                    store: StoreOp::Store,
                })],
                depth_stencil: None,
            })?;
            commands.bind_pipeline(&panel.pipeline)?;
            commands.push_constants(0, &bytes(&turn))?;
            commands.draw(0..VERTICES, 0..1)?;
            commands.end_pass()?;
            let image = panel.picture.image();
            commands.transition(image, attached, ImageLayout::ShaderReadOnly)?;
        }
        begin(frame, "edges", Color::BLACK)?;
        frame.commands.bind_pipeline(&self.magnify)?;
        frame.commands.bind_descriptor_set(0, &self.set, &[])?;
        frame.commands.draw(0..3, 0..1)?;
        frame.commands.end_pass()?;
        Ok(())
    }
}
