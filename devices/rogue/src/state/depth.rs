//! Depth and stencil of a draw.

use silicon::fragment::depth::{Compare, Depth, DepthFormat};
use silicon::fragment::stencil::{DepthStencil, Face, StencilOp};
use silicon::geometry::setup::Viewport;

use crate::regs::*;

/// Depth and stencil of a render.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ZlsFormat {
    /// How depths are kept; none if there are none.
    pub depth: Option<DepthFormat>,
    /// There is a stencil.
    pub stencil: bool,
}

/// ISP_ZLSCTL formats.
pub fn depth_format(code: u8) -> DepthFormat {
    match code {
        1 => DepthFormat::Unorm24,
        2 => DepthFormat::Unorm16,
        _ => DepthFormat::Float32,
    }
}

impl ZlsFormat {
    /// From the registers of the render.
    pub fn new(registers: &Registers) -> ZlsFormat {
        let control = ZlsCtl::from_word(registers.get(ISP_ZLSCTL));
        ZlsFormat {
            depth: control
                .depth_present
                .then(|| depth_format(control.store_format)),
            stencil: control.stencil_present,
        }
    }
}

fn face(a: IspA, b: IspB) -> Face {
    let op = |code: u8| StencilOp::ALL[usize::from(code & 7)];
    Face {
        compare: Compare::ALL[usize::from(b.scmpmode & 7)],
        fail: op(b.sop1),
        depth_fail: op(b.sop2),
        pass: op(b.sop3),
        compare_mask: b.scmpmask,
        write_mask: b.swmask,
        reference: a.sref,
    }
}

/// The tests of each viewport.
pub(super) fn tests(registers: &Registers, viewports: &[Viewport]) -> Vec<DepthStencil> {
    let zls = ZlsFormat::new(registers);
    let control = IspCtl::from_word(registers.get(ISPCTL));
    let a = |number: u32| IspA::from_word(registers.get(number));
    let b = |number: u32| IspB::from_word(registers.get(number));
    let front = a(ISPA_FRONT);
    let faces = match control.bpres {
        true => [(ISPA_FRONT, ISPB_FRONT), (ISPA_BACK, ISPB_BACK)],
        false => [(ISPA_FRONT, ISPB_FRONT); 2],
    };
    let stencil = zls
        .stencil
        .then(|| faces.map(|(fa, fb)| face(a(fa), b(fb))));
    let compare = Compare::ALL[usize::from(front.dcmpmode & 7)];
    let write = !front.dwrite_disable;
    let test = |viewport: &Viewport| DepthStencil {
        depth: zls.depth.map(|format| {
            let ends = [viewport.offset[2], viewport.offset[2] + viewport.scale[2]];
            Depth {
                format,
                compare,
                write,
                clamp: Some([ends[0].min(ends[1]), ends[0].max(ends[1])]),
                bounds: None,
            }
        }),
        stencil,
    };
    viewports.iter().map(test).collect()
}

/// The same tests without what they write. Where a pixel that fails changes the stencil, its program comes first: one that
/// it discards changes nothing.
pub(super) fn looking(tests: &DepthStencil) -> DepthStencil {
    let faces = || tests.stencil.iter().flatten();
    let keeps = |op: fn(&Face) -> StencilOp| {
        faces().all(|face| face.write_mask == 0 || op(face) == StencilOp::Keep)
    };
    let (fail, depth_fail) = (keeps(|face| face.fail), keeps(|face| face.depth_fail));
    DepthStencil {
        depth: tests
            .depth
            .filter(|_| fail && depth_fail)
            .map(|depth| Depth {
                write: false,
                ..depth
            }),
        stencil: tests.stencil.filter(|_| fail).map(|faces| {
            faces.map(|face| Face {
                write_mask: 0,
                ..face
            })
        }),
    }
}
