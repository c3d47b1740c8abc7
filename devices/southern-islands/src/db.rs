//! The depth block: registers to the depth and stencil tests of a draw, and whether they run before the pixel shader.

use radeon::r6xx::cb::slices;
use radeon::r6xx::codes::comparison;
use radeon::r6xx::{db, unexecuted};
use radeon::registers::RegisterFile;
use silicon::fragment::depth::{Depth, DepthFormat};
use silicon::fragment::multisample::AlphaToMask;
use silicon::fragment::output::{DepthOutput, StencilPlace};
use silicon::fragment::stencil::{DepthStencil, Face, StencilOp};
use silicon::fragment::surface::{Cache, Plane};
use silicon::{Format, Memory};

use crate::pa;
use crate::regs::{
    self, DbDepthControl, DbDepthSize, DbDepthSlice, DbDepthView, DbRenderControl, DbShaderControl,
    DbStencilControl, DbStencilInfo, DbStencilrefmask, DbZInfo, color_format, compare, stencil_op,
    z_format,
};
use crate::tiling::{Surface, Swizzle, tile_mode};
use crate::unexecuted::DEPTH;

/// State of one draw to a layer. `side_effects`: the pixel shader stores to memory.
pub(crate) fn depth(
    registers: &RegisterFile,
    memory: &Memory,
    surfaces: &mut Cache<Surface>,
    side_effects: bool,
    layer: u32,
) -> Result<DepthOutput, String> {
    let control = DbDepthControl::from_word(registers.get(regs::DB_DEPTH_CONTROL));
    let render_control = registers.get(regs::DB_RENDER_CONTROL);
    let shader = DbShaderControl::from_word(registers.get(regs::DB_SHADER_CONTROL));
    let z_info = DbZInfo::from_word(registers.get(regs::DB_Z_INFO));
    let stencil_info = DbStencilInfo::from_word(registers.get(regs::DB_STENCIL_INFO));
    let view = DbDepthView::from_word(registers.get(regs::DB_DEPTH_VIEW));

    let format = match z_info.format {
        z_format::Z_16 => Some((DepthFormat::Unorm16, 2)),
        z_format::Z_24 => Some((DepthFormat::Unorm24, 4)),
        z_format::Z_32_FLOAT => Some((DepthFormat::Float32, 4)),
        _ => None,
    };
    let mut plane = |bytes: u32, tile_index: u8, base: u32| {
        unexecuted::check(registers, DEPTH, 0)?;
        let surface = surface(registers, &z_info, bytes, tile_index);
        let base = u64::from(registers.get(base)) << 8;
        surfaces.plane(memory, surface, base, u32::from(view.slice_start) + layer)
    };
    let bounded = control.depth_bounds_enable;
    let tests_depth = control.z_enable || bounded;
    let depth = match format {
        Some((_, bytes)) if tests_depth => {
            Some(plane(bytes, z_info.tile_mode_index, regs::DB_Z_WRITE_BASE)?)
        }
        _ => None,
    };
    let stencil = match control.stencil_enable && stencil_info.format {
        true => Some(plane(
            1,
            stencil_info.tile_mode_index,
            regs::DB_STENCIL_WRITE_BASE,
        )?),
        false => None,
    };
    let state = depth.is_some().then(|| {
        let code = if control.z_enable {
            control.zfunc
        } else {
            compare::ALWAYS
        };
        let depth = Depth {
            format: format.map_or(DepthFormat::Float32, |(format, _)| format),
            compare: comparison(code),
            write: control.z_enable && control.z_write_enable && !view.z_read_only,
            clamp: pa::primitives(registers).viewports().depth_limits(),
            bounds: bounded.then(|| {
                [
                    registers.float(regs::DB_DEPTH_BOUNDS_MIN),
                    registers.float(regs::DB_DEPTH_BOUNDS_MAX),
                ]
            }),
        };
        db::clear_depth(registers, render_control, depth)
    });
    let faces = match stencil.is_some() {
        true => {
            let exported = shader.stencil_test_val_export_enable;
            let faces = faces(registers, &control, (view.stencil_read_only, exported))?;
            Some(db::clear_stencil(registers, render_control, faces))
        }
        false => None,
    };
    let writes = state.is_some_and(|state| state.write) || faces.is_some();
    let kills = shader.kill_enable || alpha_to_mask(registers).is_some();
    let exports_stencil = shader.stencil_test_val_export_enable;
    let exports = shader.z_export_enable || shader.mask_export_enable || exports_stencil;
    let shader_decides = exports || kills && writes;
    Ok(DepthOutput {
        test: DepthStencil {
            depth: state,
            stencil: faces,
        },
        depth,
        stencil: stencil.map(StencilPlace::Own),
        early: shader.depth_before_shader
            || !(shader_decides || side_effects && shader.z_order == 0),
        counts_early: shader.depth_before_shader || !kills,
        exports_depth: shader.z_export_enable,
        exports_stencil,
        exports_mask: shader.mask_export_enable,
        hi_z: !side_effects,
        may_reject: !side_effects,
        rejecting: None,
    })
}

