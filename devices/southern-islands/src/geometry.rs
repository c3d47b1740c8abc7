//! The geometry path: export shader, geometry shader, and the copy shader that the vertex stage then is. [STAGES "ES -> GS"]
//!
//! Export waves store vertices to the ESGS ring, geometry waves read them, store what they emit to the GSVS ring and say so
//! by messages. Every wave of a batch has a place of its own in its ring; a batch has as many waves as the rings hold.

use std::sync::Arc;

use lanes::DefaultEngine;
use radeon::r6xx::rings::{Ring, WAVE, output_topology};
use radeon::r6xx::waves::WaveSlots;
use radeon::registers::RegisterFile;
use silicon::geometry::amplify::{Amplification, GeometryInput, GeometryShader, Message};
use silicon::geometry::vertices::VertexInput;
use silicon::{Memory, Trap};

use crate::draw::WaveWorker;
use crate::isa::scalar::SoppOp;
use crate::isa::words::Sopp;
use crate::regs::{self, SpiTmpringSize, VgtShaderStagesEn};
use crate::scratch::PrivateStore;
use crate::spi::{self, Launch, User};
use crate::sq::{PortHandler, Programs, Shader, WaveState};
use crate::sx::ExportFormats;

/// Lanes whose words lie side by side in the GSVS ring.
const GROUP: u32 = 16;

/// What a message tells the geometry stage: whether a vertex is emitted, and whether the strip ends. Stream 0 alone is
/// executed.
pub(crate) fn message(inst: &Sopp) -> Option<(bool, bool)> {
    let sends = matches!(inst.op, SoppOp::S_SENDMSG | SoppOp::S_SENDMSGHALT);
    let [kind, operation, stream] = [0, 4, 8].map(|low| inst.simm16 >> low & 0xf);
    let geometry = sends && matches!(kind, 2 | 3) && stream & 3 == 0;
    (geometry && operation & 3 != 0).then_some((operation & 2 != 0, operation & 1 != 0))
}

/// A program of the path and how its waves start.
struct Part {
    shader: Arc<Shader>,
    launch: Launch,
}

/// Both programs before the copy shader.
pub(crate) struct Path {
    export: Part,
    geometry: Part,
    rings: [Ring; 2],
    shape: Amplification,
    /// Waves change what others see besides the rings.
    pub(crate) effects: bool,
}

/// User SGPRs of both programs.
pub(crate) type Users = [User; 2];

/// User SGPRs of the path, where it is on.
pub(crate) fn users(registers: &RegisterFile) -> Option<Users> {
    is_on(registers).then(|| {
        [
            regs::SPI_SHADER_USER_DATA_ES_0,
            regs::SPI_SHADER_USER_DATA_GS_0,
        ]
        .map(|first| spi::user(registers, first))
    })
}

fn is_on(registers: &RegisterFile) -> bool {
    VgtShaderStagesEn::from_word(registers.get(regs::VGT_SHADER_STAGES_EN)).gs_en
}

impl Path {
    /// The launches of the path, where it is on, and whether they use scratch memory.
    pub(crate) fn launches(registers: &RegisterFile) -> Option<[Launch; 2]> {
        is_on(registers).then(|| [Launch::export(registers), Launch::geometry(registers)])
    }

    /// Decodes the path, or says why it does not run.
    pub(crate) fn new(
        registers: &RegisterFile,
        memory: &Memory,
        programs: &mut Programs,
        scratch: SpiTmpringSize,
        [mut export, mut geometry]: [Launch; 2],
    ) -> Result<Path, Trap> {
        let wrong = crate::state::wrong;
        let rings = [
            Ring::new(
                registers,
                regs::VGT_ESGS_RING_SIZE,
                regs::VGT_ESGS_RING_ITEMSIZE,
            ),
            Ring::new(
                registers,
                regs::VGT_GSVS_RING_SIZE,
                regs::VGT_GSVS_RING_ITEMSIZE,
            ),
        ];
        let shape = amplification(registers, &rings).map_err(wrong)?;
        for (ring, name) in rings.iter().zip(["VGT_ESGS_RING", "VGT_GSVS_RING"]) {
            ring.check(name).map_err(wrong)?;
        }
        if shape.room().is_none() {
            return Err(wrong(format!(
                "VGT_GSVS_RING_SIZE holds {} invocations; a primitive has {}",
                shape.threads, shape.invocations
            )));
        }
        let users = users(registers).unwrap_or_default();
        let mut effects = false;
        let mut part =
            |launch: &mut Launch, ring: Ring, user: &User| -> Result<Arc<Shader>, Trap> {
                let shader = programs.get(memory, launch.resources)?;
                let to_ring = |store: &PrivateStore| {
                    usize::from(store.sgpr()) == launch.first_system()
                        && store.stays(memory, user, (ring.wave_bytes(), ring.bytes))
                };
                let stores = shader.private_stores.as_deref();
                let (ringed, rest): (Vec<PrivateStore>, Vec<PrivateStore>) = stores
                    .unwrap_or_default()
                    .iter()
                    .partition(|store| to_ring(store));
                let private = stores.is_some() && (rest.is_empty() || launch.scratch);
                let own = private && launch.keeps(&rest, memory, scratch, user);
                effects |= shader.side_effects && !own;
                debug_assert!(ringed.len() + rest.len() == stores.map_or(0, <[_]>::len));
                launch.clear_vertices(&shader);
                Ok(shader)
            };
        let export_shader = part(&mut export, rings[0], &users[0])?;
        let geometry_shader = part(&mut geometry, rings[1], &users[1])?;
        Ok(Path {
            export: Part {
                shader: export_shader,
                launch: export,
            },
            geometry: Part {
                shader: geometry_shader,
                launch: geometry,
            },
            rings,
            shape,
            effects,
        })
    }

