//! The colour block: where this chip has the registers of [`radeon::r6xx::cb`].

use radeon::r6xx::cb::{Blending, ColorBlock, Mode};
use radeon::r6xx::unexecuted;
use radeon::registers::RegisterFile;
use silicon::fragment::output::ColorOutput;
use silicon::fragment::surface::{Cache, Plane};
use silicon::fragment::target::Target;
use silicon::{Format, Memory};

use crate::regs::{
    self, CB_COLOR_STRIDE, CbBlendControl, CbColorControl, CbColorInfo, CbColorSize, CbColorView,
    special_op,
};
use crate::tiling::{ArrayMode, Config, Surface, Swizzle};
use crate::unexecuted::{BLEND, TARGET};
use crate::{db, formats, pa};

/// Formats of CB_COLORn_INFO below this are none.
const FIRST_FORMAT: u8 = 1;

/// Whether draws average samples instead of drawing.
pub(crate) fn resolves(registers: &RegisterFile) -> bool {
    let control = CbColorControl::from_word(registers.get(regs::CB_COLOR_CONTROL));
    control.special_op == special_op::RESOLVE_BOX
}

/// The targets that a draw to a layer writes; `samples` is how many a pixel has.
pub(crate) fn targets(
    registers: &RegisterFile,
    memory: &Memory,
    surfaces: &mut Cache<Surface>,
    (samples, layer): (usize, u32),
) -> Result<Vec<ColorOutput>, String> {
    Block::new(registers, memory, surfaces, (samples, layer)).targets()
}

/// Layers of the targets that a draw writes; nothing where it writes none.
pub(crate) fn layers(
    registers: &RegisterFile,
    memory: &Memory,
    surfaces: &mut Cache<Surface>,
) -> Option<u32> {
    Block::new(registers, memory, surfaces, (1, 0)).layers()
}

/// Target 0 where it takes what the depth block copies to it.
pub(crate) fn copying(
    registers: &RegisterFile,
    memory: &Memory,
    surfaces: &mut Cache<Surface>,
    copy: db::Copy,
) -> Result<ColorOutput, String> {
    let info = CbColorInfo::from_word(registers.get(regs::CB_COLOR0_INFO));
    let format = formats::from_depth(copy.format).filter(|format| {
        // The colour format with the same bits.
        formats::data_format(*format) == Some(info.format)
    });
    let format = format.ok_or_else(|| {
        format!(
            "DB_RENDER_CONTROL copies depths of format {} to CB_COLOR0_INFO.FORMAT {}",
            copy.format, info.format
        )
    })?;
    let mut block = Block::new(registers, memory, surfaces, (copy.from.samples(), 0));
    let plane = block.plane(0, format, false)?;
    let from = (copy.from, copy.sample);
    Ok(ColorOutput::copying(format, from, copy.bits, plane))
}

/// What the first target holds inside of the scissors.
pub(crate) fn shown(
    registers: &RegisterFile,
    memory: &Memory,
    surfaces: &mut Cache<Surface>,
) -> Result<Option<Target>, String> {
    let pa = pa::primitives(registers);
    let mut block = Block::new(registers, memory, surfaces, (pa.samples.0, 0));
    block.shown(memory, pa.scissor())
}

struct Block<'a> {
    registers: &'a RegisterFile,
    memory: &'a Memory,
    surfaces: &'a mut Cache<Surface>,
    control: CbColorControl,
    samples: usize,
    layer: u32,
}

