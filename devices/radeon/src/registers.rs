//! A register file: what a command processor writes and a draw reads.

use std::collections::BTreeSet;
use std::ops::Range;

use isa::Content;

use crate::packets::{Named, Shown, Value, Written, fields};

/// A register, or an array of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Register {
    /// Name. That of an array is the one of its first element; braces stand for the element's number, or else the last 0.
    pub name: &'static str,
    /// Byte address of the first.
    pub address: u32,
    /// How many.
    pub count: u32,
    /// Bytes from one to the next.
    pub stride: u32,
    /// What the word holds, where that is written down.
    pub content: Option<Content>,
}

impl Register {
    /// The number of the element at an address.
    pub fn element(&self, address: u32) -> Option<u32> {
        let distance = address.checked_sub(self.address)?;
        let n = distance / self.stride;
        (n < self.count && n * self.stride == distance).then_some(n)
    }

    /// What the fields of a word say.
    pub fn fields(&self, word: u32) -> Vec<Shown> {
        match self.content {
            Some(Content::Fields(layout)) => fields(layout, word),
            Some(Content::Float) => vec![Shown {
                name: String::new(),
                value: Value::Float(f32::from_bits(word)),
            }],
            None => Vec::new(),
        }
    }

    /// The name of an element.
    pub fn element_name(&self, n: u32) -> String {
        if self.name.contains("{}") {
            return self.name.replacen("{}", &n.to_string(), 1);
        }
        match self.name.rsplit_once('0') {
            Some((head, tail)) if self.count > 1 => format!("{head}{n}{tail}"),
            _ => self.name.to_owned(),
        }
    }
}

