//! What messages call values of `wgpu-types` and of shaders: the names of WebGPU and WGSL.

use wgpu_types as wgt;
use wgt::TextureFormat;

use crate::ir::{Interpolation, Scalar, Stage, Varying};
use crate::query::QueryKind;
use crate::state::{GeometryOutput, Rect, Reduction, Viewport};

/// A value that has a name in messages: `rgba8unorm-srgb`, `float32x2`, `triangle-list`, `texture_2d<f32>`.
pub trait Name {
    /// The name.
    fn name(&self) -> String;
}

/// `LessEqual` as `less-equal`.
fn hyphened(value: &impl std::fmt::Debug) -> String {
    let mut text = String::new();
    for letter in format!("{value:?}").chars() {
        if letter.is_uppercase() && !text.is_empty() {
            text.push('-');
        }
        text.push(letter.to_ascii_lowercase());
    }
    text
}

macro_rules! hyphened {
    ($($type:ty),* $(,)?) => {
        $(impl Name for $type {
            fn name(&self) -> String {
                hyphened(self)
            }
        })*
    };
}

hyphened!(
    GeometryOutput,
    wgt::IndexFormat,
    wgt::PrimitiveTopology,
    wgt::TextureAspect,
    Interpolation,
    QueryKind,
    Reduction,
    Stage,
);

macro_rules! flags {
    ($($type:ty),* $(,)?) => {
        $(impl Name for $type {
            fn name(&self) -> String {
                let names: Vec<&str> = self.iter_names().map(|(name, _)| name).collect();
                match names.as_slice() {
                    [] => "none".to_owned(),
                    names => names.join(" | "),
                }
            }
        })*
    };
}

flags!(wgt::BufferUsages, wgt::TextureUsages, wgt::ShaderStages);

impl<T: Name> Name for Option<T> {
    fn name(&self) -> String {
        self.as_ref().map_or_else(|| "none".to_owned(), T::name)
    }
}

impl Name for TextureFormat {
    fn name(&self) -> String {
        let text = format!("{self:?}");
        if let TextureFormat::Astc { block, channel } = self {
            let block = format!("{block:?}").to_lowercase();
            return format!(
                "astc-{}-{}",
                block.trim_start_matches('b'),
                hyphened(channel)
            );
        }
        // Only the parts of block names are all apart.
        let text = match text.get(..2) {
            Some("Bc") => hyphened(self),
            Some("De") => text.replace("Stencil", "-stencil"),
            _ => text
                .replace("Etc2", "Etc2-")
                .replace("Eac", "Eac-")
                .replace("Srgb", "-srgb"),
        };
        text.to_lowercase()
    }
}

impl Name for wgt::VertexFormat {
    fn name(&self) -> String {
        let text = format!("{self:?}").replace("Bgra", "-bgra");
        text.replace('_', "-").to_lowercase()
    }
}

impl Name for wgt::TextureDimension {
    fn name(&self) -> String {
        let text = format!("{self:?}").to_lowercase();
        format!("{}d", text.trim_start_matches('d'))
    }
}

impl Name for wgt::TextureViewDimension {
    fn name(&self) -> String {
        use wgt::TextureViewDimension as View;
        let name = match self {
            View::D1 => "1d",
            View::D2 => "2d",
            View::D2Array => "2d-array",
            View::Cube => "cube",
            View::CubeArray => "cube-array",
            View::D3 => "3d",
        };
        name.to_owned()
    }
}

impl Name for Scalar {
    fn name(&self) -> String {
        let name = match self {
            Scalar::Float => "f32",
            Scalar::Sint => "i32",
            Scalar::Uint => "u32",
        };
        name.to_owned()
    }
}

impl Name for Varying {
    fn name(&self) -> String {
        vector(self.scalar, self.components)
    }
}

/// The WGSL type of some components.
pub fn vector(scalar: Scalar, components: u32) -> String {
    match components {
        1 => scalar.name(),
        _ => format!("vec{components}<{}>", scalar.name()),
    }
}

impl Name for wgt::SamplerBindingType {
    fn name(&self) -> String {
        let name = match self {
            wgt::SamplerBindingType::Filtering => "sampler",
            wgt::SamplerBindingType::NonFiltering => "sampler (non-filtering)",
            wgt::SamplerBindingType::Comparison => "sampler_comparison",
        };
        name.to_owned()
    }
}

