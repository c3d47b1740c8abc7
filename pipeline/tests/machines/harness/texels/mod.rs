//! Small images with real texels: tiled in the memory of a chip, and as plain rows for the shader that is run directly.

use lanes::Row;
use pipeline::codegen::direct::ImageCall;
use pipeline::format::texture_format;
use pipeline::image::{ImageMemory, ImageShape, Region};
use pipeline::ir::{Dim, Function, ImageKind, Lod, ResourceKind, Scalar, Shape, TexelFormat};
use pipeline::state::ImageBinding;
use pipeline::targets::Chip;
use samplers::{prepared, sampler};
use sampling::Sampling;
use silicon::texture::format::Read;
use silicon::texture::sample::{self, Axes, Level, PreparedTexture, Texture};
use silicon::{Addr, Memory};
use wgpu_types as wgt;

use super::Machine;
use crate::direct::{Random, Textures, mix};

mod samplers;
mod sampling;

/// Bytes of memory for plain images.
const PLAIN_BYTES: u64 = 4 << 20;

/// One image, both ways.
pub struct Image {
    view: wgt::TextureViewDimension,
    format: wgt::TextureFormat,
    /// How the chip lays it out.
    pub memory: ImageMemory,
    /// The chip's bytes.
    pub tiled: Vec<u8>,
    /// First byte of every level among the plain images.
    plain: Vec<u64>,
    texture: PreparedTexture,
    layers: u32,
    slices: u32,
}

/// Images and samplers of a function, by resource and element.
pub struct Texels {
    pub images: Vec<Vec<Image>>,
    pub samplers: Vec<Vec<wgt::SamplerDescriptor<()>>>,
    plain: Memory,
}

/// What a texture operation cannot be checked with here.
pub fn is_covered(function: &Function) -> bool {
    let insts = function.blocks.iter().flat_map(|block| &block.insts);
    // The derivatives of a place on a face follow from those of a direction by arithmetic of the chip's own.
    !insts.clone().any(|inst| {
        matches!(&inst.op, pipeline::ir::Op::Image(op)
            if op.shape.dim == Dim::Cube
                && matches!(op.kind, ImageKind::Sample { lod: Lod::Gradient, .. }))
    })
}

fn formats(kind: &ResourceKind) -> Vec<wgt::TextureFormat> {
    use wgt::TextureFormat as F;
    match *kind {
        ResourceKind::Texture {
            depth: true, shape, ..
        } if shape.multisampled => vec![F::Depth32Float],
        ResourceKind::Texture { depth: true, .. } => vec![F::Depth32Float, F::Depth16Unorm],
        ResourceKind::Texture { scalar, .. } => match scalar {
            Scalar::Float => vec![
                F::Rgba8Unorm,
                F::Rgba16Float,
                F::Rgba8UnormSrgb,
                F::R32Float,
                F::Rg8Snorm,
                F::Rgb10a2Unorm,
            ],
            Scalar::Sint => vec![F::Rgba32Sint, F::Rg16Sint, F::R8Sint],
            Scalar::Uint => vec![F::Rgba8Uint, F::Rgba16Uint, F::Rg32Uint],
        },
        ResourceKind::StorageTexture { format, .. } => match format {
            TexelFormat::Declared(format) => vec![format],
            TexelFormat::OfView(Scalar::Float) => vec![F::Rgba8Unorm, F::R32Float, F::Rgba16Float],
            TexelFormat::OfView(Scalar::Sint) => vec![F::Rgba32Sint, F::R32Sint],
            TexelFormat::OfView(Scalar::Uint) => vec![F::Rgba8Uint, F::Rgba16Uint],
        },
        _ => Vec::new(),
    }
}

fn shape_of(kind: &ResourceKind) -> Option<Shape> {
    match *kind {
        ResourceKind::Texture { shape, .. } | ResourceKind::StorageTexture { shape, .. } => {
            Some(shape)
        }
        _ => None,
    }
}

