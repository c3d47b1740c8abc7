//! Operations of the backend of main groups. [Rogue 13.9]

mod decode;
mod encode;

isa::ops! {
    /// Vertex output.
    pub enum Uvsw: () {
        WRITE = 0 "write" ();
        EMIT = 1 "emit" ();
        CUT = 2 "cut" ();
        EMITCUT = 3 "emitcut" ();
        ENDTASK = 4 "endtask" ();
        EMITENDTASK = 5 "emitendtask" ();
        WRITEEMITENDTASK = 6 "writeemitendtask" ();
    }
}

impl Uvsw {
    /// Whether W0 or W1 is written.
    pub fn writes(self) -> bool {
        matches!(self, Uvsw::WRITE | Uvsw::WRITEEMITENDTASK)
    }

    /// Whether a vertex ends.
    pub fn emits(self) -> bool {
        use Uvsw as U;
        matches!(
            self,
            U::EMIT | U::EMITCUT | U::EMITENDTASK | U::WRITEEMITENDTASK
        )
    }

    /// Whether a strip ends, but for that at the end of the task.
    pub fn cuts(self) -> bool {
        matches!(self, Uvsw::CUT | Uvsw::EMITCUT)
    }

    /// Whether a stream may be named.
    pub fn has_stream(self) -> bool {
        matches!(self, Uvsw::EMIT | Uvsw::CUT | Uvsw::EMITCUT)
    }
}

isa::ops! {
    /// Masks that SAVMSK saves.
    pub enum MaskMode: () {
        VM = 0 "vm" ();
        ICM = 1 "icm" ();
        ICMOC = 2 "icmoc" ();
        ICMI = 3 "icmi" ();
        CAXY = 4 "caxy" ();
    }
}

isa::ops! {
    /// Where iteration takes a value.
    pub enum IterMode: () {
        PIXEL = 0 "pixel" ();
        SAMPLE = 1 "sample" ();
        CENTROID = 2 "centroid" ();
    }
}

isa::ops! {
    /// Caches of loads and samples.
    pub enum LoadCache: () {
        NORMAL = 0 "" ();
        BYPASS = 1 "bypass" ();
        FORCELINEFILL = 2 "forcelinefill" ();
    }
}

isa::ops! {
    /// Caches of stores.
    pub enum StoreCache: () {
        WRITETHROUGH = 0 "" ();
        WRITEBACK = 1 "writeback" ();
        LAZYWRITEBACK = 2 "lazywriteback" ();
    }
}

isa::ops! {
    /// Atomic operations.
    pub enum Atomic: () {
        ADD = 0 "add" ();
        SUB = 1 "sub" ();
        XCHG = 2 "xchg" ();
        UMIN = 4 "umin" ();
        IMIN = 5 "imin" ();
        UMAX = 6 "umax" ();
        IMAX = 7 "imax" ();
        AND = 8 "and" ();
        OR = 9 "or" ();
        XOR = 10 "xor" ();
    }
}

isa::ops! {
    /// Where samples take their level from.
    pub enum LodMode: () {
        NORMAL = 0 "" ();
        BIAS = 1 "bias" ();
        REPLACE = 2 "replace" ();
        GRADIENT = 3 "gradient" ();
    }
}

isa::ops! {
    /// What samples return besides or instead of a filtered texel.
    pub enum Bypass: () {
        NONE = 0 "" ();
        DATA = 1 "data" ();
        INFO = 2 "info" ();
        BOTH = 3 "both" ();
    }
}

/// A number in the instruction or a source slot, 0 to 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Amount {
    /// A number.
    Number(u8),
    /// S0 to S5.
    Slot(u8),
}

/// A texture sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sample {
    /// Dimensions, 1 to 3.
    pub dimensions: u8,
    /// Fence counter, 0 or 1.
    pub drc: u8,
    /// Channels, 1 to 4.
    pub channels: u8,
    /// Level.
    pub lod: LodMode,
    /// Raw texels.
    pub bypass: Bypass,
    /// Caches.
    pub cache: LoadCache,
    /// Mode of the system level cache, 0 to 3.
    pub slc: u8,
    /// Flags.
    pub flags: SampleFlags,
}

