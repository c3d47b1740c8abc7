//! One picture in many formats: converted by scaled copies, packed by hand where those do not write, shown by loads.

use crate::bytes::bytes;
use crate::{Failure, Frame, Picture, Scene, begin, blocks, wgsl};
use girih::*;

pub(super) const SCENE: Scene = Scene {
    name: "formats",
    about: "a gallery of texture formats: one picture in each",
    needs: &[],
    load,
};

/// Texels across and down of each picture.
const SIDE: u32 = 32;
/// Cells across.
const COLUMNS: u32 = 8;

use TextureFormat as F;

/// From one channel to four, from few bits to many; then what is no colour, and what is compressed.
#[rustfmt::skip]
const FORMATS: &[F] = &[
    F::R8Unorm, F::R8Snorm, F::R8Uint, F::R8Sint, F::R16Unorm, F::R16Snorm, F::R16Float, F::R16Uint,
    F::R32Float, F::R32Uint, F::Rg8Unorm, F::Rg8Snorm, F::Rg8Uint, F::Rg16Unorm, F::Rg16Float, F::Rg16Sint,
    F::Rg32Float, F::Rg32Sint, F::Rgba8Unorm, F::Rgba8UnormSrgb, F::Rgba8Snorm, F::Rgba8Uint, F::Rgba8Sint, F::Bgra8Unorm,
    F::Bgra8UnormSrgb, F::Rgb10a2Unorm, F::Rgb10a2Uint, F::Rg11b10Ufloat, F::Rgba16Unorm, F::Rgba16Snorm, F::Rgba16Float, F::Rgba16Sint,
    F::Rgba32Float, F::Rgba32Uint, F::Depth16Unorm, F::Depth32Float, F::Stencil8, F::Rgb9e5Ufloat, F::Bc1RgbaUnorm, F::Bc1RgbaUnormSrgb,
    F::Bc2RgbaUnorm, F::Bc3RgbaUnorm, F::Bc4RUnorm, F::Bc4RSnorm, F::Bc5RgUnorm, F::Bc5RgSnorm, F::Etc2Rgb8Unorm, F::NV12,
];

/// What the shader sees.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    Floats,
    Unsigned,
    Signed,
    Depths,
}