/// Declares addresses of registers, and the table of them for dumps.
///
/// A row may say what the word holds (an [`isa::word!`] or `f32`), and be an array with a count and a stride. A row without
/// an address is of a register that is declared elsewhere, without a row.
///
/// ```
/// isa::word! { pub struct CbTargetMask: u32 where { reserved_4: u32 [31:4], target0_enable: u8 [3:0] } }
/// radeon::registers! {
///     pub TABLE:
///     /// Largest index.
///     VGT_MAX_VTX_INDX = 0x28400;
///     CB_TARGET_MASK: CbTargetMask = 0x28238;
///     PA_SC_VPORT_ZMIN_0: f32 = 0x282d0 [16; 8];
///     CB_COLOR0_CLEAR_WORD0 "CB_COLOR{}_CLEAR_WORD0" = 0x28c8c [8; 0x3c];
/// }
/// let name = |address| radeon::registers::find(&[TABLE], address).map(|(row, n)| row.element_name(n));
/// assert_eq!(VGT_MAX_VTX_INDX, 0x28400);
/// assert_eq!(name(0x28400).as_deref(), Some("VGT_MAX_VTX_INDX"));
/// assert_eq!(name(0x282e0).as_deref(), Some("PA_SC_VPORT_ZMIN_2"));
/// assert_eq!(name(0x28cc8).as_deref(), Some("CB_COLOR1_CLEAR_WORD0"));
/// assert_eq!(name(0x282e4), None);
/// ```
#[macro_export]
macro_rules! registers {
    (@address [$($doc:tt)*] [$($layout:ty)?] $name:ident = $address:literal) => {
        $($doc)*
        $(#[doc = concat!("[`", stringify!($layout), "`]")])?
        #[doc = concat!("at ", stringify!($address), ".")]
        pub const $name: u32 = $address;
    };
    (@address [$($doc:tt)*] [$($layout:ty)?] $name:ident) => {};
    ($vis:vis $TABLE:ident: $($(#[$doc:meta])* $name:ident $($shown:literal)? $(: $layout:ty)?
        $(= $address:literal)? $([$count:literal; $stride:literal])?;)*) => {
        $($crate::registers! { @address [$(#[$doc])*] [$($layout)?] $name $(= $address)? })*

        /// These registers.
        $vis const $TABLE: &[$crate::registers::Register] = &[$($crate::registers::Register {
            name: [$($shown,)? stringify!($name)][0],
            address: $name,
            count: [$($count,)? 1][0],
            stride: [$($stride,)? 4][0],
            content: [$(Some(<$layout as $crate::registers::Layout>::CONTENT),)? None][0],
        }),*];
    };
}

pub use isa::Layout;

/// The register at an address, and the number of the element.
pub fn find(tables: &[&'static [Register]], address: u32) -> Option<(&'static Register, u32)> {
    let mut rows = tables.iter().copied().flatten();
    rows.find_map(|row| Some((row, row.element(address)?)))
}

/// The register of a word, with what the word says.
pub fn named(tables: &[&'static [Register]], written: &Written<'_>) -> Option<Named> {
    let (row, n) = find(tables, written.address)?;
    Some(Named {
        name: row.element_name(n),
        fields: row.fields(written.word()),
    })
}

/// The name of a register, or of the one that leads its array.
pub fn name(tables: &[&'static [Register]], address: u32) -> Option<&'static str> {
    let (row, n) = find(tables, address)?;
    (n == 0).then_some(row.name)
}

/// The first register outside all spaces, or at a used address. Tests expect `None`.
pub fn misplaced(tables: &[&'static [Register]], spaces: &[Range<u32>]) -> Option<&'static str> {
    let mut seen = BTreeSet::new();
    let mut rows = tables.iter().copied().flatten();
    let mut fits = |address: u32| {
        let inside = spaces.iter().any(|s| s.contains(&address));
        address.is_multiple_of(4) && inside && seen.insert(address)
    };
    let found = rows.find(|row| {
        let mut elements = (0..row.count).map(|n| row.address + n * row.stride);
        !elements.all(&mut fits)
    });
    found.map(|row| row.name)
}

/// The first row of which nobody says what its words hold and that no reason names, or the first name that needs none.
/// Tests expect `None`.
pub fn unexplained(
    tables: &[&'static [Register]],
    reasons: &[(&'static str, &[&'static str])],
) -> Option<&'static str> {
    let named = |name: &str| reasons.iter().any(|(_, names)| names.contains(&name));
    let bare = |row: &&Register| row.content.is_none();
    let rows = || tables.iter().copied().flatten();
    let row = rows().find(|row| bare(row) != named(row.name));
    let mut names = reasons.iter().flat_map(|(_, names)| names.iter().copied());
    let needless = || names.find(|name| !rows().any(|row| row.name == *name));
    row.map(|row| row.name).or_else(needless)
}

/// Registers of a chip, in the spaces that its packets write. Addresses are byte addresses, a register has 32 bits.
///
/// What a draw is made from is known again by its [`Snapshot`], so that it is decoded once and not for every draw.
#[derive(Clone, Debug)]
pub struct RegisterFile {
    spaces: Vec<Space>,
    /// The number of the space of each register, by word; 255 where there is none.
    owners: Vec<u8>,
    /// Sum over all registers of the state.
    sum: u64,
    /// Writes that changed the state.
    changes: u64,
    /// Those of them that changed what [`RegisterFile::places`] names.
    moves: u64,
    /// Writes that changed what is bound, by the call of [`RegisterFile::bound`] that names the register.
    rebinds: Vec<u64>,
}

#[derive(Clone, Debug)]
struct Space {
    range: Range<u32>,
    words: Vec<u32>,
    role: Role,
}

/// What registers are to draws.
#[derive(Clone, Debug, PartialEq)]
enum Role {
    /// The state. Words that were ever changed.
    State(Range<usize>),
    /// The state, of which only the places on the screen follow. Words that were ever changed.
    Place(Range<usize>),
    /// Resources and constants of a group.
    Bound(usize),
    /// Every draw reads them itself.
    Draw,
}

/// The state of all registers at one time but for those that [`RegisterFile::bound`] and [`RegisterFile::read_by_draws`]
/// name.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    sum: u64,
    /// Words that were ever changed, space by space.
    words: Vec<(Range<usize>, Vec<u32>)>,
}

/// What a register adds to the sum of the state.
#[inline]
fn part(address: u32, value: u32) -> u64 {
    let word = u64::from(address) << 32 | u64::from(value);
    let word = (word ^ word >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (word ^ word >> 32).wrapping_mul(0x94d0_49bb_1331_11eb)
}

impl Space {
    fn new(range: &Range<u32>, role: Role) -> Space {
        Space {
            range: range.clone(),
            words: vec![0; range.len() / 4],
            role,
        }
    }
}

impl RegisterFile {
    /// All zero. Spaces are ranges of byte addresses that do not overlap.
    pub fn new(spaces: &[Range<u32>]) -> RegisterFile {
        let file = RegisterFile {
            spaces: Vec::new(),
            owners: Vec::new(),
            sum: 0,
            changes: 0,
            moves: 0,
            rebinds: Vec::new(),
        };
        file.with(spaces, &Role::State(0..0))
    }

    /// Takes registers out of the state: they hold resources and constants, and changes of them are counted apart, each
    /// call's for itself. They are ranges inside of spaces.
    pub fn bound(mut self, ranges: &[Range<u32>]) -> RegisterFile {
        let group = self.rebinds.len();
        self.rebinds.push(0);
        self.with(ranges, &Role::Bound(group))
    }

    /// Names registers of the state from which nothing follows but where draws go on the screen: other changes are counted
    /// apart. They are ranges inside of spaces.
    pub fn places(self, ranges: &[Range<u32>]) -> RegisterFile {
        self.with(ranges, &Role::Place(0..0))
    }

    /// Takes registers out of the state: every draw reads them itself. They are ranges inside of spaces.
    pub fn read_by_draws(self, ranges: &[Range<u32>]) -> RegisterFile {
        self.with(ranges, &Role::Draw)
    }

    /// Later spaces hold what earlier ones had.
    fn with(mut self, ranges: &[Range<u32>], role: &Role) -> RegisterFile {
        for range in ranges {
            let words = range.start as usize / 4..range.end as usize / 4;
            if self.owners.len() < words.end {
                self.owners.resize(words.end, u8::MAX);
            }
            self.owners[words].fill(self.spaces.len() as u8);
            self.spaces.push(Space::new(range, role.clone()));
        }
        self
    }

    /// The number of the space of a register, and its word there.
    #[inline(always)]
    fn place(&self, address: u32) -> Option<(usize, usize)> {
        let owner = *self.owners.get(address as usize / 4)?;
        let space = self.spaces.get(usize::from(owner))?;
        Some((owner.into(), ((address - space.range.start) / 4) as usize))
    }

    /// Writes a register; false when there is none at the address.
    #[inline]
    pub fn set(&mut self, address: u32, value: u32) -> bool {
        let Some((space, at)) = self.place(address) else {
            return false;
        };
        let Space { words, role, .. } = &mut self.spaces[space];
        let Some(word) = words.get_mut(at) else {
            return false;
        };
        let old = std::mem::replace(word, value);
        if old == value {
            return true;
        }
        self.moves += u64::from(matches!(role, Role::Place(_)));
        match role {
            Role::State(changed) | Role::Place(changed) => {
                *changed = match changed.len() {
                    0 => at..at + 1,
                    _ => changed.start.min(at)..changed.end.max(at + 1),
                };
                let without = self.sum.wrapping_sub(part(address, old));
                self.sum = without.wrapping_add(part(address, value));
                self.changes += 1;
            }
            Role::Bound(group) => {
                if let Some(count) = self.rebinds.get_mut(*group) {
                    *count += 1;
                }
            }
            Role::Draw => {}
        }
        true
    }

    /// The value of a register; 0 where there is none.
    #[inline]
    pub fn get(&self, address: u32) -> u32 {
        let place = self.place(address);
        let word = place.and_then(|(space, at)| self.spaces[space].words.get(at));
        word.copied().unwrap_or(0)
    }

    /// The values of registers that follow each other.
    #[inline]
    pub fn words<const N: usize>(&self, first: u32) -> [u32; N] {
        let word = first as usize / 4;
        let owners = self.owners.get(word..word + N);
        let one = owners.is_some_and(|owners| owners.iter().all(|owner| *owner == owners[0]));
        let place = self.place(first).filter(|_| one);
        let words = place.and_then(|(space, at)| self.spaces[space].words.get(at..at + N));
        let words = words.and_then(|words| words.try_into().ok());
        words.unwrap_or_else(|| std::array::from_fn(|n| self.get(first + 4 * n as u32)))
    }

    /// The value of a register as a float.
    pub fn float(&self, address: u32) -> f32 {
        f32::from_bits(self.get(address))
    }

    /// Sets all registers of a range to zero.
    pub fn clear(&mut self, range: &Range<u32>) {
        for address in range.clone().step_by(4) {
            if self.get(address) != 0 {
                self.set(address, 0);
            }
        }
    }

    /// How often the state has changed.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// How often the state has changed but for places on the screen.
    pub fn changes_but_places(&self) -> u64 {
        self.changes - self.moves
    }

    /// How often what is bound has changed.
    pub fn rebinds(&self) -> u64 {
        self.rebinds.iter().sum()
    }

    /// How often what a call of [`RegisterFile::bound`] names has changed.
    pub fn rebinds_of(&self, group: usize) -> u64 {
        self.rebinds.get(group).copied().unwrap_or(0)
    }

    /// The state, space by space: words that were ever changed.
    fn kept(&self) -> impl Iterator<Item = (&Range<usize>, &[u32])> {
        self.spaces.iter().filter_map(|space| match &space.role {
            Role::State(changed) | Role::Place(changed) => {
                Some((changed, &space.words[changed.clone()]))
            }
            _ => None,
        })
    }

    /// The state.
    pub fn snapshot(&self) -> Snapshot {
        let mut snapshot = Snapshot::default();
        self.snapshot_to(&mut snapshot);
        snapshot
    }

    /// Replaces another snapshot by the state.
    pub fn snapshot_to(&self, snapshot: &mut Snapshot) {
        snapshot.sum = self.sum;
        snapshot
            .words
            .resize_with(self.kept().count(), Default::default);
        for ((range, words), (to, kept)) in self.kept().zip(&mut snapshot.words) {
            to.clone_from(range);
            kept.clear();
            kept.extend_from_slice(words);
        }
    }

    /// Whether the state is that one.
    pub fn is(&self, snapshot: &Snapshot) -> bool {
        let mut kept = self.kept().zip(&snapshot.words);
        self.sum == snapshot.sum
            && kept.all(|(now, (range, words))| now == (range, words.as_slice()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_do_not_mix() {
        let (low, high) = (0x8000..0x9000, 0x2_8000..0x2_8010);
        let mut registers = RegisterFile::new(&[high.clone(), low]);
        assert!(registers.set(0x8ffc, 4));
        assert!(registers.set(0x2_800c, 1f32.to_bits()));
        assert!(!registers.set(0x9000, 1));
        assert!(!registers.set(0x2_8010, 1));
        assert_eq!(registers.get(0x8ffc), 4);
        assert_eq!(registers.float(0x2_800c), 1.0);
        assert_eq!(registers.get(0x7000), 0);
        registers.clear(&high);
        assert_eq!((registers.get(0x2_800c), registers.get(0x8ffc)), (0, 4));
    }

    #[test]
    fn a_state_is_known_again() {
        let (context, rest) = (0x2_8000..0x2_8100, 0x8000..0x8100);
        let registers = RegisterFile::new(&[context.clone(), rest]);
        let mut registers = registers.read_by_draws(std::slice::from_ref(&(0x8010..0x8018)));
        registers.set(0x2_8004, 7);
        registers.set(0x8000, 1);
        let first = registers.snapshot();
        assert!(registers.is(&first));
        let changes = registers.changes();
        for (address, value) in [(0x8010, 5), (0x8014, 9), (0x2_8004, 7)] {
            assert!(registers.set(address, value));
            assert_eq!(registers.get(address), value);
        }
        assert!(registers.is(&first) && registers.changes() == changes);
        for address in [0x2_8004, 0x8000] {
            let old = registers.get(address);
            registers.set(address, old + 1);
            assert!(!registers.is(&first) && registers.changes() > changes);
            registers.set(address, old);
            assert!(registers.is(&first));
        }
        // Two values that are exchanged.
        registers.set(0x8000, 7);
        registers.set(0x2_8004, 1);
        assert!(!registers.is(&first));
        registers.clear(&context);
        registers.set(0x8000, 1);
        assert!(!registers.is(&first));
        // What is bound is counted apart.
        let mut registers = registers.bound(std::slice::from_ref(&(0x2_8040..0x2_8048)));
        let (changes, rebinds) = (registers.changes(), registers.rebinds());
        assert!(registers.set(0x2_8044, 3) && registers.set(0x2_8044, 3));
        assert_eq!((registers.get(0x2_8044), registers.get(0x2_8048)), (3, 0));
        assert_eq!((registers.rebinds_of(0), registers.rebinds_of(1)), (1, 0));
        assert_eq!(registers.words(0x2_8004), [registers.get(0x2_8004), 0]);
        assert_eq!(registers.words(0x2_8040), [0, 3, 0]);
        assert_eq!(
            (registers.changes(), registers.rebinds()),
            (changes, rebinds + 1)
        );
        // Of places on the screen nothing else follows.
        let mut registers = registers.places(std::slice::from_ref(&(0x2_8050..0x2_8054)));
        let counts =
            |registers: &RegisterFile| (registers.changes(), registers.changes_but_places());
        let (changes, others) = counts(&registers);
        registers.set(0x2_8050, 3);
        assert_eq!(counts(&registers), (changes + 1, others));
        registers.set(0x2_8054, 3);
        assert_eq!(counts(&registers), (changes + 2, others + 1));
        let moved = registers.snapshot();
        registers.set(0x2_8050, 4);
        assert!(!registers.is(&moved));
        registers.set(0x2_8050, 3);
        assert!(registers.is(&moved));
        // A register that was never written before is a state of its own.
        registers.set(0x2_8004, 7);
        registers.set(0x2_8080, 1);
        registers.set(0x2_8080, 0);
        assert!(!registers.is(&first) && registers.is(&registers.snapshot()));
    }
}
