//! PM4 packets: headers, and registers by the space they lie in. [PM4 packets]

use std::ops::Range;

use radeon::packets::header;

/// A range of register addresses and the packet that writes it.
pub type Space = (Range<u32>, u8);

/// Appends packets to words.
pub struct Packets<'a> {
    /// Where they go.
    pub out: &'a mut Vec<u32>,
    /// The chip's register spaces.
    pub spaces: &'static [Space],
}

impl Packets<'_> {
    /// A packet of type 3.
    pub fn packet(&mut self, opcode: u8, payload: &[u32]) {
        self.out.push(header(opcode, payload.len() as u32));
        self.out.extend_from_slice(payload);
    }

    /// Sets consecutive registers from a byte address on.
    pub fn set(&mut self, register: u32, values: &[u32]) {
        let found = self
            .spaces
            .iter()
            .find(|(space, _)| space.contains(&register));
        let Some((space, opcode)) = found else {
            debug_assert!(false, "{register:#x} is no register");
            return;
        };
        self.out.push(header(*opcode, values.len() as u32 + 1));
        self.out.push((register - space.start) / 4);
        self.out.extend_from_slice(values);
    }
}
