//! Shader exports: which lanes hand what to which target. [R600 3.4.1]

use lanes::{Fault, Wave};

use crate::isa::export::Export;
use crate::isa::words::{ExportType, Select};
use crate::isa::{ACTIVE, Port, Setup, VALID};

/// Where an export goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// Colour target 0..7; 16..23 the same with fog, which changes nothing here.
    Pixel(u8),
    /// Depth, in element X.
    Depth,
    /// Position 0..3, numbered from 60: clip position, miscellaneous, clip distances.
    Position(u8),
    /// Parameter 0..31.
    Parameter(u8),
}

impl Target {
    /// The target of `array_base` of a type; none where there is none.
    pub fn new(kind: ExportType, array_base: u16) -> Option<Target> {
        let base = u8::try_from(array_base).ok()?;
        match (kind, base) {
            (ExportType::Pixel, 0..=7 | 16..=23) => Some(Target::Pixel(base)),
            (ExportType::Pixel, 61) => Some(Target::Depth),
            (ExportType::Pos, 60..=63) => Some(Target::Position(base - 60)),
            (ExportType::Param, 0..=31) => Some(Target::Parameter(base)),
            _ => None,
        }
    }

    /// Name in the output of raw programs.
    pub fn name(self) -> String {
        match self {
            Target::Pixel(n) => format!("PIXEL{n}"),
            Target::Depth => "PIXEL61".into(),
            Target::Position(n) => format!("POS{}", 60 + n),
            Target::Parameter(n) => format!("PARAM{n}"),
        }
    }
}

/// Where an element of an export comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// A row of the wave.
    Row(u16),
    /// The same for all lanes.
    Constant(u32),
    /// Nowhere: the target's element stays as it is.
    Masked,
}

/// One register of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exported {
    /// Where it goes.
    pub target: Target,
    /// Lanes that take part.
    pub lanes: u64,
    /// The four elements.
    pub elements: [Element; 4],
}

/// The registers that an export hands over, the lowest first.
pub fn exported(
    inst: &Export,
    port: &Port,
    setup: &Setup<'_>,
    wave: &Wave,
) -> Result<impl Iterator<Item = Exported>, Fault> {
    let count = u16::from(inst.burst_count) + 1;
    let none = |at: u16| Fault::Illegal {
        reason: format!("{} target {at} does not exist", inst.kind.name()),
    };
    for n in 0..count {
        let at = inst.array_base + n;
        Target::new(inst.kind, at).ok_or_else(|| none(at))?;
    }
    // A pixel that a kill has hit is never written, whatever VALID_PIXEL_MODE says.
    let lanes = match inst.kind {
        ExportType::Pixel => wave.mask(ACTIVE) & wave.mask(VALID),
        ExportType::Pos | ExportType::Param => wave.mask(ACTIVE),
    };
    let first = i32::from(inst.rw_gpr)
        + if inst.rw_rel {
            port.loop_index(wave)
        } else {
            0
        };
    let (inst, gprs) = (*inst, setup.gprs);
    Ok((0..count).filter_map(move |n| {
        let target = Target::new(inst.kind, inst.array_base + n)?;
        // Registers that are not allocated read as R0.
        let gpr = first.saturating_add(i32::from(n));
        let gpr = u16::try_from(gpr).ok().filter(|r| *r < gprs.into());
        let row = 4 * gpr.unwrap_or(0);
        let elements = inst.selects().map(|select| match select {
            Select::X | Select::Y | Select::Z | Select::W => Element::Row(row + select as u16),
            Select::Zero => Element::Constant(0),
            Select::One => Element::Constant(1f32.to_bits()),
            Select::Mask => Element::Masked,
        });
        Some(Exported {
            target,
            lanes,
            elements,
        })
    }))
}

impl Element {
    /// Its value in a lane; 0 where it is masked.
    pub fn value(self, wave: &Wave, lane: usize) -> u32 {
        match self {
            Element::Row(row) => wave.rows[usize::from(row)].0[lane],
            Element::Constant(bits) => bits,
            Element::Masked => 0,
        }
    }
}
