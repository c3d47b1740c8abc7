//! The rasteriser's packet and where its interpolators write. [R5xx 9 "RS"]
//!
//! The packet holds the components of texture vectors one after the other, then colours. [`packet`] says what is in it,
//! [`writes`] which temporaries of a fragment program start from which of its slots. Both need no value: silicon
//! interpolates the vectors.

pub mod stuffing;

use radeon::registers::RegisterFile;
use silicon::geometry::attributes::{ATTRIBUTE_WORDS, Source};
use silicon::geometry::topology::Kind;

use crate::regs::*;
use crate::vap::Output;
use crate::zb::check;
use stuffing::Pieces;

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

/// What the packet holds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Packet {
    /// Texture vectors and the components that each has in the packet.
    pub vectors: Vec<(Source, u32)>,
    /// Colours.
    pub colors: Vec<Source>,
    /// Which colour of the vertices each of them is.
    pub color_numbers: Vec<u32>,
    /// Which texture set each vector is.
    pub sets: Vec<u32>,
    /// Components of the vectors that wrap around a cylinder, a bit each.
    pub wrapped: Vec<u32>,
    /// Colours 2 and 3 are there too: they are colours 0 and 1 of back faces. [R5xx 7.5.1 "OVERVIEW"]
    pub two_sided: bool,
    /// A vector and its component that fog takes the place of, and the fog.
    pub fog: Option<([usize; 2], Slot)>,
    /// Vectors that GA makes.
    pub stuffed: Vec<usize>,
    /// Components that do not change within a primitive though others of their attribute do.
    pub fixed: Vec<Fixed>,
    /// Places of pixels, shifted, which these hold in triangles.
    pub places: [Option<Slot>; 2],
}

/// A component that is the same in a whole primitive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fixed {
    /// The word of an attribute block that is its value at vertex 0.
    pub word: usize,
    /// What it is; none of that of the provoking vertex.
    pub value: Option<f32>,
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
    /// Column or line of the pixel's centre, divided by a power of two.
    Place {
        /// 0 or 1.
        axis: usize,
        /// The power.
        shift: u32,
    },
    /// w of the pixel.
    W,
    /// Its depth.
    Depth,
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
/// size; `kind` is what is drawn.
pub fn packet(registers: &RegisterFile, outputs: &[Output], kind: Kind) -> Result<Packet, String> {
    let parameters = outputs
        .iter()
        .filter(|output| !matches!(output, Output::Position | Output::PointSize));
    let parameters: Vec<Output> = parameters.copied().collect();
    let stuffs = stuffing::of(registers, kind)?;
    let generic = PS3_ENABLE::PS3_MODE.on(registers);
    let mut packet = Packet::default();
    if stuffs.is_some_and(Pieces::only_triangles) {
        packet.places = [0, 1].map(|component| stuffing::place(registers, component));
    }
    if generic {
        generic_vectors(registers, &parameters, stuffs, &mut packet)?;
    } else {
        let colors = [
            ("VAP_CLIP_CNTL", VAP_CLIP_CNTL::COLOR2_IS_TEXTURE),
            ("VAP_CLIP_CNTL", VAP_CLIP_CNTL::COLOR3_IS_TEXTURE),
        ];
        check(registers, &colors)?;
        vectors(registers, &parameters, stuffs, &mut packet)?;
    }
    for n in 0..4 {
        let vector = match (generic, n) {
            (true, 0) => GA_COLOR_CONTROL_PS3::COLOR0_TEX_OVERRIDE.read(registers),
            (true, 1) => GA_COLOR_CONTROL_PS3::COLOR1_TEX_OVERRIDE.read(registers),
            _ => 0,
        };
        let index = match vector {
            0 => parameters
                .iter()
                .position(|output| *output == Output::Color(n) && !is_texture(registers, n)),
            1..=10 => {
                let index = vector_index(registers, &parameters, vector - 1);
                Some(index.ok_or_else(|| {
                    format!("GA_COLOR_CONTROL_PS3.COLOR{n}_TEX_OVERRIDE is {vector}, the vertex program has no such vector")
                })?)
            }
            _ => {
                return Err(format!(
                    "GA_COLOR_CONTROL_PS3.COLOR{n}_TEX_OVERRIDE {vector} is reserved"
                ));
            }
        };
        if let Some(index) = index {
            packet.push_color(registers, n, index)?;
        }
    }
    packet.two_sided = packet.color_numbers == [0, 1, 2, 3];
    packet.fog = fog(registers, &packet)?;
    Ok(packet)
}

