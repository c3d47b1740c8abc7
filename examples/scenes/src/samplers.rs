//! What each state of a sampler does, side by side: address modes, filters, levels, anisotropy, borders, reductions,
//! comparisons, gathers, offsets, cubes. Cells stay black where a device lacks the feature (reductions, coordinates that
//! count texels, faces for themselves).

use crate::{Failure, Frame, Picture, Scene, begin, tiles, wgsl};
use girih::*;

pub(super) const SCENE: Scene = Scene {
    name: "samplers",
    about: "a gallery of sampler states",
    needs: &[],
    load,
};

/// Cells across and down.
const GRID: [u32; 2] = [6, 5];

const NEAREST: SamplerDescriptor<'static> = SamplerDescriptor {
    label: Some("cell"),
    address_mode_u: AddressMode::Repeat,
    address_mode_v: AddressMode::Repeat,
    address_mode_w: AddressMode::Repeat,
    mag_filter: FilterMode::Nearest,
    min_filter: FilterMode::Nearest,
    mipmap_filter: MipmapFilterMode::Nearest,
    lod_min_clamp: 0.0,
    lod_max_clamp: 32.0,
    lod_bias: 0.0,
    compare: None,
    anisotropy_clamp: 1,
    border_color: None,
    reduction: Reduction::Average,
    unnormalized: false,
    seamless_cubes: true,
};
const LINEAR: SamplerDescriptor<'static> = SamplerDescriptor {
    mag_filter: FilterMode::Linear,
    min_filter: FilterMode::Linear,
    ..NEAREST
};
const TRILINEAR: SamplerDescriptor<'static> = SamplerDescriptor {
    mipmap_filter: MipmapFilterMode::Linear,
    ..LINEAR
};
const CLAMP: SamplerDescriptor<'static> = SamplerDescriptor {
    address_mode_u: AddressMode::ClampToEdge,
    address_mode_v: AddressMode::ClampToEdge,
    ..LINEAR
};

const fn bordered(color: BorderColor) -> SamplerDescriptor<'static> {
    SamplerDescriptor {
        address_mode_u: AddressMode::ClampToBorder,
        address_mode_v: AddressMode::ClampToBorder,
        border_color: Some(color),
        ..LINEAR
    }
}

const fn anisotropic(ratio: u16) -> SamplerDescriptor<'static> {
    SamplerDescriptor {
        anisotropy_clamp: ratio,
        ..TRILINEAR
    }
}

const fn biased(lod_bias: f32) -> SamplerDescriptor<'static> {
    SamplerDescriptor {
        lod_bias,
        ..TRILINEAR
    }
}

