//! A program with what a draw gives it: constants, buffers, images, samplers, scratch memory.

use std::sync::Arc;

use radeon::registers::RegisterFile;
use silicon::Memory;

use super::program::{Key, Shader};
use crate::isa::words::Elem;
use crate::isa::{Action, Constant, Constants, Kind, Port};
use crate::registers::groups;
use crate::regs::{
    self, ALU_CONST, SqGprResourceMgmt1, SqLoopConst, SqPgmResources, resource_at, sampler_at,
};
use crate::resource::Resource;
use crate::ta::{self, Images};
use crate::vc::Fetch;

/// Constant buffers of a stage.
const BUFFERS: usize = 16;
/// Constants of the constant file.
const FILE: u32 = 256;
/// Attributes in the table of semantics.
const SEMANTICS: u8 = 32;

/// Where the registers of a stage are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StageRegisters {
    /// As the names of registers have it.
    pub(crate) name: &'static str,
    kind: Kind,
    start: u32,
    resources: u32,
    cf_offset: u32,
    /// First of the resources that fetch instructions number.
    pub(crate) first_resource: u32,
    pub(crate) first_sampler: u32,
    pub(crate) border: u32,
    buffer_sizes: u32,
    buffer_bases: u32,
    /// The group of their registers.
    pub(super) buffers: usize,
    /// Its place in files that stages share.
    file: u32,
    /// Its place among those of a draw.
    pub(super) number: usize,
    scratch: [u32; 3],
}

impl StageRegisters {
    /// Of vertex waves.
    pub(crate) const VERTEX: StageRegisters = StageRegisters {
        name: "VS",
        kind: Kind::Vertex,
        start: regs::SQ_PGM_START_VS,
        resources: regs::SQ_PGM_RESOURCES_VS,
        cf_offset: regs::SQ_PGM_CF_OFFSET_VS,
        first_resource: regs::RESOURCES_VS,
        first_sampler: regs::SAMPLERS_VS,
        border: regs::TD_VS_SAMPLER0_BORDER_RED,
        buffer_sizes: regs::ALU_CONST_BUFFER_SIZE_VS_0,
        buffer_bases: regs::ALU_CONST_CACHE_VS_0,
        buffers: groups::BUFFERS_VS,
        file: 1,
        number: 1,
        scratch: [
            regs::SQ_VSTMP_RING_BASE,
            regs::SQ_VSTMP_RING_SIZE,
            regs::SQ_VSTMP_RING_ITEMSIZE,
        ],
    };
    /// Of pixel waves.
    pub(crate) const PIXEL: StageRegisters = StageRegisters {
        name: "PS",
        kind: Kind::Pixel,
        start: regs::SQ_PGM_START_PS,
        resources: regs::SQ_PGM_RESOURCES_PS,
        cf_offset: regs::SQ_PGM_CF_OFFSET_PS,
        first_resource: regs::RESOURCES_PS,
        first_sampler: regs::SAMPLERS_PS,
        border: regs::TD_PS_SAMPLER0_BORDER_RED,
        buffer_sizes: regs::ALU_CONST_BUFFER_SIZE_PS_0,
        buffer_bases: regs::ALU_CONST_CACHE_PS_0,
        buffers: groups::BUFFERS_PS,
        file: 0,
        number: 0,
        scratch: [
            regs::SQ_PSTMP_RING_BASE,
            regs::SQ_PSTMP_RING_SIZE,
            regs::SQ_PSTMP_RING_ITEMSIZE,
        ],
    };
    /// Of geometry waves.
    pub(crate) const GEOMETRY: StageRegisters = StageRegisters {
        name: "GS",
        kind: Kind::Geometry,
        start: regs::SQ_PGM_START_GS,
        resources: regs::SQ_PGM_RESOURCES_GS,
        cf_offset: regs::SQ_PGM_CF_OFFSET_GS,
        first_resource: regs::RESOURCES_GS,
        first_sampler: regs::SAMPLERS_GS,
        border: regs::TD_GS_SAMPLER0_BORDER_RED,
        buffer_sizes: regs::ALU_CONST_BUFFER_SIZE_GS_0,
        buffer_bases: regs::ALU_CONST_CACHE_GS_0,
        buffers: groups::BUFFERS_GS,
        file: 2,
        number: 2,
        scratch: [
            regs::SQ_GSTMP_RING_BASE,
            regs::SQ_GSTMP_RING_SIZE,
            regs::SQ_GSTMP_RING_ITEMSIZE,
        ],
    };
    /// Of export waves, which have the constants and resources of vertex waves.
    pub(crate) const EXPORT: StageRegisters = StageRegisters {
        name: "ES",
        start: regs::SQ_PGM_START_ES,
        resources: regs::SQ_PGM_RESOURCES_ES,
        cf_offset: regs::SQ_PGM_CF_OFFSET_ES,
        number: 3,
        scratch: [
            regs::SQ_ESTMP_RING_BASE,
            regs::SQ_ESTMP_RING_SIZE,
            regs::SQ_ESTMP_RING_ITEMSIZE,
        ],
        ..StageRegisters::VERTEX
    };