impl Name for Viewport {
    fn name(&self) -> String {
        let (depth, to) = (self.min_depth, self.max_depth);
        let (x, y, width, height) = (self.x, self.y, self.width, self.height);
        format!("the viewport of {width}x{height} pixels at {x},{y} with depths {depth} to {to}")
    }
}

impl Name for Rect {
    fn name(&self) -> String {
        let (x, y, width, height) = (self.x, self.y, self.width, self.height);
        format!("the rectangle of {width}x{height} pixels at {x},{y}")
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::format::texture_formats;

    /// `GPUTextureFormat` of WebGPU, and what wgpu adds to it.
    const FORMATS: &str = "r8unorm r8snorm r8uint r8sint r16unorm r16snorm r16uint r16sint r16float rg8unorm \
        rg8snorm rg8uint rg8sint r32uint r32sint r32float rg16unorm rg16snorm rg16uint rg16sint rg16float rgba8unorm \
        rgba8unorm-srgb rgba8snorm rgba8uint rgba8sint bgra8unorm bgra8unorm-srgb rgb9e5ufloat rgb10a2uint \
        rgb10a2unorm rg11b10ufloat rg32uint rg32sint rg32float rgba16unorm rgba16snorm rgba16uint rgba16sint \
        rgba16float rgba32uint rgba32sint rgba32float stencil8 depth16unorm depth24plus depth24plus-stencil8 \
        depth32float depth32float-stencil8 bc1-rgba-unorm bc1-rgba-unorm-srgb bc2-rgba-unorm bc2-rgba-unorm-srgb \
        bc3-rgba-unorm bc3-rgba-unorm-srgb bc4-r-unorm bc4-r-snorm bc5-rg-unorm bc5-rg-snorm bc6h-rgb-ufloat \
        bc6h-rgb-float bc7-rgba-unorm bc7-rgba-unorm-srgb etc2-rgb8unorm etc2-rgb8unorm-srgb etc2-rgb8a1unorm \
        etc2-rgb8a1unorm-srgb etc2-rgba8unorm etc2-rgba8unorm-srgb eac-r11unorm eac-r11snorm eac-rg11unorm \
        eac-rg11snorm r64uint nv12 p010";

    #[test]
    fn formats_are_called_as_in_webgpu() {
        let mut expected: Vec<String> = FORMATS.split_whitespace().map(str::to_owned).collect();
        let sizes = "4x4 5x4 5x5 6x5 6x6 8x5 8x6 8x8 10x5 10x6 10x8 10x10 12x10 12x12";
        for size in sizes.split(' ') {
            expected.extend(["", "-srgb"].map(|srgb| format!("astc-{size}-unorm{srgb}")));
        }
        let mut found: Vec<String> = texture_formats().map(|format| format.name()).collect();
        expected.sort();
        found.sort();
        assert_eq!(found, expected);
    }

    #[test]
    fn other_names_are_those_of_webgpu() {
        use wgt::{TextureUsages, TextureViewDimension as View, VertexFormat as Vertex};
        for (name, expected) in [
            (Vertex::Float32x2.name(), "float32x2"),
            (Vertex::Unorm10_10_10_2.name(), "unorm10-10-10-2"),
            (Vertex::Unorm8x4Bgra.name(), "unorm8x4-bgra"),
            (
                wgt::PrimitiveTopology::TriangleStrip.name(),
                "triangle-strip",
            ),
            (wgt::IndexFormat::Uint16.name(), "uint16"),
            (wgt::TextureAspect::DepthOnly.name(), "depth-only"),
            (wgt::TextureDimension::D3.name(), "3d"),
            (View::CubeArray.name(), "cube-array"),
            (TextureUsages::COPY_SRC.name(), "COPY_SRC"),
            (
                (TextureUsages::COPY_SRC | TextureUsages::COPY_DST).name(),
                "COPY_SRC | COPY_DST",
            ),
            (None::<TextureFormat>.name(), "none"),
            (vector(Scalar::Sint, 3), "vec3<i32>"),
            (vector(Scalar::Float, 1), "f32"),
            (
                Interpolation::PerspectiveCentroid.name(),
                "perspective-centroid",
            ),
        ] {
            assert_eq!(name, expected);
        }
    }
}
