//! Operand codes: one space of numbers shared by all fields that name a source or destination. [SI 5.2, 6.2]

/// VCC_LO.
pub const VCC: u8 = 106;
/// TBA_LO.
pub const TBA: u8 = 108;
/// TMA_LO.
pub const TMA: u8 = 110;
/// TTMP0.
pub const TTMP: u8 = 112;
/// M0.
pub const M0: u8 = 124;
/// EXEC_LO.
pub const EXEC: u8 = 126;
/// Bit that says VCC is zero.
pub const VCCZ: u16 = 251;
/// Bit that says EXEC is zero.
pub const EXECZ: u16 = 252;
/// The scalar condition code.
pub const SCC: u16 = 253;
/// A dword of local data share, the same for all lanes.
pub const LDS_DIRECT: u16 = 254;
/// The dword after the instruction.
pub const LITERAL: u16 = 255;
/// VGPR 0.
pub const VGPR: u16 = 256;
/// Number of SGPRs that have a code.
pub const SGPRS: u16 = 104;

/// A source operand before it is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A register or inline constant.
    Code(u16),
    /// A constant that takes a dword of its own.
    Literal(u32),
}

impl Operand {
    /// Vector register `n`.
    pub const fn vgpr(n: u8) -> Operand {
        Operand::Code(VGPR + n as u16)
    }

    /// Scalar register `n`, or another scalar by its code.
    pub const fn sgpr(n: u8) -> Operand {
        Operand::Code(n as u16)
    }

    /// A 32-bit constant: inline if there is a code for it.
    pub fn constant(bits: u32) -> Operand {
        inline_code(bits).map_or(Operand::Literal(bits), Operand::Code)
    }

    /// The operand's code.
    pub const fn code(self) -> u16 {
        match self {
            Operand::Code(code) => code,
            Operand::Literal(_) => LITERAL,
        }
    }

    /// The dword that follows the instruction.
    pub const fn literal(self) -> Option<u32> {
        match self {
            Operand::Code(_) => None,
            Operand::Literal(bits) => Some(bits),
        }
    }
}

const FLOATS: [f32; 8] = [0.5, -0.5, 1.0, -1.0, 2.0, -2.0, 4.0, -4.0];

/// The code of an inline constant with these 32 bits.
pub fn inline_code(bits: u32) -> Option<u16> {
    match bits as i32 {
        value @ 0..=64 => Some(128 + value as u16),
        value @ -16..=-1 => Some((192 - value) as u16),
        _ => {
            let at = FLOATS.iter().position(|value| value.to_bits() == bits)?;
            Some(240 + at as u16)
        }
    }
}

/// The code of an inline constant with these 64 bits: a sign-extended integer or a double.
pub fn inline_code_64(bits: u64) -> Option<u16> {
    match bits as i64 {
        value @ 0..=64 => Some(128 + value as u16),
        value @ -16..=-1 => Some((192 - value) as u16),
        _ => {
            let at = FLOATS
                .iter()
                .position(|value| f64::from(*value).to_bits() == bits)?;
            Some(240 + at as u16)
        }
    }
}

/// The value of an inline constant as a 32-bit operand, whatever the instruction's type.
pub fn inline_value(code: u16) -> Option<u32> {
    match code {
        128..=192 => Some(u32::from(code) - 128),
        193..=208 => Some(192u32.wrapping_sub(u32::from(code))),
        240..=247 => Some(FLOATS[usize::from(code) - 240].to_bits()),
        _ => None,
    }
}

/// The value of an inline constant as a 64-bit operand.
pub fn inline_value_64(code: u16) -> Option<u64> {
    match code {
        240..=247 => Some(f64::from(FLOATS[usize::from(code) - 240]).to_bits()),
        _ => inline_value(code).map(|bits| bits as i32 as i64 as u64),
    }
}

/// Whether a code names something that can be read. [SI table 5.1, 6.1]
pub fn is_source(code: u16) -> bool {
    matches!(code, 0..=103 | 106..=124 | 126..=208 | 240..=247 | 251..=511)
}

/// Whether a code names a scalar register.
pub fn is_scalar_register(code: u16) -> bool {
    matches!(code, 0..=103 | 106..=124 | 126..=127)
}
