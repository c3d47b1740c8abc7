//! The pictures that examples, tests, benches and the `girih` command draw: a [`Scene`] loads what does not change and gives
//! a [`Picture`], which records frames.
//!
//! Scenes use the public interface of `girih` alone and no arithmetic that differs between hosts, so a frame is the same
//! bytes everywhere.

#![forbid(unsafe_code)]

pub mod benchmark;
mod blocks;
mod bytes;
mod cube;
mod edges;
mod formats;
mod geometry;
mod glow;
pub mod hashes;
mod levels;
mod lines;
mod mandelbrot;
mod math;
pub mod matrix;
mod mesh;
mod need;
mod particles;
pub mod png;
mod samplers;
mod tiles;
mod triangle;

pub use ::image;
use ::image::RgbaImage;
use girih::*;
pub use need::Need;

/// Why a scene could not be drawn: any error of the interface.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Format that scenes are drawn in.
pub const COLOR: TextureFormat = TextureFormat::Rgba8UnormSrgb;
/// Format of the depth attachment: 32 bits of a float, or 24 where a device has no such depths.
pub fn depth_format(device: &Device) -> TextureFormat {
    let gpu = device.physical_device();
    match gpu
        .format_capabilities(TextureFormat::Depth32Float)
        .depth_stencil
    {
        true => TextureFormat::Depth32Float,
        false => TextureFormat::Depth24Plus,
    }
}

/// A scene.
pub struct Scene {
    /// Name, as on the command line.
    pub name: &'static str,
    /// What is to be seen.
    pub about: &'static str,
    /// What a device has that draws it.
    pub needs: &'static [Need],
    /// Makes everything that does not change from frame to frame.
    pub load: fn(&Device) -> Result<Box<dyn Picture>, Failure>,
}

/// Every scene.
pub const SCENES: &[Scene] = &[
    triangle::SCENE,
    cube::SCENE,
    mandelbrot::SCENE,
    edges::SCENE,
    lines::SCENE,
    formats::SCENE,
    samplers::SCENE,
    glow::SCENE,
    particles::SCENE,
    geometry::EXPLODED,
    geometry::NORMALS,
    geometry::WIREFRAME,
    geometry::BILLBOARDS,
    geometry::GRASS,
    geometry::SHADOWS,
    geometry::REFLECTIONS,
];

/// The scene of a name.
pub fn scene(name: &str) -> Option<&'static Scene> {
    SCENES.iter().find(|scene| scene.name == name)
}

/// A loaded scene.
pub trait Picture: Send {
    /// Records one frame: passes that leave the picture in `frame.color`.
    fn draw(&mut self, frame: &mut Frame<'_>) -> Result<(), Failure>;
}

/// What a frame is drawn with.
pub struct Frame<'a> {
    /// Where it is recorded.
    pub commands: &'a mut CommandBuffer,
    /// Colour attachment of format [`COLOR`] (of [`benchmark::COLOR`] in scenes of the benchmark), in the layout of one.
    pub color: &'a ImageView,
    /// Depth attachment of the format that [`depth_format`] gives, in the layout of one.
    pub depth: &'a ImageView,
    /// Number of the frame; 60 make a second.
    pub number: u32,
}

impl Frame<'_> {
    /// Width over height.
    pub fn aspect(&self) -> f32 {
        let size = self.color.size();
        size.width as f32 / size.height as f32
    }
}

/// Images that scenes are drawn to.
pub struct Canvas {
    queue: Queue,
    device: Device,
    color: ImageView,
    depth: ImageView,
}

impl Canvas {
    /// Images of a size, for the scenes of [`SCENES`].
    pub fn new(device: &Device, width: u32, height: u32) -> Result<Canvas, Failure> {
        Canvas::with_format(device, width, height, COLOR)
    }

    /// Images of a size, for the scenes of [`benchmark::SCENES`].
    pub fn for_benchmark(device: &Device, width: u32, height: u32) -> Result<Canvas, Failure> {
        Canvas::with_format(device, width, height, benchmark::COLOR)
    }

