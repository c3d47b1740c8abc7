//! The depth block: registers to tests of depth and stencil. [R5xx 12 "ZB"]
//!
//! Hi-Z changes no picture: where both blocks have it on and ask for what suits the comparison, tiles are rejected by
//! silicon's bounds, never by the memory of the chip, which only packets write. [`masks`] clears fast.

pub mod masks;

use radeon::registers::RegisterFile;
use silicon::fragment::depth::{Compare, Depth, DepthFormat};
use silicon::fragment::stencil::{DepthStencil, Face, StencilOp};

use crate::regs::*;
use crate::tiling::{Surface, Tiling};

/// Fields that enable what is not executed: all must be zero while depth or stencil is tested.
pub const UNEXECUTED: [(&str, Field); 2] = [
    ("ZB_CNTL", ZB_CNTL::ZSIGNED_COMPARE),
    ("GB_ENABLE", GB_ENABLE::STENCIL_AUTO),
];

/// How depths and stencil values are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Storage {
    /// Of depths.
    pub format: DepthFormat,
    /// Bytes of a texel.
    pub bytes: u32,
    /// Lowest bit of the depth.
    pub depth_shift: u32,
    /// Lowest bit of the stencil value.
    pub stencil_shift: Option<u32>,
}

/// What a draw tests.
#[derive(Clone, Debug, PartialEq)]
pub struct DepthState {
    /// The tests.
    pub test: DepthStencil,
    /// They run before the fragment program.
    pub early: bool,
    /// The fragment program gives the depth.
    pub exports_depth: bool,
    /// Tiles may be rejected by bounds.
    pub hi_z: bool,
    /// Texels are set to a word, not to depths: a clear of colours. [R5xx 10.8.4]
    pub clears_colors: Option<u32>,
    /// Where depths lie and how, where anything is tested.
    pub surface: Option<(Storage, u64, Surface)>,
}

/// A comparison of depths and stencil values.
pub fn compare(code: u32) -> Compare {
    match code & 7 {
        0 => Compare::Never,
        1 => Compare::Less,
        2 => Compare::LessEqual,
        3 => Compare::Equal,
        4 => Compare::GreaterEqual,
        5 => Compare::Greater,
        6 => Compare::NotEqual,
        _ => Compare::Always,
    }
}

/// Whether all fields of a list are zero, or the first that is not.
pub(crate) fn check(registers: &RegisterFile, fields: &[(&str, Field)]) -> Result<(), String> {
    fields.iter().try_for_each(|(register, field)| {
        let value = field.read(registers);
        match value {
            0 => Ok(()),
            _ => Err(format!(
                "{register}.{} {value:#x} is not executed",
                field.name
            )),
        }
    })
}

/// The tests of a draw whose targets have this many rows and samples.
pub fn depth(registers: &RegisterFile, height: u32, samples: u32) -> Result<DepthState, String> {
    let on = |field: Field| field.on(registers);
    let (tests_depth, tests_stencil) = (on(ZB_CNTL::Z_ENABLE), on(ZB_CNTL::STENCIL_ENABLE));
    let mut state = DepthState {
        test: DepthStencil::default(),
        early: on(ZB_ZTOP::ZTOP),
        exports_depth: on(FG_DEPTH_SRC::DEPTH_SRC),
        hi_z: rejects(registers),
        clears_colors: None,
        surface: None,
    };
    let clears = on(ZB_BW_CNTL::ZB_CB_CLEAR);
    if !tests_depth && !tests_stencil && !clears {
        return Ok(state);
    }
    check(registers, &UNEXECUTED)?;
    let storage = storage(registers)?;
    state.test.depth = tests_depth.then(|| Depth {
        format: storage.format,
        compare: compare(ZB_ZSTENCILCNTL::ZFUNC.read(registers)),
        write: on(ZB_CNTL::ZWRITEENABLE),
        clamp: Some([0.0, 1.0]),
        bounds: None,
    });
    let has_stencil = storage.stencil_shift.is_some();
    state.test.stencil = (tests_stencil && has_stencil).then(|| faces(registers));
    let micro = ZB_DEPTHPITCH::DEPTHMICROTILE.read(registers);
    let tiling = Tiling::new(on(ZB_DEPTHPITCH::DEPTHMACROTILE), micro)
        .ok_or_else(|| format!("ZB_DEPTHPITCH.DEPTHMICROTILE {micro} is reserved"))?;
    let pitch = 4 * ZB_DEPTHPITCH::DEPTHPITCH.read(registers);
    let surface = Surface::new(tiling, storage.bytes, [pitch, height], samples)?;
    let surface = surface.from(origin(registers)?)?;
    let base = u64::from(ZB_DEPTHOFFSET.read(registers, 0) & !31);
    state.surface = Some((storage, base, surface));
    if clears {
        if tests_depth || tests_stencil {
            return Err("ZB_BW_CNTL.ZB_CB_CLEAR 1 with tests is not executed".into());
        }
        state.clears_colors = Some(ZB_DEPTHCLEARVALUE.read(registers, 0));
    }
    Ok(state)
}

