//! Operations of the backend of main groups. [Rogue 13.9]

use super::alu::{bit, is};
use super::bytes::Bytes;
use super::error::{DecodeError, EncodeError, below};

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

fn slot(what: &'static str, slot: u8) -> Result<u8, EncodeError> {
    below(what, slot.into(), 6, "slots are 0 to 5")
}

fn drc_bit(drc: u8) -> Result<u8, EncodeError> {
    Ok(below("the fence counter", drc.into(), 2, "it is 0 or 1")? << 3)
}

fn slc_mode(slc: u8) -> Result<u8, EncodeError> {
    below("the SLC mode", slc.into(), 4, "it is 0 to 3")
}

/// A number of words as four bits, 16 as 0.
fn count(count: u8) -> Result<u8, EncodeError> {
    match count {
        1..=16 => Ok(count & 15),
        _ => Err(EncodeError::Range {
            what: "the number of words",
            value: count.into(),
            range: "it is 1 to 16",
        }),
    }
}

fn counted(bits: u8) -> u8 {
    match bits & 15 {
        0 => 16,
        bits => bits,
    }
}

const DMA: u8 = 7 << 5;

impl Backend {
    /// Appends the bytes.
    pub fn encode(&self, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        match *self {
            Backend::Uvsw {
                op,
                w1,
                address,
                stream,
            } => {
                let immediate = matches!(address, Some(Amount::Number(_))) || stream.is_some();
                out.push(bit(w1, 4) | bit(immediate, 3) | op.code() as u8);
                match (address, stream) {
                    (Some(Amount::Number(address)), _) => out.push(address),
                    (Some(Amount::Slot(of)), _) => out.push(slot("the address", of)?),
                    (None, Some(stream)) => {
                        out.push(below("the stream", stream.into(), 4, "it is 0 to 3")?);
                    }
                    (None, None) => {}
                }
            }
            Backend::Savmsk { mode, sm } => {
                out.push(1 << 5 | bit(sm, 3) | mode.code() as u8);
            }
            Backend::Movmsk { sm } => {
                out.push(1 << 5 | bit(true, 4) | bit(sm.is_some(), 3));
                if let Some(of) = sm {
                    out.push(slot("the mask", of)?);
                }
            }
            Backend::Phas {
                address,
                end,
                setup,
            } => {
                let address = slot("the address", address)?;
                let immediate = matches!(setup, PhaseSetup::Numbers(..));
                out.push(2 << 5 | address << 2 | bit(end, 1) | bit(immediate, 0));
                out.push(match setup {
                    PhaseSetup::Numbers(rate, temporaries) => {
                        let rate = below("the rate", rate.into(), 4, "it is 0 to 3")?;
                        let fours = temporaries.into();
                        rate << 6 | below("the temporaries", fours, 64, "they are 0 to 63 fours")?
                    }
                    PhaseSetup::Slot(of) => slot("the set-up", of)?,
                });
            }
            Backend::Setl { w1 } => out.push(3 << 5 | bit(w1, 0)),
            Backend::Atst { p0, ifb } => {
                out.push(4 << 5 | bit(p0, 2) | bit(true, 1) | bit(ifb, 0));
            }
            Backend::Depthf => out.push(4 << 5),
            Backend::Fitr {
                perspective,
                drc,
                mode,
                sat,
                count: values,
            } => {
                out.push(5 << 5 | bit(perspective, 4) | drc_bit(drc)? | mode.code() as u8);
                out.push(bit(sat, 4) | count(values)?);
            }
            Backend::Emitpix { freep } => out.push(6 << 5 | bit(freep, 1)),
            Backend::Idf { drc, slot: of } => {
                out.extend([DMA | drc_bit(drc)?, slot("the slot", of)?]);
            }
            Backend::Ld { .. } => self.encode_load(out)?,
            Backend::St { .. } => self.encode_store(out)?,
            Backend::Smp(sample) => sample.encode(out)?,
            Backend::Atom {
                op,
                drc,
                source,
                destination,
            } => out.extend([
                DMA | drc_bit(drc)? | 5,
                (op.code() as u8) << 4 | slot("the source", source)?,
                slot("the destination", destination)?,
            ]),
        }
        Ok(())
    }

