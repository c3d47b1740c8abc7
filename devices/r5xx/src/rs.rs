//! The rasteriser's packet and where its interpolators write. [R5xx 9 "RS"]
//!
//! The packet holds the components of texture vectors one after the other, then colours. [`packet`] says what is in it,
//! [`writes`] which temporaries of a fragment program start from which of its slots. Both need no value: silicon
//! interpolates the vectors.

use radeon::registers::RegisterFile;
use silicon::geometry::attributes::Source;

use crate::regs::*;
use crate::vap::Output;
use crate::zb::check;

/// Colour functions, each for colour and alpha.
const SHADING: [[Field; 2]; 4] = {
    use GA_COLOR_CONTROL::*;
    [
        [RGB0_SHADING, ALPHA0_SHADING],
        [RGB1_SHADING, ALPHA1_SHADING],
        [RGB2_SHADING, ALPHA2_SHADING],
        [RGB3_SHADING, ALPHA3_SHADING],
    ]
};

/// Fields of generic vectors that must be zero: vectors that are colours of the vertex program, and the reverse.
const UNEXECUTED_PS3: [(&str, Field); 5] = [
    ("PS3_VTX_FMT", PS3_VTX_FMT::TEX_8_COMP_CNT),
    ("PS3_VTX_FMT", PS3_VTX_FMT::TEX_9_COMP_CNT),
    ("PS3_VTX_FMT", PS3_VTX_FMT::TEX_10_COMP_CNT),
    (
        "GA_COLOR_CONTROL_PS3",
        GA_COLOR_CONTROL_PS3::COLOR0_TEX_OVERRIDE,
    ),
    (
        "GA_COLOR_CONTROL_PS3",
        GA_COLOR_CONTROL_PS3::COLOR1_TEX_OVERRIDE,
    ),
];

/// What the packet holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Packet {
    /// Texture vectors and the components that each has in the packet.
    pub vectors: Vec<(Source, u32)>,
    /// Colours.
    pub colors: Vec<Source>,
}

/// Where a component comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// A component of a texture vector of the packet.
    Vector {
        /// Which, counted in [`Packet::vectors`].
        vector: usize,
        /// Component.
        component: u32,
    },
    /// A component of a colour of the packet.
    Color {
        /// Which, counted in [`Packet::colors`].
        color: u32,
        /// Component.
        component: u32,
    },
    /// 0.
    Zero,
    /// 1.
    One,
}

/// What a temporary starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// Four components.
    Slots([Slot; 4]),
    /// Column and line of the pixel.
    Position,
    /// 1 on back faces.
    Facing,
}

/// A temporary that is written before a fragment program begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Write {
    /// Number of the temporary.
    pub temp: u32,
    /// What it starts from.
    pub value: Value,
    /// Interpolated where the pixel is covered, not in its centre.
    pub centroid: bool,
}

/// The packet of a draw: `outputs` are those of the vertex program, parameters count after the position and the point
/// size; `points` whether points are drawn.
pub fn packet(
    registers: &RegisterFile,
    outputs: &[Output],
    points: bool,
) -> Result<Packet, String> {
    let wraps = SU_TEX_WRAP.read(registers, 0) | SU_TEX_WRAP_PS3.read(registers, 0);
    if wraps != 0 {
        return Err("cylindrical wrapping of SU_TEX_WRAP is not executed".into());
    }
    let stuffs = points && GB_ENABLE::POINT_STUFF_ENABLE.on(registers);
    let parameters = outputs
        .iter()
        .filter(|output| !matches!(output, Output::Position | Output::PointSize));
    let parameters: Vec<_> = parameters.collect();
    let mut packet = Packet::default();
    let generic = PS3_ENABLE::PS3_MODE.on(registers);
    if generic {
        check(registers, &UNEXECUTED_PS3)?;
    }
    // The sources are the fields from the first set's on.
    let bank = if generic { PS3_TEX_SOURCE } else { GB_ENABLE };
    let sources = (bank.fields.iter()).skip_while(|field| field.name != "TEX0_SOURCE");
    for (n, field) in (0..8).zip(sources) {
        let source = field.read(registers);
        // Of generic vectors the packet's own register says how long they are.
        let length = PS3_VTX_FMT.fields[n as usize].read(registers);
        if generic && length == 0 {
            continue;
        }
        if stuffs && source != 0 {
            let components = match source {
                1 => 2,
                2 => 3,
                other => {
                    let (register, name) = (bank.name, field.name);
                    return Err(format!("{register}.{name} {other} is reserved"));
                }
            };
            packet.vectors.push((corners(registers), components));
            continue;
        }
        let place = |output: &&Output| matches!(output, Output::Texture { set, .. } if *set == n);
        let found = parameters.iter().position(place);
        if let Some((index, Output::Texture { components, .. })) =
            found.map(|index| (index, parameters[index]))
        {
            let (flat, components) = match generic {
                true => (flat_vector(registers, n)?, length),
                false => (false, *components),
            };
            // One component takes the room of two.
            let source = Source::Param { index, flat };
            packet.vectors.push((source, components.max(2)));
        } else if generic {
            return Err(format!(
                "PS3_VTX_FMT.TEX_{n}_COMP_CNT is {length}, the vertex program has no such vector"
            ));
        }
    }
    for (index, output) in parameters.iter().enumerate() {
        if let Output::Color(n) = output {
            let flat = flat(registers, *n)?;
            packet.colors.push(Source::Param { index, flat });
        }
    }
    Ok(packet)
}

