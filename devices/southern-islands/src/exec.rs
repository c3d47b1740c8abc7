//! Runs raw machine code as one wave, outside any draw, or as groups of waves: what `isa::Tools::exec` does for this chip.
//!
//! Registers start as the input says and zero otherwise; MODE starts as the driver sets it. The program lies in memory
//! behind the given blocks, so that S_GETPC finds constants that follow the code. V_INTERP reads its parameters from
//! the local data share in the order `((primitive * attributes + attribute) * 3 + (P0, P10, P20)) * 4 + channel`.
//!
//! With `primitives` a geometry program finds the places of their vertices in v0, v1 and v3 to v6, and the number of the lane
//! in v2. The rings are behind the given blocks; `descriptors` says where four V# are put: of the ring with the vertices as
//! lanes see it and of all of it, and the same of the ring for what is emitted.

mod groups;
mod primitives;
mod registers;

use std::collections::BTreeSet;
use std::ops::Range;

use isa::{ExecError, ExecInput, ExecOutput, Export};
use lanes::{Batch, DefaultEngine, Engine, Fault, LANES, PortFault, Ports, Wave};
use radeon::exec::{Blocks, report as report_memory};

use crate::CHIP;
use crate::geometry::message;
use crate::isa::operand::{EXEC, TBA};
use crate::isa::scalar::SoppOp;
use crate::isa::words::Exp;
use crate::isa::{
    Allocation, Inst, LDS_DIRECT_SLOT, Lifted, MODE_SLOT, Mode, OutOfRange, Port, SCALAR_SLOTS,
    check_timing, export_target, lift_with_handler,
};
use crate::spi::interp::{Attributes, Interpolation};
use crate::ta::MemoryUnit;
use primitives::Rings;
use registers::Registers;
use silicon::WAVE_COST;
use silicon::fragment::quads::QuadTable;
use silicon::geometry::amplify::Message;
use silicon::geometry::attributes::ATTRIBUTE_WORDS;

/// MODE at the start: round to nearest even, denormals kept, DX10_CLAMP.
pub const START_MODE: u32 = 0x1f0;
/// Runs `words` as one wave. A strict run refuses what only undefined timing or the manual's rules for registers and
/// addresses that do not exist give a result.
pub fn exec(words: &[u32], input: &ExecInput) -> Result<ExecOutput, ExecError> {
    let trap = |at: &dyn std::fmt::Display| ExecError::Trap(format!("{CHIP} {at}"));
    if input.strict {
        check_timing(words).map_err(|hazard| trap(&hazard))?;
    }
    let mut blocks = Blocks::new(input)?;
    let mut wave = Wave::new(256, usize::from(SCALAR_SLOTS));
    wave.limit = WAVE_COST;
    let rings = Rings::new(input, &mut blocks, &mut wave)?;
    let bytes = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    // The program starts on its own page behind the blocks.
    let code = blocks.end().next_multiple_of(4096) + 4096;
    blocks.push(code, bytes);
    let memory = blocks.memory()?;

    let named = Registers::load(input, &mut wave)?;
    let mode = named.mode.unwrap_or(START_MODE);
    wave.scalars[usize::from(MODE_SLOT)] = mode;

    let allocation = Allocation {
        out_of_range: OutOfRange::strict(input.strict),
        ..Allocation::ALL
    };
    let Lifted { mut program, ports } =
        lift_with_handler(words, code, Mode(mode), allocation, wave.mask(TBA.into()))
            .map_err(|error| ExecError::Trap(format!("{CHIP}: {error}")))?;
    let groups = match input.workgroup {
        Some(size) => Some(groups::Groups::new(size, input)?),
        None => None,
    };
    if let Some(groups) = &groups {
        program.per_wave = groups.per_wave();
    }
    let rows = usize::from(program.rows).max(256);
    wave.resize(rows, usize::from(SCALAR_SLOTS));
    let engine = DefaultEngine::new();
    let prepared = engine
        .prepare(&program)
        .map_err(|error| ExecError::Trap(format!("{CHIP}: {error}")))?;
    let before = wave.clone();
    let memory = MemoryUnit {
        strict: input.strict,
        ..MemoryUnit::new(memory)
    };
    let mut unit = Unit::new(&ports, wave.rows.len(), memory);
    if let Some(shared) = &input.shared {
        fill_shared(&mut unit.memory.lds, shared)?;
    }
    if let Some(groups) = groups {
        let report =
            |wave: &Wave| named.store(wave, &registers::written(&program, &ports, &before, wave));
        let (groups, instructions) = groups.run(&engine, &prepared, wave, &mut unit, report)?;
        return Ok(ExecOutput {
            memory: report_memory(&unit.memory.memory, input),
            exports: unit.exports,
            instructions,
            groups,
            ..ExecOutput::default()
        });
    }
    engine
        .run(&prepared, &mut wave, &mut unit)
        .map_err(|stop| {
            let (pc, word) = (stop.origin.pc, stop.origin.word);
            trap(&format_args!(
                "at {pc:#x}: {} (word {word:#010x})",
                stop.fault
            ))
        })?;

    let written = registers::written(&program, &ports, &before, &wave);
    Ok(ExecOutput {
        registers: named.store(&wave, &written),
        memory: report_memory(&unit.memory.memory, input),
        exports: unit.exports,
        instructions: wave.instructions,
        emitted: rings.map_or(Vec::new(), |rings| {
            rings.report(&unit.memory.memory, &unit.messages)
        }),
        ..ExecOutput::default()
    })
}

