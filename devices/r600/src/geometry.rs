//! The geometry path: export program, geometry program, and the copy program that the vertex stage then is. [R600 1.2, 15.3]
//!
//! Export waves write vertices to the ESGS ring, geometry waves fetch them, write what they emit to the GSVS ring and say so
//! by EMIT_VERTEX and CUT_VERTEX. Every wave of a batch has a place of its own in its ring; a batch has as many waves as
//! the rings hold. [ERRATA 38]

use std::sync::Arc;

use lanes::{DefaultEngine, Wave, first_lanes};
use radeon::r6xx::rings::{self, Ring};
use radeon::registers::RegisterFile;
use silicon::geometry::amplify::{Amplification, GeometryInput, GeometryShader, Message};
use silicon::geometry::vertices::VertexInput;
use silicon::{Memory, Trap};

use crate::draw::WaveWorker;
use crate::regs::{self, VgtGsMode, VgtGsOutPrimType};
use crate::spi::{self, VertexInputs};
use crate::sq::{LaneRecords, Stage};

/// Registers of a ring: base, size, words of a record.
const RINGS: [([u32; 3], &str); 2] = [
    (
        [
            regs::SQ_ESGS_RING_BASE,
            regs::SQ_ESGS_RING_SIZE,
            regs::SQ_ESGS_RING_ITEMSIZE,
        ],
        "SQ_ESGS_RING",
    ),
    (
        [
            regs::SQ_GSVS_RING_BASE,
            regs::SQ_GSVS_RING_SIZE,
            regs::SQ_GSVS_RING_ITEMSIZE,
        ],
        "SQ_GSVS_RING",
    ),
];

/// Whether draws have the path.
pub(crate) fn is_on(registers: &RegisterFile) -> bool {
    VgtGsMode::from_word(registers.get(regs::VGT_GS_MODE)).mode != 0
}

/// A ring and where it lies.
#[derive(Clone, Copy, Debug)]
struct PlacedRing {
    ring: Ring,
    /// Byte address.
    base: u64,
}

impl PlacedRing {
    /// What a wave has of it.
    fn part(&self, wave: usize) -> LaneRecords {
        LaneRecords {
            first: self.base + 4 * u64::from(self.ring.first(wave)),
            words: self.ring.item.into(),
        }
    }
}

/// The path of draws, but for its programs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Path {
    rings: [PlacedRing; 2],
    /// Words of an emitted vertex.
    vertex: u32,
    shape: Amplification,
    inputs: VertexInputs,
}

impl Path {
    /// Decodes the registers, or says why the path does not run.
    pub(crate) fn new(registers: &RegisterFile, memory: &Memory) -> Result<Path, String> {
        let mut placed = Vec::with_capacity(2);
        for ([base, size, item], name) in RINGS {
            let ring = Ring::new(registers, size, item);
            ring.check(name)?;
            let base = u64::from(registers.get(base)) << 8;
            if base + ring.bytes > memory.size() {
                let bytes = ring.bytes;
                return Err(format!(
                    "{name} of {bytes} bytes at {base:#x} lies outside video memory"
                ));
            }
            placed.push(PlacedRing { ring, base });
        }
        let rings = [placed[0], placed[1]];
        let [fed, emitted] = rings.map(|placed| placed.ring);
        let vertex = registers.get(regs::SQ_GS_VERT_ITEMSIZE) & 0x7fff;
        let output = VgtGsOutPrimType::from_word(registers.get(regs::VGT_GS_OUT_PRIM_TYPE));
        let shape = Amplification {
            invocations: 1,
            // A record has room for so many.
            max_vertices: emitted.item.checked_div(vertex).unwrap_or(0),
            output: rings::output_topology(output.outprim_type)?,
            vertices: fed.lanes(),
            threads: emitted.lanes(),
        };
        Ok(Path {
            rings,
            vertex,
            shape,
            inputs: VertexInputs::new(registers),
        })
    }

    /// What a batch of primitives may have.
    pub(crate) fn shape(&self) -> &Amplification {
        &self.shape
    }
}

/// The path of a draw.
pub(crate) struct Amplifier<'a> {
    pub(crate) engine: &'a DefaultEngine,
    pub(crate) path: &'a Path,
    /// Export and geometry program.
    pub(crate) stages: &'a [Arc<Stage>; 2],
    pub(crate) limit: u64,
}

impl Amplifier<'_> {
    /// Runs a wave that writes to a ring.
    fn run(
        &self,
        worker: &mut WaveWorker,
        (stage, ring): (&Stage, LaneRecords),
        lanes: u64,
        start: impl FnOnce(&mut Wave),
    ) -> Result<(), Trap> {
        worker.unit.ring = Some(ring);
        let result = worker.run((self.engine, self.limit), stage, lanes, start);
        worker.unit.ring = None;
        result
    }
}

impl GeometryShader<WaveWorker> for Amplifier<'_> {
    fn amplification(&self) -> Amplification {
        self.path.shape
    }

    fn run_vertices(
        &self,
        worker: &mut WaveWorker,
        wave: usize,
        inputs: &[VertexInput],
    ) -> Result<(), Trap> {
        let part = (&*self.stages[0], self.path.rings[0].part(wave));
        self.run(worker, part, first_lanes(inputs.len()), |wave| {
            self.path.inputs.start(&mut wave.rows, inputs);
        })
    }

    fn run_primitives(
        &self,
        worker: &mut WaveWorker,
        wave: usize,
        inputs: &[GeometryInput],
        messages: &mut Vec<Message>,
    ) -> Result<(), Trap> {
        let item = self.path.rings[0].ring.item;
        let part = (&*self.stages[1], self.path.rings[1].part(wave));
        let result = self.run(worker, part, first_lanes(inputs.len()), |wave| {
            spi::start_primitives(&mut wave.rows, inputs, |vertex| vertex * item);
        });
        messages.append(&mut worker.single.states[0].messages);
        result
    }

    fn instructions(&self, worker: &WaveWorker) -> u64 {
        worker.single.waves[0].instructions
    }

    fn emitted(&self, wave: usize, lane: u32, number: u32) -> u32 {
        let ring = &self.path.rings[1].ring;
        ring.first(wave) + lane * ring.item + number * self.path.vertex
    }
}
