//! The shader processor input: what registers hold when a wave starts. [STAGES]

pub(crate) mod interp;
mod pixel;

use lanes::{Liveness, RegisterUse, Wave, first_lanes};
use radeon::r6xx::codes::point_coordinates;
use radeon::registers::RegisterFile;
use silicon::Memory;
use silicon::geometry::amplify::GeometryInput;
use silicon::geometry::attributes::{AttributeMap, Source};
use silicon::geometry::stream::{BUFFERS, Streamed};
use silicon::geometry::vertices::VertexInput;

use crate::isa::SCALAR_SLOTS;
use crate::isa::operand::{EXEC, TBA, TMA};
use crate::registers::program;
use crate::regs::{
    self, SpiInterpControl0, SpiPsInputCntl, SpiTmpringSize, SpiVsOutConfig, VgtShaderStagesEn,
};
use crate::scratch::{PrivateStore, Slots};
use crate::sq::{Resources, Shader};
use interp::Given;
pub(crate) use pixel::PixelInputs;

/// What debug builds put into scalars that a wave writes before it reads them.
const UNUSED: u32 = 0xbad0_bad0;

/// Scalars that waves of a program may change, but for their execution mask, in ascending order.
#[derive(Clone, Default)]
struct ChangedScalars {
    /// Those that may be read before the wave has written them.
    used: Vec<u16>,
    /// The others.
    written_first: Vec<u16>,
    /// They change neither their mask nor PRIM_MASK.
    keep_masks: bool,
}

impl ChangedScalars {
    /// `primitives` is PRIM_MASK.
    fn new(live: &Liveness, primitives: usize) -> ChangedScalars {
        let scalars = (0..).zip(&live.scalars);
        let mask = u16::from(EXEC)..u16::from(EXEC) + 2;
        let keep_masks = mask
            .clone()
            .map(usize::from)
            .chain([primitives])
            .all(|at| live.scalars.get(at).is_some_and(|scalar| !scalar.written));
        let changed = scalars.filter(|(at, scalar)| scalar.written && !mask.contains(at));
        let (first, used): (Vec<_>, Vec<_>) = changed.partition(|(_, scalar)| scalar.written_first);
        let numbers = |list: Vec<(u16, &RegisterUse)>| list.into_iter().map(|(at, _)| at).collect();
        ChangedScalars {
            used: numbers(used),
            written_first: numbers(first),
            keep_masks,
        }
    }
}

/// What pixel waves of the current draw start with.
#[derive(Default)]
pub(crate) struct StartScalars {
    /// Their scalars.
    pub(crate) words: Vec<u32>,
    /// How many waves were given the program.
    pub(crate) ready: usize,
    /// The first of these, which have the mask and PRIM_MASK of a whole tile.
    whole: usize,
    /// Their primitive's parameters.
    pub(crate) given: Given,
}

impl StartScalars {
    /// Forgets what waves hold.
    pub(crate) fn begin(&mut self) {
        (self.ready, self.whole) = (0, 0);
        self.given.clear();
    }
}

/// VGPRs of a geometry wave when it starts.
const GEOMETRY_VGPRS: usize = 8;

/// User SGPRs of a stage.
pub(crate) type User = [u32; 16];

/// User SGPRs from the first register on.
pub(crate) fn user(registers: &RegisterFile, first: u32) -> User {
    registers.words(first)
}

/// How a stage's waves start.
#[derive(Clone)]
pub(crate) struct Launch {
    /// The program.
    pub(crate) resources: Resources,
    /// Highest vertex VGPR, or nothing for the pixel stage.
    components: usize,
    /// VGPRs that are cleared when a wave starts: of any wave, and of one whose lanes are all enabled.
    cleared: [Vec<u16>; 2],
    /// VGPRs that a pixel wave reads and nothing writes: zero from when it is given the program.
    unwritten: Vec<u16>,
    /// Scalars of a pixel wave when it starts, but for its mask and PRIM_MASK, and those that waves change.
    scalars: (Vec<u32>, ChangedScalars),
    /// SCRATCH_EN: the last system SGPR is the wave's offset in scratch memory.
    pub(crate) scratch: bool,
    /// System SGPRs before that offset.
    system_count: usize,
    /// Waves are of domain points; how many system SGPRs they have before others.
    pub(crate) domain: Option<usize>,
    /// Which of these is the place of their group.
    pub(crate) group_place: Option<usize>,
    /// SO_EN: waves are told what of them goes to buffers; of these, those with SO_BASEn_EN say where.
    streams: Option<[bool; BUFFERS]>,
    /// Where the offset leads; without slots it is 0, which registers start with.
    pub(crate) slots: Slots,
    /// Byte address of the trap handler's memory.
    trap_memory: u64,
}

