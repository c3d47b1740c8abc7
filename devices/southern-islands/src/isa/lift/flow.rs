//! Which instructions a program can reach, and in which modes.

use std::collections::{BTreeMap, BTreeSet};

use super::super::decode::{Inst, decode};
use super::super::scalar::{Condition, Sem, SemC, SemK, SemP};
use super::super::words::{Sopk, Sopp};
use super::{LiftError, MAX_STATES, Mode};

/// An instruction in a mode. The order is that of the lifted program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    pub(super) mode: Mode,
    /// Index of the first word; outside the program for a branch that leaves it.
    pub(super) pc: i64,
}

/// How control leaves an instruction, beside falling to the next.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Next {
    /// It does not.
    Straight,
    /// To the target of a branch.
    Target(Key),
    /// To the next instruction, in the mode whose bits under `mask` the program computed.
    Modes { mask: u32, variants: Vec<Key> },
    /// To an address in registers.
    Indirect,
}

/// One reachable instruction.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Site {
    pub(super) inst: Result<Inst, String>,
    pub(super) word: u32,
    pub(super) words: usize,
    pub(super) next: Next,
    /// Where control goes when it does nothing else.
    pub(super) falls_to: Option<Key>,
}

/// All reachable instructions.
#[derive(Debug)]
pub(super) struct Flow {
    pub(super) sites: BTreeMap<Key, Site>,
    /// Instructions that something jumps to, with the number of instructions up to the next one or a jump.
    pub(super) leaders: BTreeMap<Key, u32>,
    /// Whether the program jumps to addresses in registers, so that every instruction is an entry.
    pub(super) indirect: bool,
    /// Whether the program reads or writes MODE.
    pub(super) reads_mode: bool,
    modes: Vec<Mode>,
}

impl Flow {
    /// `handler` is the index of the trap handler's first word, 0 if there is none.
    pub(super) fn discover(words: &[u32], mode: Mode, handler: usize) -> Result<Flow, LiftError> {
        let mut flow = Flow {
            sites: BTreeMap::new(),
            leaders: BTreeMap::new(),
            indirect: false,
            reads_mode: false,
            modes: Vec::new(),
        };
        let mut targets = BTreeSet::new();
        let mut work = vec![Key { mode, pc: 0 }];
        targets.insert(work[0]);
        let mut swept = BTreeSet::new();
        while let Some(key) = work.pop() {
            if flow.sites.contains_key(&key) {
                continue;
            }
            if flow.sites.len() >= MAX_STATES {
                return Err(LiftError::TooLarge { limit: MAX_STATES });
            }
            let site = flow.site(words, key);
            work.extend(site.falls_to);
            match &site.next {
                Next::Straight => {}
                Next::Target(target) => {
                    work.push(*target);
                    targets.insert(*target);
                    targets.extend(site.falls_to);
                }
                Next::Modes { variants, .. } => {
                    work.extend(variants);
                    targets.extend(variants);
                }
                Next::Indirect => {
                    flow.indirect = true;
                    targets.extend(site.falls_to);
                    if swept.insert(key.mode) {
                        let found = sweep(words, 0).chain(sweep(words, handler));
                        work.extend(found.map(|pc| Key { mode: key.mode, pc }));
                    }
                }
            }
            flow.sites.insert(key, site);
        }
        if flow.indirect {
            targets.extend(flow.sites.keys());
        }
        flow.count(targets);
        let modes: BTreeSet<Mode> = flow.sites.keys().map(|key| key.mode).collect();
        flow.modes = modes.into_iter().collect();
        Ok(flow)
    }

    /// A small number that stands for a mode in the high bits of an address.
    pub(super) fn tag(&self, mode: Mode) -> u64 {
        self.modes.binary_search(&mode).unwrap_or(0) as u64
    }

    fn site(&mut self, words: &[u32], key: Key) -> Site {
        let rest = usize::try_from(key.pc).ok().and_then(|pc| words.get(pc..));
        let (inst, count) = match rest {
            None | Some([]) => (Err("the program counter left the program".to_owned()), 1),
            Some(rest) => match decode(rest) {
                Ok((inst, count)) => (Ok(inst), count),
                Err(error) => (Err(error.to_string()), 1),
            },
        };
        let mut site = Site {
            word: rest.and_then(|rest| rest.first()).copied().unwrap_or(0),
            words: count,
            next: Next::Straight,
            falls_to: None,
            inst: Err(String::new()),
        };
        let after = Key {
            mode: key.mode,
            pc: key.pc + count as i64,
        };
        if let Ok(inst) = inst {
            site.falls_to = Some(after);
            self.leave(&mut site, after, inst);
        }
        site.inst = inst;
        site
    }

