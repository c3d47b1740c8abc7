//! What type 3 packets are called and what their bodies hold: a row a packet, of parts in order.

use isa::Field;

use super::Printer;

/// A part of a body.
#[derive(Clone, Copy, Debug)]
pub enum Part {
    /// A word.
    Word(&'static str),
    /// A word of fields.
    Fields(&'static str, &'static [Field]),
    /// An address: a word, then the high 16 bits.
    Address(&'static str),
    /// A word of two signed halves, the high one first.
    Halves(&'static str, &'static str),
    /// Such words to the end of the body.
    EachHalves(&'static str, &'static str),
    /// The word of the register at an address.
    Register(u32),
    /// Words of registers from this address on, to the end of the body.
    Registers(u32),
    /// A word offset in a space of registers that starts here, and words of registers to the end of the body.
    Set(u32),
    /// An address where memory is laid out as the space of registers that starts here is; then a word offset and a number of
    /// registers of every run.
    Load(u32),
    /// Address and words of a stream that runs in between.
    Stream,
    /// What the chip prints itself: returns how many words it took.
    Own(fn(&mut Printer<'_>, &[u32]) -> usize),
    /// What some packets have.
    Optional(&'static Part),
    /// Words to the end of the body.
    Rest(&'static str),
}

impl Part {
    /// Whether the body may end before it.
    pub const fn is_optional(&self) -> bool {
        matches!(
            self,
            Part::Rest(_) | Part::EachHalves(..) | Part::Registers(_) | Part::Optional(_)
        )
    }
}

/// A row of a table of packets.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Name of the packet.
    pub name: &'static str,
    /// Opcode.
    pub opcode: u8,
    /// The body in the manual's words.
    pub body: &'static str,
    /// The same, for dumps.
    pub parts: &'static [Part],
}

/// Declares opcodes of type 3 packets and the table of them. Names that are no identifiers follow `as`.
///
/// ```
/// radeon::packets! {
///     pub TABLE:
///     NUM_INSTANCES = 0x2f "count" [Word("NUM_INSTANCES")];
///     DRAW_VBUF = 0x28 as "3D_DRAW_VBUF" "format, VAP_VF_CNTL" [Word("VAP_VTX_FMT"), Register(0x2084)];
/// }
/// assert_eq!((NUM_INSTANCES, TABLE[1].name), (0x2f, "3D_DRAW_VBUF"));
/// ```
#[macro_export]
macro_rules! packets {
    ($vis:vis $TABLE:ident: $(
        $name:ident = $opcode:literal $(as $shown:literal)? $body:literal [$($part:expr),* $(,)?];
    )*) => {
        $(
            #[doc = concat!("`", $body, "`")]
            pub const $name: u8 = $opcode;
        )*

        /// These packets.
        $vis const $TABLE: &[$crate::packets::Row] = &[$($crate::packets::Row {
            name: [$($shown,)? stringify!($name)][0],
            opcode: $opcode,
            body: $body,
            parts: {
                #[allow(unused_imports)]
                use $crate::packets::Part::*;
                &[$($part),*]
            },
        }),*];
    };
}