/// Flags of samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SampleFlags {
    /// Texels of fixed point become floats.
    pub fcnorm: bool,
    /// A level for each pixel.
    pub pplod: bool,
    /// Projection.
    pub proj: bool,
    /// Coordinates are texels.
    pub nncoords: bool,
    /// A number of a sample.
    pub sno: bool,
    /// Offsets.
    pub soo: bool,
    /// An address.
    pub tao: bool,
    /// Results are packed.
    pub f16: bool,
    /// A task switch is worth while.
    pub schedswap: bool,
    /// Writes.
    pub wrt: bool,
    /// Past the ALU.
    pub direct: bool,
    /// Coordinates are packed.
    pub f16_input: bool,
    /// Compares.
    pub comparison: bool,
    /// Coordinates are integers.
    pub integer: bool,
    /// A layer.
    pub array: bool,
}

/// A backend operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Backend {
    /// Vertex output.
    Uvsw {
        /// Which.
        op: Uvsw,
        /// W1 instead of W0.
        w1: bool,
        /// Where to, of operations that write.
        address: Option<Amount>,
        /// Stream, 0 to 3, of those that emit or cut.
        stream: Option<u8>,
    },
    /// A mask to W0 and W1.
    Savmsk {
        /// Which.
        mode: MaskMode,
        /// Bit `sm`, whose meaning is not public.
        sm: bool,
    },
    /// W0 to the coverage mask; a slot of its sample-mask form.
    Movmsk {
        /// Slot, 0 to 5.
        sm: Option<u8>,
    },
    /// The next phase of shading.
    Phas {
        /// Slot of its address, 0 to 5.
        address: u8,
        /// The last phase.
        end: bool,
        /// Sampling rate, 0 to 3, and temporaries in fours, 0 to 63; or the slot of both.
        setup: PhaseSetup,
    },
    /// The link address from W0 or W1.
    Setl {
        /// W1.
        w1: bool,
    },
    /// The alpha test.
    Atst {
        /// P0 is written.
        p0: bool,
        /// The result goes back to the rasteriser.
        ifb: bool,
    },
    /// W0 is the depth.
    Depthf,
    /// Iterates coefficients.
    Fitr {
        /// Divides by W.
        perspective: bool,
        /// Fence counter, 0 or 1.
        drc: u8,
        /// Where.
        mode: IterMode,
        /// Clamps to 0..1.
        sat: bool,
        /// How many, 1 to 16.
        count: u8,
    },
    /// Hands pixels over.
    Emitpix {
        /// Frees the partition.
        freep: bool,
    },
    /// Issues a data fence.
    Idf {
        /// Fence counter, 0 or 1.
        drc: u8,
        /// Slot, 0 to 5.
        slot: u8,
    },
    /// Loads to the register that S3 names.
    Ld {
        /// Fence counter, 0 or 1.
        drc: u8,
        /// Words, 1 to 16, or the slot that has their number.
        burst: Amount,
        /// Slot of the address.
        address: u8,
        /// Caches.
        cache: LoadCache,
        /// Mode of the system level cache, 0 to 3; always there beside a number of words.
        slc: Option<u8>,
    },
    /// Stores.
    St {
        /// Fence counter, 0 or 1.
        drc: u8,
        /// Slot of the data.
        data: u8,
        /// 8, 16 or 32 bits: 0 to 2.
        size: u8,
        /// Items, 1 to 16, or the slot that has their number.
        burst: Amount,
        /// Slot of the address.
        address: u8,
        /// Slot of the mask.
        mask: Option<u8>,
        /// The address is that of a tiled surface.
        tiled: bool,
        /// Caches.
        cache: StoreCache,
        /// Mode of the system level cache, 0 to 3.
        slc: u8,
    },
    /// Samples a texture.
    Smp(Sample),
    /// Atomic operation in memory.
    Atom {
        /// Which.
        op: Atomic,
        /// Fence counter, 0 or 1.
        drc: u8,
        /// Slot of address and operand.
        source: u8,
        /// Slot that names the register of the old value.
        destination: u8,
    },
}

/// How a phase runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PhaseSetup {
    /// Sampling rate, 0 to 3, and temporaries in fours, 0 to 63.
    Numbers(u8, u8),
    /// A slot has both.
    Slot(u8),
}
