//! Fog, alpha test and alpha to coverage, of what the fragment program gives its first target. [R5xx 13.2 "FG"]
//!
//! The manual names the fog functions without their formulas: ours are those of OpenGL, of a coordinate that GA has scaled
//! and moved. Dither and the alpha offset are not in this chip, the manual says.

use lanes::LaneOp;
use radeon::registers::RegisterFile;
use silicon::fragment::depth::Compare;
use silicon::fragment::multisample::AlphaToMask;
use silicon::texture::float;

use crate::regs::*;

/// An alpha test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AlphaTest {
    /// Alpha on the left.
    pub compare: Compare,
    /// What it is compared with.
    reference: Reference,
}

/// The reference, and the numbers that are compared.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Reference {
    /// Fractions of the largest number of so many bits, alpha rounded to nearest.
    Fixed { bits: u32, value: u32 },
    /// Half floats.
    Half(f32),
}

impl AlphaTest {
    /// Whether a pixel with this alpha passes.
    #[inline]
    pub fn passes(&self, alpha: f32) -> bool {
        match self.reference {
            Reference::Fixed { bits, value } => {
                let alpha = silicon::texture::fixed::to_unorm(alpha, bits);
                self.compare.holds(alpha, value)
            }
            Reference::Half(value) => {
                let alpha = float::from_f16(float::to_f16(alpha.to_bits()));
                self.compare.holds(f32::from_bits(alpha), value)
            }
        }
    }

    /// The lanes of a mask that pass.
    pub fn lanes(&self, mask: u64, alpha: &[u32; 64]) -> u64 {
        let passes = |lane: &usize| self.passes(f32::from_bits(alpha[*lane]));
        let lanes = (0..64).filter(|lane| mask >> lane & 1 == 1);
        lanes.filter(passes).fold(0, |all, lane| all | 1 << lane)
    }
}

/// The alpha test of a draw; none when it is off.
pub fn alpha_test(registers: &RegisterFile) -> Result<Option<AlphaTest>, String> {
    use FG_ALPHA_FUNC::*;
    if !AF_EN.on(registers) {
        return Ok(None);
    }
    let wide = FG_ALPHA_VALUE::AF_VAL.read(registers);
    let reference = match (AF_EN_8BIT.on(registers), FP16_ENABLE.on(registers)) {
        (true, _) => Reference::Fixed {
            bits: 8,
            value: AF_VAL.read(registers),
        },
        (false, false) => Reference::Fixed {
            bits: 10,
            value: wide & 0x3ff,
        },
        (false, true) => Reference::Half(f32::from_bits(float::from_f16(wide))),
    };
    Ok(Some(AlphaTest {
        // In the order of Vulkan, which is not that of the depth block.
        compare: Compare::ALL[AF_FUNC.read(registers) as usize],
        reference,
    }))
}

/// Alpha to coverage of a draw with some samples; none when it is off. The patterns are not in the manual: samples are
/// covered in order, alpha rounded to their number.
pub fn alpha_to_mask(
    registers: &RegisterFile,
    samples: u32,
) -> Result<Option<AlphaToMask>, String> {
    use FG_ALPHA_FUNC::*;
    if !AM_EN.on(registers) || samples == 1 {
        return Ok(None);
    }
    let threes = AM_CFG.on(registers);
    if threes != samples.is_multiple_of(3) {
        return Err(format!(
            "FG_ALPHA_FUNC.AM_CFG {} of {samples} samples is not executed",
            u32::from(threes)
        ));
    }
    Ok(Some(AlphaToMask { offsets: [2; 4] }))
}

/// Where the fog coordinate of a vertex comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FogSource {
    /// Alpha of a colour.
    Color(u32),
    /// w.
    W,
    /// Depth.
    Z,
    /// The factor is a constant.
    None,
}

/// How much of a colour is left.
#[derive(Clone, Copy, Debug, PartialEq)]
enum FogFunction {
    Linear,
    Exponential,
    Squared,
    Constant(f32),
}

/// Fog of a draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fog {
    /// Of its coordinate.
    pub source: FogSource,
    /// Red, green and blue.
    pub color: [f32; 3],
    function: FogFunction,
    scale: f32,
    offset: f32,
}

impl Fog {
    /// How much of a colour is left at a coordinate, 0 to 1.
    pub fn factor(&self, coordinate: f32) -> f32 {
        let at = coordinate * self.scale + self.offset;
        let power = |of: f32| {
            let exponent = of * -std::f32::consts::LOG2_E;
            f32::from_bits(LaneOp::FExp2.eval([exponent.to_bits(), 0, 0]))
        };
        let factor = match self.function {
            FogFunction::Linear => at,
            FogFunction::Exponential => power(at),
            FogFunction::Squared => power(at * at),
            FogFunction::Constant(factor) => factor,
        };
        f32::from_bits(LaneOp::FSat.eval([factor.to_bits(), 0, 0]))
    }

    /// A component of a colour of which a part is left.
    pub fn blend(&self, component: usize, color: f32, factor: f32) -> f32 {
        color * factor + self.color[component] * (1.0 - factor)
    }
}

/// Fog of a draw; none when it is off.
pub fn fog(registers: &RegisterFile) -> Result<Option<Fog>, String> {
    use FG_FOG_BLEND::*;
    if !ENABLE.on(registers) {
        return Ok(None);
    }
    let fixed = |field: Field| field.read(registers) as f32 / 1023.0;
    let function = match FN.read(registers) {
        0 => FogFunction::Linear,
        1 => FogFunction::Exponential,
        2 => FogFunction::Squared,
        _ => FogFunction::Constant(fixed(FG_FOG_FACTOR::FACTOR)),
    };
    let source = match (function, GB_SELECT::FOG_SELECT.read(registers)) {
        (FogFunction::Constant(_), _) => FogSource::None,
        (_, n @ 0..=3) => FogSource::Color(n),
        (_, 4) => FogSource::W,
        (_, 5) => FogSource::Z,
        (_, other) => return Err(format!("GB_SELECT.FOG_SELECT {other} is reserved")),
    };
    Ok(Some(Fog {
        source,
        color: [
            FG_FOG_COLOR_R::RED,
            FG_FOG_COLOR_G::GREEN,
            FG_FOG_COLOR_B::BLUE,
        ]
        .map(fixed),
        function,
        scale: GA_FOG_SCALE.float(registers),
        offset: GA_FOG_OFFSET.float(registers),
    }))
}
