//! The tessellation path: local shader, hull shader, levels, and where waves of domain points find their patch.
//! [STAGES "LS", "HS"]
//!
//! Local waves write control points to the local data share of their group, hull waves read them there, store what the
//! shader of domain points reads to a buffer in memory, and the levels of each patch to a ring. Every group that is in
//! memory at a time has a place of its own in both.

use std::sync::Arc;

use lanes::{DefaultEngine, LANES, Resume, Wave, first_lanes};
use radeon::r6xx::vgt;
use radeon::registers::RegisterFile;
use silicon::geometry::amplify::Gathered;
use silicon::geometry::patches::{DomainPoint, PatchGroup, Patches, TessellationShader};
use silicon::geometry::tessellator::{Domain, Output, Spacing, Tessellator};
use silicon::geometry::topology::Topology;
use silicon::geometry::vertices::{InputAssembler, VertexInput};
use silicon::{Memory, Trap};

use crate::draw::WaveWorker;
use crate::regs::{
    self, SpiShaderPgmRsrc2Hs, SpiShaderPgmRsrc2Ls, SpiTmpringSize, VgtHsOffchipParam,
    VgtLsHsConfig, VgtShaderStagesEn, VgtTfParam, VgtTfRingSize, tf,
};
use crate::spi::{self, Launch, User};
use crate::sq::{GroupSlot, PortHandler, Programs, Shader};
use crate::sx::ExportFormats;
use crate::ta::LDS_WORDS;

/// Bytes that a group has outside of its local data share: 8K words. (ERRATA 50)
const OFF_CHIP_BYTES: u32 = 4 * 8192;
/// What the hull shader stores before the levels of a group: they are there, and the rest is in memory. (ERRATA 50)
const OFF_CHIP: u32 = 0x8000_0000;
/// Waves that a group may have.
const MOST_WAVES: usize = 16;
/// Control points that a patch may have.
const MOST_POINTS: u8 = 32;

/// User SGPRs of both programs.
pub(crate) type Users = [User; 2];

/// User SGPRs of the path, where it is on.
pub(crate) fn users(registers: &RegisterFile) -> Option<Users> {
    is_on(registers).then(|| {
        [
            regs::SPI_SHADER_USER_DATA_LS_0,
            regs::SPI_SHADER_USER_DATA_HS_0,
        ]
        .map(|first| spi::user(registers, first))
    })
}

fn is_on(registers: &RegisterFile) -> bool {
    VgtShaderStagesEn::from_word(registers.get(regs::VGT_SHADER_STAGES_EN)).hs_en
}

fn config(registers: &RegisterFile) -> VgtLsHsConfig {
    VgtLsHsConfig::from_word(registers.get(regs::VGT_LS_HS_CONFIG))
}

/// Input assembler of patches.
pub(crate) fn input_assembler(registers: &RegisterFile) -> Result<InputAssembler, String> {
    let code = registers.get(regs::VGT_PRIMITIVE_TYPE) & 0x3f;
    if code != regs::PATCH {
        return Err(format!(
            "VGT_PRIMITIVE_TYPE {code} does not go to a hull shader"
        ));
    }
    let points = config(registers).hs_num_input_cp;
    Ok(vgt::assembler_of(registers, Topology::Patches(points)))
}

/// A program of the path and how its waves start.
struct Part {
    shader: Arc<Shader>,
    launch: Launch,
}

/// Both programs before the shader of domain points.
pub(crate) struct Tessellation {
    local: Part,
    hull: Part,
    pub(crate) patches: Patches,
    /// Control points that a hull wave has lanes for.
    outputs: u32,
    /// Words of local data share of a group.
    shared: usize,
    /// Where levels lie, and how many words a group has there.
    ring: (u64, u32),
    /// System SGPRs of a hull wave begin with the place of its group outside of local data share.
    off_chip: bool,
    /// Bytes of scratch memory of a wave.
    scratch_bytes: u32,
}

impl Tessellation {
    /// The launches of the path, where it is on.
    pub(crate) fn launches(registers: &RegisterFile) -> Option<[Launch; 2]> {
        is_on(registers).then(|| [Launch::local(registers), Launch::hull(registers)])
    }

