//! Bytes to operations of the backend. [Rogue 13.9]

use super::{
    Amount, Atomic, Backend, Bypass, IterMode, LoadCache, LodMode, MaskMode, PhaseSetup, Sample,
    SampleFlags, StoreCache, Uvsw,
};
use crate::isa::bytes::{Bytes, is};
use crate::isa::error::DecodeError;

fn counted(bits: u8) -> u8 {
    match bits & 15 {
        0 => 16,
        bits => bits,
    }
}

impl Backend {
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
    bytes.chose(is(b, 7), c != 0);
    bytes.chose(is(more, 7), b != 0);
    bytes.chose(is(more, 4), a != 0);
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
