//! What `wgpu-types` calls the formats of the table in [`silicon::texture::format`].

use silicon::Format;
use silicon::texture::format::Class;
use wgpu_types::{AstcBlock, AstcChannel, Color, TextureFormat as T, VertexFormat as V};

use crate::image::ImageMemory;

/// Texture formats. Where WebGPU leaves the choice open (`Depth24Plus`), 24 bits are taken.
#[rustfmt::skip]
const TEXTURES: &[(T, Format)] = &[
    (T::R8Unorm, Format::R8Unorm), (T::R8Snorm, Format::R8Snorm), (T::R8Uint, Format::R8Uint), (T::R8Sint, Format::R8Sint),
    (T::R16Uint, Format::R16Uint), (T::R16Sint, Format::R16Sint), (T::R16Unorm, Format::R16Unorm),
    (T::R16Snorm, Format::R16Snorm), (T::R16Float, Format::R16Float),
    (T::Rg8Unorm, Format::R8G8Unorm), (T::Rg8Snorm, Format::R8G8Snorm), (T::Rg8Uint, Format::R8G8Uint),
    (T::Rg8Sint, Format::R8G8Sint),
    (T::R32Uint, Format::R32Uint), (T::R32Sint, Format::R32Sint), (T::R32Float, Format::R32Float),
    (T::Rg16Uint, Format::R16G16Uint), (T::Rg16Sint, Format::R16G16Sint), (T::Rg16Unorm, Format::R16G16Unorm),
    (T::Rg16Snorm, Format::R16G16Snorm), (T::Rg16Float, Format::R16G16Float),
    (T::Rgba8Unorm, Format::R8G8B8A8Unorm), (T::Rgba8UnormSrgb, Format::R8G8B8A8Srgb),
    (T::Rgba8Snorm, Format::R8G8B8A8Snorm), (T::Rgba8Uint, Format::R8G8B8A8Uint), (T::Rgba8Sint, Format::R8G8B8A8Sint),
    (T::Bgra8Unorm, Format::B8G8R8A8Unorm), (T::Bgra8UnormSrgb, Format::B8G8R8A8Srgb),
    (T::Rgb9e5Ufloat, Format::E5B9G9R9Float), (T::Rgb10a2Uint, Format::A2B10G10R10Uint),
    (T::Rgb10a2Unorm, Format::A2B10G10R10Unorm), (T::Rg11b10Ufloat, Format::B10G11R11Float),
    (T::Rg32Uint, Format::R32G32Uint), (T::Rg32Sint, Format::R32G32Sint), (T::Rg32Float, Format::R32G32Float),
    (T::Rgba16Uint, Format::R16G16B16A16Uint), (T::Rgba16Sint, Format::R16G16B16A16Sint),
    (T::Rgba16Unorm, Format::R16G16B16A16Unorm), (T::Rgba16Snorm, Format::R16G16B16A16Snorm),
    (T::Rgba16Float, Format::R16G16B16A16Float),
    (T::Rgba32Uint, Format::R32G32B32A32Uint), (T::Rgba32Sint, Format::R32G32B32A32Sint),
    (T::Rgba32Float, Format::R32G32B32A32Float),
    (T::Stencil8, Format::S8Uint), (T::Depth16Unorm, Format::D16Unorm), (T::Depth24Plus, Format::D24UnormX8),
    (T::Depth24PlusStencil8, Format::D24UnormS8Uint), (T::Depth32Float, Format::D32Float),
    (T::Depth32FloatStencil8, Format::D32FloatS8Uint),
    (T::Bc1RgbaUnorm, Format::Bc1RgbaUnorm), (T::Bc1RgbaUnormSrgb, Format::Bc1RgbaSrgb),
    (T::Bc2RgbaUnorm, Format::Bc2RgbaUnorm), (T::Bc2RgbaUnormSrgb, Format::Bc2RgbaSrgb),
    (T::Bc3RgbaUnorm, Format::Bc3RgbaUnorm), (T::Bc3RgbaUnormSrgb, Format::Bc3RgbaSrgb),
    (T::Bc4RUnorm, Format::Bc4RUnorm), (T::Bc4RSnorm, Format::Bc4RSnorm),
    (T::Bc5RgUnorm, Format::Bc5RgUnorm), (T::Bc5RgSnorm, Format::Bc5RgSnorm),
    (T::Bc6hRgbUfloat, Format::Bc6hRgbUfloat), (T::Bc6hRgbFloat, Format::Bc6hRgbFloat),
    (T::Bc7RgbaUnorm, Format::Bc7RgbaUnorm), (T::Bc7RgbaUnormSrgb, Format::Bc7RgbaSrgb),
    (T::Etc2Rgb8Unorm, Format::Etc2Rgb8Unorm), (T::Etc2Rgb8UnormSrgb, Format::Etc2Rgb8Srgb),
    (T::Etc2Rgb8A1Unorm, Format::Etc2Rgb8A1Unorm), (T::Etc2Rgb8A1UnormSrgb, Format::Etc2Rgb8A1Srgb),
    (T::Etc2Rgba8Unorm, Format::Etc2Rgba8Unorm), (T::Etc2Rgba8UnormSrgb, Format::Etc2Rgba8Srgb),
    (T::EacR11Unorm, Format::EacR11Unorm), (T::EacR11Snorm, Format::EacR11Snorm),
    (T::EacRg11Unorm, Format::EacRg11Unorm), (T::EacRg11Snorm, Format::EacRg11Snorm),
    (T::R64Uint, Format::R64Uint),
    (T::NV12, Format::Nv12), (T::P010, Format::P010),
];

