//! Machine code of control: a wave alone goes from block to block without coming back. A block that is not all machine code,
//! and a control step that is not a tick, a branch or nothing, end the way.

use super::assembler::{Assembler, RSI};
use super::memory::Entry;
use super::scalars;
use crate::batch::link::{Link, Onward};
use crate::step::{Step, When};

/// Machine code of a part of a block.
pub(super) enum Part<'a> {
    /// Written in place.
    Scalars(&'a [Step]),
    /// Functions for all lanes and for some, which do something with no lane enabled only if they `always` do.
    Machine {
        all: Entry,
        some: Entry,
        always: bool,
    },
}

/// Where the code of each block begins.
#[derive(Clone, Debug, Default)]
pub(super) struct Chain {
    /// The function that goes to a block: see [`super::memory::Executable::follow`].
    enter: Option<Entry>,
    /// Blocks that go on to others.
    blocks: Vec<Option<Entry>>,
}

impl Chain {
    /// The function, and the place of a block in it.
    #[inline(always)]
    pub(super) fn at(&self, block: usize) -> Option<[Entry; 2]> {
        Some([self.enter?, (*self.blocks.get(block)?)?])
    }
}

/// Conditions of jumps.
const ABOVE: u8 = 0x87;
const EQUAL: u8 = 0x84;
const NOT_EQUAL: u8 = 0x85;

/// A distance of 32 bits that ends at a place, to the code of a block or to the way out of one whose steps are done.
enum Wanted {
    Block(usize),
    Out(usize),
}

/// Writes the code of blocks. `parts` are those of a block if all of it is machine code. Rows lie in RBX, scalars in RSI,
/// the [`crate::batch::Account`] in RBP and its parts in R12 (instructions), R13 (cost) and R14 (room).
pub(super) fn write<'a>(
    asm: &mut Assembler,
    exec: u16,
    links: &[Link],
    parts: impl Fn(&Link) -> Option<Vec<Part<'a>>>,
) -> Chain {
    let goes_on = |link: &Link| !matches!(link.then, Onward::Out);
    let parts: Vec<Option<Vec<Part>>> = links.iter().map(&parts).collect();
    let may = |at: usize| parts[at].is_some() && goes_on(&links[at]);
    // A way of one block is no shorter than the block.
    if !(0..links.len()).any(|at| may(at) && onward(at, &links[at]).any(may)) {
        return Chain::default();
    }
    let enter = Entry::here(asm);
    // push rbx, rbp, r12, r13, r14; mov rbx, rdi; mov rbp, rdx
    asm.bytes(&[0x53, 0x55, 0x41, 0x54, 0x41, 0x55, 0x41, 0x56]);
    asm.bytes(&[0x48, 0x89, 0xfb, 0x48, 0x89, 0xd5]);
    // mov r12, [rdx]; mov r13, [rdx + 8]; mov r14, [rdx + 16]; jmp rcx
    asm.bytes(&[0x4c, 0x8b, 0x22, 0x4c, 0x8b, 0x6a, 8, 0x4c, 0x8b, 0x72, 16]);
    asm.bytes(&[0xff, 0xe1]);
    let leave = asm.here();
    // mov [rbp], r12; mov [rbp + 8], r13; pop r14, r13, r12, rbp, rbx
    asm.bytes(&[0x4c, 0x89, 0x65, 0, 0x4c, 0x89, 0x6d, 8]);
    asm.bytes(&[0x41, 0x5e, 0x41, 0x5d, 0x41, 0x5c, 0x5d, 0x5b]);
    asm.leave();
    let out = |asm: &mut Assembler, block: usize, done: bool| {
        asm.bytes(&[0xb8]);
        asm.word(2 * block as i32 + i32::from(done));
        asm.go(&[0xe9], leave);
    };

    let mut places = Vec::new();
    let mut wanted = Vec::new();
    for (at, link) in links.iter().enumerate() {
        places.push(Entry::here(asm));
        let Some(parts) = &parts[at] else {
            out(asm, at, false);
            continue;
        };
        for part in parts {
            match *part {
                Part::Scalars(steps) => scalars::steps(asm, steps),
                Part::Machine { all, some, always } => asm.call_part(exec, all, some, always),
            }
        }
        match link.then {
            Onward::Next => {}
            Onward::Tick { instructions, cost } => {
                // lea rax, [r13 + cost]; cmp rax, r14; ja; mov r13, rax; add r12, instructions
                asm.bytes(&[0x49, 0x8d, 0x85]);
                asm.word(cost);
                asm.bytes(&[0x4c, 0x39, 0xf0]);
                asm.jump(Some(ABOVE), Wanted::Out(at), &mut wanted);
                asm.bytes(&[0x49, 0x89, 0xc5, 0x49, 0x81, 0xc4]);
                asm.word(instructions);
            }
            Onward::Branch { when, to } => {
                let condition = asm.compare(when);
                asm.jump(condition, Wanted::Block(to as usize), &mut wanted);
            }
            Onward::Out => out(asm, at, true),
        }
    }
    let mut outs = std::collections::BTreeMap::new();
    for (place, to) in wanted {
        let to = match to {
            Wanted::Block(at) => places[at].offset(),
            Wanted::Out(at) => *outs.entry(at).or_insert_with(|| {
                let here = asm.here();
                out(asm, at, true);
                here
            }),
        };
        asm.set_distance(place, to);
    }
    let blocks = places.into_iter().enumerate();
    let blocks = blocks.map(|(at, place)| may(at).then_some(place)).collect();
    let enter = Some(enter);
    Chain { enter, blocks }
}

