//! Buffers, images and samplers of a raw program, in registers as a draw has them.

use silicon::Memory;

use super::registers::State;
use crate::formats;
use crate::isa::words::Vtx;
use crate::isa::{Action, Kind, Port};
use crate::regs::{self, resource_at, sampler_at};
use crate::resource::{Resource, VertexResource, VtxConstantWord2};
use crate::sq::{BoundResource, StageRegisters, bind_resources};
use crate::ta::Images;

/// DATA_FORMAT of four floats.
const FLOATS: u8 = 35;

/// What the ports of a program reach. `buffers` are the byte addresses of the constant buffers that the input has.
pub(super) fn bound_resources(
    kind: Kind,
    ports: &[Port],
    state: &State,
    memory: &Memory,
    buffers: &[(u8, u64)],
) -> Result<Vec<BoundResource>, String> {
    let at = match kind {
        Kind::Pixel => StageRegisters::PIXEL,
        Kind::Vertex => StageRegisters::VERTEX,
        Kind::Geometry => StageRegisters::GEOMETRY,
    };
    let mut registers = crate::registers::power_on();
    let mut set = |first: u32, words: &[u32]| {
        for (register, word) in (first..).step_by(4).zip(words) {
            registers.set(register, *word);
        }
    };
    for port in ports {
        if let Action::Vtx(inst) = port.action {
            let id = inst.buffer_id;
            let words = state.resources.get(&id).copied();
            let words = words.unwrap_or_else(|| buffer(&inst, state, memory, buffers));
            set(resource_at(at.first_resource + u32::from(id)), &words);
        }
    }
    for (id, words) in &state.resources {
        set(resource_at(at.first_resource + u32::from(*id)), words);
    }
    for (id, words) in &state.samplers {
        set(sampler_at(at.first_sampler + u32::from(*id)), words);
    }
    for (id, words) in &state.borders {
        set(at.border + 16 * u32::from(*id), words);
    }
    set(regs::SQ_VTX_SEMANTIC_0, &state.semantics);
    let mut images = Images::default();
    let ports = ports.iter();
    ports
        .map(|port| bind_resources(&at, &port.action, &registers, memory, &mut images))
        .collect()
}

/// The buffer of a fetch that the input does not name: the constant buffer of its number, vectors of 16 bytes, or the
/// words of the vertices of primitives, or else all memory as an array of the elements that it fetches.
fn buffer(inst: &Vtx, state: &State, memory: &Memory, buffers: &[(u8, u64)]) -> [u32; 7] {
    let constants = buffers.iter().find(|(id, _)| *id == inst.buffer_id);
    let (base, size, stride) = match (constants, state.vertices) {
        (Some((id, base)), _) => (*base, state.buffer_bytes(*id), 16),
        (None, Some((base, bytes))) => (base, bytes, 4),
        (None, None) => {
            let code = if inst.use_const_fields {
                FLOATS
            } else {
                inst.data_format
            };
            let format = formats::DATA_FORMATS.iter().find(|(_, own)| *own == code);
            let stride = format.map_or(16, |(format, _)| format.size_bytes());
            (0, memory.size(), stride as u16)
        }
    };
    let word2 = VtxConstantWord2 {
        stride,
        data_format: FLOATS,
        ..VtxConstantWord2::from_word(0)
    };
    let size = u32::try_from(size).unwrap_or(u32::MAX);
    let resource = VertexResource { base, size, word2 };
    debug_assert!(matches!(
        Resource::from_words(&resource.words()),
        Some(Resource::Vertex(_))
    ));
    resource.words()
}