/// Blocks of ASTC: linear, then sRGB. The high dynamic range profile is in no chip.
#[rustfmt::skip]
const ASTC: &[(AstcBlock, Format, Format)] = &[
    (AstcBlock::B4x4, Format::Astc4x4Unorm, Format::Astc4x4Srgb),
    (AstcBlock::B5x4, Format::Astc5x4Unorm, Format::Astc5x4Srgb),
    (AstcBlock::B5x5, Format::Astc5x5Unorm, Format::Astc5x5Srgb),
    (AstcBlock::B6x5, Format::Astc6x5Unorm, Format::Astc6x5Srgb),
    (AstcBlock::B6x6, Format::Astc6x6Unorm, Format::Astc6x6Srgb),
    (AstcBlock::B8x5, Format::Astc8x5Unorm, Format::Astc8x5Srgb),
    (AstcBlock::B8x6, Format::Astc8x6Unorm, Format::Astc8x6Srgb),
    (AstcBlock::B8x8, Format::Astc8x8Unorm, Format::Astc8x8Srgb),
    (AstcBlock::B10x5, Format::Astc10x5Unorm, Format::Astc10x5Srgb),
    (AstcBlock::B10x6, Format::Astc10x6Unorm, Format::Astc10x6Srgb),
    (AstcBlock::B10x8, Format::Astc10x8Unorm, Format::Astc10x8Srgb),
    (AstcBlock::B10x10, Format::Astc10x10Unorm, Format::Astc10x10Srgb),
    (AstcBlock::B12x10, Format::Astc12x10Unorm, Format::Astc12x10Srgb),
    (AstcBlock::B12x12, Format::Astc12x12Unorm, Format::Astc12x12Srgb),
];

/// Vertex formats. Those with three 8- or 16-bit components do not exist; 64-bit ones are absent.
#[rustfmt::skip]
const VERTICES: &[(V, Format)] = &[
    (V::Uint8, Format::R8Uint), (V::Uint8x2, Format::R8G8Uint), (V::Uint8x4, Format::R8G8B8A8Uint),
    (V::Sint8, Format::R8Sint), (V::Sint8x2, Format::R8G8Sint), (V::Sint8x4, Format::R8G8B8A8Sint),
    (V::Unorm8, Format::R8Unorm), (V::Unorm8x2, Format::R8G8Unorm), (V::Unorm8x4, Format::R8G8B8A8Unorm),
    (V::Snorm8, Format::R8Snorm), (V::Snorm8x2, Format::R8G8Snorm), (V::Snorm8x4, Format::R8G8B8A8Snorm),
    (V::Unorm8x4Bgra, Format::B8G8R8A8Unorm),
    (V::Uint16, Format::R16Uint), (V::Uint16x2, Format::R16G16Uint), (V::Uint16x4, Format::R16G16B16A16Uint),
    (V::Sint16, Format::R16Sint), (V::Sint16x2, Format::R16G16Sint), (V::Sint16x4, Format::R16G16B16A16Sint),
    (V::Unorm16, Format::R16Unorm), (V::Unorm16x2, Format::R16G16Unorm), (V::Unorm16x4, Format::R16G16B16A16Unorm),
    (V::Snorm16, Format::R16Snorm), (V::Snorm16x2, Format::R16G16Snorm), (V::Snorm16x4, Format::R16G16B16A16Snorm),
    (V::Float16, Format::R16Float), (V::Float16x2, Format::R16G16Float), (V::Float16x4, Format::R16G16B16A16Float),
    (V::Float32, Format::R32Float), (V::Float32x2, Format::R32G32Float), (V::Float32x3, Format::R32G32B32Float),
    (V::Float32x4, Format::R32G32B32A32Float),
    (V::Uint32, Format::R32Uint), (V::Uint32x2, Format::R32G32Uint), (V::Uint32x3, Format::R32G32B32Uint),
    (V::Uint32x4, Format::R32G32B32A32Uint),
    (V::Sint32, Format::R32Sint), (V::Sint32x2, Format::R32G32Sint), (V::Sint32x3, Format::R32G32B32Sint),
    (V::Sint32x4, Format::R32G32B32A32Sint),
    (V::Unorm10_10_10_2, Format::A2B10G10R10Unorm),
];

