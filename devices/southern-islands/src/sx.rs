//! The shader export block: what EXP instructions hand to the fixed-function parts. [SI 15]

pub(crate) mod packing;

use lanes::{Row, Wave};
use silicon::exports::VertexExports;
use silicon::fragment::blend::Source;
use silicon::fragment::interpolate;
use silicon::fragment::output::PixelExports;
use silicon::host::{Kernel, Rounding, SimdLevel};
use silicon::texture::fixed::{from_snorm, from_unorm};
use silicon::texture::float::from_f16;
use silicon::texture::sample::Lanes;

use crate::isa::operand::EXEC;
use crate::isa::words::Exp;
use crate::regs::col_format;

/// First target number of positions.
pub(crate) const POS0: u8 = 12;
/// First target number of parameters.
pub(crate) const PARAM0: u8 = 32;
/// Up to this many lanes are written one by one.
const FEW_LANES: u32 = 8;
/// Target number of depth, stencil and sample mask.
pub(crate) const MRTZ: u8 = 8;

/// What a wave exported. Components never exported are zero.
#[derive(Clone, Default)]
pub(crate) struct Exports {
    /// What is still in registers of the wave, by number of the target, and in which: components and registers.
    in_place: u16,
    enabled: [u8; 9],
    places: [[u16; 4]; 9],
    /// The wave exported to `vertex`.
    has_vertex: bool,
    /// Of a pixel wave; its valid lanes are those of the last export with VM.
    pub(crate) pixel: PixelExports,
    /// Of a vertex wave.
    pub(crate) vertex: VertexExports,
}

/// A component that a wave never exported.
static ZEROS: Lanes = [0; 64];

impl Exports {
    /// Forgets what the wave before exported.
    pub(crate) fn clear(&mut self) {
        if std::mem::take(&mut self.has_vertex) {
            self.vertex.clear();
        }
        self.pixel.clear();
        self.in_place = 0;
    }

    /// A colour that the wave exported. Lanes that did not export it are anything.
    #[inline(always)]
    pub(crate) fn color<'a>(&'a self, target: usize, wave: &'a Wave) -> Source<'a> {
        match self.in_place >> target & 1 {
            0 => self.pixel.colors[target].each_ref(),
            _ => {
                // `map` stays a call.
                let row = |component| self.register_row(target, component, wave);
                [row(0), row(1), row(2), row(3)]
            }
        }
    }

    /// Depth, stencil reference or sample mask, by number, of a wave that exported to [`MRTZ`].
    #[inline(always)]
    pub(crate) fn depth<'a>(&'a self, component: usize, wave: &'a Wave) -> &'a Lanes {
        match self.in_place >> MRTZ & 1 {
            0 => &self.pixel.depth[component],
            _ => self.register_row(MRTZ.into(), component, wave),
        }
    }

    /// A component that is still in a register, or that the wave never exported.
    #[inline(always)]
    fn register_row<'a>(&'a self, target: usize, component: usize, wave: &'a Wave) -> &'a Lanes {
        match self.enabled[target] >> component & 1 {
            0 => &ZEROS,
            _ => &source_row(wave, self.places[target][component]).0,
        }
    }

    /// Copies what is still in registers, before some of it is exported again.
    fn fetch(&mut self, target: u8, wave: &Wave) {
        if self.in_place >> target & 1 != 0 {
            self.in_place &= !(1 << target);
            for component in 0..4 {
                let row = *self.register_row(target.into(), component, wave);
                match target {
                    MRTZ => self.pixel.depth[component] = row,
                    _ => self.pixel.colors[usize::from(target)][component] = row,
                }
            }
        }
    }

    /// Whether a pixel wave has exported to a target.
    fn has(&self, target: u8) -> bool {
        match target {
            MRTZ => self.pixel.has_depth,
            _ => self.pixel.color_mask >> target & 1 != 0,
        }
    }
}

/// What SPI_SHADER_COL_FORMAT and SPI_SHADER_Z_FORMAT say of compressed halves, PA_CL_VS_OUT_CNTL of positions.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ExportFormats {
    /// Four bits a colour.
    pub(crate) color: u32,
    /// Of MRTZ.
    pub(crate) depth: u32,
    /// Which vector each position export is; 0 for those behind the first that are none.
    pub(crate) positions: [u8; 4],
}

impl Exports {
    /// Executes one EXP. `stays` says that no register changes before the wave ends.
    #[inline]
    pub(crate) fn export(
        &mut self,
        level: SimdLevel,
        inst: &Exp,
        formats: ExportFormats,
        wave: &Wave,
        stays: bool,
    ) {
        let exec = wave.mask(u16::from(EXEC));
        if inst.vm {
            self.pixel.valid = exec;
        }
        if let target @ 0..=MRTZ = inst.tgt
            && stays
            && !inst.compr
            && !self.has(target)
        {
            let rows = [inst.vsrc0, inst.vsrc1, inst.vsrc2, inst.vsrc3];
            self.leave(target, inst.en, rows.map(u16::from));
            return;
        }
        self.copy(level, inst, formats, (wave, exec));
    }

    /// Executes one EXP of words that lie in these rows.
    #[inline]
    pub(crate) fn export_words(&mut self, inst: &Exp, rows: [u16; 4], wave: &Wave) {
        if inst.vm {
            self.pixel.valid = wave.mask(u16::from(EXEC));
        }
        self.leave(inst.tgt, 0xf, rows);
    }

