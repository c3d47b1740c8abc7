//! Operations of phases 0 and 1 of main groups. [Rogue 13.6]

mod decode;
mod encode;

use super::format::Format;

isa::ops! {
    /// Operations with one operand.
    pub enum Single: () {
        FRCP = 0 "frcp" ();
        FRSQ = 1 "frsq" ();
        FLOG = 2 "flog" ();
        FEXP = 3 "fexp" ();
        FLOGCN = 5 "flogcn" ();
        MBYP = 7 "mbyp" ();
        FDSX = 8 "fdsx" ();
        FDSY = 9 "fdsy" ();
        FDSXF = 10 "fdsxf" ();
        FDSYF = 11 "fdsyf" ();
        FSINC = 14 "fsinc" ();
        FARCTANC = 15 "farctanc" ();
    }
}

/// Codes beside those of [`Single`]: the body of the first is not public.
const F16SOP: u8 = 4;
const GAMMA: u8 = 6;
const UNPACK: u8 = 12;
const FRED: u8 = 13;

isa::ops! {
    /// Sums and products.
    pub enum Float2: () {
        FADD = 0 "fadd" ();
        FMUL = 2 "fmul" ();
    }
}

isa::ops! {
    /// Integer operations of 32 and 64 bits.
    pub enum Wide: () {
        ADD6432 = 0 "add6432" ();
        ADD64 = 1 "add64" ();
        MADD32 = 2 "madd32" ();
        MADD64 = 3 "madd64" ();
    }
}

isa::ops! {
    /// Integer operations of 8 and 16 bits.
    pub enum Narrow: () {
        ADD = 0 "add" ();
        MUL = 1 "mul" ();
        MAD = 2 "mad" ();
    }
}

/// Modifiers of a source: floor first, then absolute value, then negation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Modifiers {
    /// Rounded down.
    pub floor: bool,
    /// Without its sign.
    pub abs: bool,
    /// With the other sign.
    pub neg: bool,
}

/// An operation of phase 0 or 1. Its sources are S0, S1, S2 in phase 0 and S3, S4, S5 in phase 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Alu {
    /// A sum or product.
    Float2 {
        /// Which.
        op: Float2,
        /// Low precision is enough.
        low: bool,
        /// The result is clamped to 0..1.
        sat: bool,
        /// Modifiers of the first source.
        a: Modifiers,
        /// The second source is without its sign.
        b_abs: bool,
    },
    /// A product and a sum.
    Fmad {
        /// Low precision is enough.
        low: bool,
        /// The result is clamped to 0..1.
        sat: bool,
        /// Modifiers of the sources; the third may be rounded down.
        mods: [Modifiers; 3],
    },
    /// An operation with one operand.
    Single {
        /// Which.
        op: Single,
        /// Modifiers of its source, without floor.
        mods: Modifiers,
    },
    /// Gamma compression or expansion.
    Gamma {
        /// sRGB to linear.
        expand: bool,
        /// Modifiers of its source, without floor.
        mods: Modifiers,
    },
    /// Range reduction of sine and cosine.
    Fred {
        /// Of a cosine.
        cos: bool,
        /// The second part.
        part_b: bool,
        /// Iteration, 0 to 7.
        iteration: u8,
        /// P0 is written.
        p0: bool,
        /// Modifiers of its source, without floor.
        mods: Modifiers,
    },
    /// A component of packed data.
    Unpack {
        /// Format.
        format: Format,
        /// Component, 0 to 3.
        element: u8,
        /// Normalised, or rounded towards zero in formats of 32-bit integers.
        scale: bool,
    },
    /// Integers of 8 or 16 bits.
    Narrow {
        /// Which.
        op: Narrow,
        /// Signed.
        signed: bool,
        /// 16 bits.
        wide: bool,
        /// The result is clamped to its type.
        sat: bool,
        /// Modifiers of the sources, without floor; the second has no negation.
        mods: [Modifiers; 3],
        /// Elements of the sources.
        elements: [u8; 3],
    },
    /// Integers of 32 or 64 bits.
    Wide {
        /// Which.
        op: Wide,
        /// Signed.
        signed: bool,
        /// P0 is added.
        carry: bool,
        /// Modifiers of the sources, without floor.
        mods: [Modifiers; 3],
    },
}
