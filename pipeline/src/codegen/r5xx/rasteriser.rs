//! Output vectors of the vertex shader to temporaries of the fragment shader. [R5XX 9]
//!
//! All vectors are texture coordinates of four components: vector n has slots 4 n to 4 n + 3 of the rasteriser's packet. The
//! place in a point, which GA makes, is one more behind them.

use ::r5xx::regs::*;

use super::packets::{Packets, word};
use super::runs::drawn_topology;
use crate::codegen::{InputVector, OutputVector};
use crate::ir::Interpolation;
use crate::targets::PipelineParts;
use wgpu_types::PrimitiveTopology;

/// Slots that are constants.
const ZERO: u32 = 62;
const ONE: u32 = 63;
/// COL_CN: what a colour's place takes.
const SCREEN: u32 = 2;
const FACING: u32 = 3;
/// Modes of interpolators.
const FLAT: u32 = 1;
const GOURAUD: u32 = 2;
/// Bits of a vector in GA_COLOR_CONTROL_PS3 and PS3_TEX_SOURCE, and in PS3_VTX_FMT.
const MODE_BITS: usize = 2;
const COUNT_BITS: usize = 3;

/// What an interpolator takes from the packet.
#[derive(Clone, Copy)]
struct Vector {
    slots: [u32; 4],
    centroid: bool,
}

/// Joins outputs to inputs.
pub(super) fn interpolation(parts: &PipelineParts<'_>, out: &mut Packets<'_>) {
    let outputs = &parts.vertex.0.slots.outputs;
    let is_vector = |output: &&OutputVector| {
        matches!(
            output,
            OutputVector::Varying(_) | OutputVector::ClipPosition
        )
    };
    let vectors: Vec<OutputVector> = outputs.iter().filter(is_vector).copied().collect();
    let inputs = &parts.fragment.0.slots.inputs;
    let points = drawn_topology(parts.state) == PrimitiveTopology::PointList;
    let stuffed = points && inputs.contains(&InputVector::PointCoord);
    modes(parts, &vectors, stuffed, out);
    let vector_of = |output: OutputVector| {
        let found = vectors.iter().position(|vector| *vector == output);
        debug_assert!(found.is_some(), "the vertex shader writes {output:?}");
        (0..4)
            .map(|n| found.map_or(ZERO, |at| 4 * at as u32 + n))
            .collect::<Vec<u32>>()
    };
    let slots = |found: Vec<u32>| [found[0], found[1], found[2], found[3]];
    let (mut interpolators, mut instructions) = (Vec::new(), Vec::new());
    for (temp, input) in (0..).zip(inputs) {
        let vector = match input {
            InputVector::Varying(n) => parts.links.get(*n as usize).map(|link| {
                use Interpolation::{LinearCentroid, PerspectiveCentroid};
                Vector {
                    slots: slots(vector_of(OutputVector::Varying(link.parameter))),
                    centroid: matches!(link.interpolation, PerspectiveCentroid | LinearCentroid),
                }
            }),
            InputVector::ClipPosition => Some(Vector {
                slots: slots(vector_of(OutputVector::ClipPosition)),
                centroid: false,
            }),
            InputVector::PointCoord => {
                let first = 4 * vectors.len() as u32;
                let place = if stuffed {
                    [first, first + 1]
                } else {
                    [ZERO; 2]
                };
                Some(Vector {
                    slots: [place[0], place[1], ZERO, ONE],
                    centroid: false,
                })
            }
            InputVector::Pixel => {
                instructions.push(place(SCREEN, temp));
                continue;
            }
            InputVector::BackFacing => {
                instructions.push(place(FACING, temp));
                continue;
            }
            InputVector::Attribute(_) | InputVector::Index(_) => None,
        };
        let Some(vector) = vector else {
            debug_assert!(false, "{input:?} is no input of a fragment shader");
            continue;
        };
        use RS_IP::*;
        let [s, t, r, q] = vector.slots;
        let pointers = [
            (TEX_PTR_S, s),
            (TEX_PTR_T, t),
            (TEX_PTR_R, r),
            (TEX_PTR_Q, q),
        ];
        use RS_INST::*;
        instructions.push(word(&[
            (TEX_ID, interpolators.len() as u32),
            (TEX_CN, 1),
            (TEX_ADDR, temp),
            (TEX_ADJ, u32::from(vector.centroid)),
        ]));
        interpolators.push(word(&pointers));
    }
    let components = 4 * vectors.len() as u32 + if stuffed { 2 } else { 0 };
    out.fields(RS_COUNT, &[(RS_COUNT::IT_COUNT, components)]);
    if instructions.is_empty() {
        instructions.push(0);
    }
    let count = instructions.len() as u32 - 1;
    out.fields(RS_INST_COUNT, &[(RS_INST_COUNT::INST_COUNT, count)]);
    out.at(RS_IP.address, &interpolators);
    out.at(RS_INST.address, &instructions);
}

/// An instruction that writes what the scan converter knows of a pixel.
fn place(what: u32, temp: u32) -> u32 {
    word(&[(RS_INST::COL_CN, what), (RS_INST::COL_ADDR, temp)])
}

/// Sizes, sources and modes of the vectors.
fn modes(
    parts: &PipelineParts<'_>,
    vectors: &[OutputVector],
    stuffed: bool,
    out: &mut Packets<'_>,
) {
    let is_flat = |vector: &OutputVector| {
        let of = |parameter: u32| {
            let mut links = parts.links.iter();
            links.any(|link| {
                link.parameter == parameter && link.interpolation == Interpolation::Flat
            })
        };
        matches!(vector, OutputVector::Varying(n) if of(*n))
    };
    let (mut counts, mut shading, mut sources) = (0, 0, 0);
    for (n, vector) in vectors.iter().enumerate() {
        counts |= 4 << (COUNT_BITS * n);
        let mode = if is_flat(vector) { FLAT } else { GOURAUD };
        shading |= mode << (MODE_BITS * n);
    }
    if stuffed {
        let n = vectors.len();
        counts |= 2 << (COUNT_BITS * n);
        shading |= GOURAUD << (MODE_BITS * n);
        // S and T.
        sources |= 1 << (MODE_BITS * n);
    }
    out.at(PS3_VTX_FMT.address, &[counts, sources]);
    out.set(
        GB_ENABLE,
        GB_ENABLE::POINT_STUFF_ENABLE.bits(u32::from(stuffed)),
    );
    out.set(GA_COLOR_CONTROL_PS3, shading);
}