impl<'a> Block<'a> {
    /// The targets of a layer, whose pixels have as many samples.
    fn new(
        registers: &'a RegisterFile,
        memory: &'a Memory,
        surfaces: &'a mut Cache<Surface>,
        (samples, layer): (usize, u32),
    ) -> Block<'a> {
        Block {
            registers,
            memory,
            surfaces,
            control: CbColorControl::from_word(registers.get(regs::CB_COLOR_CONTROL)),
            samples,
            layer,
        }
    }

    /// A register of a target.
    fn get(&self, register: u32, index: u32) -> u32 {
        self.registers.get(register + index * CB_COLOR_STRIDE)
    }

    /// Whether a target enables nothing that is not executed.
    fn check(&self, index: u32) -> Result<(), String> {
        unexecuted::check(self.registers, TARGET, index * CB_COLOR_STRIDE)?;
        let word = match self.control.target_blend_enable >> index & 1 {
            0 => 0,
            _ => self.registers.get(self.blend_register(index)),
        };
        BLEND.iter().try_for_each(|field| field.check(word))
    }

    /// Where the texels of a target lie.
    fn plane(&mut self, index: u32, format: Format, resolved: bool) -> Result<Plane, String> {
        self.check(index)
            .map_err(|reason| format!("colour target {index}: {reason}"))?;
        let info = CbColorInfo::from_word(self.get(regs::CB_COLOR0_INFO, index));
        let size = CbColorSize::from_word(self.get(regs::CB_COLOR0_SIZE, index));
        let view = CbColorView::from_word(self.get(regs::CB_COLOR0_VIEW, index));
        let pitch = (u32::from(size.pitch_tile_max) + 1) * 8;
        let surface = Surface {
            config: Config::new(self.registers.get(regs::GB_TILING_CONFIG)),
            mode: ArrayMode::from_code(info.array_mode),
            depth_order: false,
            element_bytes: format.size_bytes(),
            pitch,
            height: (size.slice_tile_max + 1) * 64 / pitch,
            slices: u32::from(view.slice_max.max(view.slice_start)) + 1,
            samples: if resolved { 1 } else { self.samples as u32 },
            swizzle: Swizzle::default(),
        };
        surface
            .check()
            .map_err(|reason| format!("colour target {index}: {reason}"))?;
        let (surface, base) = surface.at(u64::from(self.get(regs::CB_COLOR0_BASE, index)) << 8);
        let (memory, slice) = (self.memory, u32::from(view.slice_start) + self.layer);
        self.surfaces.plane(memory, surface, base, slice)
    }

    /// Address of the blend control of a target.
    fn blend_register(&self, index: u32) -> u32 {
        match self.control.per_mrt_blend {
            true => regs::CB_BLEND0_CONTROL + 4 * index,
            false => regs::CB_BLEND_CONTROL,
        }
    }
}

impl ColorBlock for Block<'_> {
    fn registers(&self) -> &RegisterFile {
        self.registers
    }

    fn mode(&self) -> Result<Mode, String> {
        match self.control.special_op {
            special_op::NORMAL => Ok(Mode::Normal),
            special_op::RESOLVE_BOX => Ok(Mode::Resolve),
            special_op::DISABLE => Ok(Mode::Disabled),
            op if special_op::EXPAND.contains(&op) => Ok(Mode::Disabled),
            other => Err(format!(
                "CB_COLOR_CONTROL.SPECIAL_OP {other} is not executed"
            )),
        }
    }

    fn rop3(&self) -> u8 {
        self.control.rop3
    }

    fn view(&self, index: u32) -> Option<CbColorView> {
        let info = CbColorInfo::from_word(self.get(regs::CB_COLOR0_INFO, index));
        let view = || CbColorView::from_word(self.get(regs::CB_COLOR0_VIEW, index));
        (info.format >= FIRST_FORMAT).then(view)
    }

    fn bound(&mut self, index: u32, resolved: bool) -> Result<Option<(Format, Plane)>, String> {
        let info = CbColorInfo::from_word(self.get(regs::CB_COLOR0_INFO, index));
        if info.format < FIRST_FORMAT {
            return Ok(None);
        }
        let format = formats::from_color(info.format, info.number_type, info.comp_swap)
            .map_err(|reason| format!("colour target {index} has {reason}"))?;
        let plane = self.plane(index, format, resolved)?;
        Ok(Some((format, plane)))
    }

    fn blending(&self, index: u32) -> Blending {
        let info = CbColorInfo::from_word(self.get(regs::CB_COLOR0_INFO, index));
        let enabled = self.control.target_blend_enable >> index & 1 != 0;
        let control = self.registers.get(self.blend_register(index));
        Blending {
            control: CbBlendControl::from_word(control),
            enabled: enabled && !info.blend_bypass,
            // Blending and logic operations exclude each other.
            logic: !enabled,
            export: if self.control.multiwrite_enable {
                0
            } else {
                index
            },
            opaque: false,
        }
    }
}
