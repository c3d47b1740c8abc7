//! The depth block: registers to the depth and stencil tests of a draw, and whether they run before the pixel shader.
//! Depth and stencil lie in one surface.

use radeon::r6xx::cb::slices;
use radeon::r6xx::codes::comparison;
use radeon::r6xx::{db, unexecuted};
use radeon::registers::RegisterFile;
use silicon::Memory;
use silicon::fragment::depth::{Depth, DepthFormat};
use silicon::fragment::multisample::AlphaToMask;
use silicon::fragment::output::{DepthOutput, StencilPlace};
use silicon::fragment::stencil::{DepthStencil, Face, StencilOp};
use silicon::fragment::surface::{Cache, Plane};

use crate::pa;
use crate::regs::{
    self, DbDepthControl, DbDepthInfo, DbDepthSize, DbDepthView, DbRenderControl, DbShaderControl,
    DbStencilrefmask, depth_format, stencil_op,
};
use crate::tiling::{ArrayMode, Config, Surface, Swizzle};
use crate::unexecuted::DEPTH;

/// How a depth surface is stored.
struct Storage {
    format: DepthFormat,
    bytes: u32,
    /// Word and lowest bit of the stencil byte.
    stencil: Option<(usize, u32)>,
}

fn storage(code: u8) -> Result<Option<Storage>, String> {
    let (format, bytes, stencil) = match code {
        depth_format::INVALID => return Ok(None),
        depth_format::DEPTH_16 => (DepthFormat::Unorm16, 2, None),
        depth_format::DEPTH_X8_24 => (DepthFormat::Unorm24, 4, None),
        depth_format::DEPTH_8_24 => (DepthFormat::Unorm24, 4, Some((0, 24))),
        depth_format::DEPTH_32_FLOAT => (DepthFormat::Float32, 4, None),
        depth_format::DEPTH_X24_8_32_FLOAT => (DepthFormat::Float32, 8, Some((1, 0))),
        other => return Err(format!("DB_DEPTH_INFO.FORMAT {other} is not executed")),
    };
    Ok(Some(Storage {
        format,
        bytes,
        stencil,
    }))
}

/// What a draw gives to colour target 0 instead of the shader's colours: depths, stencil values or both, as they are stored.
pub(crate) struct Copy {
    pub(crate) from: Plane,
    /// The sample that all samples of the target get.
    pub(crate) sample: usize,
    /// Bits of the words of a texel.
    pub(crate) bits: [u32; 4],
    /// DB_DEPTH_INFO.FORMAT.
    pub(crate) format: u8,
}

/// The copy that DB_RENDER_CONTROL asks for.
pub(crate) fn copy(
    registers: &RegisterFile,
    memory: &Memory,
    surfaces: &mut Cache<Surface>,
    samples: usize,
) -> Result<Option<Copy>, String> {
    let control = DbRenderControl::from_word(registers.get(regs::DB_RENDER_CONTROL));
    if !control.depth_copy_enable && !control.stencil_copy_enable {
        return Ok(None);
    }
    let info = DbDepthInfo::from_word(registers.get(regs::DB_DEPTH_INFO));
    let Some(storage) = storage(info.format)? else {
        return Err("DB_RENDER_CONTROL copies depths, and DB_DEPTH_INFO.FORMAT is INVALID".into());
    };
    let mut bits = [0; 4];
    if control.depth_copy_enable {
        bits[0] = match storage.format {
            DepthFormat::Unorm16 | DepthFormat::Counted16 { .. } => 0xffff,
            DepthFormat::Unorm24 => 0xff_ffff,
            DepthFormat::Float32 => u32::MAX,
        };
    }
    if let (true, Some((word, shift))) = (control.stencil_copy_enable, storage.stencil) {
        bits[word] |= 0xff << shift;
    }
    let sample = usize::from(control.copy_sample);
    if sample >= samples {
        return Err(format!(
            "DB_RENDER_CONTROL.COPY_SAMPLE {sample} of {samples} samples"
        ));
    }
    Ok(Some(Copy {
        from: plane(registers, memory, surfaces, (samples, 0), storage.bytes)?,
        sample,
        bits,
        format: info.format,
    }))
}

