//! Leaves out packets that change nothing. In: packets of a stream, in order. Out: those that write other values to
//! registers than the ones before, or do something else.

use std::ops::Range;

use radeon::packets::{header, payload_words};
use radeon::r6xx::packets;

use crate::codegen::radeon::packets::Space;

/// Registers of a page.
const PAGE: usize = 256;
/// How far the opcode of a LOAD packet is below that of the SET packet of its space.
const LOAD: u8 = packets::SET_CONFIG_REG - 0x60;

/// What a register holds, as far as the stream says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Held(u64);

impl Held {
    const UNKNOWN: Held = Held(0);

    /// A word.
    const fn value(word: u32) -> Held {
        Held(1 << 62 | word as u64)
    }

    /// The word that lies at an address of 48 bits. Nothing writes there before the stream has run.
    const fn loaded(address: u64) -> Held {
        Held(1 << 63 | address & 0xffff_ffff_ffff)
    }
}

/// What registers hold, by their addresses. Packets of one word that are state, too, are at their opcodes.
#[derive(Debug, Default)]
pub struct Known {
    pages: Vec<Option<Box<[Held; PAGE]>>>,
}

impl Known {
    /// The page of a register by its word, and where the register is there.
    fn page(&mut self, word: usize) -> (&mut [Held; PAGE], usize) {
        let (page, at) = (word / PAGE, word % PAGE);
        if self.pages.len() <= page {
            self.pages.resize_with(page + 1, || None);
        }
        let page = self.pages[page].get_or_insert_with(|| Box::new([Held::UNKNOWN; PAGE]));
        (page, at)
    }

    /// Notes what a register holds; says whether it is something else.
    fn changes(&mut self, register: u32, held: Held) -> bool {
        let (page, at) = self.page(register as usize / 4);
        std::mem::replace(&mut page[at], held) != held
    }

    /// Notes what registers from the first on hold; from which to which is something else.
    fn changed(&mut self, first: u32, values: &[u32]) -> Option<Range<usize>> {
        let mut changed: Option<Range<usize>> = None;
        let mut n = 0;
        while n < values.len() {
            let (page, at) = self.page(first as usize / 4 + n);
            let held = &mut page[at..];
            let count = held.len().min(values.len() - n);
            for (i, (held, value)) in (n..).zip(held.iter_mut().zip(&values[n..])) {
                let new = Held::value(*value);
                if *held != new {
                    *held = new;
                    changed.get_or_insert(i..i).end = i + 1;
                }
            }
            n += count;
        }
        changed
    }

    /// Leaves out of the packets in `words` from `first` on what changes nothing.
    pub fn keep_changes(&mut self, spaces: &[Space], words: &mut Vec<u32>, first: usize) {
        let (mut from, mut to) = (first, first);
        while from < words.len() {
            let end = from + 1 + payload_words(words[from]) as usize;
            let packet = from..end.min(words.len());
            to = self.packet(spaces, words, packet, to);
            from = end;
        }
        words.truncate(to);
    }