/// One of the planes that a draw copies to target 0.
pub(crate) struct Copied {
    pub(crate) plane: Plane,
    pub(crate) sample: usize,
    /// Where its texels go in those of the target: word, lowest bit, and which bits.
    pub(crate) place: (usize, u32, u32),
}

/// What DB_RENDER_CONTROL copies to target 0, if it does: a format as large as the target's, and the planes. `format` is
/// CB_COLOR0_INFO.FORMAT.
pub(crate) fn copied(
    registers: &RegisterFile,
    memory: &Memory,
    surfaces: &mut Cache<Surface>,
    (format, layer): (u8, u32),
) -> Result<Option<(Format, Vec<Copied>)>, String> {
    const ALL: u32 = u32::MAX;
    const D24: u32 = 0xff_ffff;
    let control = DbRenderControl::from_word(registers.get(regs::DB_RENDER_CONTROL));
    if !control.depth_copy && !control.stencil_copy {
        return Ok(None);
    }
    let z_info = DbZInfo::from_word(registers.get(regs::DB_Z_INFO));
    let stencil_info = DbStencilInfo::from_word(registers.get(regs::DB_STENCIL_INFO));
    let view = DbDepthView::from_word(registers.get(regs::DB_DEPTH_VIEW));
    type Place = Option<(usize, u32, u32)>;
    let (target, depth, stencil): (Format, Place, Place) = match (format, z_info.format) {
        (color_format::C_8, _) => (Format::R8Uint, None, Some((0, 0, 0xff))),
        (color_format::C_16, z_format::Z_16) => (Format::R16Unorm, Some((0, 0, 0xffff)), None),
        (color_format::C_32, z_format::Z_32_FLOAT) => (Format::R32Float, Some((0, 0, ALL)), None),
        (color_format::C_8_24, z) => {
            let depth = (z == z_format::Z_24).then_some((0, 0, D24));
            (Format::R24G8Unorm, depth, Some((0, 24, !D24)))
        }
        (color_format::C_24_8, z) => {
            let depth = (z == z_format::Z_24).then_some((0, 8, D24 << 8));
            (Format::R8G24Unorm, depth, Some((0, 0, 0xff)))
        }
        (color_format::C_X24_8_32_FLOAT, z) => {
            let depth = (z == z_format::Z_32_FLOAT).then_some((0, 0, ALL));
            (Format::R32FloatG8Uint, depth, Some((1, 0, 0xff)))
        }
        _ => (Format::R8Uint, None, None),
    };
    let sample = usize::from(control.copy_sample);
    if sample >= 1 << z_info.num_samples {
        return Err(format!(
            "DB_RENDER_CONTROL.COPY_SAMPLE {sample} of {} samples",
            1 << z_info.num_samples
        ));
    }
    let depth_bytes = if z_info.format == z_format::Z_16 {
        2
    } else {
        4
    };
    let parts = [
        (
            control.depth_copy,
            "DEPTH",
            depth,
            (depth_bytes, z_info.tile_mode_index, regs::DB_Z_READ_BASE),
        ),
        (
            control.stencil_copy,
            "STENCIL",
            stencil.filter(|_| stencil_info.format),
            (1, stencil_info.tile_mode_index, regs::DB_STENCIL_READ_BASE),
        ),
    ];
    let mut copied = Vec::new();
    for (_, name, place, (bytes, index, base)) in parts.into_iter().filter(|part| part.0) {
        let place = place.ok_or_else(|| {
            format!(
                "DB_RENDER_CONTROL.{name}_COPY of DB_Z_INFO.FORMAT {} to CB_COLOR0_INFO.FORMAT {format} is not executed",
                z_info.format
            )
        })?;
        unexecuted::check(registers, DEPTH, 0)?;
        let surface = surface(registers, &z_info, bytes, index);
        let base = u64::from(registers.get(base)) << 8;
        let slice = u32::from(view.slice_start) + layer;
        copied.push(Copied {
            plane: surfaces.plane(memory, surface, base, slice)?,
            sample,
            place,
        });
    }
    Ok(Some((target, copied)))
}

