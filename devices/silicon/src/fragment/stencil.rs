//! The stencil test on rows, and depth and stencil combined.

use crate::fragment::depth::{self, Compare, Depth};
use crate::fragment::mask;
use host::{SimdLevel, per_level};

/// What happens to a stored stencil value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum StencilOp {
    /// It stays.
    #[default]
    Keep,
    /// Zero.
    Zero,
    /// The reference value.
    Replace,
    /// One more, at most 255.
    IncrementClamp,
    /// One less, at least 0.
    DecrementClamp,
    /// All bits inverted.
    Invert,
    /// One more, 0 after 255.
    IncrementWrap,
    /// One less, 255 after 0.
    DecrementWrap,
}

impl StencilOp {
    /// In the order of Vulkan.
    pub const ALL: [StencilOp; 8] = [
        StencilOp::Keep,
        StencilOp::Zero,
        StencilOp::Replace,
        StencilOp::IncrementClamp,
        StencilOp::DecrementClamp,
        StencilOp::Invert,
        StencilOp::IncrementWrap,
        StencilOp::DecrementWrap,
    ];

    /// The new value.
    #[inline(always)]
    pub fn apply(self, old: u8, reference: u8) -> u8 {
        match self {
            StencilOp::Keep => old,
            StencilOp::Zero => 0,
            StencilOp::Replace => reference,
            StencilOp::IncrementClamp => old.saturating_add(1),
            StencilOp::DecrementClamp => old.saturating_sub(1),
            StencilOp::Invert => !old,
            StencilOp::IncrementWrap => old.wrapping_add(1),
            StencilOp::DecrementWrap => old.wrapping_sub(1),
        }
    }
}

/// Stencil state of one side of the triangles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Face {
    /// The comparison, reference on the left.
    pub compare: Compare,
    /// When the stencil test fails.
    pub fail: StencilOp,
    /// When it passes and the depth test fails.
    pub depth_fail: StencilOp,
    /// When both pass.
    pub pass: StencilOp,
    /// Bits that are compared.
    pub compare_mask: u8,
    /// Bits that are written.
    pub write_mask: u8,
    /// The reference value.
    pub reference: u8,
}

impl Face {
    /// Whether a sample that fails changes its stencil value.
    pub(crate) fn changes_on_failure(&self) -> bool {
        self.write_mask != 0 && [self.fail, self.depth_fail] != [StencilOp::Keep; 2]
    }

    /// Whether any sample may change a stencil value.
    pub(crate) fn writes(&self) -> bool {
        self.write_mask != 0 && [self.fail, self.depth_fail, self.pass] != [StencilOp::Keep; 3]
    }
}

per_level! {
    /// The lanes in which the reference passes against the stored value.
    pub fn test<'a>(face: &'a Face, old: &'a [u8; 64]) -> u64 {
        equal(face, old)
    }

    /// Applies an operation to the lanes of a mask.
    pub fn update<'a>(face: &'a Face, op: StencilOp, lanes: u64, stencil: &'a mut [u8; 64]) {
        change(face, op, lanes, stencil);
    }
}

/// [`test`] inside a kernel.
#[inline(always)]
pub(crate) fn equal(face: &Face, old: &[u8; 64]) -> u64 {
    let reference = face.reference & face.compare_mask;
    face.compare
        .lanes(|_| reference, |i| old[i] & face.compare_mask)
}

/// [`update`] inside a kernel.
#[inline(always)]
fn change(face: &Face, op: StencilOp, lanes: u64, stencil: &mut [u8; 64]) {
    let (reference, bits) = (face.reference, face.write_mask);
    match op {
        StencilOp::Keep => {}
        StencilOp::Zero => merge(bits, lanes, stencil, |_| 0),
        StencilOp::Replace => merge(bits, lanes, stencil, |_| reference),
        StencilOp::IncrementClamp => merge(bits, lanes, stencil, |o| o.saturating_add(1)),
        StencilOp::DecrementClamp => merge(bits, lanes, stencil, |o| o.saturating_sub(1)),
        StencilOp::Invert => merge(bits, lanes, stencil, |o| !o),
        StencilOp::IncrementWrap => merge(bits, lanes, stencil, |o| o.wrapping_add(1)),
        StencilOp::DecrementWrap => merge(bits, lanes, stencil, |o| o.wrapping_sub(1)),
    }
}

/// Applies the operations of a face in the lanes that fail, that fail the depth test, and that pass.
#[inline(always)]
pub(crate) fn change_all(face: &Face, lanes: [u64; 3], stencil: &mut [u8; 64]) {
    for (op, lanes) in [face.fail, face.depth_fail, face.pass]
        .into_iter()
        .zip(lanes)
    {
        if lanes != 0 {
            change(face, op, lanes, stencil);
        }
    }
}