/// Every texture format that has a name here.
pub fn texture_formats() -> impl Iterator<Item = T> {
    let astc = |channel| {
        ASTC.iter()
            .map(move |&(block, ..)| T::Astc { block, channel })
    };
    (TEXTURES.iter().map(|(name, _)| *name))
        .chain(astc(AstcChannel::Unorm))
        .chain(astc(AstcChannel::UnormSrgb))
}

/// The format of a texture.
pub fn texture_format(format: T) -> Option<Format> {
    if let T::Astc { block, channel } = format {
        let (_, linear, srgb) = ASTC.iter().find(|(name, ..)| *name == block)?;
        return match channel {
            AstcChannel::Unorm => Some(*linear),
            AstcChannel::UnormSrgb => Some(*srgb),
            AstcChannel::Hdr => None,
        };
    }
    let mut rows = TEXTURES.iter();
    rows.find(|(name, _)| *name == format).map(|(_, row)| *row)
}

/// The format of a vertex attribute.
pub fn vertex_format(format: V) -> Option<Format> {
    let mut rows = VERTICES.iter();
    rows.find(|(name, _)| *name == format).map(|(_, row)| *row)
}

/// The format of texels in buffers: colours of one element a texel.
pub fn texel_format(format: T) -> Option<Format> {
    let colors = !format.is_depth_stencil_format() && !format.is_srgb() && !format.is_compressed();
    let found = texture_format(format).filter(|_| colors)?;
    (found.planes().is_empty() && found.size_bytes().is_power_of_two()).then_some(found)
}

/// A texel of one plane as memory holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Texel {
    bytes: [u8; 16],
    len: usize,
}

impl Texel {
    /// A colour; integer formats take the whole numbers.
    pub fn color(format: T, value: &Color) -> Texel {
        let mut bytes = [0; 16];
        let Some(row) = texture_format(format) else {
            return Texel { bytes, len: 4 };
        };
        let value = [value.r, value.g, value.b, value.a].map(|c| match row.class() {
            Class::Uint => c as u32,
            Class::Sint => c as i32 as u32,
            _ => (c as f32).to_bits(),
        });
        row.pack(value, &mut bytes);
        let len = row.size_bytes() as usize;
        Texel { bytes, len }
    }

    /// A depth in a plane of an image.
    pub fn depth(image: &ImageMemory, plane: usize, value: f32) -> Texel {
        let mut bytes = [0; 16];
        let (plane, whole) = (&image.planes[plane], image.shape.format);
        let format = whole.aspect_specific_format(plane.aspect).unwrap_or(whole);
        if let Some(row) = texture_format(format) {
            row.pack([value.to_bits(), 0, 0, 0], &mut bytes);
        }
        let len = plane.held_bytes as usize;
        Texel { bytes, len }
    }

    /// A stencil value.
    pub fn stencil(value: u32) -> Texel {
        let mut bytes = [0; 16];
        bytes[0] = value as u8;
        Texel { bytes, len: 1 }
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn sizes_agree() {
        for name in texture_formats() {
            let format = texture_format(name).unwrap();
            if let Some(bytes) = name.block_copy_size(None) {
                assert_eq!(format.size_bytes(), bytes, "{name:?}");
            }
            assert_eq!(format.block_size(), name.block_dimensions(), "{name:?}");
            assert_eq!(format.is_srgb(), name.is_srgb(), "{name:?}");
        }
        for (name, format) in VERTICES {
            assert_eq!(u64::from(format.size_bytes()), name.size(), "{name:?}");
        }
    }
}