/// State of one draw to a layer. `samples` is how many a pixel has.
pub(crate) fn depth(
    registers: &RegisterFile,
    memory: &Memory,
    surfaces: &mut Cache<Surface>,
    (samples, layer): (usize, u32),
) -> Result<DepthOutput, String> {
    let control = DbDepthControl::from_word(registers.get(regs::DB_DEPTH_CONTROL));
    let render_control = registers.get(regs::DB_RENDER_CONTROL);
    let shader = DbShaderControl::from_word(registers.get(regs::DB_SHADER_CONTROL));
    let info = DbDepthInfo::from_word(registers.get(regs::DB_DEPTH_INFO));
    let storage = storage(info.format)?;
    let stencil_place = storage
        .as_ref()
        .and_then(|storage| storage.stencil)
        .map(|(word, shift)| StencilPlace::WithDepth { word, shift });
    let tests_stencil = control.stencil_enable && stencil_place.is_some();
    let bound = storage.filter(|_| control.z_enable || tests_stencil);
    let plane = match &bound {
        Some(storage) => Some(plane(
            registers,
            memory,
            surfaces,
            (samples, layer),
            storage.bytes,
        )?),
        None => None,
    };
    let state = bound.as_ref().filter(|_| control.z_enable);
    let state = state.map(|storage| {
        let depth = Depth {
            format: storage.format,
            compare: comparison(control.zfunc),
            write: control.z_write_enable,
            clamp: pa::primitives(registers).viewports().depth_limits(),
            bounds: None,
        };
        db::clear_depth(registers, render_control, depth)
    });
    let writes = state.is_some_and(|state| state.write) || tests_stencil;
    let kills = shader.kill_enable || alpha_to_mask(registers).is_some();
    let exports_stencil = shader.stencil_ref_export_enable;
    let exports = shader.z_export_enable || shader.mask_export_enable || exports_stencil;
    let shader_decides = exports || kills && writes;
    Ok(DepthOutput {
        test: DepthStencil {
            depth: state,
            stencil: tests_stencil
                .then(|| db::clear_stencil(registers, render_control, faces(registers, &control))),
        },
        // The stencil byte is kept also where it is not tested.
        stencil: stencil_place.filter(|_| plane.is_some()),
        depth: plane,
        early: !shader_decides,
        counts_early: !kills,
        exports_depth: shader.z_export_enable,
        exports_stencil,
        exports_mask: shader.mask_export_enable,
        hi_z: true,
        may_reject: true,
        rejecting: None,
    })
}

/// The coverage that alphas make.
pub(crate) fn alpha_to_mask(registers: &RegisterFile) -> Option<AlphaToMask> {
    db::alpha_to_mask(registers.get(regs::DB_ALPHA_TO_MASK))
}

fn plane(
    registers: &RegisterFile,
    memory: &Memory,
    surfaces: &mut Cache<Surface>,
    (samples, layer): (usize, u32),
    bytes: u32,
) -> Result<Plane, String> {
    unexecuted::check(registers, DEPTH, 0)?;
    let info = DbDepthInfo::from_word(registers.get(regs::DB_DEPTH_INFO));
    let size = DbDepthSize::from_word(registers.get(regs::DB_DEPTH_SIZE));
    let view = DbDepthView::from_word(registers.get(regs::DB_DEPTH_VIEW));
    let pitch = (u32::from(size.pitch_tile_max) + 1) * 8;
    let surface = Surface {
        config: Config::new(registers.get(regs::GB_TILING_CONFIG)),
        mode: ArrayMode::from_code(info.array_mode),
        depth_order: true,
        element_bytes: bytes,
        pitch,
        height: (size.slice_tile_max + 1) * 64 / pitch,
        slices: u32::from(view.slice_max.max(view.slice_start)) + 1,
        samples: samples as u32,
        swizzle: Swizzle::default(),
    };
    surface
        .check()
        .map_err(|reason| format!("the depth target: {reason}"))?;
    let (surface, base) = surface.at(u64::from(registers.get(regs::DB_DEPTH_BASE)) << 8);
    surfaces.plane(memory, surface, base, u32::from(view.slice_start) + layer)
}

/// Layers that the view shows.
pub(crate) fn layers(registers: &RegisterFile) -> u32 {
    let view = DbDepthView::from_word(registers.get(regs::DB_DEPTH_VIEW));
    slices(view.slice_start, view.slice_max)
}

fn faces(registers: &RegisterFile, control: &DbDepthControl) -> [Face; 2] {
    let face = |register: u32, compare: u8, ops: [u8; 3]| {
        let mask = DbStencilrefmask::from_word(registers.get(register));
        let [fail, depth_fail, pass] = ops.map(operation);
        Face {
            compare: comparison(compare),
            fail,
            depth_fail,
            pass,
            compare_mask: mask.stencilmask,
            write_mask: mask.stencilwritemask,
            reference: mask.stencilref,
        }
    };
    let c = control;
    let front = face(
        regs::DB_STENCILREFMASK,
        c.stencilfunc,
        [c.stencilfail, c.stencilzfail, c.stencilzpass],
    );
    let back = match c.backface_enable {
        true => face(
            regs::DB_STENCILREFMASK_BF,
            c.stencilfunc_bf,
            [c.stencilfail_bf, c.stencilzfail_bf, c.stencilzpass_bf],
        ),
        false => front,
    };
    [front, back]
}

fn operation(code: u8) -> StencilOp {
    match code {
        stencil_op::ZERO => StencilOp::Zero,
        stencil_op::REPLACE => StencilOp::Replace,
        stencil_op::INCR => StencilOp::IncrementClamp,
        stencil_op::DECR => StencilOp::DecrementClamp,
        stencil_op::INVERT => StencilOp::Invert,
        stencil_op::INCR_WRAP => StencilOp::IncrementWrap,
        stencil_op::DECR_WRAP => StencilOp::DecrementWrap,
        _ => StencilOp::Keep,
    }
}
