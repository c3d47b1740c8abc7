//! Words of pixels behind the output registers. [Rogue 12.2]
//!
//! The guide has tile buffers in memory for targets that do not fit the output registers, and leaves open how they lie. Here
//! they are words of the tile on the chip: a load, or a tiled store, whose high address word is all ones names those of its
//! own pixel and sample, four bytes each from `tiled_ld_comp` and `tiled_st_comp` on, four words a component.

use lanes::{LANES, Src, Wave};
use silicon::fragment::mask::merge;
use silicon::host::SimdLevel;

use crate::lift::{
    ACTIVE, Amount, COVERED, File, Input, Lifted, Load, Port, SpecialRegister, Store,
};
use crate::lot::Lot;
use crate::pbe::{OUTPUT_REGISTERS, PIXEL_WORDS};
use crate::render::Render;
use crate::tile::TileMemory;

/// Words of a pixel that are not in output registers.
const WORDS: usize = (PIXEL_WORDS - OUTPUT_REGISTERS) as usize;
/// High word of their addresses.
pub const HIGH: u32 = u32::MAX;
/// Words that a special register stands for.
pub const COMPONENT: u32 = 4;

/// The special registers of loads and stores, by component.
pub const LOADS: [SpecialRegister; 8] = [
    SpecialRegister::TILED_LD_COMP0,
    SpecialRegister::TILED_LD_COMP1,
    SpecialRegister::TILED_LD_COMP2,
    SpecialRegister::TILED_LD_COMP3,
    SpecialRegister::TILED_LD_COMP4,
    SpecialRegister::TILED_LD_COMP5,
    SpecialRegister::TILED_LD_COMP6,
    SpecialRegister::TILED_LD_COMP7,
];
/// The same of stores.
pub const STORES: [SpecialRegister; 8] = [
    SpecialRegister::TILED_ST_COMP0,
    SpecialRegister::TILED_ST_COMP1,
    SpecialRegister::TILED_ST_COMP2,
    SpecialRegister::TILED_ST_COMP3,
    SpecialRegister::TILED_ST_COMP4,
    SpecialRegister::TILED_ST_COMP5,
    SpecialRegister::TILED_ST_COMP6,
    SpecialRegister::TILED_ST_COMP7,
];

/// Low word of the address that a special register holds.
pub fn offset(register: SpecialRegister) -> Option<u32> {
    let at = |all: &[SpecialRegister]| all.iter().position(|found| *found == register);
    let component = at(&LOADS).or_else(|| at(&STORES))?;
    Some(4 * COMPONENT * component as u32)
}

/// Whether a program loads words of its pixels, and whether it stores some.
pub fn used(lifted: &Lifted) -> [bool; 2] {
    let named = |register: &SpecialRegister| {
        let input = Input::Special(register.code());
        lifted.layout.inputs.contains_key(&input)
    };
    [LOADS, STORES].map(|all| all.iter().any(named))
}

/// What a wave has stored, to be handed over with its output registers.
pub struct Stored {
    written: u32,
    rows: Box<[[u32; LANES]; WORDS]>,
}

impl Default for Stored {
    fn default() -> Stored {
        Stored {
            written: 0,
            rows: Box::new([[0; LANES]; WORDS]),
        }
    }
}

/// The first word, where the address is one of the pixel's.
fn word(wave: &Wave, [low, high]: [Src; 2], count: Amount) -> Option<(usize, usize)> {
    let lane = wave.mask(ACTIVE).trailing_zeros() as usize;
    let value = |source: Src| match source {
        Src::Row(row) => wave.rows[usize::from(row)].0.get(lane).copied(),
        other => Some(wave.uniform(other)),
    };
    let (HIGH, Amount::Number(count)) = (value(high)?, count) else {
        return None;
    };
    let first = value(low)? as usize / 4;
    let inside = first + usize::from(count) <= WORDS;
    inside.then_some((first, count.into()))
}

impl Stored {
    /// Nothing is stored yet.
    pub fn begin(&mut self) {
        self.written = 0;
    }

    /// Serves a load or a store of words of the pixels; false for others.
    pub(crate) fn serve(
        &mut self,
        render: &Render,
        port: &Port,
        wave: &mut Wave,
        pixels: (&Lot, &TileMemory),
    ) -> bool {
        match port {
            Port::Load(load) => self.load(render, load, wave, pixels).is_some(),
            Port::Store(store) => self.store(render, store, wave, pixels).is_some(),
            _ => false,
        }
    }

    fn load(
        &self,
        render: &Render,
        load: &Load,
        wave: &mut Wave,
        pixels: (&Lot, &TileMemory),
    ) -> Option<()> {
        let (first, count) = word(wave, load.address, load.words)?;
        let File::Rows { first: to, end } = load.to else {
            return None;
        };
        let mask = wave.mask(ACTIVE);
        for (n, to) in (first..first + count).zip(to..end) {
            let mut row = [0; LANES];
            let register = OUTPUT_REGISTERS as usize + n;
            match self.written >> n & 1 {
                1 => row = self.rows[n],
                _ => render.read(pixels, register, &mut row),
            }
            merge(render.level, mask, &row, &mut wave.rows[usize::from(to)].0);
        }
        Some(())
    }

    fn store(
        &mut self,
        render: &Render,
        store: &Store,
        wave: &Wave,
        (lot, tile): (&Lot, &TileMemory),
    ) -> Option<()> {
        let (first, count) = word(wave, store.address, store.items).filter(|_| store.tiled)?;
        let (File::Rows { first: from, end }, 4) = (store.from, store.size) else {
            return None;
        };
        let wanted = match store.mask {
            Some(Src::Row(row)) => {
                let words = wave.rows[usize::from(row)].0.iter().enumerate();
                words.fold(0, |mask, (lane, word)| mask | u64::from(*word != 0) << lane)
            }
            Some(other) if wave.uniform(other) == 0 => 0,
            _ => u64::MAX,
        };
        let mask = wave.mask(ACTIVE) & wave.mask(COVERED) & wanted;
        for (n, from) in (first..first + count).zip(from..end) {
            let register = OUTPUT_REGISTERS as usize + n;
            if self.written >> n & 1 == 0 && register < tile.registers() {
                lot.read(tile, register, &mut self.rows[n]);
            }
            let row = &wave.rows[usize::from(from)].0;
            merge(render.level, mask, row, &mut self.rows[n]);
            self.written |= 1 << n;
        }
        Some(())
    }

    /// Hands what was stored over in the lanes of each sample.
    pub(crate) fn hand_over(
        &self,
        level: SimdLevel,
        lot: &Lot,
        masks: &[u64],
        tile: &mut TileMemory,
    ) {
        for (n, row) in self.rows.iter().enumerate() {
            let register = OUTPUT_REGISTERS as usize + n;
            if self.written >> n & 1 == 1 && register < tile.registers() {
                lot.write(level, tile, register, masks, row);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_are_four_words_apart() {
        for all in [LOADS, STORES] {
            for (n, register) in (0..).zip(all) {
                assert_eq!(offset(register), Some(16 * n));
            }
        }
        assert_eq!(offset(SpecialRegister::FACE_ORIENT), None);
    }
}