impl Launch {
    /// The vertex stage.
    pub(crate) fn vertex(registers: &RegisterFile) -> Launch {
        let mut launch = Launch::stage(registers, regs::SPI_SHADER_PGM_LO_VS);
        let rsrc1 = registers.get(regs::SPI_SHADER_PGM_RSRC1_VS);
        launch.components = regs::SpiShaderPgmRsrc1Vs::from_word(rsrc1)
            .vgpr_comp_cnt
            .into();
        let rsrc2 = registers.get(regs::SPI_SHADER_PGM_RSRC2_VS);
        let rsrc2 = regs::SpiShaderPgmRsrc2Vs::from_word(rsrc2);
        let stages = registers.get(regs::VGT_SHADER_STAGES_EN);
        if VgtShaderStagesEn::from_word(stages).vs_en == regs::VS_STAGE_DS {
            // Streams of domain points are not executed.
            launch.domain = Some(2 * usize::from(rsrc2.oc_lds_en));
            launch.group_place = rsrc2.oc_lds_en.then_some(1);
            launch.systems(2 * usize::from(rsrc2.oc_lds_en));
        } else if rsrc2.so_en {
            let bases = [
                rsrc2.so_base0_en,
                rsrc2.so_base1_en,
                rsrc2.so_base2_en,
                rsrc2.so_base3_en,
            ];
            launch.streams = Some(bases);
            launch.systems(2 + bases.iter().filter(|base| **base).count());
        }
        launch
    }

    /// Tells a vertex wave of a stream what it writes, and where. [STAGES streamout_config]
    pub(crate) fn set_streamed(
        &self,
        wave: &mut Wave,
        offsets: [u32; BUFFERS],
        streamed: Streamed,
    ) {
        let Some(bases) = self.streams else { return };
        let mut values = [streamed.count << 16, streamed.first, 0, 0, 0, 0];
        let told = offsets.iter().zip(bases).filter(|(_, told)| *told);
        let mut count = 2;
        for (offset, _) in told {
            values[count] = *offset;
            count += 1;
        }
        self.set_systems(wave, &values[..count]);
    }

    /// The pixel stage.
    pub(crate) fn pixel(registers: &RegisterFile) -> Launch {
        let launch = Launch::stage(registers, regs::SPI_SHADER_PGM_LO_PS);
        Launch {
            // PRIM_MASK.
            system_count: 1,
            ..launch
        }
    }

    /// The export stage: a vertex stage whose waves get their offset in the ring.
    pub(crate) fn export(registers: &RegisterFile) -> Launch {
        let mut launch = Launch::stage(registers, regs::SPI_SHADER_PGM_LO_ES);
        let rsrc1 = registers.get(regs::SPI_SHADER_PGM_RSRC1_ES);
        launch.components = regs::SpiShaderPgmRsrc1Es::from_word(rsrc1)
            .vgpr_comp_cnt
            .into();
        let stages = registers.get(regs::VGT_SHADER_STAGES_EN);
        if VgtShaderStagesEn::from_word(stages).es_en == regs::ES_STAGE_DS {
            let rsrc2 = registers.get(regs::SPI_SHADER_PGM_RSRC2_ES);
            let off_chip = regs::SpiShaderPgmRsrc2Es::from_word(rsrc2).oc_lds_en;
            // One that nothing sets follows.
            launch.domain = Some(2 * usize::from(off_chip));
            launch.group_place = off_chip.then_some(0);
        }
        launch.systems(1 + launch.domain.unwrap_or(0));
        launch
    }

    /// The geometry stage, whose waves get their offset in the ring and their number.
    pub(crate) fn geometry(registers: &RegisterFile) -> Launch {
        let mut launch = Launch::stage(registers, regs::SPI_SHADER_PGM_LO_GS);
        launch.components = GEOMETRY_VGPRS - 1;
        launch.systems(2);
        launch
    }

    /// The local stage, whose waves have nothing of their own.
    pub(crate) fn local(registers: &RegisterFile) -> Launch {
        let mut launch = Launch::stage(registers, regs::SPI_SHADER_PGM_LO_LS);
        let rsrc1 = registers.get(regs::SPI_SHADER_PGM_RSRC1_LS);
        launch.components = regs::SpiShaderPgmRsrc1Ls::from_word(rsrc1)
            .vgpr_comp_cnt
            .into();
        launch.systems(0);
        launch
    }