    /// Decodes the path, or says why it does not run.
    pub(crate) fn new(
        registers: &RegisterFile,
        memory: &Memory,
        programs: &mut Programs,
        scratch: SpiTmpringSize,
        launches: [Launch; 2],
    ) -> Result<Tessellation, Trap> {
        let wrong = crate::state::wrong;
        let tessellator = tessellator(registers).map_err(wrong)?;
        let config = config(registers);
        let (inputs, outputs) = (config.hs_num_input_cp, config.hs_num_output_cp);
        let of_group = usize::from(config.num_patches);
        for (count, name) in [(inputs, "INPUT"), (outputs, "OUTPUT")] {
            if !(1..=MOST_POINTS).contains(&count) {
                return Err(wrong(format!(
                    "VGT_LS_HS_CONFIG.HS_NUM_{name}_CP is {count}; patches have 1 to {MOST_POINTS}"
                )));
            }
        }
        let waves = (of_group * usize::from(inputs.max(outputs))).div_ceil(LANES);
        if !(1..=MOST_WAVES).contains(&waves) {
            return Err(wrong(format!(
                "VGT_LS_HS_CONFIG.NUM_PATCHES {of_group} makes groups of {waves} waves; they have 1 to {MOST_WAVES}"
            )));
        }
        let rsrc2 = SpiShaderPgmRsrc2Ls::from_word(registers.get(regs::SPI_SHADER_PGM_RSRC2_LS));
        let shared = 64 * usize::from(rsrc2.lds_size);
        if shared > LDS_WORDS {
            return Err(wrong(format!(
                "SPI_SHADER_PGM_RSRC2_LS.LDS_SIZE asks for {shared} words; there are {LDS_WORDS}"
            )));
        }
        let rsrc2 = SpiShaderPgmRsrc2Hs::from_word(registers.get(regs::SPI_SHADER_PGM_RSRC2_HS));
        let size = VgtTfRingSize::from_word(registers.get(regs::VGT_TF_RING_SIZE)).size;
        let words = 1 + of_group * tessellator.domain.levels().iter().sum::<usize>();
        let buffers = VgtHsOffchipParam::from_word(registers.get(regs::VGT_HS_OFFCHIP_PARAM));
        let most = match rsrc2.oc_lds_en {
            true => usize::from(buffers.offchip_buffering),
            false => usize::MAX,
        };
        let groups = (usize::from(size) / words).min(most);
        if groups == 0 {
            return Err(wrong(format!(
                "VGT_TF_RING_SIZE {size} and VGT_HS_OFFCHIP_PARAM.OFFCHIP_BUFFERING {} have no room for a group of {words} words of levels",
                buffers.offchip_buffering
            )));
        }
        let scratch_used = launches.iter().any(|launch| launch.scratch);
        if scratch_used && usize::from(scratch.waves) < waves {
            return Err(wrong(format!(
                "SPI_TMPRING_SIZE allows {} waves; a group of patches has {waves}",
                scratch.waves
            )));
        }
        let mut part = |mut launch: Launch| -> Result<Part, Trap> {
            let shader = programs.get(memory, launch.resources)?;
            launch.clear_vertices(&shader);
            Ok(Part { shader, launch })
        };
        let [local, hull] = launches;
        let (local, hull) = (part(local)?, part(hull)?);
        Ok(Tessellation {
            patches: Patches {
                control_points: inputs,
                of_group,
                groups,
                // Hull shaders store to their rings.
                serial: local.shader.side_effects || hull.shader.side_effects || scratch_used,
                tessellator,
            },
            local,
            hull,
            outputs: outputs.into(),
            shared,
            ring: (
                u64::from(registers.get(regs::VGT_TF_MEMORY_BASE)) << 8,
                words as u32,
            ),
            off_chip: rsrc2.oc_lds_en,
            scratch_bytes: u32::from(scratch.wavesize) * 1024,
        })
    }

    /// Whether its programs are still those in memory.
    pub(crate) fn is_current(&self, memory: &Memory) -> bool {
        [&self.local, &self.hull]
            .iter()
            .all(|part| part.shader.is_current(memory))
    }
}

