//! The operand network of a main group: which slot a source stands in, and what the group does.

use ::rogue::isa::phase2::{Feed, Selectors};

use super::machine::{Access, Main, Operand};

impl Main {
    /// One phase whose result goes to W0, and nothing else.
    pub fn is_simple(&self) -> bool {
        self.p0.is_some()
            && self.p1.is_none()
            && self.pck.is_none()
            && self.tst.is_none()
            && self.mov.is_none()
            && self.back.is_none()
            && self.extra.is_none()
            && self.selectors == Selectors::default()
            && self.w[1].is_none()
            && self.repeat <= 1
    }

    /// All sources, slots aside.
    pub fn sources(&self) -> impl Iterator<Item = Operand> + '_ {
        let phases = self.p0.iter().chain(&self.p1).flat_map(|phase| &phase.src);
        phases.chain(&self.extra).copied()
    }

    /// Operations that do something.
    pub fn operations(&self) -> u32 {
        let parts = [
            self.p0.is_some(),
            self.p1.is_some(),
            self.pck.is_some(),
            self.tst.is_some(),
            self.mov.is_some(),
            self.back.is_some(),
        ];
        parts.into_iter().map(u32::from).sum()
    }

    /// The registers of S0 to S5, IS0's among them; none where they do not fit. Also says which slot IS0 is.
    pub fn slots(&self) -> Option<([Option<Access>; 6], u8)> {
        let mut slots = [None; 6];
        let mut put = |slot: usize, access: Access| {
            let fits = match access {
                Access::Value(operand) => operand.fits(slot),
                _ => true,
            };
            let free = slots[slot].is_none_or(|held| held == access);
            slots[slot] = Some(access);
            fits && free
        };
        let phases = [(0, &self.p0), (3, &self.p1)];
        for (first, phase) in phases {
            for (n, operand) in phase.iter().flat_map(|phase| &phase.src).enumerate() {
                if !put(first + n, Access::Value(*operand)) {
                    return None;
                }
            }
        }
        for (slot, access) in self.back.iter().flat_map(|back| &back.slots) {
            if !put(usize::from(*slot), *access) {
                return None;
            }
        }
        let Some(extra) = self.extra else {
            return Some((slots, self.selectors.is0));
        };
        let wanted = Some(Access::Value(extra));
        let held = (0..6).find(|&slot| slots[slot] == wanted);
        let order = [1, 2, 4, 5, 3, 0];
        let free = order
            .into_iter()
            .find(|&slot| slots[slot].is_none() && extra.fits(slot));
        let slot = held.or(free)?;
        slots[slot] = wanted;
        Some((slots, slot as u8))
    }
}

/// Where FT0 goes to W0.
pub const fn fed(feed: Feed) -> Selectors {
    Selectors {
        is0: 0,
        is1_fte: false,
        is2_fte: false,
        is3: Feed::FT0,
        is4: feed,
        is5: Feed::FT0,
    }
}
