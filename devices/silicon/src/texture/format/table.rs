//! The table of formats.

use super::Aspects::{Depth, DepthStencil, Stencil};
use super::{Channel, Codec, Kind, Row, block, plain, planar, shared_exponent};

macro_rules! channels {
    ($($name:ident = $kind:ident $bits:literal;)*) => {
        $(const $name: Channel = Channel { kind: Kind::$kind, bits: $bits };)*
    };
}

channels! {
    UN1 = Unorm 1; UN2 = Unorm 2; UN3 = Unorm 3; UN4 = Unorm 4; UN5 = Unorm 5; UN6 = Unorm 6; UN8 = Unorm 8;
    UN10 = Unorm 10; UN11 = Unorm 11; UN16 = Unorm 16; UN24 = Unorm 24;
    SN2 = Snorm 2; SN5 = Snorm 5; SN6 = Snorm 6; SN8 = Snorm 8; SN10 = Snorm 10; SN11 = Snorm 11; SN16 = Snorm 16;
    U2 = Uint 2; U8 = Uint 8; U10 = Uint 10; U11 = Uint 11; U16 = Uint 16; U32 = Uint 32;
    S2 = Sint 2; S8 = Sint 8; S10 = Sint 10; S11 = Sint 11; S16 = Sint 16; S32 = Sint 32;
    F10 = Float 10; F11 = Float 11; F16 = Float 16; F32 = Float 32;
    X8 = Void 8; X24 = Void 24;
}