/// The fixed-function part.
fn tessellator(registers: &RegisterFile) -> Result<Tessellator, String> {
    let param = VgtTfParam::from_word(registers.get(regs::VGT_TF_PARAM));
    let unknown =
        |field: &str, value: u8| Err(format!("VGT_TF_PARAM.{field} {value} is not drawn"));
    Ok(Tessellator {
        domain: match param.kind {
            tf::ISOLINE => Domain::Isolines,
            tf::TRIANGLE => Domain::Triangles,
            tf::QUAD => Domain::Quads,
            other => return unknown("TYPE", other),
        },
        spacing: match param.partitioning {
            tf::PART_INTEGER => Spacing::Integer,
            tf::PART_POW2 => Spacing::PowerOfTwo,
            tf::PART_FRAC_ODD => Spacing::FractionalOdd,
            tf::PART_FRAC_EVEN => Spacing::FractionalEven,
            other => return unknown("PARTITIONING", other),
        },
        output: match param.topology {
            tf::OUTPUT_POINT => Output::Points,
            tf::OUTPUT_LINE => Output::Lines,
            tf::OUTPUT_TRIANGLE_CW => Output::Clockwise,
            tf::OUTPUT_TRIANGLE_CCW => Output::CounterClockwise,
            other => return unknown("TOPOLOGY", other),
        },
        limits: [
            registers.float(regs::VGT_HOS_MIN_TESS_LEVEL),
            registers.float(regs::VGT_HOS_MAX_TESS_LEVEL),
        ],
    })
}

/// The path of a draw.
pub(crate) struct Stage<'a> {
    pub(crate) engine: DefaultEngine,
    pub(crate) path: &'a Tessellation,
    pub(crate) users: &'a Users,
    pub(crate) limit: u64,
}

impl Stage<'_> {
    /// Runs so many waves of a group to their end, from barrier to barrier; `start` starts wave `n`.
    fn run(
        &self,
        worker: &mut WaveWorker,
        part: &Part,
        count: usize,
        start: impl Fn(usize, &mut Wave),
    ) -> (u64, Result<(), Trap>) {
        let WaveWorker {
            unit,
            slots,
            groups,
            stands,
            ..
        } = worker;
        slots.bind(count, &part.shader.program);
        let (waves, states) = slots.batch(count);
        for (n, wave) in waves.iter_mut().enumerate() {
            start(n, wave);
        }
        for state in &mut *states {
            state.exports.clear();
            state.messages.clear();
        }
        let slot = GroupSlot {
            share: 0..self.path.shared,
            log: None,
        };
        groups.clear();
        groups.resize(count, slot);
        stands.clear();
        stands.resize(count, Resume::START);
        let handler = &mut PortHandler {
            shader: &part.shader,
            unit: &mut *unit,
            states,
            groups,
            formats: ExportFormats::default(),
            packed: None,
            attributes: (),
        };
        let program = &part.shader.program;
        let result = program.run_groups(&self.engine, waves, stands, handler);
        unit.share = 0..LDS_WORDS;
        unit.logs.current = None;
        let instructions = waves.iter().map(|wave| wave.instructions).sum();
        (instructions, result.map_err(|(_, trap)| trap))
    }

    /// The system SGPR of scratch memory, where waves have one.
    fn scratch(&self, launch: &Launch, wave: usize) -> Option<u32> {
        launch
            .scratch
            .then(|| wave as u32 * self.path.scratch_bytes)
    }

    /// Reads the levels of a group.
    fn levels(
        &self,
        memory: &Memory,
        place: u32,
        count: usize,
        out: &mut PatchGroup,
    ) -> Result<(), Trap> {
        let wrong = crate::state::wrong;
        let first = self.path.ring.0 + u64::from(place);
        let load = |at: u64| {
            let outside = || wrong(format!("tessellation levels at {at:#x} are outside memory"));
            memory.load(at).ok_or_else(outside)
        };
        let control = load(first)?;
        if control != OFF_CHIP {
            return Err(wrong(format!(
                "the hull shader's control word {control:#x} at {first:#x} is not executed"
            )));
        }
        let [outer, inner] = self.path.patches.tessellator.domain.levels();
        let mut at = first + 4;
        for _ in 0..count {
            let mut levels = [0.0; 6];
            for level in &mut levels[..outer + inner] {
                *level = f32::from_bits(load(at)?);
                at += 4;
            }
            out.levels.push(levels);
        }
        Ok(())
    }
}