    /// Moves what is left of a packet to `to`; returns where it ends.
    fn packet(
        &mut self,
        spaces: &[Space],
        words: &mut [u32],
        packet: Range<usize>,
        to: usize,
    ) -> usize {
        let (at, count) = (packet.start, packet.len());
        let opcode = (words[at] >> 8) as u8;
        let is_type_3 = words[at] >> 30 == 3;
        let space = |set: u8| spaces.iter().find(|(_, opcode)| *opcode == set);
        let all = |words: &mut [u32]| {
            words.copy_within(packet.clone(), to);
            to + count
        };
        if !is_type_3 {
            self.pages.clear();
            return all(words);
        }
        if let Some((space, _)) = space(opcode) {
            let first = space.start + 4 * words[at + 1];
            let Some(changed) = self.changed(first, &words[at + 2..packet.end]) else {
                return to;
            };
            let offset = words[at + 1] + changed.start as u32;
            // The bit of compute packets stays.
            words[to] = header(opcode, changed.len() as u32 + 1) | words[at] & 2;
            words[to + 1] = offset;
            let values = at + 2 + changed.start..at + 2 + changed.end;
            words.copy_within(values, to + 2);
            return to + 2 + changed.len();
        }
        if let Some((space, _)) = opcode.checked_add(LOAD).and_then(space)
            && let [base, high, first, registers] = words[at + 1..packet.end]
        {
            let base = u64::from(base) | u64::from(high) << 32;
            let mut changes = false;
            for n in (first..).take(registers as usize) {
                let address = base.wrapping_add(4 * u64::from(n));
                changes |= self.changes(space.start + 4 * n, Held::loaded(address));
            }
            return if changes { all(words) } else { to };
        }
        match opcode {
            packets::NUM_INSTANCES | packets::INDEX_TYPE => {
                let held = Held::value(words[at + 1]);
                match self.changes(4 * u32::from(opcode), held) {
                    true => all(words),
                    false => to,
                }
            }
            packets::NOP | packets::DRAW_INDEX_AUTO | packets::DRAW_INDEX_2 => all(words),
            _ => {
                // It may write registers, or memory that they were loaded from.
                self.pages.clear();
                all(words)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPACES: &[Space] = &[(0x2_8000..0x2_9000, 0x69), (0x3_8000..0x3_c000, 0x6d)];

    fn set(opcode: u8, offset: u32, values: &[u32]) -> Vec<u32> {
        [&[header(opcode, values.len() as u32 + 1), offset], values].concat()
    }

    /// What is left of packets, each cut off from those before.
    fn left(known: &mut Known, packets: &[Vec<u32>]) -> Vec<Vec<u32>> {
        let mut words = vec![7];
        let cut = |packet: &Vec<u32>| {
            let first = words.len();
            words.extend(packet);
            known.keep_changes(SPACES, &mut words, first);
            words[first..].to_vec()
        };
        packets.iter().map(cut).collect()
    }

    #[test]
    fn registers_that_hold_a_value_are_not_written_again() {
        let mut known = Known::default();
        let draw = vec![header(packets::DRAW_INDEX_AUTO, 2), 3, 2];
        let first = [set(0x69, 4, &[1, 2, 3, 4]), draw.clone()].concat();
        assert_eq!(left(&mut known, std::slice::from_ref(&first)), [first]);
        let next = [
            set(0x69, 4, &[1, 2, 3, 4]),
            set(0x69, 3, &[9, 1, 7, 3]),
            set(0x6d, 5, &[2]),
            draw,
        ];
        let wanted = [
            set(0x69, 3, &[9, 1, 7]),
            set(0x6d, 5, &[2]),
            next[3].clone(),
        ];
        assert_eq!(left(&mut known, &[next.concat()]), [wanted.concat()]);
    }

    #[test]
    fn loads_from_elsewhere_are_changes() {
        let load = |base: u32, first, count| vec![header(0x65, 4), base, 0, first, count];
        let packets = [
            load(0x1000, 7, 7),
            load(0x1000, 8, 2),
            load(0x1004, 7, 1),
            load(0x1000, 7, 7),
            set(0x6d, 9, &[0]),
            load(0x1000, 7, 7),
        ];
        let left = left(&mut Known::default(), &packets);
        let kept: Vec<bool> = left.iter().map(|words| !words.is_empty()).collect();
        assert_eq!(kept, [true, false, true, true, true, true]);
    }

    #[test]
    fn what_may_write_anything_is_followed_by_all() {
        let mut known = Known::default();
        let instances = |count| vec![header(packets::NUM_INSTANCES, 1), count];
        let stored = vec![header(packets::CP_DMA, 5), 0, 0, 0, 0, 0];
        let packets = [
            [set(0x69, 0, &[5]), instances(1)].concat(),
            [set(0x69, 0, &[5]), instances(1)].concat(),
            instances(2),
            stored.clone(),
            [set(0x69, 0, &[5]), instances(2)].concat(),
        ];
        let wanted = [
            packets[0].clone(),
            Vec::new(),
            instances(2),
            stored,
            packets[4].clone(),
        ];
        assert_eq!(left(&mut known, &packets), wanted);
    }
}
