//! The colour block: where this chip has the registers of [`radeon::r6xx::cb`].

use radeon::r6xx::cb::{Blending, ColorBlock, Mode};
use radeon::r6xx::unexecuted;
use radeon::registers::RegisterFile;
use silicon::fragment::output::ColorOutput;
use silicon::fragment::surface::{Cache, Plane};
use silicon::fragment::target::Target;
use silicon::{Format, Memory};

use crate::pa;
use crate::regs::{
    self, CB_COLOR_STRIDE, CbBlendControl, CbColorAttrib, CbColorControl, CbColorInfo,
    CbColorPitch, CbColorSlice, CbColorView, cb_mode, color_format,
};
use crate::tiling::{Surface, Swizzle, tile_mode};
use crate::unexecuted::TARGET;
use crate::{db, formats};

/// The targets that a draw to a layer writes.
pub(crate) fn targets(
    registers: &RegisterFile,
    memory: &Memory,
    surfaces: &mut Cache<Surface>,
    layer: u32,
) -> Result<Vec<ColorOutput>, String> {
    if let Some(copies) = copying(registers, memory, surfaces, layer)? {
        return Ok(copies);
    }
    let mut block = Block {
        registers,
        memory,
        surfaces,
        layer,
    };
    block.targets()
}

/// Target 0 where it takes what the depth block copies, if it does.
fn copying(
    registers: &RegisterFile,
    memory: &Memory,
    surfaces: &mut Cache<Surface>,
    layer: u32,
) -> Result<Option<Vec<ColorOutput>>, String> {
    let info = CbColorInfo::from_word(registers.get(regs::CB_COLOR0_INFO));
    let Some((format, copied)) = db::copied(registers, memory, surfaces, (info.format, layer))?
    else {
        return Ok(None);
    };
    let view = CbColorView::from_word(registers.get(regs::CB_COLOR0_VIEW));
    let (surface, base) = surface(registers, 0, format.size_bytes());
    let plane = surfaces.plane(memory, surface, base, u32::from(view.slice_start) + layer)?;
    let outputs = copied.into_iter().map(|copied| {
        let (word, shift, mask) = copied.place;
        let mut bits = [0; 4];
        bits[word] = mask;
        let from = (copied.plane, copied.sample);
        ColorOutput::copying(format, from, bits, plane.clone()).higher(word, shift)
    });
    Ok(Some(outputs.collect()))
}

/// Layers of the targets that a draw writes; nothing where it writes none.
pub(crate) fn layers(
    registers: &RegisterFile,
    memory: &Memory,
    surfaces: &mut Cache<Surface>,
) -> Option<u32> {
    let block = Block {
        registers,
        memory,
        surfaces,
        layer: 0,
    };
    block.layers()
}

/// Whether draws average samples instead of drawing.
pub(crate) fn resolves(registers: &RegisterFile) -> bool {
    let control = CbColorControl::from_word(registers.get(regs::CB_COLOR_CONTROL));
    control.mode == cb_mode::RESOLVE
}

/// What the first target holds inside of the scissors.
pub(crate) fn shown(
    registers: &RegisterFile,
    memory: &Memory,
    surfaces: &mut Cache<Surface>,
) -> Result<Option<Target>, String> {
    let pa = pa::primitives(registers);
    let mut block = Block {
        registers,
        memory,
        surfaces,
        layer: 0,
    };
    block.shown(memory, pa.scissor())
}

/// How a target lies in memory, and where.
pub(crate) fn surface(registers: &RegisterFile, index: u32, element_bytes: u32) -> (Surface, u64) {
    let get = |register: u32| registers.get(register + index * CB_COLOR_STRIDE);
    let attrib = CbColorAttrib::from_word(get(regs::CB_COLOR0_ATTRIB));
    let pitch = CbColorPitch::from_word(get(regs::CB_COLOR0_PITCH)).tile_max;
    let pitch = (u32::from(pitch) + 1) * 8;
    let slice = CbColorSlice::from_word(get(regs::CB_COLOR0_SLICE)).tile_max + 1;
    let mode = regs::GB_TILE_MODE0 + 4 * u32::from(attrib.tile_mode_index);
    let surface = Surface {
        mode: tile_mode(registers.get(mode)),
        element_bytes,
        pitch,
        height: slice * 64 / pitch,
        samples: 1 << attrib.num_samples.min(4),
        swizzle: Swizzle::default(),
    };
    surface.at(u64::from(get(regs::CB_COLOR0_BASE)) << 8)
}