    /// What a batch of primitives may have.
    pub(crate) fn shape(&self) -> &Amplification {
        &self.shape
    }

    /// Whether its programs read the clock.
    pub(crate) fn reads_clock(&self) -> bool {
        self.export.shader.reads_clock || self.geometry.shader.reads_clock
    }
}

/// How the geometry stage changes primitives.
fn amplification(registers: &RegisterFile, rings: &[Ring; 2]) -> Result<Amplification, String> {
    let output = regs::VgtGsOutPrimType::from_word(registers.get(regs::VGT_GS_OUT_PRIM_TYPE));
    let most = regs::VgtGsMaxVertOut::from_word(registers.get(regs::VGT_GS_MAX_VERT_OUT));
    let count = regs::VgtGsInstanceCnt::from_word(registers.get(regs::VGT_GS_INSTANCE_CNT));
    let [export, geometry] = rings;
    Ok(Amplification {
        invocations: match count.enable {
            true => u32::from(count.cnt).max(1),
            false => 1,
        },
        max_vertices: most.max_vert_out.into(),
        output: output_topology(output.outprim_type)?,
        vertices: export.lanes(),
        threads: geometry.lanes(),
    })
}

/// The path of a draw.
pub(crate) struct Stage<'a> {
    pub(crate) engine: DefaultEngine,
    pub(crate) path: &'a Path,
    pub(crate) users: &'a Users,
    pub(crate) limit: u64,
}

impl Stage<'_> {
    /// Runs the first wave of the worker, which `start` starts.
    fn run(
        &self,
        worker: &mut WaveWorker,
        part: &Part,
        start: impl FnOnce(&Launch, &mut lanes::Wave),
    ) -> Result<(), Trap> {
        let WaveWorker { unit, slots, .. } = worker;
        slots.bind(1, &part.shader.program);
        let (waves, states) = slots.batch(1);
        start(&part.launch, &mut waves[0]);
        part.launch.slots.start(unit, &mut waves[0]);
        let handler = PortHandler {
            shader: &part.shader,
            unit,
            states,
            groups: &[],
            formats: ExportFormats::default(),
            packed: None,
            attributes: (),
        };
        handler.run(&self.engine, &part.shader.program, waves).1
    }
}

impl GeometryShader<WaveWorker> for Stage<'_> {
    fn amplification(&self) -> Amplification {
        self.path.shape
    }

    fn run_vertices(
        &self,
        worker: &mut WaveWorker,
        wave: usize,
        inputs: &[VertexInput],
    ) -> Result<(), Trap> {
        let offset = 4 * self.path.rings[0].first(wave);
        self.run(worker, &self.path.export, |launch, registers| {
            launch.start_vertices(registers, &self.users[0], inputs, self.limit);
            launch.set_systems(registers, &[offset]);
        })
    }

    fn run_primitives(
        &self,
        worker: &mut WaveWorker,
        wave: usize,
        inputs: &[GeometryInput],
        messages: &mut Vec<Message>,
    ) -> Result<(), Trap> {
        let [export, ring] = &self.path.rings;
        let place = |vertex: u32| export.first((vertex / WAVE) as usize) + vertex % WAVE;
        let systems = [4 * ring.first(wave), wave as u32];
        let result = self.run(worker, &self.path.geometry, |launch, registers| {
            launch.start_primitives(registers, &self.users[1], inputs, place, self.limit);
            launch.set_systems(registers, &systems);
        });
        let WaveSlots { states, .. } = &mut worker.slots;
        let WaveState { messages: sent, .. } = &mut states[0];
        messages.append(sent);
        result
    }

    fn instructions(&self, worker: &WaveWorker) -> u64 {
        worker.slots.waves[0].instructions
    }

    fn emitted(&self, wave: usize, lane: u32, number: u32) -> u32 {
        let ring = &self.path.rings[1];
        ring.first(wave) + lane / GROUP * GROUP * ring.item + number * GROUP + lane % GROUP
    }
}

impl Path {
    /// Whether its programs are still those in memory.
    pub(crate) fn is_current(&self, memory: &Memory) -> bool {
        [&self.export, &self.geometry]
            .iter()
            .all(|part| part.shader.is_current(memory))
    }
}
