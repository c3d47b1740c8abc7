//! Which registers the slots of a group carry, and what its network selects.

use super::operation::{is_feed, ordered, split};

/// Registers of slots, and what the network selects.
#[derive(Default)]
pub(super) struct Binds {
    pub(super) slots: [Option<String>; 6],
    pub(super) is0: Option<usize>,
    pub(super) is1: &'static str,
    pub(super) is2: &'static str,
    pub(super) is3: String,
    pub(super) w: [Option<String>; 2],
    pub(super) feeds: [Option<String>; 2],
}

impl Binds {
    /// An operand of a phase in its slot.
    pub(super) fn take(&mut self, slot: usize, operand: &str) -> Result<String, String> {
        let (register, mods) = split(operand);
        let register = if register == "_" { "c0" } else { register };
        if let Some(n) = register
            .strip_prefix('s')
            .and_then(|n| n.parse::<usize>().ok())
        {
            // Slots by their own names.
            return Ok(format!("s{n}{}", ordered(mods)));
        }
        match &self.slots[slot] {
            Some(other) if other != register => {
                return Err(format!("S{slot} is {other} and cannot be {register}"));
            }
            _ => self.slots[slot] = Some(register.to_owned()),
        }
        Ok(format!("s{slot}{}", ordered(mods)))
    }

    /// IS0 carries a register.
    pub(super) fn external(&mut self, register: &str) -> Result<(), String> {
        let found = self
            .slots
            .iter()
            .position(|slot| slot.as_deref() == Some(register));
        let special = register.starts_with("sr");
        let plain =
            register.starts_with('r') || register.starts_with("vi") || register.starts_with('c');
        let order: &[usize] = match (special, plain && !register.starts_with("cf")) {
            (true, _) => &[1, 2, 4],
            (_, true) => &[0, 1, 2, 3, 4, 5],
            _ => &[0, 2, 3],
        };
        let free = order
            .iter()
            .copied()
            .find(|slot| self.slots[*slot].is_none());
        let second = |is0: usize| self.slots[is0].as_deref() != Some(register);
        if self.is0.is_some_and(second) {
            return Err(format!(
                "one register beside the phases' own can be read, and {register} is the second"
            ));
        }
        let slot = found.or(free);
        let slot = slot.ok_or_else(|| format!("no slot is left for {register}"))?;
        self.slots[slot] = Some(register.to_owned());
        self.is0 = Some(slot);
        Ok(())
    }

    /// The feed-through that carries an operand.
    pub(super) fn feed(&mut self, operand: &str) -> Result<String, String> {
        let (register, _) = split(operand);
        if is_feed(operand) {
            return Ok(register.to_owned());
        }
        self.external(register)?;
        Ok("fte".to_owned())
    }

    pub(super) fn text(&self) -> String {
        let mut binds = Vec::new();
        for half in [0, 3] {
            let last = (half..half + 3)
                .rev()
                .find(|slot| self.slots[*slot].is_some());
            for slot in half..=last.unwrap_or(half) {
                let register = self.slots[slot].as_deref().unwrap_or("c0");
                binds.push(format!("s{slot}={register}"));
            }
        }
        let is0 = self.is0.unwrap_or(0);
        binds.push(format!("is0=s{is0}"));
        let or = |text: &'static str, default: &'static str| {
            if text.is_empty() { default } else { text }
        };
        binds.push(format!("is1={}", or(self.is1, "ft0")));
        binds.push(format!("is2={}", or(self.is2, "ft1")));
        let is3 = if self.is3.is_empty() {
            "ft0"
        } else {
            &self.is3
        };
        binds.push(format!("is3={is3}"));
        for n in 0..2 {
            let feed = self.feeds[n].as_deref().unwrap_or("ft0");
            binds.push(format!("is{}={feed}", n + 4));
        }
        for (n, w) in self.w.iter().enumerate() {
            if let Some(register) = w {
                binds.push(format!("w{n}={register}"));
            }
        }
        binds.join(", ")
    }
}