    /// The registers of a kind of program.
    const fn of(kind: Kind) -> &'static StageRegisters {
        match kind {
            Kind::Vertex => &StageRegisters::VERTEX,
            Kind::Geometry => &StageRegisters::GEOMETRY,
            Kind::Pixel => &StageRegisters::PIXEL,
        }
    }

    /// The program that the registers name; none where they name none. Waves have at most 128 registers in all.
    pub(crate) fn key(&self, registers: &RegisterFile) -> Result<Option<Key>, String> {
        let start = u64::from(registers.get(self.start)) << 8;
        if start == 0 {
            return Ok(None);
        }
        let program = |start: u64, offset: u32| start + 8 * u64::from(registers.get(offset));
        let resources = SqPgmResources::from_word(registers.get(self.resources));
        let shared = registers.get(regs::SQ_GPR_RESOURCE_MGMT_1);
        let shared = SqGprResourceMgmt1::from_word(shared);
        // A program that uses none has R0 all the same. [ERRATA 47]
        let (gprs, clause_temps) = (resources.num_gprs.max(1), shared.num_clause_temp_gprs);
        if u16::from(gprs) + u16::from(clause_temps) > 128 {
            let stage = self.name;
            return Err(format!(
                "SQ_PGM_RESOURCES_{stage}.NUM_GPRS {gprs} and SQ_GPR_RESOURCE_MGMT_1.NUM_CLAUSE_TEMP_GPRS \
                 {clause_temps} are more than 128 registers"
            ));
        }
        let fetch = match u64::from(registers.get(regs::SQ_PGM_START_FS)) << 8 {
            _ if self.kind != Kind::Vertex => 0,
            0 => 0,
            start => program(start, regs::SQ_PGM_CF_OFFSET_FS),
        };
        Ok(Some(Key {
            kind: self.kind,
            address: program(start, self.cf_offset),
            gprs,
            clause_temps,
            fetch,
        }))
    }
}

/// What a port of a program is wired to.
#[derive(Clone, Debug)]
pub(crate) enum BoundResource {
    /// Nothing, or not what it needs.
    Nothing,
    /// A buffer; a semantic fetch also needs the register.
    Vertex {
        /// The fetch.
        fetch: Fetch,
        /// Register of a semantic fetch.
        semantic: Option<u8>,
    },
    /// An image and a sampler.
    Texture(ta::Bound),
}

/// Scratch memory of a stage.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scratch {
    /// Byte address.
    pub(super) base: u64,
    /// Words of a lane.
    pub(super) words: u64,
    /// Waves that fit.
    pub(crate) slots: u64,
}

/// Constants that waves look for themselves: others than those in scalars.
#[derive(Debug)]
pub(crate) struct StageConstants {
    /// None where waves look for none; then the rest is empty.
    memory: Option<Memory>,
    /// Byte address and number of constants of every buffer.
    buffers: Vec<(u64, u32)>,
    file: Vec<[u32; 4]>,
}

/// What stages are made from.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) registers: &'a RegisterFile,
    pub(crate) memory: &'a Memory,
    /// How often memory may have changed.
    pub(crate) stores: u64,
}

/// Constants of a stage, as the registers and memory have them now.
pub(super) struct CurrentConstants<'a> {
    pub(super) at: &'a StageRegisters,
    pub(super) source: Source<'a>,
}

/// A program with what a draw gives it.
pub(crate) struct Stage {
    pub(crate) shader: Arc<Shader>,
    /// Scalars that waves start with.
    pub(crate) scalars: Vec<u32>,
    pub(super) constants: StageConstants,
    /// One for every port.
    pub(super) bound_resources: Arc<[BoundResource]>,
    pub(crate) scratch: Option<Scratch>,
}

