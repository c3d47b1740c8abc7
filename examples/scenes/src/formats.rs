//! One picture in many formats: converted by scaled copies, packed by hand where those do not write, shown by loads.

use crate::bytes::bytes;
use crate::{Failure, Frame, Need, Picture, Scene, begin, blocks, wgsl};
use girih::*;

pub(super) const SCENE: Scene = Scene {
    name: "formats",
    about: "a gallery of texture formats: one picture in each",
    needs: &[Need::Integers],
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

struct Gallery {
    /// By [`Seen`].
    pipelines: Vec<GraphicsPipeline>,
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
fn converted(device: &Device, format: F, sources: &[Image; 3]) -> Result<Image, Failure> {
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
            let source = &sources[match seen(format) {
                Seen::Unsigned => 1,
                Seen::Signed => 2,
                _ => 0,
            }];
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
    let sources = [
        image(device, F::Rgba32Float)?,
        image(device, F::Rgba32Uint)?,
        image(device, F::Rgba32Sint)?,
    ];
    let floats = picture();
    let hundredths: Vec<[i32; 4]> = floats
        .iter()
        .map(|v| v.map(|c| (c * 100.0) as i32))
        .collect();
    let negative: Vec<[i32; 4]> = hundredths.iter().map(|v| v.map(|c| -c)).collect();
    let texels = [bytes(&floats), bytes(&hundredths), bytes(&negative)];
    for (image, texels) in sources.iter().zip(texels) {
        let to = ImageCopy::level(image, 0);
        device.queue().write_image(&to, image.size(), &texels)?;
    }
    let shader = wgsl(
        device,
        "formats",
        include_str!("../assets/shaders/formats.wgsl"),
    )?;
    let entries = ["draw_floats", "draw_unsigned", "draw_signed", "draw_depths"];
    let pipelines = entries
        .into_iter()
        .map(|entry| crate::full_pipeline(device, &shader, entry))
        .collect::<Result<Vec<_>, Failure>>()?;
    let mut cells = Vec::new();
    for &format in FORMATS {
        let can = device.physical_device().format_capabilities(format);
        // A cell stays dark where the device has no such format, or there is no single picture of it.
        if !can.sampled || format.is_multi_planar_format() {
            cells.push(None);
            continue;
        }
        let image = converted(device, format, &sources)?;
        let view = device.create_image_view(&image, &ImageViewDescriptor::default())?;
        let seen = seen(format);
        let set = device.create_descriptor_set(&DescriptorSetDescriptor {
            label: Some("cell"),
            layout: pipelines[seen as usize]
                .set_layout(0)
                .ok_or("the shader has a texture")?,
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
            let at = [cell as u32 % COLUMNS, cell as u32 / COLUMNS];
            frame
                .commands
                .set_viewport(crate::cell(size, [COLUMNS, rows], at))?;
            frame
                .commands
                .set_scissor(crate::cell_rect(size, [COLUMNS, rows], at))?;
            frame
                .commands
                .bind_pipeline(&self.pipelines[*seen as usize])?;
            frame.commands.bind_descriptor_set(0, set, &[])?;
            frame.commands.draw(0..3, 0..1)?;
        }
        frame.commands.end_pass()?;
        Ok(())
    }
}
