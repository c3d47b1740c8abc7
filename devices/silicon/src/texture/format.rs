//! Texel and vertex formats. A row of [`table`] gives bit layout and reading; size, channels, class, aspects, packing
//! and unpacking derive from it. A chip maps its own format numbers to rows. Rows are checked at compile time: channels
//! fill whole bytes, reads name existing channels.

mod capabilities;
mod table;

pub use capabilities::FormatCapabilities;
pub use table::Format;

/// What the bits of a channel mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `c / (2^n - 1)`.
    Unorm,
    /// `max(c / (2^(n-1) - 1), -1)`.
    Snorm,
    /// An unsigned integer.
    Uint,
    /// A two's complement integer.
    Sint,
    /// A float of 10 or 11 bits (without sign), 16 or 32 bits.
    Float,
    /// Unused bits, written as zero.
    Void,
}

/// One channel as stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Channel {
    /// Meaning.
    pub kind: Kind,
    /// Width in bits, 1 to 32.
    pub bits: u8,
}

/// Where a component of a read comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Read {
    /// Stored channel 0 to 3, in order of rising bits.
    Channel(u8),
    /// Constant zero.
    Zero,
    /// Constant one, in the class of the format.
    One,
}

/// How blocks of texels are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Codec {
    /// Two 5:6:5 colours and 2-bit indices, with punch-through alpha.
    Bc1,
    /// BC1 colour, 4-bit alpha.
    Bc2,
    /// BC1 colour, interpolated alpha.
    Bc3,
    /// One interpolated channel.
    Bc4,
    /// One interpolated channel, signed.
    Bc4Snorm,
    /// Two interpolated channels.
    Bc5,
    /// Two interpolated channels, signed.
    Bc5Snorm,
    /// Half-float colour without sign.
    Bc6hUfloat,
    /// Half-float colour.
    Bc6hFloat,
    /// 8-bit colour and alpha in eight modes.
    Bc7,
    /// ETC2 colour.
    Etc2Rgb8,
    /// ETC2 colour with punch-through alpha.
    Etc2Rgb8A1,
    /// ETC2 colour, EAC alpha.
    Etc2Rgba8,
    /// One 11-bit channel.
    EacR11,
    /// One 11-bit channel, signed.
    EacR11Snorm,
    /// Two 11-bit channels.
    EacRg11,
    /// Two 11-bit channels, signed.
    EacRg11Snorm,
    /// ASTC, low dynamic range profile.
    Astc,
    /// Eight single bits, lowest first.
    Bits,
    /// Eight single bits, highest first.
    BitsReversed,
    /// Two texels that share red and blue: bytes green, blue, green, red.
    PairGreenFirst,
    /// Two texels that share red and blue: bytes blue, green, red, green.
    PairGreenLast,
}

/// How a texel, or a block of texels, is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layout {
    /// Channels next to each other, lowest bit first.
    Plain(&'static [Channel]),
    /// Three 9-bit mantissas, then a 5-bit exponent that they share.
    SharedExponent,
    /// Compressed blocks.
    Block {
        /// How.
        codec: Codec,
        /// Texels across.
        width: u8,
        /// Texels down.
        height: u8,
        /// Bytes per block.
        bytes: u8,
    },
    /// Several images, each with a format of its own; all but the first have half the width and half the height.
    Planar(&'static [Format]),
}

/// The type a shader sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// Floats that were floats in memory.
    Float,
    /// Floats that were unsigned normalised integers.
    Unorm,
    /// Floats that were signed normalised integers.
    Snorm,
    /// Unsigned integers.
    Uint,
    /// Signed integers.
    Sint,
}

impl Class {
    /// Whether a shader sees integers.
    pub const fn is_integer(self) -> bool {
        matches!(self, Class::Uint | Class::Sint)
    }

    /// The bits of one.
    pub const fn one(self) -> u32 {
        if self.is_integer() { 1 } else { 1f32.to_bits() }
    }
}

/// What an image of a format holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Aspects {
    /// Colour.
    Color,
    /// Depth, read as x.
    Depth,
    /// Stencil, read as x.
    Stencil,
    /// Depth, read as x, and stencil, read as y.
    DepthStencil,
    /// Colour in several planes.
    Planes,
}

