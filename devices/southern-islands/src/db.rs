//! The depth block: depth and stencil tests before or after the pixel shader.

use silicon::Memory;
use silicon::depth::{self, Compare, Depth, DepthFormat};
use silicon::level::Level;
use silicon::stencil::{DepthStencil, Face, StencilOp};

use crate::registers::Registers;
use crate::regs::{
    self, DbDepthControl, DbDepthSize, DbDepthSlice, DbDepthView, DbRenderOverride,
    DbShaderControl, DbStencilControl, DbStencilInfo, DbStencilrefmask, DbZInfo, stencil_op,
    z_format,
};
use crate::surface::{self, Place, Plane, Texels, Words};
use crate::tiling::{Surface, Swizzle, tile_mode};

/// State of one draw.
pub(crate) struct DepthBlock {
    test: DepthStencil,
    depth: Option<Plane>,
    stencil: Option<Plane>,
    /// The tests run before the pixel shader.
    pub(crate) early: bool,
    /// Samples count as passed when the tests have run, not when the shader has kept them.
    pub(crate) counts_early: bool,
    /// The shader gives the depth.
    pub(crate) exports_depth: bool,
    /// The shader gives the sample mask.
    pub(crate) exports_mask: bool,
    /// log2 of the samples.
    pub(crate) samples_log2: u8,
}

/// Rows that a test works on.
pub(crate) struct DepthRows {
    new: [u32; 64],
    depth: Words,
    stencil: Words,
}

impl DepthRows {
    pub(crate) fn new() -> DepthRows {
        DepthRows {
            new: [0; 64],
            depth: [[0; 64]; 4],
            stencil: [[0; 64]; 4],
        }
    }
}

impl DepthBlock {
    /// `side_effects`: the pixel shader stores to memory.
    pub(crate) fn new(
        registers: &Registers,
        memory: &Memory,
        surfaces: &mut surface::Cache,
        side_effects: bool,
    ) -> Result<DepthBlock, String> {
        let control = DbDepthControl::from_word(registers.get(regs::DB_DEPTH_CONTROL));
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
            let size = DbDepthSize::from_word(registers.get(regs::DB_DEPTH_SIZE));
            let slice = DbDepthSlice::from_word(registers.get(regs::DB_DEPTH_SLICE));
            let pitch = (u32::from(size.pitch_tile_max) + 1) * 8;
            let surface = Surface {
                mode: tile_mode(registers.get(regs::GB_TILE_MODE0 + 4 * u32::from(tile_index))),
                element_bytes: bytes,
                pitch,
                height: (slice.slice_tile_max + 1) * 64 / pitch,
                samples: 1 << z_info.num_samples,
                swizzle: Swizzle::default(),
            };
            let base = u64::from(registers.get(base)) << 8;
            surfaces.plane(memory, surface, base, view.slice_start.into())
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
            let compare = if control.z_enable { control.zfunc } else { 7 };
            let over = DbRenderOverride::from_word(registers.get(regs::DB_RENDER_OVERRIDE));
            Depth {
                format: format.map_or(DepthFormat::Float32, |(format, _)| format),
                compare: Compare::ALL[usize::from(compare & 7)],
                write: control.z_enable && control.z_write_enable && !view.z_read_only,
                clamp: (!over.disable_viewport_clamp).then(|| {
                    [
                        registers.float(regs::PA_SC_VPORT_ZMIN_0),
                        registers.float(regs::PA_SC_VPORT_ZMAX_0),
                    ]
                }),
                bounds: bounded.then(|| {
                    [
                        registers.float(regs::DB_DEPTH_BOUNDS_MIN),
                        registers.float(regs::DB_DEPTH_BOUNDS_MAX),
                    ]
                }),
            }
        });
        let faces = match stencil.is_some() {
            true => Some(faces(registers, &control, view.stencil_read_only)?),
            false => None,
        };
        let writes = state.is_some_and(|state| state.write) || faces.is_some();
        let shader_decides =
            shader.z_export_enable || shader.mask_export_enable || shader.kill_enable && writes;
        Ok(DepthBlock {
            test: DepthStencil {
                depth: state,
                stencil: faces,
            },
            depth,
            stencil,
            early: shader.depth_before_shader
                || !(shader_decides || side_effects && shader.z_order == 0),
            counts_early: shader.depth_before_shader || !shader.kill_enable,
            exports_depth: shader.z_export_enable,
            exports_mask: shader.mask_export_enable,
            samples_log2: z_info.num_samples,
        })
    }

    /// Whether there is anything to test.
    pub(crate) fn is_active(&self) -> bool {
        self.depth.is_some() || self.stencil.is_some()
    }

    /// The planes bound.
    pub(crate) fn planes(&self) -> impl Iterator<Item = &Plane> {
        self.depth.iter().chain(&self.stencil)
    }

    /// Tests texels, updates memory, and returns those that pass. `front` are the lanes of front faces.
    pub(crate) fn run(
        &self,
        level: Level,
        memory: &Memory,
        texels: Texels,
        front: u64,
        z: &[f32; 64],
        rows: &mut DepthRows,
    ) -> u64 {
        let mut bytes = [0; 64];
        if let (Some(plane), Some(state)) = (&self.depth, &self.test.depth) {
            depth::encode(level, state, z, &mut rows.new);
            plane.read(memory, texels, &mut rows.depth);
            if state.format == DepthFormat::Unorm24 {
                for value in &mut rows.depth[0] {
                    *value &= 0xff_ffff;
                }
            }
        }
        if let Some(plane) = &self.stencil {
            plane.read(memory, texels, &mut rows.stencil);
            bytes = rows.stencil[0].map(|word| word as u8);
        }
        let passed = self.test.run(
            level,
            texels.mask,
            front,
            &rows.new,
            &mut rows.depth[0],
            &mut bytes,
        );
        // A tile read whole is written whole, if only one thread can be at it: tiles belong to bins.
        let kept = matches!(texels.place, Place::Tile(..));
        if let (Some(plane), Some(state)) = (&self.depth, &self.test.depth)
            && state.write
            && passed != 0
        {
            let written = Texels {
                mask: passed,
                ..texels
            };
            plane.write(memory, written, kept, &rows.depth);
        }
        if let Some(plane) = &self.stencil {
            rows.stencil[0] = bytes.map(u32::from);
            plane.write(memory, texels, kept, &rows.stencil);
        }
        passed
    }
}

fn faces(
    registers: &Registers,
    control: &DbDepthControl,
    read_only: bool,
) -> Result<[Face; 2], String> {
    let ops = DbStencilControl::from_word(registers.get(regs::DB_STENCIL_CONTROL));
    let face = |register: u32, compare: u8, ops: [u8; 3]| {
        let mask = DbStencilrefmask::from_word(registers.get(register));
        let operation = |code: u8| operation(code, &mask);
        Ok::<Face, String>(Face {
            compare: Compare::ALL[usize::from(compare & 7)],
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

/// A stencil operation. The test block counts by one and replaces by the test value; other operands are refused.
fn operation(code: u8, mask: &DbStencilrefmask) -> Result<StencilOp, String> {
    let counts = mask.stencilopval == 1;
    Ok(match code {
        stencil_op::KEEP => StencilOp::Keep,
        stencil_op::ZERO => StencilOp::Zero,
        stencil_op::REPLACE_TEST => StencilOp::Replace,
        stencil_op::REPLACE_OP if mask.stencilopval == mask.stenciltestval => StencilOp::Replace,
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