impl Seen {
    const ALL: [(Seen, &'static str); 4] = [
        (Seen::Floats, "draw_floats"),
        (Seen::Unsigned, "draw_unsigned"),
        (Seen::Signed, "draw_signed"),
        (Seen::Depths, "draw_depths"),
    ];

    /// What pictures are converted from; nothing for what is packed by hand.
    fn source(self) -> Option<F> {
        match self {
            Seen::Floats => Some(F::Rgba32Float),
            Seen::Unsigned => Some(F::Rgba32Uint),
            Seen::Signed => Some(F::Rgba32Sint),
            Seen::Depths => None,
        }
    }

    /// The same picture in that format.
    fn texels(self) -> Vec<u8> {
        let scaled = |scale: f32| -> Vec<[i32; 4]> {
            let texels = picture().into_iter();
            texels.map(|v| v.map(|c| (c * scale) as i32)).collect()
        };
        match self {
            Seen::Unsigned => bytes(&scaled(100.0)),
            Seen::Signed => bytes(&scaled(-100.0)),
            Seen::Floats | Seen::Depths => bytes(&picture()),
        }
    }
}

struct Gallery {
    /// By [`Seen`]; none of what the device has no formats of.
    pipelines: [Option<GraphicsPipeline>; 4],
    /// The pictures that the device has, by cell.
    cells: Vec<Option<(Seen, DescriptorSet)>>,
}

/// Red, green, blue and alpha in 0 to 1: two ramps, a disc, a transparent corner.
fn picture() -> Vec<[f32; 4]> {
    let texel = |i: u32| {
        let (x, y) = ((i % SIDE) as i32, (i / SIDE) as i32);
        let (dx, dy) = (2 * x - SIDE as i32 + 1, 2 * y - SIDE as i32 + 1);
        let disc = dx * dx + dy * dy < 500;
        let ramp = |n: i32| n as f32 / (SIDE - 1) as f32;
        let alpha = if x + y < 14 { 0.25 } else { 1.0 };
        match disc {
            true => [1.0 - ramp(x), ramp(y), 1.0, alpha],
            false => [ramp(x), ramp(y), 0.25, alpha],
        }
    };
    (0..SIDE * SIDE).map(texel).collect()
}

fn seen(format: F) -> Seen {
    match format.sample_type(None, None) {
        Some(TextureSampleType::Uint) => Seen::Unsigned,
        Some(TextureSampleType::Sint) => Seen::Signed,
        Some(TextureSampleType::Depth) => Seen::Depths,
        _ => Seen::Floats,
    }
}

fn image(device: &Device, format: F) -> Result<Image, Failure> {
    let copies = TextureUsages::COPY_SRC | TextureUsages::COPY_DST;
    let image = device.create_image(&ImageDescriptor {
        label: Some("picture"),
        size: Extent3d {
            width: SIDE,
            height: SIDE,
            depth_or_array_layers: 1,
        },
        format,
        usage: TextureUsages::TEXTURE_BINDING | copies,
        ..Default::default()
    })?;
    device.queue().transition(&image, ImageLayout::General)?;
    Ok(image)
}

/// The picture in a format.
fn converted(device: &Device, format: F, source: Option<&Image>) -> Result<Image, Failure> {
    let to = image(device, format)?;
    let whole = ImageCopy::level(&to, 0);
    let grey = |scale: f32| {
        picture()
            .into_iter()
            .map(move |[r, g, ..]| (r + g) / 2.0 * scale)
    };
    let bytes: Vec<u8> = match format {
        F::Depth32Float => grey(1.0).flat_map(f32::to_le_bytes).collect(),
        F::Depth16Unorm => grey(65535.0)
            .flat_map(|v| (v as u16).to_le_bytes())
            .collect(),
        F::Stencil8 => grey(100.0).map(|v| v as u8).collect(),
        F::Rgb9e5Ufloat => picture()
            .iter()
            .flat_map(|v| blocks::shared_exponent(v).to_le_bytes())
            .collect(),
        _ if format.is_compressed() => blocks::encode(format, &picture(), SIDE),
        _ => {
            let source = source.ok_or("a picture to convert")?;
            let mut commands = device.create_command_buffer(Some("convert"));
            commands.blit_image(
                &ImageBlit::level(source, 0),
                &ImageBlit::level(&to, 0),
                FilterMode::Nearest,
            )?;
            device.queue().submit(&[&commands], &[])?;
            return Ok(to);
        }
    };
    device.queue().write_image(&whole, to.size(), &bytes)?;
    Ok(to)
}

fn load(device: &Device) -> Result<Box<dyn Picture>, Failure> {
    let gpu = device.physical_device();
    let shader = wgsl(
        device,
        "formats",
        include_str!("../assets/shaders/formats.wgsl"),
    )?;
    let mut sources = [const { None }; 4];
    let mut pipelines = [const { None }; 4];
    for (seen, entry) in Seen::ALL {
        let formats = FORMATS.iter().filter(|format| self::seen(**format) == seen);
        let mut formats = formats.map(|format| gpu.format_capabilities(*format));
        if !formats.any(|can| can.sampled) {
            continue;
        }
        pipelines[seen as usize] = Some(crate::full_pipeline(device, &shader, entry)?);
        if let Some(format) = seen.source() {
            let source = image(device, format)?;
            let to = ImageCopy::level(&source, 0);
            let texels = seen.texels();
            device.queue().write_image(&to, source.size(), &texels)?;
            sources[seen as usize] = Some(source);
        }
    }
    let mut cells = Vec::new();
    for &format in FORMATS {
        let can = gpu.format_capabilities(format);
        // A cell stays dark where the device has no such format, or there is no single picture of it.
        if !can.sampled || format.is_multi_planar_format() {
            cells.push(None);
            continue;
        }
        let seen = seen(format);
        let image = converted(device, format, sources[seen as usize].as_ref())?;
        let view = device.create_image_view(&image, &ImageViewDescriptor::default())?;
        let layout = pipelines[seen as usize].as_ref();
        let layout = layout.and_then(|pipeline| pipeline.set_layout(0));
        let set = device.create_descriptor_set(&DescriptorSetDescriptor {
            label: Some("cell"),
            layout: layout.ok_or("the shader has a texture")?,
            entries: &[(0, (&view).into())],
        })?;
        cells.push(Some((seen, set)));
    }
    Ok(Box::new(Gallery { pipelines, cells }))
}

impl Picture for Gallery {
    fn draw(&mut self, frame: &mut Frame<'_>) -> Result<(), Failure> {
        begin(frame, "formats", Color::BLACK)?;
        let rows = (FORMATS.len() as u32).div_ceil(COLUMNS);
        let size = frame.color.size();
        for (cell, found) in self.cells.iter().enumerate() {
            let Some((seen, set)) = found else { continue };
            let Some(pipeline) = &self.pipelines[*seen as usize] else {
                continue;
            };
            let at = [cell as u32 % COLUMNS, cell as u32 / COLUMNS];
            frame
                .commands
                .set_viewport(crate::cell(size, [COLUMNS, rows], at))?;
            frame
                .commands
                .set_scissor(crate::cell_rect(size, [COLUMNS, rows], at))?;
            frame.commands.bind_pipeline(pipeline)?;
            frame.commands.bind_descriptor_set(0, set, &[])?;
            frame.commands.draw(0..3, 0..1)?;
        }
        frame.commands.end_pass()?;
        Ok(())
    }
}