/// Blocks that follow a block.
fn onward(at: usize, link: &Link) -> impl Iterator<Item = usize> {
    let (next, to) = match link.then {
        Onward::Next | Onward::Tick { .. } => (true, None),
        Onward::Branch { when, to } => (when != When::Always, Some(to as usize)),
        Onward::Out => (false, None),
    };
    next.then_some(at + 1).into_iter().chain(to)
}

impl Assembler {
    /// A jump or call to a place that is known.
    fn go(&mut self, opcode: &[u8], to: usize) {
        self.bytes(opcode);
        let place = self.here();
        self.word(0);
        self.set_distance(place, to);
    }

    /// A jump to a place that is not known yet.
    fn jump(&mut self, condition: Option<u8>, to: Wanted, wanted: &mut Vec<(usize, Wanted)>) {
        match condition {
            Some(condition) => self.bytes(&[0x0f, condition]),
            None => self.bytes(&[0xe9]),
        }
        wanted.push((self.here(), to));
        self.word(0);
    }

    /// Compares for a branch; returns the condition of its jump.
    fn compare(&mut self, when: When) -> Option<u8> {
        let (wide, at, condition) = match when {
            When::Always => return None,
            When::Zero(at) => (false, at, EQUAL),
            When::NonZero(at) => (false, at, NOT_EQUAL),
            When::MaskZero(at) => (true, at, EQUAL),
            When::MaskNonZero(at) => (true, at, NOT_EQUAL),
        };
        // cmp [rsi + 4 at], 0
        self.bytes(&[0x48][..usize::from(wide)]);
        self.bytes(&[0x83, 0xb8 | RSI]);
        self.word(i32::from(at) * 4);
        self.bytes(&[0]);
        Some(condition)
    }

    /// Calls a part for the lanes that are enabled.
    fn call_part(&mut self, exec: u16, all: Entry, some: Entry, always: bool) {
        // mov rdx, [rsi + 4 exec]; mov rdi, rbx; cmp rdx, -1; je
        self.bytes(&[0x48, 0x8b, 0x96]);
        self.word(i32::from(exec) * 4);
        self.bytes(&[0x48, 0x89, 0xdf, 0x48, 0x83, 0xfa, 0xff]);
        const CALL: u8 = 5;
        const TEST: u8 = 5;
        let tested = if always { 0 } else { TEST };
        self.bytes(&[0x74, tested + CALL + 2]);
        if !always {
            // test rdx, rdx; je
            self.bytes(&[0x48, 0x85, 0xd2, 0x74, 2 * CALL + 2]);
        }
        self.go(&[0xe8], some.offset());
        self.bytes(&[0xeb, CALL]);
        self.go(&[0xe8], all.offset());
    }
}
