//! Formats of texels. [SPIRV 3.11 Image Format]

/// The texel format of a storage image.
pub(super) fn texel_format(format: spirv::ImageFormat) -> Option<wgpu_types::TextureFormat> {
    use spirv::ImageFormat as F;
    use wgpu_types::TextureFormat as T;
    Some(match format {
        F::Rgba32f => T::Rgba32Float,
        F::Rgba16f => T::Rgba16Float,
        F::R32f => T::R32Float,
        F::Rgba8 => T::Rgba8Unorm,
        F::Rgba8Snorm => T::Rgba8Snorm,
        F::Rg32f => T::Rg32Float,
        F::Rg16f => T::Rg16Float,
        F::R11fG11fB10f => T::Rg11b10Ufloat,
        F::R16f => T::R16Float,
        F::Rgba16 => T::Rgba16Unorm,
        F::Rgb10A2 => T::Rgb10a2Unorm,
        F::Rg16 => T::Rg16Unorm,
        F::Rg8 => T::Rg8Unorm,
        F::R16 => T::R16Unorm,
        F::R8 => T::R8Unorm,
        F::Rgba16Snorm => T::Rgba16Snorm,
        F::Rg16Snorm => T::Rg16Snorm,
        F::Rg8Snorm => T::Rg8Snorm,
        F::R16Snorm => T::R16Snorm,
        F::R8Snorm => T::R8Snorm,
        F::Rgba32i => T::Rgba32Sint,
        F::Rgba16i => T::Rgba16Sint,
        F::Rgba8i => T::Rgba8Sint,
        F::R32i => T::R32Sint,
        F::Rg32i => T::Rg32Sint,
        F::Rg16i => T::Rg16Sint,
        F::Rg8i => T::Rg8Sint,
        F::R16i => T::R16Sint,
        F::R8i => T::R8Sint,
        F::Rgba32ui => T::Rgba32Uint,
        F::Rgba16ui => T::Rgba16Uint,
        F::Rgba8ui => T::Rgba8Uint,
        F::R32ui => T::R32Uint,
        F::Rgb10a2ui => T::Rgb10a2Uint,
        F::Rg32ui => T::Rg32Uint,
        F::Rg16ui => T::Rg16Uint,
        F::Rg8ui => T::Rg8Uint,
        F::R16ui => T::R16Uint,
        F::R8ui => T::R8Uint,
        F::Unknown | F::R64ui | F::R64i => return None,
    })
}