macro_rules! formats {
    ($($(#[$doc:meta])* $name:ident = $row:expr;)*) => {
        /// How texels and vertex attributes are stored. Names read from the lowest byte up, or from the highest bit
        /// down where channels are not bytes, as Vulkan's do; sizes, channels and meaning are functions of the row.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs, reason = "a name says what its row says")]
        #[repr(u8)]
        pub enum Format { $($(#[$doc])* $name),* }

        impl Format {
            /// Every format, in table order.
            pub const ALL: &[Format] = &[$(Format::$name),*];

            /// The row.
            pub const fn row(self) -> &'static Row {
                const ROWS: &[Row] = &[$($row),*];
                &ROWS[self as usize]
            }

            /// The name.
            pub const fn name(self) -> &'static str {
                const NAMES: &[&str] = &[$(stringify!($name)),*];
                NAMES[self as usize]
            }

            /// The format of this name.
            pub fn from_name(name: &str) -> Option<Format> {
                Format::ALL.iter().copied().find(|f| f.name() == name)
            }
        }
    };
}

#[rustfmt::skip]
mod rows {
use super::*;
formats! {
    //                     lowest bit first                   reads as
    R8Unorm              = plain(&[UN8],                      "x001");
    R8Snorm              = plain(&[SN8],                      "x001");
    R8Uint               = plain(&[U8],                       "x001");
    R8Sint               = plain(&[S8],                       "x001");
    R8G8Unorm            = plain(&[UN8, UN8],                 "xy01");
    R8G8Snorm            = plain(&[SN8, SN8],                 "xy01");
    R8G8Uint             = plain(&[U8, U8],                   "xy01");
    R8G8Sint             = plain(&[S8, S8],                   "xy01");
    R8G8B8A8Unorm        = plain(&[UN8, UN8, UN8, UN8],       "xyzw");
    R8G8B8A8Srgb         = plain(&[UN8, UN8, UN8, UN8],       "xyzw").srgb();
    R8G8B8A8Snorm        = plain(&[SN8, SN8, SN8, SN8],       "xyzw");
    R8G8B8A8Uint         = plain(&[U8, U8, U8, U8],           "xyzw");
    R8G8B8A8Sint         = plain(&[S8, S8, S8, S8],           "xyzw");
    B8G8R8A8Unorm        = plain(&[UN8, UN8, UN8, UN8],       "zyxw");
    B8G8R8A8Srgb         = plain(&[UN8, UN8, UN8, UN8],       "zyxw").srgb();
    B8G8R8X8Unorm        = plain(&[UN8, UN8, UN8, X8],        "zyx1");

    R8G8B8Unorm          = plain(&[UN8, UN8, UN8],            "xyz1");
    R8G8B8Srgb           = plain(&[UN8, UN8, UN8],            "xyz1").srgb();
    R8G8B8Snorm          = plain(&[SN8, SN8, SN8],            "xyz1");
    R8G8B8Uint           = plain(&[U8, U8, U8],               "xyz1");
    R8G8B8Sint           = plain(&[S8, S8, S8],               "xyz1");

    G4R4Unorm            = plain(&[UN4, UN4],                 "xy01");
    R3G3B2Unorm          = plain(&[UN2, UN3, UN3],            "zyx1");
    B5G6R5Unorm          = plain(&[UN5, UN6, UN5],            "zyx1");
    R6G5B5Unorm          = plain(&[UN5, UN5, UN6],            "zyx1");
    R6G5B5Snorm          = plain(&[SN5, SN5, SN6],            "zyx1");
    A1R5G5B5Unorm        = plain(&[UN5, UN5, UN5, UN1],       "zyxw");
    R5G5B5A1Unorm        = plain(&[UN1, UN5, UN5, UN5],       "wzyx");
    A4B4G4R4Unorm        = plain(&[UN4, UN4, UN4, UN4],       "xyzw");
    A4R4G4B4Unorm        = plain(&[UN4, UN4, UN4, UN4],       "zyxw");
    A2B10G10R10Unorm     = plain(&[UN10, UN10, UN10, UN2],    "xyzw");
    A2B10G10R10Snorm     = plain(&[SN10, SN10, SN10, SN2],    "xyzw");
    A2B10G10R10Uint      = plain(&[U10, U10, U10, U2],        "xyzw");
    A2B10G10R10Sint      = plain(&[S10, S10, S10, S2],        "xyzw");
    A2R10G10B10Unorm     = plain(&[UN10, UN10, UN10, UN2],    "zyxw");
    R10G10B10A2Unorm     = plain(&[UN2, UN10, UN10, UN10],    "wzyx");
    R10G10B10A2Uint      = plain(&[U2, U10, U10, U10],        "wzyx");
    B10G11R11Float       = plain(&[F11, F11, F10],            "xyz1");
    B10G11R11Unorm       = plain(&[UN11, UN11, UN10],         "xyz1");
    B10G11R11Snorm       = plain(&[SN11, SN11, SN10],         "xyz1");
    B10G11R11Uint        = plain(&[U11, U11, U10],            "xyz1");
    B10G11R11Sint        = plain(&[S11, S11, S10],            "xyz1");
    B11G11R10Float       = plain(&[F10, F11, F11],            "xyz1");
    B11G11R10Unorm       = plain(&[UN10, UN11, UN11],         "xyz1");
    B11G11R10Snorm       = plain(&[SN10, SN11, SN11],         "xyz1");
    E5B9G9R9Float        = shared_exponent();

    R16Unorm             = plain(&[UN16],                     "x001");
    R16Snorm             = plain(&[SN16],                     "x001");
    R16Uint              = plain(&[U16],                      "x001");
    R16Sint              = plain(&[S16],                      "x001");
    R16Float             = plain(&[F16],                      "x001");
    R16G16Unorm          = plain(&[UN16, UN16],               "xy01");
    R16G16Snorm          = plain(&[SN16, SN16],               "xy01");
    R16G16Uint           = plain(&[U16, U16],                 "xy01");
    R16G16Sint           = plain(&[S16, S16],                 "xy01");
    R16G16Float          = plain(&[F16, F16],                 "xy01");
    R16G16B16Unorm       = plain(&[UN16, UN16, UN16],         "xyz1");
    R16G16B16Snorm       = plain(&[SN16, SN16, SN16],         "xyz1");
    R16G16B16Uint        = plain(&[U16, U16, U16],            "xyz1");
    R16G16B16Sint        = plain(&[S16, S16, S16],            "xyz1");
    R16G16B16Float       = plain(&[F16, F16, F16],            "xyz1");
    R16G16B16A16Unorm    = plain(&[UN16, UN16, UN16, UN16],   "xyzw");
    R16G16B16A16Snorm    = plain(&[SN16, SN16, SN16, SN16],   "xyzw");
    R16G16B16A16Uint     = plain(&[U16, U16, U16, U16],       "xyzw");
    R16G16B16A16Sint     = plain(&[S16, S16, S16, S16],       "xyzw");
    R16G16B16A16Float    = plain(&[F16, F16, F16, F16],       "xyzw");

    R32Uint              = plain(&[U32],                      "x001");
    R32Sint              = plain(&[S32],                      "x001");
    R32Float             = plain(&[F32],                      "x001");
    R32G32Uint           = plain(&[U32, U32],                 "xy01");
    R32G32Sint           = plain(&[S32, S32],                 "xy01");
    R32G32Float          = plain(&[F32, F32],                 "xy01");
    R32G32B32Uint        = plain(&[U32, U32, U32],            "xyz1");
    R32G32B32Sint        = plain(&[S32, S32, S32],            "xyz1");
    R32G32B32Float       = plain(&[F32, F32, F32],            "xyz1");
    R32G32B32A32Uint     = plain(&[U32, U32, U32, U32],       "xyzw");
    R32G32B32A32Sint     = plain(&[S32, S32, S32, S32],       "xyzw");
    R32G32B32A32Float    = plain(&[F32, F32, F32, F32],       "xyzw");

    /// One integer of 64 bits, read as its two words.
    R64Uint              = plain(&[U32, U32],                 "xy01");

    D16Unorm             = plain(&[UN16],                     "x001").holds(Depth);
    D24UnormX8           = plain(&[UN24, X8],                 "x001").holds(Depth);
    D32Float             = plain(&[F32],                      "x001").holds(Depth);
    S8Uint               = plain(&[U8],                       "x001").holds(Stencil);
    D24UnormS8Uint       = plain(&[UN24, U8],                 "xy01").holds(DepthStencil);
    S8UintD24Unorm       = plain(&[U8, UN24],                 "yx01").holds(DepthStencil);
    D32FloatS8Uint       = plain(&[F32, U8, X24],             "xy01").holds(DepthStencil);

    /// Depth and stencil of one word as components of a colour.
    R24G8Unorm           = plain(&[UN24, UN8],                "xy01");
    R8G24Unorm           = plain(&[UN8, UN24],                "xy01");
    R32FloatG8Uint       = plain(&[F32, U8, X24],             "xy01");

    Bc1RgbaUnorm         = block(Codec::Bc1, 4, 4, 8);
    Bc1RgbaSrgb          = block(Codec::Bc1, 4, 4, 8).srgb();
    Bc2RgbaUnorm         = block(Codec::Bc2, 4, 4, 16);
    Bc2RgbaSrgb          = block(Codec::Bc2, 4, 4, 16).srgb();
    Bc3RgbaUnorm         = block(Codec::Bc3, 4, 4, 16);
    Bc3RgbaSrgb          = block(Codec::Bc3, 4, 4, 16).srgb();
    Bc4RUnorm            = block(Codec::Bc4, 4, 4, 8);
    Bc4RSnorm            = block(Codec::Bc4Snorm, 4, 4, 8);
    Bc5RgUnorm           = block(Codec::Bc5, 4, 4, 16);
    Bc5RgSnorm           = block(Codec::Bc5Snorm, 4, 4, 16);
    Bc6hRgbUfloat        = block(Codec::Bc6hUfloat, 4, 4, 16);
    Bc6hRgbFloat         = block(Codec::Bc6hFloat, 4, 4, 16);
    Bc7RgbaUnorm         = block(Codec::Bc7, 4, 4, 16);
    Bc7RgbaSrgb          = block(Codec::Bc7, 4, 4, 16).srgb();

    Etc2Rgb8Unorm        = block(Codec::Etc2Rgb8, 4, 4, 8);
    Etc2Rgb8Srgb         = block(Codec::Etc2Rgb8, 4, 4, 8).srgb();
    Etc2Rgb8A1Unorm      = block(Codec::Etc2Rgb8A1, 4, 4, 8);
    Etc2Rgb8A1Srgb       = block(Codec::Etc2Rgb8A1, 4, 4, 8).srgb();
    Etc2Rgba8Unorm       = block(Codec::Etc2Rgba8, 4, 4, 16);
    Etc2Rgba8Srgb        = block(Codec::Etc2Rgba8, 4, 4, 16).srgb();
    EacR11Unorm          = block(Codec::EacR11, 4, 4, 8);
    EacR11Snorm          = block(Codec::EacR11Snorm, 4, 4, 8);
    EacRg11Unorm         = block(Codec::EacRg11, 4, 4, 16);
    EacRg11Snorm         = block(Codec::EacRg11Snorm, 4, 4, 16);

    Astc4x4Unorm         = block(Codec::Astc, 4, 4, 16);
    Astc4x4Srgb          = block(Codec::Astc, 4, 4, 16).srgb();
    Astc5x4Unorm         = block(Codec::Astc, 5, 4, 16);
    Astc5x4Srgb          = block(Codec::Astc, 5, 4, 16).srgb();
    Astc5x5Unorm         = block(Codec::Astc, 5, 5, 16);
    Astc5x5Srgb          = block(Codec::Astc, 5, 5, 16).srgb();
    Astc6x5Unorm         = block(Codec::Astc, 6, 5, 16);
    Astc6x5Srgb          = block(Codec::Astc, 6, 5, 16).srgb();
    Astc6x6Unorm         = block(Codec::Astc, 6, 6, 16);
    Astc6x6Srgb          = block(Codec::Astc, 6, 6, 16).srgb();
    Astc8x5Unorm         = block(Codec::Astc, 8, 5, 16);
    Astc8x5Srgb          = block(Codec::Astc, 8, 5, 16).srgb();
    Astc8x6Unorm         = block(Codec::Astc, 8, 6, 16);
    Astc8x6Srgb          = block(Codec::Astc, 8, 6, 16).srgb();
    Astc8x8Unorm         = block(Codec::Astc, 8, 8, 16);
    Astc8x8Srgb          = block(Codec::Astc, 8, 8, 16).srgb();
    Astc10x5Unorm        = block(Codec::Astc, 10, 5, 16);
    Astc10x5Srgb         = block(Codec::Astc, 10, 5, 16).srgb();
    Astc10x6Unorm        = block(Codec::Astc, 10, 6, 16);
    Astc10x6Srgb         = block(Codec::Astc, 10, 6, 16).srgb();
    Astc10x8Unorm        = block(Codec::Astc, 10, 8, 16);
    Astc10x8Srgb         = block(Codec::Astc, 10, 8, 16).srgb();
    Astc10x10Unorm       = block(Codec::Astc, 10, 10, 16);
    Astc10x10Srgb        = block(Codec::Astc, 10, 10, 16).srgb();
    Astc12x10Unorm       = block(Codec::Astc, 12, 10, 16);
    Astc12x10Srgb        = block(Codec::Astc, 12, 10, 16).srgb();
    Astc12x12Unorm       = block(Codec::Astc, 12, 12, 16);
    Astc12x12Srgb        = block(Codec::Astc, 12, 12, 16).srgb();

    /// Eight texels of one bit, the lowest first.
    R1Unorm              = block(Codec::Bits, 8, 1, 1);
    /// Eight texels of one bit, the highest first.
    R1ReversedUnorm      = block(Codec::BitsReversed, 8, 1, 1);
    /// Two texels: green, blue of both, green, red of both.
    G8B8G8R8Unorm        = block(Codec::PairGreenFirst, 2, 1, 4);
    /// Two texels: blue of both, green, red of both, green.
    B8G8R8G8Unorm        = block(Codec::PairGreenLast, 2, 1, 4);

    Nv12                 = planar(&[Format::R8Unorm, Format::R8G8Unorm]);
    P010                 = planar(&[Format::R16Unorm, Format::R16G16Unorm]);

    // Other orders of components, which colour targets have.
    A4R4Unorm            = plain(&[UN4, UN4],                 "x00y");
    R4G4Unorm            = plain(&[UN4, UN4],                 "yx01");
    R4A4Unorm            = plain(&[UN4, UN4],                 "y00x");
    B3G3R2Unorm          = plain(&[UN2, UN3, UN3],            "xyz1");
    A3G3R2Unorm          = plain(&[UN2, UN3, UN3],            "xy0z");
    R3G3A2Unorm          = plain(&[UN2, UN3, UN3],            "zy0x");
    B6G5R5Unorm          = plain(&[UN5, UN5, UN6],            "xyz1");
    B6G5R5Snorm          = plain(&[SN5, SN5, SN6],            "xyz1");
    A6G5R5Unorm          = plain(&[UN5, UN5, UN6],            "xy0z");
    A6G5R5Snorm          = plain(&[SN5, SN5, SN6],            "xy0z");
    R6G5A5Unorm          = plain(&[UN5, UN5, UN6],            "zy0x");
    R6G5A5Snorm          = plain(&[SN5, SN5, SN6],            "zy0x");
    R8Srgb               = plain(&[UN8],                      "x001").srgb();
    A8Unorm              = plain(&[UN8],                      "000x");
    A8Snorm              = plain(&[SN8],                      "000x");
    A8Uint               = plain(&[U8],                       "000x");
    A8Sint               = plain(&[S8],                       "000x");
    R8A8Unorm            = plain(&[UN8, UN8],                 "x00y");
    R8A8Snorm            = plain(&[SN8, SN8],                 "x00y");
    R8A8Uint             = plain(&[U8, U8],                   "x00y");
    R8A8Sint             = plain(&[S8, S8],                   "x00y");
    A8B8G8R8Unorm        = plain(&[UN8, UN8, UN8, UN8],       "wzyx");
    A8B8G8R8Srgb         = plain(&[UN8, UN8, UN8, UN8],       "wzyx").srgb();
    A8B8G8R8Snorm        = plain(&[SN8, SN8, SN8, SN8],       "wzyx");
    A8B8G8R8Uint         = plain(&[U8, U8, U8, U8],           "wzyx");
    A8B8G8R8Sint         = plain(&[S8, S8, S8, S8],           "wzyx");
    A8R8G8B8Unorm        = plain(&[UN8, UN8, UN8, UN8],       "yzwx");
    A8R8G8B8Srgb         = plain(&[UN8, UN8, UN8, UN8],       "yzwx").srgb();
    A8R8G8B8Snorm        = plain(&[SN8, SN8, SN8, SN8],       "yzwx");
    A8R8G8B8Uint         = plain(&[U8, U8, U8, U8],           "yzwx");
    A8R8G8B8Sint         = plain(&[S8, S8, S8, S8],           "yzwx");
    B8G8R8A8Snorm        = plain(&[SN8, SN8, SN8, SN8],       "zyxw");
    B8G8R8A8Uint         = plain(&[U8, U8, U8, U8],           "zyxw");
    B8G8R8A8Sint         = plain(&[S8, S8, S8, S8],           "zyxw");
    A2R10G10B10Uint      = plain(&[U10, U10, U10, U2],        "zyxw");
    A16Unorm             = plain(&[UN16],                     "000x");
    A16Snorm             = plain(&[SN16],                     "000x");
    A16Uint              = plain(&[U16],                      "000x");
    A16Sint              = plain(&[S16],                      "000x");
    A16Float             = plain(&[F16],                      "000x");
    R16A16Unorm          = plain(&[UN16, UN16],               "x00y");
    R16A16Snorm          = plain(&[SN16, SN16],               "x00y");
    R16A16Uint           = plain(&[U16, U16],                 "x00y");
    R16A16Sint           = plain(&[S16, S16],                 "x00y");
    R16A16Float          = plain(&[F16, F16],                 "x00y");
    A32Uint              = plain(&[U32],                      "000x");
    A32Sint              = plain(&[S32],                      "000x");
    A32Float             = plain(&[F32],                      "000x");
    R32A32Uint           = plain(&[U32, U32],                 "x00y");
    R32A32Sint           = plain(&[S32, S32],                 "x00y");
    R32A32Float          = plain(&[F32, F32],                 "x00y");
    R5G6B5Unorm          = plain(&[UN5, UN6, UN5],            "xyz1");
    R5G6A5Unorm          = plain(&[UN5, UN6, UN5],            "xy0z");
    A5G6R5Unorm          = plain(&[UN5, UN6, UN5],            "zy0x");
    A1B5G5R5Unorm        = plain(&[UN5, UN5, UN5, UN1],       "xyzw");
    R1G5B5A5Unorm        = plain(&[UN5, UN5, UN5, UN1],       "wzyx");
    B1G5R5A5Unorm        = plain(&[UN5, UN5, UN5, UN1],       "yzwx");
    A5B5G5R1Unorm        = plain(&[UN1, UN5, UN5, UN5],       "xyzw");
    A5R5G5B1Unorm        = plain(&[UN1, UN5, UN5, UN5],       "zyxw");
    B5G5R5A1Unorm        = plain(&[UN1, UN5, UN5, UN5],       "yzwx");
    R4G4B4A4Unorm        = plain(&[UN4, UN4, UN4, UN4],       "wzyx");
    B4G4R4A4Unorm        = plain(&[UN4, UN4, UN4, UN4],       "yzwx");
}
}
pub use rows::Format;