    fn encode_load(&self, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        let Backend::Ld {
            drc,
            burst,
            address,
            cache,
            slc,
        } = *self
        else {
            return Ok(());
        };
        let (bits, in_slot) = match burst {
            Amount::Number(words) => (count(words)?, false),
            Amount::Slot(of) => (slot("the burst", of)?, true),
        };
        let third = !in_slot || slc.is_some();
        out.push(DMA | bit(third, 4) | drc_bit(drc)? | 1);
        out.push(slot("the address", address)? << 5 | (bits & 7) << 2 | cache.code() as u8);
        if third {
            let slc = slc_mode(slc.unwrap_or(0))?;
            out.push(bit(in_slot, 3) | slc << 1 | bit(!in_slot && bits > 7, 0));
        }
        Ok(())
    }

    fn encode_store(&self, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        let Backend::St {
            drc,
            data,
            size,
            burst,
            address,
            mask,
            tiled,
            cache,
            slc,
        } = *self
        else {
            return Ok(());
        };
        let (bits, number) = match burst {
            Amount::Number(items) => (count(items)?, true),
            Amount::Slot(of) => (slot("the burst", of)?, false),
        };
        let fourth = mask.is_some() || tiled || slc != 0;
        let size = below("the size", size.into(), 3, "it is 0 to 2")?;
        out.push(DMA | bit(number, 4) | drc_bit(drc)? | 2);
        out.push(slot("the address", address)? << 5 | (bits & 7) << 2 | cache.code() as u8);
        out.push(
            bit(fourth, 7) | slot("the data", data)? << 4 | size << 2 | bit(number && bits > 7, 0),
        );
        if fourth {
            let mask = mask.ok_or(EncodeError::Parts(
                "a store in tiles or with an SLC mode, but without a mask",
            ))?;
            out.push(bit(!tiled, 5) | slc_mode(slc)? << 3 | slot("the mask", mask)?);
        }
        Ok(())
    }

    /// Reads an operation.
    pub fn decode(bytes: &mut Bytes<'_>) -> Result<Backend, DecodeError> {
        let byte = bytes.next()?;
        match byte >> 5 {
            0 => vertex_output(byte, bytes),
            1 => masks(byte, bytes),
            2 => {
                let more = bytes.next()?;
                let setup = match is(byte, 0) {
                    true => PhaseSetup::Numbers(more >> 6, more & 63),
                    false => PhaseSetup::Slot(read_slot(more, bytes)?),
                };
                Ok(Backend::Phas {
                    address: read_slot(byte >> 2 & 7, bytes)?,
                    end: is(byte, 1),
                    setup,
                })
            }
            3 if byte & 0x1e != 0 => Err(bytes.reserved("SETL")),
            3 => Ok(Backend::Setl { w1: is(byte, 0) }),
            4 if byte & 0x18 != 0 || byte & 7 != 0 && !is(byte, 1) => {
                Err(bytes.reserved("ATST or DEPTHF"))
            }
            4 if is(byte, 1) => Ok(Backend::Atst {
                p0: is(byte, 2),
                ifb: is(byte, 0),
            }),
            4 => Ok(Backend::Depthf),
            5 => {
                let mode = IterMode::from_code(u16::from(byte & 7));
                let mode = mode.ok_or_else(|| bytes.unknown("place of FITR", byte & 7))?;
                let more = bytes.next_with(0xe0, "FITR")?;
                Ok(Backend::Fitr {
                    perspective: is(byte, 4),
                    drc: byte >> 3 & 1,
                    mode,
                    sat: is(more, 4),
                    count: counted(more),
                })
            }
            6 if byte & 0x1d != 0 => Err(bytes.reserved("EMITPIX")),
            6 => Ok(Backend::Emitpix { freep: is(byte, 1) }),
            _ => dma(byte, bytes),
        }
    }
}

fn read_slot(code: u8, bytes: &Bytes<'_>) -> Result<u8, DecodeError> {
    match code {
        0..=5 => Ok(code),
        _ => Err(bytes.unknown("source slot", code)),
    }
}