impl StageConstants {
    pub(super) fn new(current: &CurrentConstants<'_>, shader: &Shader) -> StageConstants {
        let indexed = shader.indexes_constants();
        let buffers = if indexed { BUFFERS } else { 0 };
        let file = if indexed && shader.reads_file() {
            FILE
        } else {
            0
        };
        let elements = [Elem::X, Elem::Y, Elem::Z, Elem::W];
        let constant = |n: u32| elements.map(|elem| current.file(n as u8, elem));
        StageConstants {
            memory: indexed.then(|| current.source.memory.clone()),
            buffers: (0..buffers).map(|n| current.buffer(n as u8)).collect(),
            file: (0..file).map(constant).collect(),
        }
    }

    /// Whether waves of the same program see the same constants.
    pub(super) fn equal(&self, other: &StageConstants) -> bool {
        self.buffers == other.buffers && self.file == other.file
    }
}

impl CurrentConstants<'_> {
    /// Byte address and number of constants of a buffer.
    fn buffer(&self, bank: u8) -> (u64, u32) {
        let (at, registers) = (self.at, self.source.registers);
        let n = 4 * (u32::from(bank) % BUFFERS as u32);
        let base = u64::from(registers.get(at.buffer_bases + n)) << 8;
        // Sizes count lines of 16 constants.
        let lines = registers.get(at.buffer_sizes + n);
        (base, lines.saturating_mul(16))
    }

    /// What scalars start with: those of the list, 0 between them.
    pub(super) fn scalars(&self, constants: &[(Constant, u16)], scalars: &mut Vec<u32>) {
        scalars.clear();
        let mut last = None;
        for (constant, scalar) in constants {
            let value = match *constant {
                Constant::Kcache { bank, index, elem } => {
                    let buffer = match last {
                        Some((of, buffer)) if of == bank => buffer,
                        _ => self.buffer(bank),
                    };
                    last = Some((bank, buffer));
                    element(self.source.memory, buffer, index.into(), elem)
                }
                Constant::File { index, elem } => self.file(index, elem),
                Constant::Loop { index, part } => self.trips(index, part),
                Constant::Bool(n) => {
                    let word = regs::SQ_BOOL_CONST_0 + 4 * self.at.file;
                    self.source.registers.get(word) >> (n & 31) & 1
                }
            };
            let scalar = usize::from(*scalar);
            if scalars.len() <= scalar {
                scalars.resize(scalar + 1, 0);
            }
            scalars[scalar] = value;
        }
    }

    /// Count, start or step of a loop.
    fn trips(&self, index: u8, part: u8) -> u32 {
        let number = 32 * self.at.file + u32::from(index);
        let word = regs::SQ_LOOP_CONST_0 + 4 * number;
        let word = SqLoopConst::from_word(self.source.registers.get(word));
        match part {
            0 => word.count.into(),
            1 => word.init.into(),
            _ => i32::from(word.inc) as u32,
        }
    }

    /// Element of the constant file.
    fn file(&self, index: u8, elem: Elem) -> u32 {
        // There is none of geometry waves: its registers do not exist and read as 0.
        let first = ALU_CONST.start + 16 * FILE * self.at.file;
        let at = first + 16 * u32::from(index) + 4 * elem as u32;
        self.source.registers.get(at)
    }
}

/// An element of a constant of a buffer; 0 outside it.
fn element(memory: &Memory, (base, count): (u64, u32), index: u32, elem: Elem) -> u32 {
    let at = base + 16 * u64::from(index) + 4 * elem as u64;
    match index < count {
        true => memory.load(at).unwrap_or(0),
        false => 0,
    }
}

impl Constants for StageConstants {
    fn kcache(&self, bank: u8, index: u32, elem: Elem) -> u32 {
        let buffer = self.buffers.get(usize::from(bank) % BUFFERS);
        let buffer = self.memory.as_ref().zip(buffer);
        buffer.map_or(0, |(memory, buffer)| element(memory, *buffer, index, elem))
    }

    fn file(&self, index: u8, elem: Elem) -> u32 {
        self.file
            .get(usize::from(index))
            .map_or(0, |constant| constant[elem as usize])
    }
}

