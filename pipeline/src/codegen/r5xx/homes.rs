//! Which values lie in one vector.
//!
//! A home is a vector of up to four values. Values that are used as a vector move into one home as long as there is room.

use std::collections::HashMap;

use crate::ir::Value;

/// Number of a home.
pub type Home = usize;

#[derive(Clone, Debug)]
struct Room {
    values: Vec<Value>,
    /// Where the values went.
    moved: Option<Home>,
}

/// All homes.
#[derive(Clone, Debug, Default)]
pub struct Homes {
    rooms: Vec<Room>,
    of: HashMap<Value, Home>,
}

impl Homes {
    /// Gives a value a home of its own.
    pub fn add(&mut self, value: Value) {
        self.of.insert(value, self.rooms.len());
        self.rooms.push(Room {
            values: vec![value],
            moved: None,
        });
    }

    /// The home of a value.
    pub fn of(&self, value: Value) -> Option<Home> {
        let mut home = *self.of.get(&value)?;
        while let Some(next) = self.rooms[home].moved {
            home = next;
        }
        Some(home)
    }

    /// Home and component of a value.
    pub fn component(&self, value: Value) -> Option<(Home, u8)> {
        let home = self.of(value)?;
        let at = self.rooms[home].values.iter().position(|v| *v == value)?;
        Some((home, at as u8))
    }

    /// Components of a home.
    pub fn width(&self, home: Home) -> u8 {
        self.rooms[home].values.len() as u8
    }

    /// Whether these values lie in one home, moving them there if there is room.
    pub fn join(&mut self, values: &[Value]) -> bool {
        let mut homes: Vec<Home> = Vec::new();
        for value in values {
            let Some(home) = self.of(*value) else {
                return false;
            };
            if !homes.contains(&home) {
                homes.push(home);
            }
        }
        let total: usize = homes
            .iter()
            .map(|home| self.rooms[*home].values.len())
            .sum();
        if homes.len() > 1 && total > 4 {
            return false;
        }
        for home in homes.iter().skip(1) {
            let values = std::mem::take(&mut self.rooms[*home].values);
            self.rooms[homes[0]].values.extend(values);
            self.rooms[*home].moved = Some(homes[0]);
        }
        true
    }
}
