//! What a driver feeds by hand to chips without descriptors: constants in registers, numbered inputs and outputs.

use crate::ir::Builtin;

/// How a 32-bit word in memory becomes a float in a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Number {
    /// Bits of a float.
    Float,
    /// A signed integer.
    Sint,
    /// An unsigned integer.
    Uint,
}

impl Number {
    /// The bits of the float.
    pub fn to_float(self, word: u32) -> u32 {
        match self {
            Number::Float => word,
            Number::Sint => (word as i32 as f32).to_bits(),
            Number::Uint => (word as f32).to_bits(),
        }
    }
}

/// What the driver alone knows, as a float.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DriverValue {
    /// Window = clip / w * scale + offset: component 0 to 2 of the scale.
    ViewportScale(u8),
    /// And of the offset.
    ViewportOffset(u8),
    /// Width, height, depth or number of layers (0 to 3) of the base level of the texture in a unit.
    TextureSize {
        /// Texture unit.
        unit: u32,
        /// Which of them.
        component: u8,
    },
    /// What a program computes with that does itself what the unit does not.
    Sampling {
        /// Texture unit.
        unit: u32,
        /// Which fact of its texture and sampler.
        part: Sampling,
    },
    /// Number of the draw in a multi-draw.
    DrawIndex,
}

/// What a texture unit is set to, as a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sampling {
    /// What a comparison gives where the reference is less than the texel: 0 or 1.
    Less,
    /// Where they are equal.
    Equal,
    /// Where it is greater.
    Greater,
    /// 1 of a sampler that filters within a level, 0 of one that takes the nearest texel.
    Linear,
    /// 1 of a sampler that filters between levels, 0 of one that takes the nearest level.
    LinearLevels,
    /// The bias of its level of detail.
    Bias,
    /// The finest level that it takes.
    Finest,
    /// The coarsest level that it takes.
    Coarsest,
    /// Levels of the texture.
    Levels,
    /// Texels along an axis, of the finest level that the sampler takes.
    Size(u8),
    /// One divided by those.
    Texel(u8),
}

/// Where a component of a hardware constant comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ConstantSource {
    /// Bits that the compiler knows.
    Immediate(u32),
    /// A word of a uniform buffer; zero behind its end.
    Uniform {
        /// Index into [`super::Slots::banks`].
        bank: u32,
        /// Byte offset.
        offset: u32,
        /// What the word is.
        number: Number,
    },
    /// A word of the push constants.
    Push {
        /// Byte offset.
        offset: u32,
        /// What the word is.
        number: Number,
    },
    /// Something of the driver's.
    Driver(DriverValue),
}

/// Where a constant's components come from; those that nothing reads have no source.
pub type ConstantVector = [Option<ConstantSource>; 4];

/// An input vector of a shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InputVector {
    /// Vertex: the attribute at a location, integers as floats.
    Attribute(u32),
    /// Vertex: an index as a float in x.
    Index(Builtin),
    /// Fragment: a user input, by its place in the interface. Integers are floats.
    Varying(u32),
    /// Fragment: the clip position, interpolated as a varying: [`OutputVector::ClipPosition`].
    ClipPosition,
    /// Fragment: column and line of the pixel in x and y.
    Pixel,
    /// Fragment: 0.0 on front faces, 1.0 on back faces, in x.
    BackFacing,
    /// Fragment: place in a point in x and y.
    PointCoord,
}

/// An output vector of a vertex shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OutputVector {
    /// Clip position.
    Position,
    /// Point size in x.
    PointSize,
    /// A user output, by its place in the interface. Integers are floats.
    Varying(u32),
    /// The clip position once more, for the fragment shader.
    ClipPosition,
}
