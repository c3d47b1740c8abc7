//! Exports and memory instructions of the control flow.

use isa::ops;

pub use super::words::{Export, Memory};
use super::words::{ExportType, MemoryType, Select, element_fields};

ops! {
    /// CF_INST of exports: whether it is the last of its type. [R600 7.1, 8.1]
    pub enum ExportOp: bool {
        EXPORT      = 39 "EXPORT"   false;
        EXPORT_DONE = 40 "EXP_DONE" true;
    }
}

/// A kind of memory that a program reaches without a fetch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Space {
    /// Stream-out buffer 0 to 3; written by vertex programs.
    Stream(u8),
    /// Private memory of a lane.
    Scratch,
    /// Shared by all programs.
    Reduction,
    /// Vertices between stages; written only.
    Ring,
}

impl Space {
    /// Words that one unit of ARRAY_BASE stands for.
    pub const fn base_unit(self) -> u32 {
        match self {
            Space::Scratch | Space::Reduction => 4,
            Space::Stream(_) | Space::Ring => 1,
        }
    }

    /// Whether programs can read it.
    pub const fn readable(self) -> bool {
        matches!(self, Space::Scratch | Space::Reduction)
    }
}

ops! {
    /// CF_INST of memory instructions. [R600 7.1, 8.1]
    pub enum MemoryOp: Space {
        MEM_STREAM0   = 32 "MEM_STREAM0"   Space::Stream(0);
        MEM_STREAM1   = 33 "MEM_STREAM1"   Space::Stream(1);
        MEM_STREAM2   = 34 "MEM_STREAM2"   Space::Stream(2);
        MEM_STREAM3   = 35 "MEM_STREAM3"   Space::Stream(3);
        MEM_SCRATCH   = 36 "MEM_SCRATCH"   Space::Scratch;
        MEM_REDUCTION = 37 "MEM_REDUCTION" Space::Reduction;
        MEM_RING      = 38 "MEM_RING"      Space::Ring;
    }
}

impl Export {
    /// An export of one register, all elements in order, BARRIER set.
    pub fn new(op: ExportOp, kind: ExportType, array_base: u16, rw_gpr: u8) -> Export {
        Export {
            barrier: true,
            whole_quad_mode: false,
            op,
            valid_pixel_mode: false,
            end_of_program: false,
            burst_count: 0,
            elem_loop: false,
            sel_w: Select::W,
            sel_z: Select::Z,
            sel_y: Select::Y,
            sel_x: Select::X,
            elem_size: 0,
            index_gpr: 0,
            rw_rel: false,
            rw_gpr,
            kind,
            array_base,
        }
    }
}

element_fields! {
    Export {
        /// What the four elements of the target get.
        selects,
        /// The same with other selects.
        with_selects: Select = sel_x sel_y sel_z sel_w;
    }
}

impl Memory {
    /// An access to one register's four elements in an array of all elements, BARRIER set.
    pub fn new(op: MemoryOp, kind: MemoryType, array_base: u16, rw_gpr: u8) -> Memory {
        Memory {
            barrier: true,
            whole_quad_mode: false,
            op,
            valid_pixel_mode: false,
            end_of_program: false,
            burst_count: 0,
            elem_loop: false,
            comp_mask: 15,
            array_size: 4095,
            elem_size: 3,
            index_gpr: 0,
            rw_rel: false,
            rw_gpr,
            kind,
            array_base,
        }
    }

    /// Whether the instruction reads memory.
    pub fn reads(&self) -> bool {
        matches!(self.kind, MemoryType::Read | MemoryType::ReadInd)
    }

    /// Whether INDEX_GPR.x is added to the address.
    pub fn indexed(&self) -> bool {
        matches!(self.kind, MemoryType::WriteInd | MemoryType::ReadInd)
    }
}