per_level! {
    /// [`test`] of stored values in words.
    pub(crate) fn test_row<'a>(face: &'a Face, old: &'a [u32; 64]) -> u64 {
        let mask = u32::from(face.compare_mask);
        let reference = u32::from(face.reference) & mask;
        // Below 256, so as signed numbers, which more hosts compare.
        face.compare.lanes(|_| reference as i32, |i| (old[i] & mask) as i32)
    }

    /// Applies the operations of a face to stored values in words: in the lanes that fail, that fail the depth test,
    /// and that pass.
    pub(crate) fn update_row<'a>(face: &'a Face, lanes: [u64; 3], stencil: &'a mut [u32; 64]) {
        let (reference, bits) = (u32::from(face.reference), u32::from(face.write_mask));
        for (op, lanes) in [face.fail, face.depth_fail, face.pass].into_iter().zip(lanes) {
            if lanes == 0 {
                continue;
            }
            match op {
                StencilOp::Keep => {}
                StencilOp::Zero => put(bits, lanes, stencil, |_| 0),
                StencilOp::Replace => put(bits, lanes, stencil, |_| reference),
                StencilOp::IncrementClamp => put(bits, lanes, stencil, |o| if o < 255 { o + 1 } else { o }),
                StencilOp::DecrementClamp => put(bits, lanes, stencil, |o| if o > 0 { o - 1 } else { o }),
                StencilOp::Invert => put(bits, lanes, stencil, |o| !o),
                StencilOp::IncrementWrap => put(bits, lanes, stencil, |o| o.wrapping_add(1)),
                StencilOp::DecrementWrap => put(bits, lanes, stencil, |o| o.wrapping_sub(1)),
            }
        }
    }
}

/// Replaces the bits of `bits`, at most eight, in the given lanes.
#[inline(always)]
fn put(bits: u32, lanes: u64, stencil: &mut [u32; 64], new: impl Fn(u32) -> u32) {
    let old = *stencil;
    mask::replace(lanes, stencil, |i| new(old[i]) & bits | old[i] & !bits);
}

/// Replaces the bits of `bits` in the given lanes.
#[inline(always)]
fn merge(bits: u8, lanes: u64, stencil: &mut [u8; 64], new: impl Fn(u8) -> u8) {
    let old = *stencil;
    mask::replace(lanes, stencil, |i| new(old[i]) & bits | old[i] & !bits);
}

/// What chooses the stencil state of a lane.
#[derive(Clone, Copy, Debug)]
pub struct Facing<'a> {
    /// Front-facing lanes.
    pub front: u64,
    /// Reference values of the lanes' own, in their lowest bytes, instead of those of the faces.
    pub references: Option<&'a [u32; 64]>,
}

impl Facing<'_> {
    /// With the reference values of the faces.
    pub fn of(front: u64) -> Facing<'static> {
        Facing {
            front,
            references: None,
        }
    }

    /// The face of the lowest lane with its reference value, and the lanes that have the same.
    fn next(&self, face: &Face, lanes: u64) -> (Face, u64) {
        let Some(references) = self.references else {
            return (*face, lanes);
        };
        let reference = references[lanes.trailing_zeros() as usize & 63] as u8;
        let mut same = 0;
        for (lane, value) in references.iter().enumerate() {
            same |= u64::from(*value as u8 == reference) << lane;
        }
        (Face { reference, ..*face }, same & lanes)
    }
}

/// Both tests.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DepthStencil {
    /// `None`: every lane passes and nothing is written.
    pub depth: Option<Depth>,
    /// Front and back; `None`: every lane passes and nothing is written.
    pub stencil: Option<[Face; 2]>,
}

impl DepthStencil {
    /// Tests the lanes of `mask`, updates stored values, and returns the lanes that pass. `new` holds encoded depths.
    pub fn run(
        &self,
        level: SimdLevel,
        mask: u64,
        facing: Facing<'_>,
        new: &[u32; 64],
        depth: &mut [u32; 64],
        stencil: &mut [u8; 64],
    ) -> u64 {
        let (near, within) = match &self.depth {
            Some(state) => (
                depth::test(level, state, new, depth),
                depth::within(level, state, depth),
            ),
            None => (u64::MAX, u64::MAX),
        };
        let mask = mask & within;
        let mut passed = mask & near;
        if let Some(faces) = &self.stencil {
            passed = 0;
            let front = facing.front;
            for (face, mut left) in faces.iter().zip([mask & front, mask & !front]) {
                while left != 0 {
                    let (face, lanes) = facing.next(face, left);
                    left &= !lanes;
                    let equal = test(level, &face, stencil) & lanes;
                    passed |= equal & near;
                    if face.writes() {
                        let groups = [
                            (face.fail, lanes & !equal),
                            (face.depth_fail, equal & !near),
                            (face.pass, equal & near),
                        ];
                        for (op, lanes) in groups.into_iter().filter(|(_, lanes)| *lanes != 0) {
                            update(level, &face, op, lanes, stencil);
                        }
                    }
                }
            }
        }
        if let Some(Depth { write: true, .. }) = self.depth
            && passed != 0
        {
            depth::write(level, passed, new, depth);
        }
        passed
    }
}
