//! Lamps that glow: a blur by compute shaders that share a line of texels, and a histogram counted by atomics.

use crate::bytes::bytes;
use crate::{Failure, Frame, Need, Picture, Scene, begin, full_pipeline, wgsl};
use girih::*;

pub(super) const SCENE: Scene = Scene {
    name: "glow",
    about: "lamps with a blur and a histogram by compute shaders",
    needs: &[Need::Compute],
    load,
};

/// Texels of what is lit and blurred.
const SIZE: Extent3d = Extent3d {
    width: 320,
    height: 240,
    depth_or_array_layers: 1,
};
/// Colours beyond 1.
const LIGHT: TextureFormat = TextureFormat::Rgba16Float;
/// Texels of a line that one group blurs.
const LINE: u32 = 64;
/// Bytes of the histogram: 64 bins.
const HISTOGRAM: u64 = 4 * 64;

/// A compute shader, what it works on, and in how many groups.
struct Dispatch {
    pipeline: ComputePipeline,
    set: DescriptorSet,
    groups: [u32; 3],
}

struct Glow {
    lamps: GraphicsPipeline,
    lit: ImageView,
    /// Blurred along rows, then along columns.
    blurred: [ImageView; 2],
    histogram: Buffer,
    dispatches: [Dispatch; 3],
    show: GraphicsPipeline,
    shown: DescriptorSet,
}

fn load(device: &Device) -> Result<Box<dyn Picture>, Failure> {
    let shader = wgsl(device, "glow", include_str!("../assets/shaders/glow.wgsl"))?;
    let view = |label, usage| -> Result<ImageView, Failure> {
        let image = device.create_image(&ImageDescriptor {
            label: Some(label),
            size: SIZE,
            format: LIGHT,
            usage: TextureUsages::TEXTURE_BINDING | usage,
            ..Default::default()
        })?;
        Ok(device.create_image_view(&image, &ImageViewDescriptor::default())?)
    };
    let lit = view("lamps", TextureUsages::RENDER_ATTACHMENT)?;
    let rows = view("rows", TextureUsages::STORAGE_BINDING)?;
    let blurred = view("rows and columns", TextureUsages::STORAGE_BINDING)?;
    let histogram = device.create_buffer(&BufferDescriptor {
        label: Some("histogram"),
        size: HISTOGRAM,
        usage: BufferUsages::STORAGE | BufferUsages::COPY_DST,
        ..BufferDescriptor::default()
    })?;
    let sampler = device.create_sampler(&SamplerDescriptor {
        label: Some("smooth"),
        mag_filter: FilterMode::Linear,
        min_filter: FilterMode::Linear,
        ..SamplerDescriptor::default()
    })?;

    let dispatch = |entry, entries: &[(u32, Descriptor)], groups| -> Result<Dispatch, Failure> {
        let pipeline = device.create_compute_pipeline(&ComputePipelineDescriptor {
            label: Some(entry),
            ..ComputePipelineDescriptor::new(stage(&shader, entry))
        })?;
        let set = set(device, entry, pipeline.set_layout(0), entries)?;
        Ok(Dispatch {
            pipeline,
            set,
            groups,
        })
    };
    let Extent3d { width, height, .. } = SIZE;
    let dispatches = [
        dispatch(
            "blur_rows",
            &[(0, (&lit).into()), (1, (&rows).into())],
            [width.div_ceil(LINE), height, 1],
        )?,
        dispatch(
            "blur_columns",
            &[(0, (&rows).into()), (1, (&blurred).into())],
            [height.div_ceil(LINE), width, 1],
        )?,
        dispatch(
            "count",
            &[(0, (&blurred).into()), (2, (&histogram).into())],
            [width.div_ceil(16), height.div_ceil(16), 1],
        )?,
    ];
    let lamps = device.create_graphics_pipeline(&GraphicsPipelineDescriptor {
        label: Some("lamps"),
        fragment: Some(stage(&shader, "light")),
        targets: &[Some(LIGHT.into())],
        ..GraphicsPipelineDescriptor::new(stage(&shader, "vertex"))
    })?;
    let show = full_pipeline(device, &shader, "show")?;
    let entries = [
        (3, (&lit).into()),
        (4, (&blurred).into()),
        (5, (&sampler).into()),
        (6, (&histogram).into()),
    ];
    let shown = set(device, "show", show.set_layout(0), &entries)?;
    Ok(Box::new(Glow {
        lamps,
        lit,
        blurred: [rows, blurred],
        histogram,
        dispatches,
        show,
        shown,
    }))
}

fn stage<'a>(module: &'a ShaderModule, entry: &'a str) -> ShaderStage<'a> {
    ShaderStage {
        module,
        entry: Some(entry),
        constants: &[],
    }
}

fn set(
    device: &Device,
    label: &str,
    layout: Option<&DescriptorSetLayout>,
    entries: &[(u32, Descriptor)],
) -> Result<DescriptorSet, Failure> {
    Ok(device.create_descriptor_set(&DescriptorSetDescriptor {
        label: Some(label),
        layout: layout.ok_or("the shader has bindings")?,
        entries,
    })?)
}

impl Picture for Glow {
    fn draw(&mut self, frame: &mut Frame<'_>) -> Result<(), Failure> {
        let turn = [frame.number as f32 * 0.01, frame.aspect()];
        let commands = &mut *frame.commands;
        let [rows, columns] = self.blurred.each_ref().map(|view| view.image());
        let lit = self.lit.image();
        commands.transition_all(&[
            (lit, ImageLayout::ColorAttachment),
            (rows, ImageLayout::General),
            (columns, ImageLayout::General),
        ])?;
        commands.begin_pass(&RenderPass {
            label: Some("lamps"),
            colors: &[Some((&self.lit).into())],
            depth_stencil: None,
        })?;
        commands.bind_pipeline(&self.lamps)?;
        commands.push_constants(0, &bytes(&turn))?;
        commands.draw(0..3, 0..1)?;
        commands.end_pass()?;
        commands.transition(
            lit,
            ImageLayout::ColorAttachment,
            ImageLayout::ShaderReadOnly,
        )?;

        commands.fill_buffer(&self.histogram, 0..HISTOGRAM, 0)?;
        commands.begin_compute_pass(&ComputePass {
            label: Some("glow"),
        })?;
        for dispatch in &self.dispatches {
            commands.bind_compute_pipeline(&dispatch.pipeline)?;
            commands.bind_descriptor_set(0, &dispatch.set, &[])?;
            commands.dispatch(dispatch.groups)?;
        }
        commands.end_pass()?;

        begin(frame, "glow", Color::BLACK)?;
        frame.commands.bind_pipeline(&self.show)?;
        frame.commands.bind_descriptor_set(0, &self.shown, &[])?;
        frame.commands.draw(0..3, 0..1)?;
        frame.commands.end_pass()?;
        Ok(())
    }
}