/// Writes the local data share.
fn fill_shared(lds: &mut [u32], hex: &str) -> Result<(), ExecError> {
    let wrong = |reason: String| ExecError::Input {
        what: "shared".into(),
        reason,
    };
    let bytes = isa::bytes_of_hex(hex).map_err(wrong)?;
    if bytes.len() > 4 * lds.len() {
        let (given, limit) = (bytes.len(), 4 * lds.len());
        return Err(wrong(format!("{given} bytes, but there are {limit}")));
    }
    for (word, chunk) in lds.iter_mut().zip(bytes.chunks(4)) {
        let mut four = [0; 4];
        four[..chunk.len()].copy_from_slice(chunk);
        *word = u32::from_le_bytes(four);
    }
    Ok(())
}

/// The ports of a lone wave.
struct Unit<'a> {
    ports: &'a [Port],
    interpolation: Interpolation,
    memory: MemoryUnit,
    exports: Vec<Export>,
    messages: Vec<Message>,
    /// Words of a primitive's attributes in the data share: one attribute more than the highest that the program names.
    block_words: usize,
    /// First words of the primitives.
    primitives: Vec<u32>,
}

impl<'a> Unit<'a> {
    fn new(ports: &'a [Port], rows: usize, memory: MemoryUnit) -> Unit<'a> {
        let attributes: BTreeSet<u8> = ports
            .iter()
            .filter_map(|p| match p.inst {
                Inst::Vintrp(inst) => Some(inst.attr),
                _ => None,
            })
            .collect();
        let count = attributes.last().map_or(0, |last| usize::from(*last) + 1);
        let block_words = count * ATTRIBUTE_WORDS;
        let primitives = (0..memory.lds.len() as u32)
            .step_by(block_words.max(1))
            .collect();
        Unit {
            ports,
            interpolation: Interpolation::new(ports, rows, false),
            memory,
            exports: Vec::new(),
            messages: Vec::new(),
            block_words,
            primitives,
        }
    }

    fn export(&mut self, inst: Exp, wave: &Wave) {
        let exec = wave.mask(u16::from(EXEC));
        let row = |register: u8, lane: usize| wave.rows[usize::from(register)].0[lane];
        let component = |c: usize, lane: usize| {
            let sources = [inst.vsrc0, inst.vsrc1, inst.vsrc2, inst.vsrc3];
            match inst.compr {
                // Two 16-bit values a register; bits 0 and 2 of EN gate the pairs. [SI 10.1]
                true if inst.en >> (c & 2) & 1 == 1 => {
                    row(sources[c / 2], lane) >> (16 * (c & 1)) & 0xffff
                }
                false if inst.en >> c & 1 == 1 => row(sources[c], lane),
                _ => 0,
            }
        };
        let lane =
            |lane: usize| (exec >> lane & 1 == 1).then(|| [0, 1, 2, 3].map(|c| component(c, lane)));
        self.exports.push(Export {
            target: export_target(inst.tgt).to_uppercase(),
            lanes: (0..LANES).map(lane).collect(),
        });
    }
}

impl Ports for Unit<'_> {
    fn call(&mut self, ports: Range<u32>, batch: Batch<'_>) -> Result<(), PortFault> {
        batch.each(ports, |port, wave| self.perform(port, wave))
    }
}

impl Unit<'_> {
    fn perform(&mut self, port: u32, wave: &mut Wave) -> Result<(), Fault> {
        let Some(Port { inst, .. }) = self.ports.get(port as usize) else {
            return Err(Fault::Illegal {
                reason: format!("port {port} is no instruction"),
            });
        };
        if self.memory.call(inst, wave)? {
            return Ok(());
        }
        match *inst {
            Inst::Exp(inst) => {
                self.export(inst, wave);
                Ok(())
            }
            Inst::Vintrp(_) => {
                let attributes = Attributes {
                    blocks: &self.memory.lds,
                    primitives: &self.primitives,
                    block_words: self.block_words,
                };
                let program = &self.interpolation;
                let steps = program.run(port, 1);
                let table = &mut QuadTable::default();
                attributes.interpolate(self.memory.level, program, steps, (wave, table));
                Ok(())
            }
            Inst::Sopp(inst) if let Some((emits, cuts)) = message(&inst) => {
                let lanes = wave.mask(u16::from(EXEC));
                self.messages.push(Message { emits, cuts, lanes });
                Ok(())
            }
            // Nobody listens to the others.
            Inst::Sopp(inst) if matches!(inst.op, SoppOp::S_SENDMSG | SoppOp::S_SENDMSGHALT) => {
                Ok(())
            }
            _ => {
                wave.scalars[usize::from(LDS_DIRECT_SLOT)] =
                    crate::lds::direct(&self.memory.lds, wave);
                Ok(())
            }
        }
    }
}