    /// Leaves these components of a target in registers.
    #[inline(always)]
    fn leave(&mut self, target: u8, enabled: u8, rows: [u16; 4]) {
        match target {
            MRTZ => self.pixel.has_depth = true,
            _ => self.pixel.color_mask |= 1 << target,
        }
        self.in_place |= 1 << target;
        self.enabled[usize::from(target)] = enabled;
        self.places[usize::from(target)] = rows;
    }

    /// Copies what an EXP exports.
    #[inline(never)]
    fn copy(
        &mut self,
        level: SimdLevel,
        inst: &Exp,
        formats: ExportFormats,
        (wave, exec): (&Wave, u64),
    ) {
        let sources = [inst.vsrc0, inst.vsrc1, inst.vsrc2, inst.vsrc3];
        let format = match inst.tgt {
            0..=7 => formats.color >> (4 * inst.tgt) & 0xf,
            _ => formats.depth & 0xf,
        } as u8;
        if inst.tgt <= MRTZ {
            self.fetch(inst.tgt, wave);
        }
        let Some((rows, fresh)) = self.target(inst.tgt, formats.positions) else {
            return;
        };
        for (n, target) in rows.iter_mut().enumerate() {
            // Of compressed exports the enables 0 and 2 stand for the two registers.
            let (register, enable) = if inst.compr { (n / 2, n & 2) } else { (n, n) };
            if inst.en >> enable & 1 == 0 {
                if fresh {
                    *target = [0; 64];
                }
                continue;
            }
            let source = &source_row(wave, sources[register].into()).0;
            if inst.compr {
                level.run(Halves {
                    format,
                    shift: 16 * (n as u32 & 1),
                    source,
                    exec,
                    target,
                });
            } else {
                level.run(Taken {
                    source,
                    exec,
                    target,
                });
            }
        }
    }
}

/// A vector register; register 0 where there is none. [SI 3.6.1]
#[inline(always)]
fn source_row(wave: &Wave, register: u16) -> &Row {
    wave.rows
        .get(usize::from(register))
        .unwrap_or(&wave.rows[0])
}

impl Exports {
    /// The rows of a target, and whether the wave exports it for the first time; none for NULL and reserved targets.
    fn target(&mut self, target: u8, positions: [u8; 4]) -> Option<(&mut [Lanes; 4], bool)> {
        let first = |mask: &mut u8, n: u8| {
            let fresh = *mask >> n & 1 == 0;
            *mask |= 1 << n;
            fresh
        };
        match target {
            0..=7 => {
                let fresh = first(&mut self.pixel.color_mask, target);
                Some((&mut self.pixel.colors[target as usize], fresh))
            }
            MRTZ => {
                let fresh = !std::mem::replace(&mut self.pixel.has_depth, true);
                Some((&mut self.pixel.depth, fresh))
            }
            12..=15 => {
                let n = positions[usize::from(target - POS0)];
                if n == 0 && target != POS0 {
                    return None;
                }
                self.has_vertex = true;
                let fresh = first(&mut self.vertex.position_mask, n);
                Some((&mut self.vertex.positions[n as usize], fresh))
            }
            32..=63 => {
                let n = target - PARAM0;
                let fresh = self.vertex.param_mask >> n & 1 == 0;
                self.vertex.param_mask |= 1 << n;
                self.has_vertex = true;
                Some((&mut self.vertex.params[usize::from(n)], fresh))
            }
            _ => None,
        }
    }
}

/// Takes the lanes of `exec` as they are.
struct Taken<'a> {
    source: &'a Lanes,
    exec: u64,
    target: &'a mut Lanes,
}

impl Kernel for Taken<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let source = self.source;
        write(self.target, self.exec, |lane| source[lane]);
    }
}

#[inline(always)]
fn write(target: &mut Lanes, exec: u64, value: impl Fn(usize) -> u32) {
    if exec == u64::MAX {
        for (lane, slot) in target.iter_mut().enumerate() {
            *slot = value(lane);
        }
    } else if exec.count_ones() <= FEW_LANES {
        for lane in interpolate::lanes(exec) {
            target[lane] = value(lane);
        }
    } else {
        for (lane, slot) in target.iter_mut().enumerate() {
            let new = value(lane);
            *slot = if exec >> lane & 1 != 0 { new } else { *slot };
        }
    }
}

/// Takes 16 bits of the lanes of `exec` as 32-bit values of the format that the target expects.
struct Halves<'a> {
    /// SPI_SHADER_COL_FORMAT, SPI_SHADER_Z_FORMAT.
    format: u8,
    /// 0 or 16.
    shift: u32,
    source: &'a Lanes,
    exec: u64,
    target: &'a mut Lanes,
}

/// 16 bits of a lane. Closures that stay calls compile for the baseline.
#[inline(always)]
fn half(row: &Lanes, shift: u32, lane: usize) -> u32 {
    row[lane] >> shift & 0xffff
}

#[inline(always)]
fn signed(row: &Lanes, shift: u32, lane: usize) -> i32 {
    half(row, shift, lane) as i16 as i32
}

impl Kernel for Halves<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let Halves {
            format,
            shift,
            source,
            exec,
            target,
        } = self;
        let (row, by) = (source, shift);
        match format {
            col_format::UNORM16_ABGR => write(target, exec, |lane| {
                from_unorm(half(row, by, lane), 16).to_bits()
            }),
            col_format::SNORM16_ABGR => write(target, exec, |lane| {
                from_snorm(signed(row, by, lane), 16).to_bits()
            }),
            col_format::UINT16_ABGR => write(target, exec, |lane| half(row, by, lane)),
            col_format::SINT16_ABGR => {
                write(target, exec, |lane| signed(row, by, lane) as u32);
            }
            _ => write(target, exec, |lane| from_f16(half(row, by, lane))),
        }
    }
}