/// The pixel of the surface that column and line 0 are at: multiples of 32.
fn origin(registers: &RegisterFile) -> Result<[u32; 2], String> {
    use ZB_DEPTHXY_OFFSET::*;
    let origin = [DEPTHX_OFFSET, DEPTHY_OFFSET].map(|field| 2 * field.read(registers));
    match origin.iter().all(|at| at.is_multiple_of(32)) {
        true => Ok(origin),
        false => Err(format!(
            "ZB_DEPTHXY_OFFSET {origin:?} is not a multiple of 32"
        )),
    }
}

/// Whether Hi-Z is on in both blocks and keeps what the comparison needs. [R5xx 9.3]
fn rejects(registers: &RegisterFile) -> bool {
    let on = SC_HYPERZ_EN::HZ_EN.on(registers) && ZB_BW_CNTL::HIZ_ENABLE.on(registers);
    let wanted = match compare(ZB_ZSTENCILCNTL::ZFUNC.read(registers)) {
        Compare::Less | Compare::LessEqual => false,
        Compare::Greater | Compare::GreaterEqual => true,
        _ => return false,
    };
    let kept = [SC_HYPERZ_EN::HZ_MAX, ZB_BW_CNTL::HIZ_MIN];
    on && kept.iter().all(|field| field.on(registers) == wanted)
}

fn storage(registers: &RegisterFile) -> Result<Storage, String> {
    match ZB_FORMAT::DEPTHFORMAT.read(registers) {
        0 => Ok(Storage {
            format: DepthFormat::Unorm16,
            bytes: 2,
            depth_shift: 0,
            stencil_shift: None,
        }),
        2 => Ok(Storage {
            format: DepthFormat::Unorm24,
            bytes: 4,
            depth_shift: 8,
            stencil_shift: Some(0),
        }),
        1 => Ok(Storage {
            format: DepthFormat::Counted16 {
                ones: !ZB_FORMAT::INVERT.on(registers),
            },
            bytes: 2,
            depth_shift: 0,
            stencil_shift: None,
        }),
        other => Err(format!("ZB_FORMAT.DEPTHFORMAT {other} is reserved")),
    }
}

/// Stencil state of front and back faces.
fn faces(registers: &RegisterFile) -> [Face; 2] {
    use ZB_ZSTENCILCNTL::*;
    let control = ZB_ZSTENCILCNTL.read(registers, 0);
    let face = |functions: [Field; 4], masks: Register| {
        let [function, fail, pass, depth_fail] = functions.map(|field| field.get(control));
        let operation = |code: u32| StencilOp::ALL[code as usize];
        let masks = masks.read(registers, 0);
        let byte = |field: Field| field.get(masks) as u8;
        Face {
            compare: compare(function),
            fail: operation(fail),
            depth_fail: operation(depth_fail),
            pass: operation(pass),
            compare_mask: byte(ZB_STENCILREFMASK::STENCILMASK),
            write_mask: byte(ZB_STENCILREFMASK::STENCILWRITEMASK),
            reference: byte(ZB_STENCILREFMASK::STENCILREF),
        }
    };
    let front = [STENCILFUNC, STENCILFAIL, STENCILZPASS, STENCILZFAIL];
    let back = match ZB_CNTL::STENCIL_FRONT_BACK.on(registers) {
        true => [
            STENCILFUNC_BF,
            STENCILFAIL_BF,
            STENCILZPASS_BF,
            STENCILZFAIL_BF,
        ],
        false => front,
    };
    let back_masks = match ZB_CNTL::STENCIL_REFMASK_FRONT_BACK.on(registers) {
        true => ZB_STENCILREFMASK_BF,
        false => ZB_STENCILREFMASK,
    };
    [face(front, ZB_STENCILREFMASK), face(back, back_masks)]
}