impl Texels {
    /// Images and samplers for all resources of a function, made from a seed.
    pub fn random(machine: &dyn Machine, function: &Function, seed: u64) -> Texels {
        let mut random = Random(mix(seed ^ 0x7e47));
        let plain = Memory::new(PLAIN_BYTES);
        let mut next = 256;
        let (mut images, mut samplers) = (Vec::new(), Vec::new());
        for resource in &function.interface.resources {
            let (mut of_resource, mut their_samplers) = (Vec::new(), Vec::new());
            for _ in 0..resource.count {
                match resource.kind {
                    ResourceKind::Sampler { comparison } => {
                        their_samplers.push(machine.sampler(sampler(&mut random, comparison)));
                    }
                    kind => {
                        if let Some(shape) = shape_of(&kind) {
                            let all = machine.formats(formats(&kind));
                            let format = all[random.next() as usize % all.len()];
                            let storage = matches!(kind, ResourceKind::StorageTexture { .. });
                            let how = (shape, format, storage);
                            of_resource.push(image(machine, how, &mut random, &plain, &mut next));
                        }
                    }
                }
            }
            images.push(of_resource);
            samplers.push(their_samplers);
        }
        Texels {
            images,
            samplers,
            plain,
        }
    }

    /// What differs between an image and the bytes that the chip left of it.
    pub fn difference(&self, chip: &dyn Chip, at: (usize, usize), tiled: &[u8]) -> Option<String> {
        let image = &self.images[at.0][at.1];
        let mut found = None;
        image.each_element(chip, |offset, plain| {
            let bytes = image.memory.planes[0].element_bytes as usize;
            let mut wanted = [0; 16];
            self.plain.read(Addr(plain), &mut wanted[..bytes]).unwrap();
            let left = &tiled[offset as usize..offset as usize + bytes];
            if found.is_none() && left != &wanted[..bytes] {
                found = Some(format!(
                    "image {at:?} at {offset:#x}: compiled {left:x?}, direct {:x?}",
                    &wanted[..bytes]
                ));
            }
        });
        found
    }
}

impl Image {
    /// Calls `visit` with where each element is in the chip's bytes and among the plain images.
    fn each_element(&self, chip: &dyn Chip, mut visit: impl FnMut(u64, u64)) {
        let plane = &self.memory.planes[0];
        let samples = self.memory.shape.samples;
        for (n, level) in plane.levels.iter().enumerate() {
            let mut plain = self.plain[n];
            let region = Region {
                plane: 0,
                level: n as u32,
                x: 0..level.width,
                y: 0..level.height,
                slices: 0..level.slices,
            };
            for sample in 0..samples {
                let elements = chip.elements(&self.memory, &region, sample);
                for slice in 0..level.slices as usize {
                    for y in 0..level.height as usize {
                        for x in 0..level.width as usize {
                            visit(elements.offset(x, y, slice), plain);
                            plain += u64::from(plane.element_bytes);
                        }
                    }
                }
            }
        }
    }

    /// The chip's descriptor, when the image starts at `base`.
    pub fn descriptor(&self, chip: &dyn Chip, base: u64, out: &mut Vec<u32>) {
        let binding = ImageBinding {
            base: Addr(base),
            memory: &self.memory,
            format: self.format,
            aspect: wgt::TextureAspect::All,
            dimension: self.view,
            first_level: 0,
            levels: self.memory.shape.levels,
            first_layer: 0,
            layers: self.slices,
        };
        chip.image_descriptor(&binding, out);
    }
}