    /// Finds out how control leaves an instruction.
    fn leave(&mut self, site: &mut Site, after: Key, inst: Inst) {
        let target = |simm16: u16| Key {
            pc: after.pc + i64::from(simm16 as i16),
            ..after
        };
        match inst {
            Inst::Sopp(Sopp { op, simm16 }) => match op.sem() {
                SemP::End | SemP::PortHalt => site.falls_to = None,
                SemP::Halt if simm16 & 1 == 1 => site.falls_to = None,
                SemP::Trap => site.next = Next::Indirect,
                SemP::Branch(condition) => {
                    site.next = Next::Target(target(simm16));
                    if condition == Condition::Always {
                        site.falls_to = None;
                    }
                }
                _ => {}
            },
            Inst::Sop1(w, _) => match w.op.sem() {
                Sem::SetPc | Sem::SwapPc | Sem::ReturnFromTrap => {
                    site.next = Next::Indirect;
                    site.falls_to = None;
                }
                Sem::Join => {
                    self.reads_mode = true;
                    site.next = Next::Indirect;
                }
                _ => {}
            },
            Inst::Sop2(w, _) if w.op.sem() == Sem::Fork => {
                self.reads_mode = true;
                site.next = Next::Indirect;
            }
            Inst::Sopk(w, literal) => match w.op.sem() {
                SemK::Fork => {
                    self.reads_mode = true;
                    site.next = Next::Target(target(w.simm16));
                }
                SemK::GetReg => self.reads_mode = true,
                SemK::SetReg => self.set_mode(site, after, w, None),
                SemK::SetRegLiteral => self.set_mode(site, after, w, literal),
                _ => {}
            },
            Inst::Sopc(w, _) if w.op.sem() == SemC::SetSkip => {
                self.reads_mode = true;
                site.next = variants(after, Mode::VSKIP);
                site.falls_to = None;
            }
            _ => {}
        }
    }

    fn set_mode(&mut self, site: &mut Site, after: Key, w: Sopk, value: Option<u32>) {
        self.reads_mode = true;
        let field = HwReg::from_word(w.simm16);
        let touched = field.mask() & Mode::TRACKED;
        if field.id != HwReg::MODE || touched == 0 {
            return;
        }
        site.falls_to = None;
        match value {
            Some(value) => {
                let mode = after.mode.0 & !touched | value << field.offset & touched;
                site.falls_to = Some(Key {
                    mode: Mode(mode),
                    ..after
                });
            }
            None => site.next = variants(after, touched),
        }
    }

    /// Turns jump targets into leaders with their instruction counts.
    fn count(&mut self, mut targets: BTreeSet<Key>) {
        // A fall to an instruction that does not come next in the lifted program is a jump.
        let mut keys = self.sites.iter().peekable();
        while let Some((_, site)) = keys.next() {
            if let Some(next) = site.falls_to
                && keys.peek().map(|(key, _)| **key) != Some(next)
            {
                targets.insert(next);
            }
        }
        for &leader in &targets {
            let mut count = 1;
            let mut at = leader;
            while let Some(next) = self.sites.get(&at).and_then(|site| site.falls_to) {
                if targets.contains(&next) {
                    break;
                }
                count += 1;
                at = next;
            }
            self.leaders.insert(leader, count);
        }
    }
}

/// The next instruction in every mode that differs in bits of `mask`.
fn variants(after: Key, mask: u32) -> Next {
    let mut variants = Vec::new();
    let mut bits = 0u32;
    loop {
        variants.push(Key {
            mode: Mode(after.mode.0 & !mask | bits),
            ..after
        });
        // The next subset of the mask.
        bits = bits.wrapping_sub(mask) & mask;
        if bits == 0 {
            return Next::Modes { mask, variants };
        }
    }
}

/// Where the instructions of a program lie when it is read from `start` without jumping: up to the first word that is
/// none, or to memory that nothing was written to.
fn sweep(words: &[u32], start: usize) -> impl Iterator<Item = i64> {
    const EMPTY: usize = 16;
    let mut pc = start;
    std::iter::from_fn(move || {
        let rest = words.get(pc..)?;
        if rest.iter().take(EMPTY).all(|word| *word == 0) {
            return None;
        }
        let (_, count) = decode(rest).ok()?;
        let this = pc as i64;
        pc += count;
        Some(this)
    })
}

/// The constant of S_GETREG and S_SETREG. [SI 5.7]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HwReg {
    /// Which register.
    pub(crate) id: u32,
    /// First bit.
    pub(crate) offset: u32,
    /// Number of bits, 1 to 32.
    pub(crate) size: u32,
}

impl HwReg {
    pub(crate) const MODE: u32 = 1;
    pub(crate) const STATUS: u32 = 2;
    pub(crate) const GPR_ALLOC: u32 = 5;

    pub(crate) const fn from_word(simm16: u16) -> HwReg {
        HwReg {
            id: simm16 as u32 & 63,
            offset: simm16 as u32 >> 6 & 31,
            size: (simm16 as u32 >> 11) + 1,
        }
    }

    /// The bits of the register that are meant.
    pub(crate) const fn mask(self) -> u32 {
        (u32::MAX >> (32 - self.size)) << self.offset
    }
}
