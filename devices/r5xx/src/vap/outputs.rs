//! What the output vectors of a vertex program are. [R5xx VAP_OUT_VTX_FMT_0, VAP_OUT_VTX_FMT_1]

use radeon::registers::RegisterFile;

use crate::regs::{Field, VAP_OUT_VTX_FMT_0, VAP_OUT_VTX_FMT_1};

/// An output vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// Clip position.
    Position,
    /// Point size in x.
    PointSize,
    /// Colour 0 to 3.
    Color(u32),
    /// A texture coordinate.
    Texture {
        /// Which, 0 to 7.
        set: u32,
        /// Components, 1 to 4.
        components: u32,
    },
}

/// The vectors in the order of the output memory: those that are present are packed.
pub fn outputs(registers: &RegisterFile) -> Result<Vec<Output>, String> {
    use VAP_OUT_VTX_FMT_0::*;
    let has = |field: Field| field.on(registers);
    if !has(VTX_POS_PRESENT) {
        return Err("VAP_OUT_VTX_FMT_0 has no position".into());
    }
    let mut found = vec![Output::Position];
    if has(VTX_PT_SIZE_PRESENT) {
        found.push(Output::PointSize);
    }
    let colors = [
        VTX_COLOR_0_PRESENT,
        VTX_COLOR_1_PRESENT,
        VTX_COLOR_2_PRESENT,
        VTX_COLOR_3_PRESENT,
    ];
    let colors = (0..).zip(colors).filter(|(_, field)| has(*field));
    found.extend(colors.map(|(n, _)| Output::Color(n)));
    for (set, field) in (0..).zip(VAP_OUT_VTX_FMT_1.fields) {
        match field.read(registers) {
            0 => {}
            components @ 1..=4 => found.push(Output::Texture { set, components }),
            other => return Err(format!("VAP_OUT_VTX_FMT_1.{} is {other}", field.name)),
        }
    }
    Ok(found)
}