/// Addresses of the registers that the resources of ports are made from.
pub(super) fn bound_registers(kind: Kind, ports: &[Port]) -> Vec<u32> {
    let at = StageRegisters::of(kind);
    let resource = |id: u8| resource_at(at.first_resource + u32::from(id));
    let mut found = Vec::new();
    let mut add = |first: u32, words: u32| found.extend((0..words).map(|n| first + 4 * n));
    for port in ports {
        match &port.action {
            Action::Vtx(inst) => {
                add(resource(inst.buffer_id), 7);
                add(regs::SQ_VTX_BASE_VTX_LOC, 2);
                if inst.dst_gpr().is_none() {
                    add(regs::SQ_VTX_SEMANTIC_0, SEMANTICS.into());
                }
            }
            Action::Tex(inst) => {
                let id = u32::from(inst.sampler_id).min(regs::SAMPLERS - 1);
                add(resource(inst.resource_id), 7);
                add(sampler_at(at.first_sampler + id), 3);
                add(at.border + 16 * id, 4);
            }
            _ => {}
        }
    }
    found
}

fn resource(at: &StageRegisters, registers: &RegisterFile, id: u8) -> Option<Resource> {
    let first = resource_at(at.first_resource + u32::from(id));
    Resource::from_words(&registers.words(first))
}

/// What the registers of a stage have for a port.
pub(crate) fn bind_resources(
    at: &StageRegisters,
    action: &Action,
    registers: &RegisterFile,
    memory: &Memory,
    images: &mut Images,
) -> Result<BoundResource, String> {
    match action {
        Action::Vtx(inst) => {
            let Some(Resource::Vertex(buffer)) = resource(at, registers, inst.buffer_id) else {
                return Ok(BoundResource::Nothing);
            };
            let offsets = [regs::SQ_VTX_BASE_VTX_LOC, regs::SQ_VTX_START_INST_LOC];
            let offsets = offsets.map(|register| registers.get(register));
            let Some(fetch) = Fetch::new(inst, &buffer, offsets) else {
                return Err(format!(
                    "buffer {} has data format {}, which is none",
                    inst.buffer_id, buffer.word2.data_format
                ));
            };
            let semantic = match inst.dst_gpr() {
                Some(_) => None,
                None => semantic(registers, inst.dst),
            };
            Ok(BoundResource::Vertex { fetch, semantic })
        }
        Action::Tex(inst) => {
            let image = match resource(at, registers, inst.resource_id) {
                Some(Resource::Texture(resource)) => images
                    .get(&resource, memory)
                    .map_err(|error| format!("texture {}: {error}", inst.resource_id))?,
                _ => None,
            };
            let id = u32::from(inst.sampler_id).min(regs::SAMPLERS - 1);
            let first = sampler_at(at.first_sampler + id);
            let words = [0, 4, 8].map(|n| registers.get(first + n));
            let bias = f32::from(inst.lod_bias) / 16.0;
            let how = (bias, !inst.coord_type_x);
            let sampler = ta::sampler(words, registers, at.border + 16 * id, how);
            Ok(BoundResource::Texture(ta::Bound::new(inst, image, sampler)))
        }
        _ => Ok(BoundResource::Nothing),
    }
}

/// The register that the table of semantics gives an attribute.
fn semantic(registers: &RegisterFile, id: u8) -> Option<u8> {
    (0..SEMANTICS).find_map(|n| {
        let word = registers.get(regs::SQ_VTX_SEMANTIC_0 + 4 * u32::from(n));
        (word as u8 == id && id != 0).then_some(n + 1)
    })
}

pub(super) fn scratch(
    at: &StageRegisters,
    registers: &RegisterFile,
    memory: &Memory,
) -> Result<Scratch, String> {
    let [base, size, item] = at
        .scratch
        .map(|register| u64::from(registers.get(register)));
    let (base, size, words) = (base << 8, size << 8, item & 0x7fff);
    let wave_bytes = 4 * words * lanes::LANES as u64;
    if words == 0 || size < wave_bytes || base + size > memory.size() {
        return Err(format!(
            "a shader uses scratch memory, and its ring of {size} bytes at {base:#x} has no room for waves of {wave_bytes} bytes"
        ));
    }
    Ok(Scratch {
        base,
        words,
        slots: size / wave_bytes,
    })
}