/// The component that fog is stuffed into, counted in [`Packet::vectors`], and the fog. [R5xx 10.7.6]
fn fog(registers: &RegisterFile, packet: &Packet) -> Result<Option<([usize; 2], Slot)>, String> {
    use GB_SELECT::*;
    if !FOG_STUFF_ENABLE.on(registers) {
        return Ok(None);
    }
    let slot = match FOG_SELECT.read(registers) {
        n @ 0..=3 => {
            let color = packet.color_numbers.iter().position(|color| *color == n);
            let color = color.ok_or_else(|| {
                format!("GB_SELECT.FOG_SELECT {n}: the vertices have no colour {n}")
            })?;
            Slot::Color {
                color: color as u32,
                component: 3,
            }
        }
        4 => Slot::W,
        5 => Slot::Depth,
        other => return Err(format!("GB_SELECT.FOG_SELECT {other} is reserved")),
    };
    let set = FOG_STUFF_TEX.read(registers);
    let vector = packet.sets.iter().position(|found| *found == set);
    let vector = vector
        .ok_or_else(|| format!("GB_SELECT.FOG_STUFF_TEX {set}: the packet has no such vector"))?;
    let component = FOG_STUFF_COMP.read(registers) as usize;
    Ok(Some(([vector, component], slot)))
}

/// The parameter that is a vector of PS3 mode.
fn vector_index(registers: &RegisterFile, parameters: &[Output], n: u32) -> Option<usize> {
    parameters.iter().position(|output| match output {
        Output::Texture { set, .. } => *set == n,
        Output::Color(color) => is_texture(registers, *color) && color + 6 == n,
        _ => false,
    })
}

/// Components of a texture set that wrap around a cylinder, a bit each. [R5xx SU_TEX_WRAP]
fn wrapped(registers: &RegisterFile, set: u32) -> u32 {
    let wide = SU_TEX_WRAP_PS3.read(registers, 0);
    let bits = match set {
        0..=7 => SU_TEX_WRAP.read(registers, 0) >> (4 * set),
        8 => wide >> 4,
        _ => wide,
    };
    bits & 15
}

/// Whether a colour is a vector of the packet.
fn is_texture(registers: &RegisterFile, n: u32) -> bool {
    match n {
        2 => VAP_CLIP_CNTL::COLOR2_IS_TEXTURE.on(registers),
        3 => VAP_CLIP_CNTL::COLOR3_IS_TEXTURE.on(registers),
        _ => false,
    }
}

/// The vectors of texture sets. One component takes the room of two.
fn vectors(
    registers: &RegisterFile,
    parameters: &[Output],
    stuffs: Option<Pieces>,
    packet: &mut Packet,
) -> Result<(), String> {
    // The sources are the fields from the first set's on.
    let sources = GB_ENABLE
        .fields
        .iter()
        .skip_while(|field| field.name != "TEX0_SOURCE");
    for (n, field) in (0..8).zip(sources) {
        if let Some((source, components)) = stuffed(registers, "GB_ENABLE", field, stuffs)? {
            packet.stuffed.push(packet.vectors.len());
            packet.push(registers, n, (source, components));
            continue;
        }
        for (index, output) in parameters.iter().enumerate() {
            if let Output::Texture { set, components } = output
                && *set == n
            {
                let source = Source::Param { index, flat: false };
                packet.push(registers, n, (source, (*components).max(2)));
            }
        }
    }
    Ok(())
}

/// The vectors of PS3 mode: texture sets, then colours 2 and 3, each with the components that its register gives it.
/// [R5xx PS3_VTX_FMT, PS3_TEX_SOURCE]
fn generic_vectors(
    registers: &RegisterFile,
    parameters: &[Output],
    stuffs: Option<Pieces>,
    packet: &mut Packet,
) -> Result<(), String> {
    check(registers, &[("PS3_VTX_FMT", PS3_VTX_FMT::TEX_10_COMP_CNT)])?;
    for n in 0..10 {
        let field = &PS3_VTX_FMT.fields[n as usize];
        let components = match field.read(registers) {
            0 => continue,
            components @ 1..=4 => components.max(2),
            other => return Err(format!("PS3_VTX_FMT.{} {other} is reserved", field.name)),
        };
        let source = &PS3_TEX_SOURCE.fields[n as usize];
        if let Some((source, _)) = stuffed(registers, "PS3_TEX_SOURCE", source, stuffs)? {
            packet.stuffed.push(packet.vectors.len());
            packet.push(registers, n, (source, components));
            continue;
        }
        let index = vector_index(registers, parameters, n).ok_or_else(|| {
            format!(
                "PS3_VTX_FMT.{} is {}, the vertex program has no such vector",
                field.name,
                field.read(registers)
            )
        })?;
        let shading = &GA_COLOR_CONTROL_PS3.fields[n as usize];
        let source = match Shading::of("GA_COLOR_CONTROL_PS3", shading, registers)? {
            Shading::Solid => Source::Constant(solid(registers)?),
            shading => Source::Param {
                index,
                flat: shading == Shading::Flat,
            },
        };
        packet.push(registers, n, (source, components));
    }
    Ok(())
}

/// A vector that GA makes and its components; none of one that vertices give.
fn stuffed(
    registers: &RegisterFile,
    register: &str,
    field: &Field,
    stuffs: Option<Pieces>,
) -> Result<Option<(Source, u32)>, String> {
    let Some(pieces) = stuffs else {
        return Ok(None);
    };
    let components = match field.read(registers) {
        0 => return Ok(None),
        1 => 2,
        2 => 3,
        other => return Err(format!("{register}.{} {other} is reserved", field.name)),
    };
    Ok(Some((stuffing::source(registers, pieces), components)))
}