    /// The hull stage, whose waves get the places of their group.
    pub(crate) fn hull(registers: &RegisterFile) -> Launch {
        let mut launch = Launch::stage(registers, regs::SPI_SHADER_PGM_LO_HS);
        let rsrc2 = registers.get(regs::SPI_SHADER_PGM_RSRC2_HS);
        let off_chip = regs::SpiShaderPgmRsrc2Hs::from_word(rsrc2).oc_lds_en;
        launch.components = 1;
        launch.systems(1 + usize::from(off_chip));
        launch
    }

    /// System SGPRs that waves have for themselves, with that of scratch memory behind them.
    fn systems(&mut self, count: usize) {
        self.system_count = count;
        self.resources.system_count = count as u8 + u8::from(self.scratch);
    }

    fn stage(registers: &RegisterFile, first: u32) -> Launch {
        // LO, HI, RSRC1, RSRC2 follow each other in both stages.
        let rsrc2 = registers.get(first + 12);
        // TBA and TMA lie before the program's address; TRAP_PRESENT says whether they count.
        let trap = |lo: u32| match rsrc2 >> 6 & 1 {
            0 => 0,
            _ => program(registers, lo),
        };
        Launch {
            resources: Resources::new(
                program(registers, first),
                trap(first - 0x20),
                [registers.get(first + 8), rsrc2],
            ),
            components: 0,
            cleared: [(); 2].map(|()| Vec::new()),
            unwritten: Vec::new(),
            scalars: (Vec::new(), ChangedScalars::default()),
            scratch: rsrc2 & 1 != 0,
            system_count: 0,
            domain: None,
            group_place: None,
            streams: None,
            slots: Slots::default(),
            trap_memory: trap(first - 0x18),
        }
    }

    pub(crate) fn user_count(&self) -> usize {
        self.resources.user_count.into()
    }

    /// Whether waves of the program change what others see. Where they only store to scratch memory they do not, and
    /// get slots there.
    pub(crate) fn has_side_effects(
        &mut self,
        shader: &Shader,
        memory: &Memory,
        ring: SpiTmpringSize,
        user: &User,
    ) -> bool {
        let private = shader.private_stores.as_ref().filter(|_| self.scratch);
        match private.is_some_and(|stores| self.keeps(stores, memory, ring, user)) {
            true => false,
            false => shader.side_effects,
        }
    }

    /// Gives waves slots of scratch memory, if these stores stay in them; says whether they do.
    pub(crate) fn keeps(
        &mut self,
        stores: &[PrivateStore],
        memory: &Memory,
        ring: SpiTmpringSize,
        user: &User,
    ) -> bool {
        let wave = self.user_count() + self.system_count;
        let user = &user[..self.user_count()];
        match Slots::new(stores, memory, ring, user, wave) {
            Some(slots) => {
                self.slots = slots;
                true
            }
            None => false,
        }
    }

    /// Finds out which VGPRs have to be cleared when a vertex wave of `shader` starts.
    pub(crate) fn clear_vertices(&mut self, shader: &Shader) {
        let components = self.components;
        let read = (0..self.resources.vgprs).filter(|n| is_read(shader, *n));
        self.cleared[0] = read.collect();
        let set = |n: &u16| usize::from(*n) <= components || is_written(shader, *n);
        let rest = self.cleared[0].iter().copied();
        self.cleared[1] = rest.filter(|n| !set(n)).collect();
    }

    /// The same of a pixel wave, whose inputs are set in all lanes.
    pub(crate) fn clear_pixels(&mut self, shader: &Shader, inputs: &PixelInputs) {
        let filled = |n: &u16| inputs.fills(usize::from(*n));
        let read = (0..self.resources.vgprs).filter(|n| is_read(shader, *n));
        let changes = |n: &u16| shader.live.rows[usize::from(*n)].written;
        (self.cleared[0], self.unwritten) = read.filter(|n| !filled(n)).partition(changes);
        let rest = self.cleared[0].iter().copied();
        self.cleared[1] = rest.filter(|n| !is_written(shader, *n)).collect();
        if shader.lanes_apart {
            let [any, full] = &mut self.cleared;
            any.clone_from(full);
        }
        let mut wave = Wave::new(0, shader.program.scalars);
        self.begin_scalars(&mut wave, &[0; 16]);
        let changed = ChangedScalars::new(&shader.live, self.user_count());
        self.scalars = (wave.scalars.to_vec(), changed);
    }