/// Entry point of the shader and sampler of every cell.
const CELLS: [(&str, SamplerDescriptor<'static>); 30] = [
    // Outside.
    ("flat", LINEAR),
    (
        "flat",
        SamplerDescriptor {
            address_mode_u: AddressMode::MirrorRepeat,
            address_mode_v: AddressMode::MirrorRepeat,
            ..LINEAR
        },
    ),
    ("flat", CLAMP),
    ("flat", bordered(BorderColor::OpaqueBlack)),
    ("flat", bordered(BorderColor::OpaqueWhite)),
    ("flat", bordered(BorderColor::Float([0.8, 0.2, 0.05, 1.0]))),
    // Between texels.
    ("near", NEAREST),
    ("near", LINEAR),
    (
        "near",
        SamplerDescriptor {
            reduction: Reduction::Min,
            ..LINEAR
        },
    ),
    (
        "near",
        SamplerDescriptor {
            reduction: Reduction::Max,
            ..LINEAR
        },
    ),
    ("gathered", NEAREST),
    ("offset", LINEAR),
    // Between levels.
    (
        "floor_far",
        SamplerDescriptor {
            lod_max_clamp: 0.0,
            ..NEAREST
        },
    ),
    (
        "floor_far",
        SamplerDescriptor {
            lod_max_clamp: 0.0,
            ..LINEAR
        },
    ),
    ("floor_far", LINEAR),
    ("floor_far", TRILINEAR),
    ("floor_far", biased(-1.5)),
    ("floor_far", biased(2.0)),
    // Along the longer axis of a footprint.
    ("floor_far", anisotropic(2)),
    ("floor_far", anisotropic(4)),
    ("floor_far", anisotropic(8)),
    ("floor_far", anisotropic(16)),
    (
        "floor_far",
        SamplerDescriptor {
            lod_min_clamp: 3.0,
            ..TRILINEAR
        },
    ),
    (
        "texels",
        SamplerDescriptor {
            unnormalized: true,
            ..CLAMP
        },
    ),
    // Compared, and around the corner.
    (
        "shadow",
        SamplerDescriptor {
            compare: Some(CompareFunction::Less),
            ..NEAREST
        },
    ),
    (
        "shadow",
        SamplerDescriptor {
            compare: Some(CompareFunction::Less),
            ..LINEAR
        },
    ),
    (
        "shadow",
        SamplerDescriptor {
            compare: Some(CompareFunction::Greater),
            ..LINEAR
        },
    ),
    ("cube", NEAREST),
    (
        "cube",
        SamplerDescriptor {
            seamless_cubes: false,
            ..CLAMP
        },
    ),
    ("cube", CLAMP),
];

struct Gallery {
    /// None where the device lacks the feature: the cell stays black.
    cells: Vec<Option<(GraphicsPipeline, DescriptorSet)>>,
}

fn image(device: &Device, format: TextureFormat, side: u32, layers: u32) -> Result<Image, Failure> {
    let image = device.create_image(&ImageDescriptor {
        label: Some("texture"),
        size: Extent3d {
            width: side,
            height: side,
            depth_or_array_layers: layers,
        },
        format,
        usage: TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_DST,
        ..Default::default()
    })?;
    device.queue().transition(&image, ImageLayout::General)?;
    Ok(image)
}

/// Depths of 16 by 16 texels: a cone. They have 16 bits where a device has no more that can be copied.
fn depths(device: &Device) -> Result<ImageView, Failure> {
    let gpu = device.physical_device();
    let floats = TextureFormat::Depth32Float;
    let cone = |i: i32| {
        let (x, y) = (2 * (i % 16) - 15, 2 * (i / 16) - 15);
        (x * x + y * y) as f32 / 256.0
    };
    let (format, texels): (_, Vec<u8>) = match gpu.format_capabilities(floats).sampled {
        true => (
            floats,
            (0..256).flat_map(|i| cone(i).to_le_bytes()).collect(),
        ),
        false => {
            let depth = |i| (cone(i).min(1.0) * 65535.0) as u16;
            let texels = (0..256).flat_map(|i| depth(i).to_le_bytes()).collect();
            (TextureFormat::Depth16Unorm, texels)
        }
    };
    let image = image(device, format, 16, 1)?;
    let to = ImageCopy::level(&image, 0);
    device.queue().write_image(&to, image.size(), &texels)?;
    Ok(device.create_image_view(&image, &ImageViewDescriptor::default())?)
}

/// A cube with a colour on every face.
fn cube(device: &Device) -> Result<ImageView, Failure> {
    let image = image(device, TextureFormat::Rgba8UnormSrgb, 4, 6)?;
    let mut commands = device.create_command_buffer(Some("faces"));
    for layer in 0..6 {
        let level = |bit: u32| {
            if (layer + 1) >> bit & 1 == 1 {
                0.9
            } else {
                0.1
            }
        };
        let color = Color {
            r: level(0),
            g: level(1),
            b: level(2),
            a: 1.0,
        };
        let face = Subresources {
            layer,
            layers: 1,
            ..image.subresources()
        };
        commands.clear_color_image(&image, face, color)?;
    }
    device.queue().submit(&[&commands], &[])?;
    let view = ImageViewDescriptor {
        dimension: Some(TextureViewDimension::Cube),
        ..ImageViewDescriptor::default()
    };
    Ok(device.create_image_view(&image, &view)?)
}

fn load(device: &Device) -> Result<Box<dyn Picture>, Failure> {
    let shader = wgsl(
        device,
        "samplers",
        include_str!("../assets/shaders/samplers.wgsl"),
    )?;
    let (picture, depths, cube) = (tiles::texture(device)?, depths(device)?, cube(device)?);
    let mut cells = Vec::new();
    for (entry, desc) in &CELLS {
        let sampler = match device.create_sampler(desc) {
            Err(SamplerError::Feature { .. }) => {
                cells.push(None);
                continue;
            }
            made => made?,
        };
        let view = match *entry {
            "shadow" => &depths,
            "cube" => &cube,
            _ => &picture,
        };
        let pipeline = crate::full_pipeline(device, &shader, entry)?;
        let set = device.create_descriptor_set(&DescriptorSetDescriptor {
            label: Some(entry),
            layout: pipeline.set_layout(0).ok_or("the shader has a texture")?,
            entries: &[(0, view.into()), (1, (&sampler).into())],
        })?;
        cells.push(Some((pipeline, set)));
    }
    Ok(Box::new(Gallery { cells }))
}

impl Picture for Gallery {
    fn draw(&mut self, frame: &mut Frame<'_>) -> Result<(), Failure> {
        begin(frame, "samplers", Color::BLACK)?;
        let size = frame.color.size();
        for (cell, bound) in self.cells.iter().enumerate() {
            let Some((pipeline, set)) = bound else {
                continue;
            };
            let at = [cell as u32 % GRID[0], cell as u32 / GRID[0]];
            let commands = &mut *frame.commands;
            commands.set_viewport(crate::cell(size, GRID, at))?;
            commands.set_scissor(crate::cell_rect(size, GRID, at))?;
            commands.bind_pipeline(pipeline)?;
            commands.bind_descriptor_set(0, set, &[])?;
            commands.draw(0..3, 0..1)?;
        }
        frame.commands.end_pass()?;
        Ok(())
    }
}