/// What a component is within a primitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shading {
    /// That of the colour of fills.
    Solid,
    /// That of the provoking vertex.
    Flat,
    /// Interpolated.
    Gouraud,
}

impl Shading {
    fn of(register: &str, field: &Field, registers: &RegisterFile) -> Result<Shading, String> {
        match field.read(registers) {
            0 => Ok(Shading::Solid),
            1 => Ok(Shading::Flat),
            2 => Ok(Shading::Gouraud),
            other => Err(format!("{register}.{} {other} is reserved", field.name)),
        }
    }
}

/// The colour of fills, in its older form: fractions of 4096 with a sign. [R5xx GA_SOLID_RG, GA_SOLID_BA]
fn solid(registers: &RegisterFile) -> Result<[f32; 4], String> {
    for register in [GA_FILL_R, GA_FILL_G, GA_FILL_B, GA_FILL_A] {
        let word = register.read(registers, 0);
        if word != 0 {
            let name = register.name;
            return Err(format!("{name} {word:#x}: the layout of FP20 is not given"));
        }
    }
    let fields = [
        GA_SOLID_RG::COLOR_RED,
        GA_SOLID_RG::COLOR_GREEN,
        GA_SOLID_BA::COLOR_BLUE,
        GA_SOLID_BA::COLOR_ALPHA,
    ];
    Ok(fields.map(|field| f32::from(field.read(registers) as u16 as i16) / 4096.0))
}

/// What the temporaries of a fragment program start from.
pub fn writes(registers: &RegisterFile, packet: &Packet) -> Result<Vec<Write>, String> {
    let mut writes = Vec::new();
    for n in 0..=RS_INST_COUNT::INST_COUNT.read(registers) {
        use RS_INST::*;
        let word = RS_INST.read(registers, n);
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

/// What the rasteriser gives as W, beside what temporaries start from. [R5xx RS_COUNT.W_ADDR, RS_INST.W_CN]
pub fn depth(registers: &RegisterFile, packet: &Packet) -> Result<Slot, String> {
    let mut instructions = 0..=RS_INST_COUNT::INST_COUNT.read(registers);
    if !instructions.any(|n| RS_INST::W_CN.nth(registers, n) != 0) {
        return Err("US_W_FMT.W_SRC 1: no RS_INST gives W".into());
    }
    let pointer = RS_COUNT::W_ADDR.read(registers);
    packet
        .slot(pointer)
        .ok_or_else(|| format!("RS_COUNT.W_ADDR {pointer} is behind the components of the packet"))
}

/// The slots of an interpolator's texture vector.
fn texture(registers: &RegisterFile, packet: &Packet, n: u32) -> Result<[Slot; 4], String> {
    use RS_IP::*;
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
    /// A colour of the vertices, as its shading has it.
    fn push_color(&mut self, registers: &RegisterFile, n: u32, index: usize) -> Result<(), String> {
        let [rgb, alpha] = SHADING[n as usize & 3]
            .each_ref()
            .map(|field| Shading::of("GA_COLOR_CONTROL", field, registers));
        let (rgb, alpha) = (rgb?, alpha?);
        let source = match (rgb, alpha) {
            (Shading::Solid, Shading::Solid) => Source::Constant(solid(registers)?),
            _ => Source::Param {
                index,
                flat: rgb == Shading::Flat && alpha == Shading::Flat,
            },
        };
        if rgb != alpha {
            let first = ATTRIBUTE_WORDS * (self.vectors.len() + self.colors.len());
            for (component, shading) in [rgb, rgb, rgb, alpha].into_iter().enumerate() {
                let value = match shading {
                    Shading::Gouraud => continue,
                    Shading::Flat => None,
                    Shading::Solid => Some(solid(registers)?[component]),
                };
                let word = first + component;
                self.fixed.push(Fixed { word, value });
            }
        }
        self.colors.push(source);
        self.color_numbers.push(n);
        Ok(())
    }

    fn push(&mut self, registers: &RegisterFile, set: u32, vector: (Source, u32)) {
        self.vectors.push(vector);
        self.sets.push(set);
        // What GA makes goes from 0 to 1 on purpose.
        self.wrapped.push(match vector.0 {
            Source::Param { .. } => wrapped(registers, set),
            _ => 0,
        });
    }

    /// The component at a place of the packet.
    fn slot(&self, pointer: u32) -> Option<Slot> {
        let mut first = 0;
        for (vector, (_, components)) in self.vectors.iter().enumerate() {
            if pointer < first + components {
                let component = pointer - first;
                let made = self.stuffed.contains(&vector);
                let place = self.places.get(component as usize).copied().flatten();
                return Some(match (self.fog, place) {
                    (Some((at, fog)), _) if at == [vector, component as usize] => fog,
                    (_, Some(place)) if made => place,
                    _ => Slot::Vector { vector, component },
                });
            }
            first += components;
        }
        None
    }
}
