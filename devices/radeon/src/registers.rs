//! A register file: what a command processor writes and a draw reads.

use std::collections::BTreeSet;
use std::ops::Range;

/// Declares addresses of registers, and the table of them that gives names to dumps.
///
/// ```
/// radeon::registers! {
///     pub TABLE:
///     /// Largest index.
///     VGT_MAX_VTX_INDX = 0x28400;
/// }
/// assert_eq!(radeon::registers::name(&[TABLE], VGT_MAX_VTX_INDX), Some("VGT_MAX_VTX_INDX"));
/// ```
#[macro_export]
macro_rules! registers {
    ($vis:vis $TABLE:ident: $($(#[$doc:meta])* $name:ident = $address:literal;)*) => {
        $($(#[$doc])* pub const $name: u32 = $address;)*

        /// Addresses and names of these registers.
        $vis const $TABLE: &[(u32, &str)] = &[$(($address, stringify!($name))),*];
    };
}

/// The name of a register, or of the one that leads its array.
pub fn name(tables: &[&[(u32, &'static str)]], address: u32) -> Option<&'static str> {
    let mut rows = tables.iter().copied().flatten();
    rows.find(|(own, _)| *own == address).map(|(_, name)| *name)
}

/// The first register outside all spaces, or at a used address. Tests expect `None`.
pub fn misplaced(tables: &[&[(u32, &'static str)]], spaces: &[Range<u32>]) -> Option<&'static str> {
    let mut seen = BTreeSet::new();
    let mut rows = tables.iter().copied().flatten();
    let fits =
        |address: &u32| address.is_multiple_of(4) && spaces.iter().any(|s| s.contains(address));
    let found = rows.find(|(address, _)| !fits(address) || !seen.insert(*address));
    found.map(|(_, name)| *name)
}

/// Registers of a chip, in the spaces that its packets write. Addresses are byte addresses, a register has 32 bits.
#[derive(Clone, Debug)]
pub struct RegisterFile {
    spaces: Vec<(Range<u32>, Vec<u32>)>,
}

impl RegisterFile {
    /// All zero. Spaces are ranges of byte addresses that do not overlap; one that is used often should come first.
    pub fn new(spaces: &[Range<u32>]) -> RegisterFile {
        let words = |range: &Range<u32>| vec![0; range.len() / 4];
        RegisterFile {
            spaces: spaces.iter().map(|s| (s.clone(), words(s))).collect(),
        }
    }

    /// Writes a register; false when there is none at the address.
    pub fn set(&mut self, address: u32, value: u32) -> bool {
        self.spaces
            .iter_mut()
            .find(|(space, _)| space.contains(&address))
            .and_then(|(space, words)| words.get_mut(((address - space.start) / 4) as usize))
            .map(|slot| *slot = value)
            .is_some()
    }

    /// The value of a register; 0 where there is none.
    #[inline]
    pub fn get(&self, address: u32) -> u32 {
        self.spaces
            .iter()
            .find(|(space, _)| space.contains(&address))
            .and_then(|(space, words)| words.get(((address - space.start) / 4) as usize))
            .copied()
            .unwrap_or(0)
    }

    /// The value of a register as a float.
    pub fn float(&self, address: u32) -> f32 {
        f32::from_bits(self.get(address))
    }

    /// Sets all registers of the space that starts where this one does to zero.
    pub fn clear(&mut self, space: &Range<u32>) {
        for (_, words) in self.spaces.iter_mut().filter(|(own, _)| own == space) {
            words.fill(0);
        }
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
}