fn vertex_output(byte: u8, bytes: &mut Bytes<'_>) -> Result<Backend, DecodeError> {
    let op = Uvsw::from_code(u16::from(byte & 7));
    let op = op.ok_or_else(|| bytes.unknown("vertex output", byte & 7))?;
    let (w1, immediate) = (is(byte, 4), is(byte, 3));
    let (mut address, mut stream) = (None, None);
    if op.writes() {
        let more = bytes.next()?;
        address = Some(match immediate {
            true => Amount::Number(more),
            false => Amount::Slot(read_slot(more, bytes)?),
        });
    } else if w1 || immediate && !op.has_stream() {
        return Err(bytes.reserved("UVSW"));
    } else if immediate {
        stream = Some(bytes.next_with(0xfc, "UVSW")?);
    }
    Ok(Backend::Uvsw {
        op,
        w1,
        address,
        stream,
    })
}

fn masks(byte: u8, bytes: &mut Bytes<'_>) -> Result<Backend, DecodeError> {
    let (moves, sm) = (is(byte, 4), is(byte, 3));
    let mode = MaskMode::from_code(u16::from(byte & 7));
    let mode = mode.ok_or_else(|| bytes.unknown("mask", byte & 7))?;
    if !moves {
        return Ok(Backend::Savmsk { mode, sm });
    }
    if mode != MaskMode::VM {
        return Err(bytes.reserved("MOVMSK"));
    }
    let sm = match sm {
        true => {
            let code = bytes.next()?;
            Some(read_slot(code, bytes)?)
        }
        false => None,
    };
    Ok(Backend::Movmsk { sm })
}

fn load_cache(code: u8, bytes: &Bytes<'_>) -> Result<LoadCache, DecodeError> {
    LoadCache::from_code(u16::from(code & 3)).ok_or_else(|| bytes.unknown("cache mode", code & 3))
}

fn dma(byte: u8, bytes: &mut Bytes<'_>) -> Result<Backend, DecodeError> {
    let drc = byte >> 3 & 1;
    match byte & 7 {
        0 if is(byte, 4) => Err(bytes.reserved("IDF")),
        0 => {
            let more = bytes.next()?;
            Ok(Backend::Idf {
                drc,
                slot: read_slot(more, bytes)?,
            })
        }
        1 => load(byte, bytes),
        2 => store(byte, bytes),
        4 => sample(byte, bytes).map(Backend::Smp),
        5 if is(byte, 4) => Err(bytes.reserved("ATOM")),
        5 => {
            let more = bytes.next_with(0x08, "ATOM")?;
            let op = Atomic::from_code(u16::from(more >> 4));
            let op = op.ok_or_else(|| bytes.unknown("atomic operation", more >> 4))?;
            let source = read_slot(more & 7, bytes)?;
            let last = bytes.next()?;
            Ok(Backend::Atom {
                op,
                drc,
                source,
                destination: read_slot(last, bytes)?,
            })
        }
        op => Err(bytes.unknown("memory operation", op)),
    }
}

fn load(byte: u8, bytes: &mut Bytes<'_>) -> Result<Backend, DecodeError> {
    let more = bytes.next()?;
    let (address, bits) = (read_slot(more >> 5, bytes)?, more >> 2 & 7);
    let cache = load_cache(more, bytes)?;
    let (burst, slc) = match is(byte, 4) {
        false => (Amount::Slot(read_slot(bits, bytes)?), None),
        true => {
            let last = bytes.next_with(0xf0, "LD")?;
            let burst = match is(last, 3) {
                true if is(last, 0) => return Err(bytes.reserved("LD")),
                true => Amount::Slot(read_slot(bits, bytes)?),
                false => Amount::Number(counted((last & 1) << 3 | bits)),
            };
            (burst, Some(last >> 1 & 3))
        }
    };
    Ok(Backend::Ld {
        drc: byte >> 3 & 1,
        burst,
        address,
        cache,
        slc,
    })
}

