//! Operations of the backend to text.

use super::{dotted, flag};
use crate::isa::backend::{Amount, Backend, PhaseSetup, Sample};

fn amount(amount: Amount) -> String {
    match amount {
        Amount::Number(number) => number.to_string(),
        Amount::Slot(slot) => format!("s{slot}"),
    }
}

fn slc(mode: Option<u8>) -> String {
    mode.map_or_else(String::new, |mode| format!(".slc{mode}"))
}

pub(super) fn backend_operation(backend: &Backend) -> String {
    match *backend {
        Backend::Uvsw {
            op,
            w1,
            address,
            stream,
        } => {
            let mut text = format!("uvsw.{}", op.name());
            if let Some(stream) = stream {
                text += &format!(".stream{stream}");
            }
            if let Some(address) = address {
                text += &format!(" w{}, {}", u8::from(w1), amount(address));
            }
            text
        }
        Backend::Savmsk { mode, sm } => {
            format!("savmsk.{}{} w0, w1", mode.name(), flag(sm, ".sm"))
        }
        Backend::Movmsk { sm: None } => "movmsk w0".to_owned(),
        Backend::Movmsk { sm: Some(slot) } => format!("movmsk.sm w0, s{slot}"),
        Backend::Phas {
            address,
            end,
            setup,
        } => {
            let end = flag(end, ", end");
            match setup {
                PhaseSetup::Numbers(rate, fours) => {
                    format!("phas.imm s{address}, rate{rate}, tmp{fours}{end}")
                }
                PhaseSetup::Slot(slot) => format!("phas.reg s{address}, s{slot}{end}"),
            }
        }
        Backend::Setl { w1 } => format!("setl w{}", u8::from(w1)),
        Backend::Atst { p0, ifb } => {
            let p0 = if p0 { "p0" } else { "_" };
            format!("atst{} {p0}, s0, s1, s2", flag(ifb, ".ifb"))
        }
        Backend::Depthf => "depthf w0".to_owned(),
        Backend::Fitr {
            perspective,
            drc,
            mode,
            sat,
            count,
        } => {
            let (name, w) = (flag(perspective, "p"), flag(perspective, ", s2"));
            let (mode, sat) = (mode.name(), flag(sat, ".sat"));
            format!("fitr{name}.{mode}{sat} s3, drc{drc}, s0{w}, {count}")
        }
        Backend::Emitpix { freep } => format!("emitpix{} s0, s2", flag(freep, ".freep")),
        Backend::Idf { drc, slot } => format!("idf drc{drc}, s{slot}"),
        Backend::Ld {
            drc,
            burst,
            address,
            cache,
            slc: mode,
        } => {
            let mode = match (burst, mode) {
                (Amount::Number(_), Some(0)) => None,
                (_, mode) => mode,
            };
            let cache = dotted(cache.name());
            let burst = amount(burst);
            format!("ld{cache}{} s3, drc{drc}, {burst}, s{address}", slc(mode))
        }
        Backend::St {
            drc,
            data,
            size,
            burst,
            address,
            mask,
            tiled,
            cache,
            slc: mode,
        } => {
            let mode = slc((mode != 0).then_some(mode));
            let mask = mask.map_or("_".to_owned(), |slot| format!("s{slot}"));
            let (tiled, cache, burst) =
                (flag(tiled, ".tiled"), dotted(cache.name()), amount(burst));
            format!("st{tiled}{mode}{cache} s{data}, {size}, drc{drc}, {burst}, s{address}, {mask}")
        }
        Backend::Smp(ref sample) => sample_operation(sample),
        Backend::Atom {
            op,
            drc,
            source,
            destination,
        } => format!("atom.{} s{destination}, drc{drc}, s{source}", op.name()),
    }
}

fn sample_operation(sample: &Sample) -> String {
    let f = &sample.flags;
    let mut text = format!("smp{}d", sample.dimensions);
    text += flag(f.fcnorm, ".fcnorm");
    text += flag(f.proj, ".proj");
    text += flag(f.nncoords, ".nncoords");
    text += &dotted(sample.lod.name());
    text += flag(f.pplod, ".pplod");
    text += flag(f.tao, ".tao");
    text += flag(f.soo, ".soo");
    text += flag(f.sno, ".sno");
    text += flag(f.wrt, ".wrt");
    text += &dotted(sample.bypass.name());
    text += flag(f.schedswap, ".schedswap");
    text += flag(f.f16, ".f16");
    text += &dotted(sample.cache.name());
    text += &slc((sample.slc != 0).then_some(sample.slc));
    text += flag(f.array, ".array");
    text += flag(f.integer, ".integer");
    text += flag(f.comparison, ".comparison");
    text += flag(f.f16_input, ".f16in");
    text += flag(f.direct, ".direct");
    format!(
        "{text} drc{}, s0, s1, s2, s3, s4, {}",
        sample.drc, sample.channels
    )
}
