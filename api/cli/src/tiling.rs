//! `girih tiling`: how an image lies in the memory of a device, and bytes from rows to that order and back.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use girih::tiling::Part;
use girih::{
    DeviceDescriptor, Extent3d, Image, ImageDescriptor, Instance, TextureDimension, TextureFormat,
    TextureUsages, driver,
};
use serde_json::{Value, json};

use crate::{Failure, print, read};

/// Arguments of `girih tiling`.
#[derive(Args)]
pub struct Tiling {
    /// Name of the device.
    #[arg(long)]
    device: String,
    /// Format, such as rgba8unorm.
    #[arg(long, value_parser = format)]
    format: TextureFormat,
    /// Size in texels: WIDTHxHEIGHT, or WIDTHxHEIGHTxLAYERS (or depth).
    #[arg(long, value_parser = size)]
    size: Extent3d,
    /// Dimensions.
    #[arg(long, default_value = "2d")]
    dimension: Dimension,
    /// Levels.
    #[arg(long, default_value_t = 1)]
    levels: u32,
    /// Samples of a texel.
    #[arg(long, default_value_t = 1)]
    samples: u32,
    /// The image is rendered to.
    #[arg(long)]
    attachment: bool,
    /// File of rows that are put into the chip's order.
    #[arg(long, conflicts_with = "untile", requires = "output")]
    tile: Option<String>,
    /// File of the image's memory that rows are taken from.
    #[arg(long, requires = "output")]
    untile: Option<String>,
    /// Plane of the rows: colour or depth first, then stencil.
    #[arg(long, default_value_t = 0)]
    plane: usize,
    /// Level of the rows.
    #[arg(long, default_value_t = 0)]
    level: u32,
    /// Sample of the rows.
    #[arg(long, default_value_t = 0)]
    sample: u32,
    /// File that is written.
    #[arg(short, long)]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Dimension {
    #[value(name = "1d")]
    D1,
    #[value(name = "2d")]
    D2,
    #[value(name = "3d")]
    D3,
}

fn format(text: &str) -> Result<TextureFormat, String> {
    driver::texture_formats()
        .find(|format| format!("{format:?}").eq_ignore_ascii_case(text))
        .ok_or_else(|| "no format; names are as in WebGPU, such as rgba8unorm".to_owned())
}

fn size(text: &str) -> Result<Extent3d, String> {
    let numbers: Option<Vec<u32>> = text.split('x').map(|n| n.parse().ok()).collect();
    match numbers.as_deref() {
        Some(&[width, height]) => Ok((width, height, 1)),
        Some(&[width, height, depth]) => Ok((width, height, depth)),
        _ => Err("a size is WIDTHxHEIGHT or WIDTHxHEIGHTxLAYERS, such as 64x64x6".to_owned()),
    }
    .map(|(width, height, depth_or_array_layers)| Extent3d {
        width,
        height,
        depth_or_array_layers,
    })
}

impl Tiling {
    /// Prints the surface as JSON, and writes a file if one is asked for.
    pub fn run(self) -> Result<(), Failure> {
        let device = Instance::new()
            .physical_device(&self.device)?
            .create_device(&DeviceDescriptor::default())?;
        let mut usage = TextureUsages::COPY_SRC | TextureUsages::COPY_DST;
        if self.attachment || self.samples > 1 || self.format.is_depth_stencil_format() {
            usage |= TextureUsages::RENDER_ATTACHMENT;
        }
        let image = device.create_image(&ImageDescriptor {
            label: Some("image"),
            dimension: match self.dimension {
                Dimension::D1 => TextureDimension::D1,
                Dimension::D2 => TextureDimension::D2,
                Dimension::D3 => TextureDimension::D3,
            },
            size: self.size,
            levels: self.levels,
            samples: self.samples,
            format: self.format,
            usage,
            placement: None,
        })?;
        let part = Part {
            plane: self.plane,
            level: self.level,
            sample: self.sample,
        };
        let bytes = image.surface().bytes;
        let written = match (&self.tile, &self.untile) {
            (Some(path), _) => {
                let mut tiled = vec![0; bytes as usize];
                let rows = read(path)?;
                let count = rows.len();
                image
                    .tile(&rows, part, &mut tiled)
                    .ok_or_else(|| format!("{path}: {count} bytes are not the rows of {part:?}"))?;
                Some(tiled)
            }
            (None, Some(path)) => {
                let tiled = read(path)?;
                let count = tiled.len();
                let rows = image.untile(&tiled, part);
                Some(rows.ok_or_else(|| {
                    format!("{path}: {count} bytes; the image has {bytes}, or no {part:?}")
                })?)
            }
            (None, None) => None,
        };
        if let (Some(written), Some(path)) = (written, &self.output) {
            std::fs::write(path, written)
                .map_err(|error| format!("{}: {error}", path.display()))?;
        }
        print(&(serde_json::to_string_pretty(&surface(&image))? + "\n"))
    }
}

/// The surface of an image as JSON, in bytes and elements.
pub fn surface(image: &Image) -> Value {
    let surface = image.surface();
    let planes: Vec<Value> = surface
        .planes
        .iter()
        .map(|plane| {
            let levels: Vec<Value> = plane
                .levels
                .iter()
                .map(|level| {
                    json!({
                        "offset": level.offset,
                        "width": level.width,
                        "height": level.height,
                        "slices": level.slices,
                        "pitch": level.pitch,
                        "rows": level.rows,
                        "slice_bytes": level.slice_bytes,
                        "tiling": level.tiling,
                    })
                })
                .collect();
            json!({
                "aspect": format!("{:?}", plane.aspect),
                "element_bytes": plane.element_bytes,
                "levels": levels,
            })
        })
        .collect();
    json!({ "bytes": surface.bytes, "align": surface.align, "planes": planes })
}
