//! Texels of an image to a picture of bytes: red, green, blue, alpha.

use pipeline::format::texture_format;
use pipeline::silicon::Format;
use wgpu_types as wgt;
use wgt::{TextureAspect, TextureFormat, TextureSampleType};

/// How texels become bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Conversion {
    /// They are bytes already.
    Bytes,
    /// Blue comes first.
    SwapRedAndBlue,
    /// What shaders read, clamped to 0 to 1.
    Values(Format),
    /// Depth as grey.
    Grey(Format),
}

impl Conversion {
    /// That of a format; none for integers, stencil, blocks and planes.
    pub(crate) fn of(format: TextureFormat) -> Option<Conversion> {
        use TextureFormat as F;
        match format {
            F::Rgba8Unorm | F::Rgba8UnormSrgb => return Some(Conversion::Bytes),
            F::Bgra8Unorm | F::Bgra8UnormSrgb => return Some(Conversion::SwapRedAndBlue),
            _ if format.is_compressed() || format.is_multi_planar_format() => return None,
            _ => {}
        }
        if format.has_depth_aspect() {
            let depth = format.aspect_specific_format(TextureAspect::DepthOnly)?;
            return texture_format(depth).map(Conversion::Grey);
        }
        match format.sample_type(None, None)? {
            TextureSampleType::Float { .. } => texture_format(format).map(Conversion::Values),
            _ => None,
        }
    }

    /// The aspect that is read.
    pub(crate) fn aspect(self) -> TextureAspect {
        match self {
            Conversion::Grey(_) => TextureAspect::DepthOnly,
            _ => TextureAspect::All,
        }
    }

    /// Four bytes for each texel.
    pub(crate) fn run(self, mut texels: Vec<u8>) -> Vec<u8> {
        match self {
            Conversion::Bytes => texels,
            Conversion::SwapRedAndBlue => {
                for texel in texels.chunks_exact_mut(4) {
                    texel.swap(0, 2);
                }
                texels
            }
            Conversion::Values(format) => each(format, &texels, |value| value),
            Conversion::Grey(format) => each(format, &texels, |[depth, ..]| {
                [depth, depth, depth, 1.0_f32.to_bits()]
            }),
        }
    }
}

fn each(format: Format, texels: &[u8], change: impl Fn([u32; 4]) -> [u32; 4]) -> Vec<u8> {
    let size = format.size_bytes() as usize;
    let mut bytes = vec![0; texels.len() / size * 4];
    for (texel, out) in texels.chunks_exact(size).zip(bytes.chunks_exact_mut(4)) {
        Format::R8G8B8A8Unorm.pack(change(format.unpack(texel)), out);
    }
    bytes
}