/// Whether a generic vector is flat.
fn flat_vector(registers: &RegisterFile, n: u32) -> Result<bool, String> {
    let field = GA_COLOR_CONTROL_PS3.fields[n as usize];
    match field.read(registers) {
        1 => Ok(true),
        2 => Ok(false),
        other => {
            let name = field.name;
            Err(format!(
                "GA_COLOR_CONTROL_PS3.{name} {other} is not executed"
            ))
        }
    }
}

/// Whether a colour is flat.
fn flat(registers: &RegisterFile, n: u32) -> Result<bool, String> {
    let modes = SHADING[n as usize & 3].map(|field| field.read(registers));
    match modes {
        [1, 1] => Ok(true),
        [2, 2] => Ok(false),
        [color, alpha] => Err(format!(
            "shading {color} and {alpha} of colour {n} and its alpha is not executed"
        )),
    }
}

/// The corners of a point: 0 at the lower left, 1 at the upper right.
fn corners(registers: &RegisterFile) -> Source {
    let [s0, t0, s1, t1] = [GA_POINT_S0, GA_POINT_T0, GA_POINT_S1, GA_POINT_T1]
        .map(|register| register.float(registers));
    Source::Point([
        [s0, t1, 0.0, 1.0],
        [s1 - s0, 0.0, 0.0, 0.0],
        [0.0, t0 - t1, 0.0, 0.0],
    ])
}

/// What the temporaries of a fragment program start from.
pub fn writes(registers: &RegisterFile, packet: &Packet) -> Result<Vec<Write>, String> {
    let mut writes = Vec::new();
    for n in 0..=RS_INST_COUNT::INST_COUNT.read(registers) {
        use RS_INST::*;
        let word = RS_INST.read(registers, n);
        if W_CN.is_set(word) {
            return Err(format!("RS_INST_{n}.W_CN 1 is not executed"));
        }
        let centroid = TEX_ADJ.is_set(word);
        if TEX_CN.is_set(word) {
            writes.push(Write {
                temp: TEX_ADDR.get(word),
                value: Value::Slots(texture(registers, packet, TEX_ID.get(word))?),
                centroid,
            });
        }
        let value = match COL_CN.get(word) {
            0 => continue,
            1 => Value::Slots(color(registers, packet, COL_ID.get(word))?),
            2 => Value::Position,
            _ => Value::Facing,
        };
        writes.push(Write {
            temp: COL_ADDR.get(word),
            value,
            centroid,
        });
    }
    Ok(writes)
}

/// The slots of an interpolator's texture vector.
fn texture(registers: &RegisterFile, packet: &Packet, n: u32) -> Result<[Slot; 4], String> {
    use RS_IP::*;
    if OFFSET_EN.nth(registers, n) != 0 {
        return Err(format!("RS_IP_{n}.OFFSET_EN 1 is not executed"));
    }
    let mut slots = [Slot::Zero; 4];
    let fields = [TEX_PTR_S, TEX_PTR_T, TEX_PTR_R, TEX_PTR_Q];
    for (slot, field) in slots.iter_mut().zip(fields) {
        *slot = match field.nth(registers, n) {
            62 => Slot::Zero,
            63 => Slot::One,
            pointer => packet.slot(pointer).ok_or_else(|| {
                let name = field.name;
                format!("RS_IP_{n}.{name} {pointer} is behind the components of the packet")
            })?,
        };
    }
    Ok(slots)
}

/// The slots of an interpolator's colour.
fn color(registers: &RegisterFile, packet: &Packet, n: u32) -> Result<[Slot; 4], String> {
    let color = RS_IP::COL_PTR.nth(registers, n);
    let format = RS_IP::COL_FMT.nth(registers, n);
    let (zero, one) = (Slot::Zero, Slot::One);
    let [r, g, b, a] = [0, 1, 2, 3].map(|component| Slot::Color { color, component });
    let slots = match format {
        0 => [r, g, b, a],
        1 => [r, g, b, zero],
        2 => [r, g, b, one],
        4 => [zero, zero, zero, a],
        5 => [zero; 4],
        6 => [zero, zero, zero, one],
        8 => [one, one, one, a],
        9 => [one, one, one, zero],
        10 => [one; 4],
        other => return Err(format!("RS_IP_{n}.COL_FMT {other} is reserved")),
    };
    let reads = slots.iter().any(|slot| matches!(slot, Slot::Color { .. }));
    match reads && color as usize >= packet.colors.len() {
        true => Err(format!(
            "RS_IP_{n}.COL_PTR {color} is behind the colours of the packet"
        )),
        false => Ok(slots),
    }
}

impl Packet {
    /// The component at a place of the packet.
    fn slot(&self, pointer: u32) -> Option<Slot> {
        let mut first = 0;
        for (vector, (_, components)) in self.vectors.iter().enumerate() {
            if pointer < first + components {
                let component = pointer - first;
                return Some(Slot::Vector { vector, component });
            }
            first += components;
        }
        None
    }
}