struct Block<'a> {
    registers: &'a RegisterFile,
    memory: &'a Memory,
    surfaces: &'a mut Cache<Surface>,
    layer: u32,
}

impl Block<'_> {
    fn control(&self) -> CbColorControl {
        CbColorControl::from_word(self.registers.get(regs::CB_COLOR_CONTROL))
    }
}

impl ColorBlock for Block<'_> {
    fn registers(&self) -> &RegisterFile {
        self.registers
    }

    fn mode(&self) -> Result<Mode, String> {
        match self.control().mode {
            // What it would write has been written before.
            cb_mode::DISABLE | cb_mode::ELIMINATE_FAST_CLEAR | cb_mode::FMASK_DECOMPRESS => {
                Ok(Mode::Disabled)
            }
            cb_mode::NORMAL => Ok(Mode::Normal),
            cb_mode::RESOLVE => Ok(Mode::Resolve),
            mode => Err(format!("CB_COLOR_CONTROL.MODE {mode} is not executed")),
        }
    }

    fn rop3(&self) -> u8 {
        self.control().rop3
    }

    fn view(&self, index: u32) -> Option<CbColorView> {
        let get = |register: u32| self.registers.get(register + index * CB_COLOR_STRIDE);
        let info = CbColorInfo::from_word(get(regs::CB_COLOR0_INFO));
        let view = || CbColorView::from_word(get(regs::CB_COLOR0_VIEW));
        (info.format != color_format::INVALID).then(view)
    }

    fn bound(&mut self, index: u32, _: bool) -> Result<Option<(Format, Plane)>, String> {
        let offset = index * CB_COLOR_STRIDE;
        let get = |register: u32| self.registers.get(register + offset);
        let info = CbColorInfo::from_word(get(regs::CB_COLOR0_INFO));
        if info.format == color_format::INVALID {
            return Ok(None);
        }
        let format = formats::from_color(info.format, info.number_type, info.comp_swap)
            .map_err(|reason| format!("colour target {index} has {reason}"))?;
        let unexecuted = unexecuted::check(self.registers, TARGET, offset);
        unexecuted.map_err(|reason| format!("colour target {index}: {reason}"))?;
        let attrib = CbColorAttrib::from_word(get(regs::CB_COLOR0_ATTRIB));
        if attrib.num_fragments != attrib.num_samples.min(3) {
            return Err(format!(
                "colour target {index}: CB_COLOR0_ATTRIB.NUM_FRAGMENTS {} with NUM_SAMPLES {} is not executed",
                attrib.num_fragments, attrib.num_samples
            ));
        }
        let view = CbColorView::from_word(get(regs::CB_COLOR0_VIEW));
        let (surface, base) = surface(self.registers, index, format.size_bytes());
        let (memory, slice) = (self.memory, u32::from(view.slice_start) + self.layer);
        let plane = self.surfaces.plane(memory, surface, base, slice)?;
        Ok(Some((format, plane)))
    }

    fn blending(&self, index: u32) -> Blending {
        let get = |register: u32| self.registers.get(register);
        let control = CbBlendControl::from_word(get(regs::CB_BLEND0_CONTROL + 4 * index));
        let at = |register: u32| get(register + index * CB_COLOR_STRIDE);
        let info = CbColorInfo::from_word(at(regs::CB_COLOR0_INFO));
        let attrib = CbColorAttrib::from_word(at(regs::CB_COLOR0_ATTRIB));
        Blending {
            control,
            enabled: control.enable && !info.blend_bypass,
            // Blending and logic operations exclude each other.
            logic: !control.enable && !control.disable_rop3,
            export: index,
            opaque: attrib.force_dst_alpha_1,
        }
    }
}
