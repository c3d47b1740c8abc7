//! `ops!`: the opcodes of one encoding, one row each.

use crate::InstructionRow;

/// One row of an opcode table.
#[derive(Clone, Copy, Debug)]
pub struct Row<Op, Sem> {
    /// The opcode as an enum.
    pub op: Op,
    /// The manual's spelling.
    pub mnemonic: &'static str,
    /// Opcode number.
    pub code: u16,
    /// Assembly text.
    pub name: &'static str,
    /// Meaning.
    pub sem: Sem,
}

impl<Op, Sem> Row<Op, Sem> {
    /// The row as lists of instructions show it.
    pub fn listed(&self, encoding: &'static str) -> InstructionRow {
        InstructionRow {
            encoding,
            mnemonic: self.mnemonic,
            opcode: self.code.into(),
        }
    }
}

/// Declares an enum of opcodes with numbers, assembly names and meanings.
///
/// ```
/// #[derive(Clone, Copy, Debug, PartialEq)]
/// pub enum Sem { Add, Sub }
/// use Sem::*;
/// isa::ops! {
///     /// Two opcodes.
///     pub enum Op: Sem {
///         V_ADD_F32 = 3 "v_add_f32" Add;
///         V_SUB_F32 = 4 "v_sub_f32" Sub;
///     }
/// }
/// assert_eq!(Op::V_ADD_F32.code(), 3);
/// assert_eq!(Op::from_code(4), Some(Op::V_SUB_F32));
/// assert_eq!(Op::from_name("v_sub_f32").map(Op::sem), Some(Sub));
/// assert_eq!(Op::ROWS[1].mnemonic, "V_SUB_F32");
/// ```
#[macro_export]
macro_rules! ops {
    ($(#[$meta:meta])* $vis:vis enum $Enum:ident: $Sem:ty {
        $($Op:ident = $code:literal $name:literal $sem:expr;)*
    }) => {
        $(#[$meta])*
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u16)]
        $vis enum $Enum { $(#[doc = concat!("`", $name, "`, opcode ", $code, ".")] $Op),* }

        impl $crate::FieldValue for $Enum {
            fn valid(bits: u64, _: u32) -> bool {
                bits <= 0xffff && $Enum::from_code(bits as u16).is_some()
            }
            fn from_field(bits: u64, _: u32) -> $Enum {
                // Only `unpack` gets here, after `valid`.
                $Enum::from_code(bits as u16).unwrap_or($Enum::ALL[0])
            }
            fn into_field(self) -> u64 {
                self.code().into()
            }
        }

        #[allow(dead_code)]
        impl $Enum {
            /// Every opcode, in the manual's order.
            pub const ALL: &'static [$Enum] = &[$($Enum::$Op),*];

            /// Every opcode with its facts, in the manual's order.
            pub const ROWS: &'static [$crate::Row<$Enum, $Sem>] = &[
                $($crate::Row { op: $Enum::$Op, mnemonic: stringify!($Op), code: $code, name: $name, sem: $sem }),*
            ];

            /// The facts of this opcode.
            pub fn row(self) -> &'static $crate::Row<$Enum, $Sem> {
                const ROWS: &[$crate::Row<$Enum, $Sem>] = $Enum::ROWS;
                &ROWS[self as usize]
            }

            /// Opcode number.
            pub const fn code(self) -> u16 {
                match self { $($Enum::$Op => $code),* }
            }

            /// Assembly text.
            pub const fn name(self) -> &'static str {
                match self { $($Enum::$Op => $name),* }
            }

            /// Meaning.
            pub fn sem(self) -> $Sem {
                self.row().sem
            }

            /// The opcode of this number.
            pub const fn from_code(code: u16) -> Option<$Enum> {
                match code { $($code => Some($Enum::$Op),)* _ => None }
            }

            /// The opcode of this assembly text.
            pub fn from_name(name: &str) -> Option<$Enum> {
                match name { $($name => Some($Enum::$Op),)* _ => None }
            }
        }
    };
}
