//! Reads and writes of dwords, which most data share instructions are, without a decision per lane. The plain form, which
//! also finds races and misaligned addresses, is `super::element`.

use lanes::{Row, Wave};
use silicon::fragment::interpolate::lanes as lanes_of;

use super::Share;
use crate::isa::memory::{Access, DsSem};
use crate::isa::words::Ds;

/// Runs an instruction that reads or writes dwords of a share that nobody watches; whether it was one.
pub(super) fn run(inst: &Ds, wave: &mut Wave, share: &mut Share<'_>, exec: u64) -> bool {
    if share.strict || share.races.is_some() {
        return false;
    }
    let [first, second] = [inst.offset0, inst.offset1].map(u64::from);
    let one = first | second << 8;
    let dwords = |stride: u8| [first, second].map(|offset| 4 * offset * u64::from(stride));
    match inst.op.sem() {
        DsSem::Read(Access::B32) => read(inst, wave, share, exec, &[one]),
        DsSem::Read2 { size: 4, stride } => read(inst, wave, share, exec, &dwords(stride)),
        DsSem::Write(Access::B32) => write(inst, wave, share, exec, &[one]),
        DsSem::Write2 { size: 4, stride } if first != second => {
            write(inst, wave, share, exec, &dwords(stride));
        }
        _ => return false,
    }
    true
}

fn read(inst: &Ds, wave: &mut Wave, share: &Share<'_>, exec: u64, offsets: &[u64]) {
    let addresses = wave.rows[usize::from(inst.addr)];
    let word = |address: u32, offset: u64| {
        let at = share.place(u64::from(address) + offset, 4);
        at.map_or(0, |at| share.word(at))
    };
    // All lanes often read one place.
    let same = exec == u64::MAX && addresses.0.iter().all(|at| *at == addresses.0[0]);
    for (n, &offset) in offsets.iter().enumerate() {
        let row = &mut wave.rows[(usize::from(inst.vdst) + n) & 255];
        if same {
            *row = Row::splat(word(addresses.0[0], offset));
            continue;
        }
        for lane in lanes_of(exec) {
            row.0[lane] = word(addresses.0[lane], offset);
        }
    }
}

/// Lane after lane, as lanes may write one place.
fn write(inst: &Ds, wave: &Wave, share: &mut Share<'_>, exec: u64, offsets: &[u64]) {
    let addresses = &wave.rows[usize::from(inst.addr)];
    let data = [inst.data0, inst.data1].map(|at| &wave.rows[usize::from(at)]);
    for lane in lanes_of(exec) {
        for (data, &offset) in data.iter().zip(offsets) {
            let address = u64::from(addresses.0[lane]) + offset;
            if let Some(at) = share.place(address, 4) {
                share.set_word(at, data.0[lane]);
            }
        }
    }
}