/// One row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Row {
    /// Storage.
    pub layout: Layout,
    /// Where x, y, z and w come from.
    pub reads: [Read; 4],
    /// Whether x, y and z are stored in the sRGB encoding.
    pub srgb: bool,
    /// What an image holds.
    pub aspects: Aspects,
}

impl Row {
    /// The same, with x, y and z in the sRGB encoding.
    pub(crate) const fn srgb(mut self) -> Row {
        self.srgb = true;
        self
    }

    /// The same, holding `aspects`.
    pub(crate) const fn holds(mut self, aspects: Aspects) -> Row {
        self.aspects = aspects;
        self
    }
}

/// A row of plain channels.
pub(crate) const fn plain(channels: &'static [Channel], reads: &str) -> Row {
    let mut bits = 0;
    let mut i = 0;
    while i < channels.len() {
        let Channel { kind, bits: n } = channels[i];
        assert!(n >= 1 && n <= 32, "a channel has 1 to 32 bits");
        assert!(
            !matches!(kind, Kind::Float) || matches!(n, 10 | 11 | 16 | 32),
            "a float has 10, 11, 16 or 32 bits"
        );
        bits += n as usize;
        i += 1;
    }
    assert!(
        bits.is_multiple_of(8) && bits <= 128,
        "texels are whole bytes"
    );
    Row {
        layout: Layout::Plain(channels),
        reads: parse_reads(reads, channels.len()),
        srgb: false,
        aspects: Aspects::Color,
    }
}

/// A row with a shared exponent.
pub(crate) const fn shared_exponent() -> Row {
    Row {
        layout: Layout::SharedExponent,
        reads: parse_reads("xyz1", 3),
        srgb: false,
        aspects: Aspects::Color,
    }
}

/// A row of compressed blocks.
pub(crate) const fn block(codec: Codec, width: u8, height: u8, bytes: u8) -> Row {
    assert!(
        matches!(bytes, 1 | 4 | 8 | 16),
        "a block is a byte or 1, 2 or 4 words"
    );
    let reads = match codec {
        Codec::Bits | Codec::BitsReversed => "x001",
        // Stored channels are counted from the lowest byte.
        Codec::PairGreenFirst | Codec::PairGreenLast => "zyx1",
        Codec::Bc4 | Codec::Bc4Snorm | Codec::EacR11 | Codec::EacR11Snorm => "x001",
        Codec::Bc5 | Codec::Bc5Snorm | Codec::EacRg11 | Codec::EacRg11Snorm => "xy01",
        Codec::Bc6hUfloat | Codec::Bc6hFloat | Codec::Etc2Rgb8 => "xyz1",
        _ => "xyzw",
    };
    Row {
        layout: Layout::Block {
            codec,
            width,
            height,
            bytes,
        },
        reads: parse_reads(reads, 4),
        srgb: false,
        aspects: Aspects::Color,
    }
}

/// A row of several planes.
pub(crate) const fn planar(planes: &'static [Format]) -> Row {
    Row {
        layout: Layout::Planar(planes),
        reads: parse_reads("xyz1", 3),
        srgb: false,
        aspects: Aspects::Planes,
    }
}

const fn parse_reads(text: &str, channels: usize) -> [Read; 4] {
    let text = text.as_bytes();
    assert!(text.len() == 4, "four reads");
    let mut reads = [Read::Zero; 4];
    let mut i = 0;
    while i < 4 {
        reads[i] = match text[i] {
            b'x' => Read::Channel(0),
            b'y' => Read::Channel(1),
            b'z' => Read::Channel(2),
            b'w' => Read::Channel(3),
            b'0' => Read::Zero,
            b'1' => Read::One,
            _ => panic!("a read is x, y, z, w, 0 or 1"),
        };
        if let Read::Channel(c) = reads[i] {
            assert!((c as usize) < channels, "a read names a channel");
        }
        i += 1;
    }
    reads
}