    fn with_format(
        device: &Device,
        width: u32,
        height: u32,
        color: TextureFormat,
    ) -> Result<Canvas, Failure> {
        let attachment = |label, format, usage| -> Result<ImageView, Failure> {
            let image = device.create_image(&ImageDescriptor {
                label: Some(label),
                size: Extent3d {
                    width,
                    height,
                    depth_or_array_layers: 1,
                },
                format,
                usage: TextureUsages::RENDER_ATTACHMENT | usage,
                ..Default::default()
            })?;
            Ok(device.create_image_view(&image, &ImageViewDescriptor::default())?)
        };
        Ok(Canvas {
            queue: device.queue(),
            device: device.clone(),
            color: attachment("color", color, TextureUsages::COPY_SRC)?,
            depth: attachment("depth", depth_format(device), TextureUsages::empty())?,
        })
    }

    /// Draws a frame and waits for it.
    pub fn draw(&self, picture: &mut dyn Picture, number: u32) -> Result<(), Failure> {
        let mut commands = self.device.create_command_buffer(Some("frame"));
        let (color, depth) = (self.color.image(), self.depth.image());
        commands.transition_all(&[
            (color, ImageLayout::ColorAttachment),
            (depth, ImageLayout::DepthStencilAttachment),
        ])?;
        picture.draw(&mut Frame {
            commands: &mut commands,
            color: &self.color,
            depth: &self.depth,
            number,
        })?;
        commands.transition(color, ImageLayout::ColorAttachment, ImageLayout::CopySource)?;
        self.queue.submit(&[&commands], &[])?;
        Ok(())
    }

    /// What the picture is drawn to.
    pub fn image(&self) -> &Image {
        self.color.image()
    }

    /// The picture drawn last.
    pub fn picture(&self) -> Result<RgbaImage, Failure> {
        Ok(self.queue.read_picture(self.color.image())?)
    }
}

/// A shader module from WGSL text.
fn wgsl(device: &Device, label: &str, text: &str) -> Result<ShaderModule, Failure> {
    Ok(device.create_shader_module(&ShaderModuleDescriptor {
        label: Some(label),
        source: ShaderSource::Wgsl(text.into()),
    })?)
}

/// A pass that clears to a colour, and depth to 1.
fn begin(frame: &mut Frame<'_>, label: &str, clear: Color) -> Result<(), Failure> {
    frame.commands.begin_pass(&RenderPass {
        label: Some(label),
        colors: &[Some(ColorAttachment {
            load: LoadOp::Clear(clear),
            ..frame.color.into()
        })],
        depth_stencil: Some(DepthStencilAttachment {
            view: frame.depth,
            depth: AspectAccess::Write {
                load: LoadOp::Clear(1.0),
                store: StoreOp::Discard,
            },
            stencil: AspectAccess::ReadOnly,
            resolve: None,
        }),
    })?;
    Ok(())
}

/// The depth attachment of pipelines that neither test nor write it.
fn untested(device: &Device) -> DepthStencilState {
    DepthStencilState {
        format: depth_format(device),
        depth_write_enabled: Some(false),
        depth_compare: Some(CompareFunction::Always),
        stencil: StencilState::default(),
        bias: DepthBiasState::default(),
    }
}

/// A pipeline that draws one triangle over its viewport, without depth test.
fn full_pipeline(
    device: &Device,
    shader: &ShaderModule,
    entry: &str,
) -> Result<GraphicsPipeline, Failure> {
    let stage = |entry| ShaderStage {
        module: shader,
        entry: Some(entry),
        constants: &[],
    };
    Ok(
        device.create_graphics_pipeline(&GraphicsPipelineDescriptor {
            label: Some(entry),
            fragment: Some(stage(entry)),
            targets: &[Some(COLOR.into())],
            depth_stencil: Some(untested(device)),
            ..GraphicsPipelineDescriptor::new(stage("vertex"))
        })?,
    )
}

/// One cell of a grid over a picture.
fn cell_rect(size: Extent3d, cells: [u32; 2], at: [u32; 2]) -> Rect {
    let edge = |extent: u32, count: u32, n: u32| extent * n / count;
    let (left, top) = (
        edge(size.width, cells[0], at[0]),
        edge(size.height, cells[1], at[1]),
    );
    Rect {
        x: left,
        y: top,
        width: edge(size.width, cells[0], at[0] + 1) - left,
        height: edge(size.height, cells[1], at[1] + 1) - top,
    }
}

/// The viewport of a cell.
fn cell(size: Extent3d, cells: [u32; 2], at: [u32; 2]) -> Viewport {
    let rect = cell_rect(size, cells, at);
    Viewport {
        x: rect.x as f32,
        y: rect.y as f32,
        width: rect.width.max(1) as f32,
        height: rect.height.max(1) as f32,
        min_depth: 0.0,
        max_depth: 1.0,
    }
}
