//! Operations of the backend to bytes. [Rogue 13.9]

use super::{Amount, Backend, PhaseSetup, Sample};
use crate::isa::bytes::{Writer, bit};
use crate::isa::error::{EncodeError, below};

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

const DMA: u8 = 7 << 5;

impl Backend {
    /// Appends the bytes.
    pub fn encode(&self, out: &mut Writer) -> Result<(), EncodeError> {
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

    fn encode_load(&self, out: &mut Writer) -> Result<(), EncodeError> {
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

    fn encode_store(&self, out: &mut Writer) -> Result<(), EncodeError> {
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
}

impl Sample {
    fn encode(&self, out: &mut Writer) -> Result<(), EncodeError> {
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
        let third = out.choose(c != 0, c != 0);
        let b = bit(third, 7)
            | slc_mode(self.slc)? << 5
            | bit(f.f16, 4)
            | bit(f.schedswap, 3)
            | (self.cache.code() as u8) << 1
            | bit(f.wrt, 0);
        let second = out.choose(b != 0, b != 0);
        let first = out.choose(a != 0, a != 0);
        out.push(DMA | bit(f.fcnorm, 4) | drc_bit(self.drc)? | 4);
        let lod = self.lod.code() as u8;
        out.push(bit(second, 7) | dimensions << 5 | bit(first, 4) | channels << 2 | lod);
        let present = [(first, a), (second, b), (third, c)];
        out.extend(
            present
                .into_iter()
                .filter(|(is, _)| *is)
                .map(|(_, byte)| byte),
        );
        Ok(())
    }
}