impl TessellationShader<WaveWorker> for Stage<'_> {
    fn patches(&self) -> Patches {
        self.path.patches
    }

    fn run_group(
        &self,
        worker: &mut WaveWorker,
        group: usize,
        (inputs, patches): (&[VertexInput], &[Gathered]),
        out: &mut PatchGroup,
    ) -> Result<(), Trap> {
        let Tessellation {
            local,
            hull,
            outputs,
            shared,
            ..
        } = self.path;
        worker.unit.lds[..*shared].fill(0);
        let [user, hull_user] = self.users;
        let count = inputs.len().div_ceil(LANES);
        let (instructions, result) = self.run(worker, local, count, |n, wave| {
            let first = n * LANES;
            let inputs = &inputs[first..(first + LANES).min(inputs.len())];
            local
                .launch
                .start_locals(wave, user, (first, inputs), self.limit);
            let scratch = self.scratch(&local.launch, n);
            local.launch.set_systems(wave, scratch.as_slice());
        });
        out.waves += count as u64;
        out.instructions += instructions;
        result?;
        let place = 4 * group as u32 * self.path.ring.1;
        let lanes = patches.len() * *outputs as usize;
        let (instructions, result) = self.run(worker, hull, lanes.div_ceil(LANES), |n, wave| {
            let first = n * LANES;
            let lanes = first..(first + LANES).min(lanes);
            let launch = &hull.launch;
            launch.begin(wave, hull_user, first_lanes(lanes.len()), self.limit);
            let mut inputs = [[0; 2]; LANES];
            for (input, lane) in inputs.iter_mut().zip(lanes) {
                let (relative, point) = (lane as u32 / outputs, lane as u32 % outputs);
                *input = [patches[relative as usize].number, relative | point << 8];
            }
            launch.fill(wave, 0, &inputs, |input| input[0]);
            launch.fill(wave, 1, &inputs, |input| input[1]);
            let off_chip = self.path.off_chip.then(|| group as u32 * OFF_CHIP_BYTES);
            let scratch = self.scratch(launch, n);
            let systems = [off_chip, Some(place), scratch];
            let systems: Vec<u32> = systems.into_iter().flatten().collect();
            launch.set_systems(wave, &systems);
        });
        out.instructions += instructions;
        result?;
        self.levels(&worker.unit.memory, place, patches.len(), out)
    }
}

impl Launch {
    /// Starts a wave of control points; `first` is the number of the first in its group.
    fn start_locals(
        &self,
        wave: &mut Wave,
        user: &User,
        (first, inputs): (usize, &[VertexInput]),
        limit: u64,
    ) {
        self.begin(wave, user, first_lanes(inputs.len()), limit);
        self.fill(wave, 0, inputs, |v| v.index);
        let numbers: [u32; LANES] = std::array::from_fn(|lane| (first + lane) as u32);
        self.fill(wave, 1, &numbers[..inputs.len()], |number| *number);
        self.fill(wave, 2, inputs, |v| v.instance);
        self.fill(wave, 3, inputs, |v| v.instance);
    }

    /// Sets what a wave of domain points starts with: coordinates, patch, and the place of its group.
    pub(crate) fn start_points(&self, wave: &mut Wave, inputs: &[VertexInput]) {
        let coordinate = |fixed: u32| (fixed as f32 / 65536.0).to_bits();
        let point = |input: &VertexInput| DomainPoint::from(input);
        self.fill(wave, 0, inputs, |v| coordinate(point(v).place[0]));
        self.fill(wave, 1, inputs, |v| coordinate(point(v).place[1]));
        self.fill(wave, 2, inputs, |v| point(v).relative);
        self.fill(wave, 3, inputs, |v| point(v).patch);
        if let (Some(place), Some(first)) = (self.group_place, inputs.first())
            && let Some(scalar) = wave.scalars.get_mut(self.user_count() + place)
        {
            *scalar = point(first).group * OFF_CHIP_BYTES;
        }
    }
}