/// How depths or stencil values lie in memory.
pub(crate) fn surface(
    registers: &RegisterFile,
    z_info: &DbZInfo,
    element_bytes: u32,
    tile_index: u8,
) -> Surface {
    let size = DbDepthSize::from_word(registers.get(regs::DB_DEPTH_SIZE));
    let slice = DbDepthSlice::from_word(registers.get(regs::DB_DEPTH_SLICE));
    let pitch = (u32::from(size.pitch_tile_max) + 1) * 8;
    Surface {
        mode: tile_mode(registers.get(regs::GB_TILE_MODE0 + 4 * u32::from(tile_index))),
        element_bytes,
        pitch,
        height: (slice.slice_tile_max + 1) * 64 / pitch,
        samples: 1 << z_info.num_samples,
        swizzle: Swizzle::default(),
    }
}

/// Layers that the view shows.
pub(crate) fn layers(registers: &RegisterFile) -> u32 {
    let view = DbDepthView::from_word(registers.get(regs::DB_DEPTH_VIEW));
    slices(view.slice_start, view.slice_max)
}

/// The coverage that alphas make.
pub(crate) fn alpha_to_mask(registers: &RegisterFile) -> Option<AlphaToMask> {
    let shader = DbShaderControl::from_word(registers.get(regs::DB_SHADER_CONTROL));
    let mask = db::alpha_to_mask(registers.get(regs::DB_ALPHA_TO_MASK));
    mask.filter(|_| !shader.alpha_to_mask_disable)
}

fn faces(
    registers: &RegisterFile,
    control: &DbDepthControl,
    (read_only, exported): (bool, bool),
) -> Result<[Face; 2], String> {
    let ops = DbStencilControl::from_word(registers.get(regs::DB_STENCIL_CONTROL));
    let face = |register: u32, compare: u8, ops: [u8; 3]| {
        let mask = DbStencilrefmask::from_word(registers.get(register));
        let operation = |code: u8| operation(code, &mask, exported);
        Ok::<Face, String>(Face {
            compare: comparison(compare),
            fail: operation(ops[0])?,
            depth_fail: operation(ops[1])?,
            pass: operation(ops[2])?,
            compare_mask: mask.stencilmask,
            write_mask: if read_only { 0 } else { mask.stencilwritemask },
            reference: mask.stenciltestval,
        })
    };
    let front = face(
        regs::DB_STENCILREFMASK,
        control.stencilfunc,
        [ops.stencilfail, ops.stencilzfail, ops.stencilzpass],
    )?;
    let back = match control.backface_enable {
        true => face(
            regs::DB_STENCILREFMASK_BF,
            control.stencilfunc_bf,
            [ops.stencilfail_bf, ops.stencilzfail_bf, ops.stencilzpass_bf],
        )?,
        false => front,
    };
    Ok([front, back])
}

/// A stencil operation. The test block counts by one and replaces by the test value, which may be `exported` by the shader;
/// other operands are refused.
fn operation(code: u8, mask: &DbStencilrefmask, exported: bool) -> Result<StencilOp, String> {
    let counts = mask.stencilopval == 1;
    Ok(match code {
        stencil_op::KEEP => StencilOp::Keep,
        stencil_op::ZERO => StencilOp::Zero,
        stencil_op::REPLACE_TEST => StencilOp::Replace,
        stencil_op::REPLACE_OP if !exported && mask.stencilopval == mask.stenciltestval => {
            StencilOp::Replace
        }
        stencil_op::ADD_CLAMP if counts => StencilOp::IncrementClamp,
        stencil_op::SUB_CLAMP if counts => StencilOp::DecrementClamp,
        stencil_op::INVERT => StencilOp::Invert,
        stencil_op::ADD_WRAP if counts => StencilOp::IncrementWrap,
        stencil_op::SUB_WRAP if counts => StencilOp::DecrementWrap,
        _ => {
            return Err(format!(
                "stencil operation {code} with STENCILOPVAL {} is not executed",
                mask.stencilopval
            ));
        }
    })
}