fn image(
    machine: &dyn Machine,
    (shape, format, storage): (Shape, wgt::TextureFormat, bool),
    random: &mut Random,
    plain: &Memory,
    next: &mut u64,
) -> Image {
    use wgt::TextureViewDimension as View;
    let layers = if shape.arrayed { 3 } else { 1 };
    let chip = machine.target().chip;
    let [width, height, depth] = match shape.dim {
        Dim::D1 | Dim::Buffer => machine.texture_size(1),
        Dim::D2 => {
            let [width, height, _] = machine.texture_size(2);
            [width, height, layers]
        }
        Dim::D3 => machine.texture_size(3),
        Dim::Cube => [8, 8, 6 * layers],
    };
    let view = match (shape.dim, shape.arrayed) {
        (Dim::D1 | Dim::Buffer, _) => View::D1,
        (Dim::D2, false) => View::D2,
        (Dim::D2, true) => View::D2Array,
        (Dim::D3, _) => View::D3,
        (Dim::Cube, false) => View::Cube,
        (Dim::Cube, true) => View::CubeArray,
    };
    let single = storage || shape.multisampled || shape.dim == Dim::D1;
    let levels = if single { 1 } else { 3 };
    let samples = if shape.multisampled { 4 } else { 1 };
    let memory = chip
        .image_memory(&ImageShape {
            format,
            dimension: match shape.dim {
                Dim::D1 => wgt::TextureDimension::D1,
                Dim::D3 => wgt::TextureDimension::D3,
                _ => wgt::TextureDimension::D2,
            },
            size: wgt::Extent3d {
                width,
                height,
                depth_or_array_layers: depth,
            },
            levels,
            samples,
            usage: wgt::TextureUsages::TEXTURE_BINDING,
        })
        .unwrap();
    let bytes = memory.planes[0].element_bytes;
    let (mut starts, mut described) = (Vec::new(), Vec::new());
    for level in &memory.planes[0].levels {
        let (w, h, slices) = (level.width, level.height, level.slices);
        *next = next.next_multiple_of(256);
        starts.push(*next);
        described.push(Level {
            width: w,
            height: h,
            depth: if shape.dim == Dim::D3 { slices } else { 1 },
            base: *next,
            axes: Axes::new([w, h, slices, samples], 0, |x, y, z, s| {
                bytes * (((s * slices + z) * h + y) * w + x)
            }),
        });
        *next += u64::from(bytes * w * h * slices * samples);
    }
    let texture = Texture {
        dim: match shape.dim {
            Dim::D1 | Dim::Buffer => sample::Dim::D1,
            Dim::D2 => sample::Dim::D2,
            Dim::D3 => sample::Dim::D3,
            Dim::Cube => sample::Dim::Cube,
        },
        format: texture_format(format).unwrap(),
        aspect: Default::default(),
        select: [0, 1, 2, 3].map(Read::Channel),
        layers,
        samples,
        min_lod: 0.0,
        levels: described,
    };
    let mut image = Image {
        view,
        format,
        tiled: vec![0; memory.bytes as usize],
        memory,
        plain: starts,
        texture: PreparedTexture::new(&texture).unwrap(),
        layers,
        slices: if shape.dim == Dim::D3 { 1 } else { depth },
    };
    let mut tiled = std::mem::take(&mut image.tiled);
    image.each_element(chip, |offset, at| {
        let texel = texel(format, random);
        let texel = &texel[..bytes as usize];
        tiled[offset as usize..offset as usize + bytes as usize].copy_from_slice(texel);
        plain.write(Addr(at), texel).unwrap();
    });
    image.tiled = tiled;
    image
}

/// Bytes of a texel, finite where they are floats.
fn texel(format: wgt::TextureFormat, random: &mut Random) -> [u8; 16] {
    use wgt::TextureFormat as F;
    let words: [u32; 4] = std::array::from_fn(|_| match format {
        F::Depth32Float => ((random.next() >> 8) as f32 / 16_777_216.0).to_bits(),
        F::R32Float | F::Rg32Float | F::Rgba32Float => {
            ((random.next() >> 8) as f32 / 65536.0 - 128.0).to_bits()
        }
        // Exponents of half floats stay below that of infinity.
        F::Rgba16Float | F::R16Float | F::Rg16Float => random.next() & 0xbfff_bfff,
        _ => random.next(),
    });
    let mut bytes = [0; 16];
    for (chunk, word) in bytes.chunks_mut(4).zip(words) {
        chunk.copy_from_slice(&word.to_le_bytes());
    }
    bytes
}

/// These textures for the shader that is run directly.
pub struct Plain<'a> {
    pub machine: &'a dyn Machine,
    pub texels: &'a Texels,
}

impl Textures for Plain<'_> {
    fn image(&mut self, call: &ImageCall<'_>, results: &mut [Row]) {
        // Once for each pair of elements of binding arrays.
        let mut left = call.mask;
        while left != 0 {
            let first = left.trailing_zeros() as usize;
            let pair = [call.texture.0[first], call.sampler.0[first]];
            let same = (0..64).filter(|&lane| [call.texture.0[lane], call.sampler.0[lane]] == pair);
            let mask = same.fold(0, |mask, lane| mask | 1u64 << lane) & left;
            left &= !mask;
            let image = &self.texels.images[call.op.texture.resource as usize][pair[0] as usize];
            let sampler = call.op.sampler.map(|access| {
                let sampler = &self.texels.samplers[access.resource as usize][pair[1] as usize];
                prepared(sampler, self.machine)
            });
            let sampling = Sampling {
                machine: self.machine,
                memory: &self.texels.plain,
                texture: &image.texture,
                sampler,
                op: call.op,
                args: call.args,
                mask,
                layers: image.layers,
            };
            sampling.run(results);
        }
    }
}
