//! `girih tiling`: how an image lies in the memory of a device, and bytes from rows to that order and back.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use girih::tiling::{ImageMemory, Part, Surface};
use girih::{Extent3d, ImageDescriptor, TextureDimension, TextureFormat, TextureUsages, driver};
use serde_json::{Value, json};

use crate::device::OnDevice;
use crate::{Failure, named, print, read};

/// Arguments of `girih tiling`.
#[derive(Args)]
pub struct Tiling {
    #[command(flatten)]
    device: OnDevice,
    /// Format as WebGPU names it, such as rgba8unorm or bc1-rgba-unorm.
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
        .find(|format| letters(&webgpu_name(*format)) == letters(text))
        .ok_or_else(|| {
            "no format; names are as in WebGPU, such as rgba8unorm or bc1-rgba-unorm".to_owned()
        })
}

/// A format's name as WebGPU spells it, but for case and hyphens.
fn webgpu_name(format: TextureFormat) -> String {
    match format {
        TextureFormat::Astc { block, channel } => {
            let block = format!("{block:?}");
            format!("astc-{}-{channel:?}", block.trim_start_matches('B'))
        }
        format => format!("{format:?}"),
    }
}

fn letters(name: &str) -> String {
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    letters.map(|letter| letter.to_ascii_lowercase()).collect()
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
        let mut usage = TextureUsages::COPY_SRC | TextureUsages::COPY_DST;
        if self.attachment || self.samples > 1 || self.format.is_depth_stencil_format() {
            usage |= TextureUsages::RENDER_ATTACHMENT;
        }
        let image = self.device.physical()?.surface(&ImageDescriptor {
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
        if let (Some(written), Some(path)) = (self.converted(&image)?, &self.output) {
            std::fs::write(path, written)
                .map_err(|error| format!("{}: {error}", path.display()))?;
        }
        print(&(serde_json::to_string_pretty(&surface(image.memory()))? + "\n"))
    }

    /// The bytes of the other order, if a file is given.
    fn converted(&self, image: &Surface) -> Result<Option<Vec<u8>>, Failure> {
        let part = Part {
            plane: self.plane,
            level: self.level,
            sample: self.sample,
        };
        let (plane, level, sample) = (self.plane, self.level, self.sample);
        let Some(row_bytes) = image.row_bytes(part) else {
            return Err(format!(
                "the image has no plane {plane}, level {level}, sample {sample}; it has {} planes, {} levels, {} samples",
                image.memory().planes.len(),
                self.levels,
                self.samples
            )
            .into());
        };
        let bytes = image.memory().bytes;
        if let Some(path) = &self.tile {
            let rows = read(path)?;
            let count = rows.len() as u64;
            if count != row_bytes {
                return Err(format!(
                    "{}: {count} bytes are not the rows of plane {plane}, level {level}, sample {sample}, which have \
                     {row_bytes}",
                    named(path)
                )
                .into());
            }
            let mut tiled = zeros(bytes)?;
            image
                .tile(&rows, part, &mut tiled)
                .expect("there is such a part, and its rows were counted");
            return Ok(Some(tiled));
        }
        let Some(path) = &self.untile else {
            return Ok(None);
        };
        let tiled = read(path)?;
        let count = tiled.len();
        match image.untile(&tiled, part) {
            Some(rows) => Ok(Some(rows)),
            None => Err(format!("{}: {count} bytes; the image has {bytes}", named(path)).into()),
        }
    }
}

/// That many zeros, if this machine has the memory.
fn zeros(bytes: u64) -> Result<Vec<u8>, Failure> {
    let mut zeros = Vec::new();
    let count = usize::try_from(bytes).unwrap_or(usize::MAX);
    zeros
        .try_reserve_exact(count)
        .map_err(|_| format!("the {bytes} bytes of the image do not fit into this machine"))?;
    zeros.resize(count, 0);
    Ok(zeros)
}

/// The surface of an image as JSON, in bytes and elements.
fn surface(surface: &ImageMemory) -> Value {
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