    /// The scalars of a pixel wave of a draw with these user SGPRs.
    pub(crate) fn scalars(&self, user: &User, scalars: &mut Vec<u32>) {
        scalars.clear();
        scalars.extend_from_slice(&self.scalars.0);
        scalars[..self.user_count()].copy_from_slice(&user[..self.user_count()]);
    }

    /// Gives a pixel wave this program: what none of its waves changes.
    pub(crate) fn give(&self, wave: &mut Wave, scalars: &[u32]) {
        wave.scalars[..scalars.len()].copy_from_slice(scalars);
        clear(wave, &self.unwritten);
    }

    /// Clears a wave that ran, or was given, this program, and sets its scalars again.
    #[inline]
    fn restart(
        &self,
        wave: &mut Wave,
        scalars: &mut StartScalars,
        (exec, starts): (u64, u16),
        limit: u64,
    ) {
        scalars.whole = 0;
        let waves = std::slice::from_mut(wave);
        self.restart_all::<true>(waves, &scalars.words, (exec, starts), limit);
    }

    /// The same for waves of whole tiles.
    #[inline]
    fn restart_tiles(&self, waves: &mut [Wave], scalars: &mut StartScalars, limit: u64) {
        let (_, changed) = &self.scalars;
        let whole = if changed.keep_masks { scalars.whole } else { 0 };
        let count = waves.len();
        let (have, others) = waves.split_at_mut(whole.min(count));
        self.restart_all::<false>(have, &scalars.words, (u64::MAX, 0), limit);
        self.restart_all::<true>(others, &scalars.words, (u64::MAX, 0), limit);
        scalars.whole = scalars.whole.max(count);
    }

    /// The same for waves that start in the same way, which have their masks already or get them.
    #[inline]
    fn restart_all<const MASKS: bool>(
        &self,
        waves: &mut [Wave],
        scalars: &[u32],
        (exec, starts): (u64, u16),
        limit: u64,
    ) {
        let cleared = self.cleared_rows(exec);
        let ChangedScalars {
            used,
            written_first,
            ..
        } = &self.scalars.1;
        let user_count = self.user_count();
        for wave in waves {
            clear(wave, cleared);
            for at in used {
                let at = usize::from(*at);
                wave.scalars[at] = scalars[at];
            }
            if cfg!(debug_assertions) {
                for at in written_first {
                    wave.scalars[usize::from(*at)] = UNUSED;
                }
            }
            if MASKS {
                wave.set_mask(u16::from(EXEC), exec);
            }
            debug_assert!(
                (0..usize::from(SCALAR_SLOTS))
                    .filter(|at| ![126, 127, user_count].contains(at))
                    .all(|at| [scalars[at], UNUSED].contains(&wave.scalars[at]) || self.scratch),
                "all that waves change is known"
            );
            // PRIM_MASK: bit 16 + n says that quad n + 1 begins a primitive; the parameters begin at 0.
            let primitives = u32::from(starts) << 15;
            if MASKS && let Some(scalar) = wave.scalars.get_mut(user_count) {
                *scalar = primitives;
            }
            debug_assert_eq!(wave.mask(u16::from(EXEC)), exec);
            debug_assert!(
                wave.scalars
                    .get(user_count)
                    .is_none_or(|scalar| *scalar == primitives)
            );
            wave.restart(limit);
        }
    }

    /// Clears a wave and sets its user SGPRs. Registers that nothing sets are zero, so that results never depend on
    /// the wave before; those need not be cleared that it does not read, or, where all lanes are enabled, writes before.
    /// Rows after the VGPRs belong to the lift, which writes them before it reads them.
    pub(crate) fn begin(&self, wave: &mut Wave, user: &User, exec: u64, limit: u64) {
        clear(wave, self.cleared_rows(exec));
        self.begin_scalars(wave, user);
        wave.set_mask(u16::from(EXEC), exec);
        wave.restart(limit);
    }

    /// Rows that are cleared where a wave of these lanes starts.
    #[inline]
    fn cleared_rows(&self, exec: u64) -> &[u16] {
        &self.cleared[usize::from(exec == u64::MAX)]
    }

    fn begin_scalars(&self, wave: &mut Wave, user: &User) {
        wave.scalars.fill(0);
        wave.scalars[..self.user_count()].copy_from_slice(&user[..self.user_count()]);
        wave.set_mask(u16::from(TBA), self.resources.handler);
        wave.set_mask(u16::from(TMA), self.trap_memory);
    }

    /// The first system SGPR that is not about a wave's group of patches.
    pub(crate) fn first_system(&self) -> usize {
        self.user_count() + self.domain.unwrap_or(0)
    }