impl Format {
    /// The stored channels, lowest bit first; empty for compressed and planar formats.
    pub const fn channels(self) -> &'static [Channel] {
        match self.row().layout {
            Layout::Plain(channels) => channels,
            _ => &[],
        }
    }

    /// Whether texels are stored in compressed blocks.
    pub const fn is_block(self) -> bool {
        matches!(self.row().layout, Layout::Block { .. })
    }

    /// Width and height of a block in texels; 1 by 1 unless compressed.
    pub const fn block_size(self) -> (u32, u32) {
        match self.row().layout {
            Layout::Block { width, height, .. } => (width as u32, height as u32),
            _ => (1, 1),
        }
    }

    /// Bytes of one texel, or of one block when compressed; 0 for a planar format, whose planes have sizes.
    pub const fn size_bytes(self) -> u32 {
        match self.row().layout {
            Layout::Plain(channels) => {
                let mut bits = 0;
                let mut i = 0;
                while i < channels.len() {
                    bits += channels[i].bits as u32;
                    i += 1;
                }
                bits / 8
            }
            Layout::SharedExponent => 4,
            Layout::Block { bytes, .. } => bytes as u32,
            Layout::Planar(_) => 0,
        }
    }

    /// The formats of the planes; empty unless planar.
    pub const fn planes(self) -> &'static [Format] {
        match self.row().layout {
            Layout::Planar(planes) => planes,
            _ => &[],
        }
    }

    /// Whether x, y and z are stored in the sRGB encoding.
    pub const fn is_srgb(self) -> bool {
        self.row().srgb
    }

    /// What an image of the format holds.
    pub const fn aspects(self) -> Aspects {
        self.row().aspects
    }

    /// Whether there is depth.
    pub const fn has_depth(self) -> bool {
        matches!(self.row().aspects, Aspects::Depth | Aspects::DepthStencil)
    }

    /// Whether there is stencil.
    pub const fn has_stencil(self) -> bool {
        matches!(self.row().aspects, Aspects::Stencil | Aspects::DepthStencil)
    }

    /// The type that a shader sees; of the depth aspect when there is depth.
    pub const fn class(self) -> Class {
        match self.row().layout {
            Layout::Plain(channels) => match channels[self.first_channel()].kind {
                Kind::Unorm | Kind::Void => Class::Unorm,
                Kind::Snorm => Class::Snorm,
                Kind::Uint => Class::Uint,
                Kind::Sint => Class::Sint,
                Kind::Float => Class::Float,
            },
            Layout::SharedExponent => Class::Float,
            Layout::Block { codec, .. } => match codec {
                Codec::Bc4Snorm | Codec::Bc5Snorm | Codec::EacR11Snorm | Codec::EacRg11Snorm => {
                    Class::Snorm
                }
                Codec::Bc6hUfloat | Codec::Bc6hFloat => Class::Float,
                _ => Class::Unorm,
            },
            Layout::Planar(planes) => planes[0].class(),
        }
    }

    /// The stored channel that x comes from.
    const fn first_channel(self) -> usize {
        match self.row().reads[0] {
            Read::Channel(c) => c as usize,
            _ => 0,
        }
    }

    /// Number of components that a read takes from memory.
    pub const fn components(self) -> u32 {
        let reads = self.row().reads;
        let mut count = 0;
        let mut i = 0;
        while i < 4 {
            if matches!(reads[i], Read::Channel(_)) {
                count += 1;
            }
            i += 1;
        }
        count
    }

    /// Whether alpha is stored.
    pub const fn has_alpha(self) -> bool {
        matches!(self.row().reads[3], Read::Channel(_))
    }

    /// Whether a linear filter has a meaning: everything but integers.
    pub const fn is_filterable(self) -> bool {
        !self.class().is_integer()
    }

    /// Whether a colour attachment can have the format.
    pub const fn is_renderable(self) -> bool {
        matches!(self.row().layout, Layout::Plain(_))
            && matches!(self.row().aspects, Aspects::Color)
    }

    /// Whether a colour attachment of the format can be blended.
    pub const fn is_blendable(self) -> bool {
        self.is_renderable() && !self.class().is_integer()
    }

    /// Bytes of `width` by `height` texels without padding.
    pub const fn image_bytes(self, width: u32, height: u32) -> u64 {
        let (w, h) = self.block_size();
        width.div_ceil(w) as u64 * height.div_ceil(h) as u64 * self.size_bytes() as u64
    }

    /// The format that differs only in the sRGB encoding, if there is one.
    pub fn with_srgb(self, srgb: bool) -> Option<Format> {
        let wanted = Row {
            srgb,
            ..*self.row()
        };
        Format::ALL.iter().copied().find(|f| *f.row() == wanted)
    }
}

#[cfg(test)]
mod tests;