fn store(byte: u8, bytes: &mut Bytes<'_>) -> Result<Backend, DecodeError> {
    let more = bytes.next()?;
    let (address, bits) = (read_slot(more >> 5, bytes)?, more >> 2 & 7);
    let cache = StoreCache::from_code(u16::from(more & 3));
    let cache = cache.ok_or_else(|| bytes.unknown("cache mode", more & 3))?;
    let last = bytes.next_with(0x02, "ST")?;
    let burst = match is(byte, 4) {
        true => Amount::Number(counted((last & 1) << 3 | bits)),
        false if is(last, 0) => return Err(bytes.reserved("ST")),
        false => Amount::Slot(read_slot(bits, bytes)?),
    };
    let (data, size) = (read_slot(last >> 4 & 7, bytes)?, last >> 2 & 3);
    if size > 2 {
        return Err(bytes.unknown("size of a store", size));
    }
    let (mut mask, mut tiled, mut slc) = (None, false, 0);
    if is(last, 7) {
        let byte = bytes.next_with(0xc0, "ST")?;
        mask = Some(read_slot(byte & 7, bytes)?);
        tiled = !is(byte, 5);
        slc = byte >> 3 & 3;
    }
    Ok(Backend::St {
        drc: byte >> 3 & 1,
        data,
        size,
        burst,
        address,
        mask,
        tiled,
        cache,
        slc,
    })
}

impl Sample {
    fn encode(&self, out: &mut Vec<u8>) -> Result<(), EncodeError> {
        let f = &self.flags;
        let dimensions = match self.dimensions {
            1..=3 => self.dimensions,
            other => {
                return Err(EncodeError::Range {
                    what: "the number of dimensions",
                    value: other.into(),
                    range: "it is 1 to 3",
                });
            }
        };
        let channels = self.channels.wrapping_sub(1).into();
        let channels = below(
            "the number of channels, less 1,",
            channels,
            4,
            "it is 0 to 3",
        )?;
        let a = bit(f.pplod, 7)
            | bit(f.proj, 6)
            | (self.bypass.code() as u8) << 4
            | bit(f.nncoords, 3)
            | bit(f.sno, 2)
            | bit(f.soo, 1)
            | bit(f.tao, 0);
        let c = bit(f.direct, 4)
            | bit(f.f16_input, 3)
            | bit(f.comparison, 2)
            | bit(f.integer, 1)
            | bit(f.array, 0);
        let b = bit(c != 0, 7)
            | slc_mode(self.slc)? << 5
            | bit(f.f16, 4)
            | bit(f.schedswap, 3)
            | (self.cache.code() as u8) << 1
            | bit(f.wrt, 0);
        out.push(DMA | bit(f.fcnorm, 4) | drc_bit(self.drc)? | 4);
        let lod = self.lod.code() as u8;
        out.push(bit(b != 0, 7) | dimensions << 5 | bit(a != 0, 4) | channels << 2 | lod);
        out.extend([a, b, c].into_iter().filter(|byte| *byte != 0));
        Ok(())
    }
}

fn sample(byte: u8, bytes: &mut Bytes<'_>) -> Result<Sample, DecodeError> {
    let more = bytes.next()?;
    let dimensions = more >> 5 & 3;
    if dimensions == 0 {
        return Err(bytes.unknown("number of dimensions", 0u8));
    }
    let a = if is(more, 4) { bytes.next()? } else { 0 };
    let b = if is(more, 7) { bytes.next()? } else { 0 };
    let cache = load_cache(b >> 1, bytes)?;
    let c = match is(b, 7) {
        true => bytes.next_with(0xe0, "SMP")?,
        false => 0,
    };
    Ok(Sample {
        dimensions,
        drc: byte >> 3 & 1,
        channels: (more >> 2 & 3) + 1,
        lod: LodMode::ALL[usize::from(more & 3)],
        bypass: Bypass::ALL[usize::from(a >> 4 & 3)],
        cache,
        slc: b >> 5 & 3,
        flags: SampleFlags {
            fcnorm: is(byte, 4),
            pplod: is(a, 7),
            proj: is(a, 6),
            nncoords: is(a, 3),
            sno: is(a, 2),
            soo: is(a, 1),
            tao: is(a, 0),
            f16: is(b, 4),
            schedswap: is(b, 3),
            wrt: is(b, 0),
            direct: is(c, 4),
            f16_input: is(c, 3),
            comparison: is(c, 2),
            integer: is(c, 1),
            array: is(c, 0),
        },
    })
}