    /// Sets the system SGPRs of a wave that has started.
    pub(crate) fn set_systems(&self, wave: &mut Wave, values: &[u32]) {
        for (at, value) in (self.first_system()..).zip(values) {
            if let Some(scalar) = wave.scalars.get_mut(at) {
                *scalar = *value;
            }
        }
    }

    /// Starts a wave of geometry invocations; `offset` is where a vertex of the batch lies in the ring, in words. [STAGES]
    pub(crate) fn start_primitives(
        &self,
        wave: &mut Wave,
        user: &User,
        inputs: &[GeometryInput],
        offset: impl Fn(u32) -> u32,
        limit: u64,
    ) {
        self.begin(wave, user, first_lanes(inputs.len()), limit);
        let mut fill = |register: usize, value: &dyn Fn(&GeometryInput) -> u32| {
            if let Some(row) = wave.rows.get_mut(register) {
                for (lane, input) in row.0.iter_mut().zip(inputs) {
                    *lane = value(input);
                }
            }
        };
        for (n, register) in [0, 1, 3, 4, 5, 6].into_iter().enumerate() {
            fill(register, &|input| offset(input.primitive.vertices[n]));
        }
        fill(2, &|input| input.primitive.number);
        fill(7, &|input| input.invocation);
    }

    /// Starts a wave of vertices.
    pub(crate) fn start_vertices(
        &self,
        wave: &mut Wave,
        user: &User,
        inputs: &[VertexInput],
        limit: u64,
    ) {
        self.begin(wave, user, first_lanes(inputs.len()), limit);
        if self.domain.is_some() {
            return self.start_points(wave, inputs);
        }
        let mut fill = |register: usize, value: fn(&VertexInput) -> u32| {
            self.fill(wave, register, inputs, value);
        };
        fill(0, |v| v.index);
        fill(1, |v| v.instance);
        fill(2, |v| v.primitive);
        fill(3, |v| v.instance);
    }

    /// Sets a VGPR in the lanes of a wave, if the stage has it.
    pub(crate) fn fill<T>(
        &self,
        wave: &mut Wave,
        register: usize,
        inputs: &[T],
        value: impl Fn(&T) -> u32,
    ) {
        if register <= self.components
            && let Some(row) = wave.rows.get_mut(register)
        {
            for (lane, input) in row.0.iter_mut().zip(inputs) {
                *lane = value(input);
            }
        }
    }
}

#[inline]
fn clear(wave: &mut Wave, rows: &[u16]) {
    for row in rows {
        if let Some(row) = wave.rows.get_mut(usize::from(*row)) {
            row.0.fill(0);
        }
    }
}

fn is_read(shader: &Shader, vgpr: u16) -> bool {
    shader.live.rows[usize::from(vgpr)].read
}

fn is_written(shader: &Shader, vgpr: u16) -> bool {
    shader.live.rows[usize::from(vgpr)].written_first
}

/// Where the attributes of the pixel shader come from.
pub(crate) fn attributes(registers: &RegisterFile) -> AttributeMap {
    let config = SpiVsOutConfig::from_word(registers.get(regs::SPI_VS_OUT_CONFIG));
    let params = usize::from(config.vs_export_count) + 1;
    let count = registers.get(regs::SPI_PS_IN_CONTROL) & 0x3f;
    let sprite = SpiInterpControl0::from_word(registers.get(regs::SPI_INTERP_CONTROL_0));
    let codes = [
        sprite.pnt_sprite_ovrd_x,
        sprite.pnt_sprite_ovrd_y,
        sprite.pnt_sprite_ovrd_z,
        sprite.pnt_sprite_ovrd_w,
    ];
    let point = point_coordinates(codes, sprite.pnt_sprite_top_1);
    let sources = (0..count.min(32))
        .map(|n| {
            let word = registers.get(regs::SPI_PS_INPUT_CNTL_0 + 4 * n);
            let control = SpiPsInputCntl::from_word(word);
            let index = usize::from(control.offset);
            if control.pt_sprite_tex && sprite.pnt_sprite_ena {
                point
            } else if index >= 32 || index >= params {
                Source::Constant(match control.default_val {
                    0 => [0.0; 4],
                    1 => [0.0, 0.0, 0.0, 1.0],
                    2 => [1.0, 1.0, 1.0, 0.0],
                    _ => [1.0; 4],
                })
            } else {
                Source::Param {
                    index,
                    flat: control.flat_shade,
                }
            }
        })
        .collect();
    AttributeMap { sources, params }
}
