//! Small fields of instructions, with their texts in the order of their codes. [R5XX 8.4]

macro_rules! codes {
    ($($(#[$meta:meta])* $Name:ident { $($(#[$of:meta])* $Code:ident $text:literal,)* })*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub enum $Name {
            #[default]
            $($(#[$of])* $Code,)*
        }

        impl $Name {
            /// Every value with its text, in the order of codes.
            pub const ALL: &[($Name, &str)] = &[$(($Name::$Code, $text)),*];

            /// The value of a code.
            pub fn from_code(code: u8) -> Option<$Name> {
                Some($Name::ALL.get(usize::from(code))?.0)
            }

            /// The code of the value.
            pub fn code(self) -> u8 {
                self as u8
            }

            /// Text.
            pub fn text(self) -> &'static str {
                $Name::ALL[self as usize].1
            }

            /// The value of this text.
            pub fn from_text(text: &str) -> Option<$Name> {
                Some($Name::ALL.iter().find(|(_, of)| *of == text)?.0)
            }
        }
    )*};
}

codes! {
    /// What an input takes.
    Select {
        /// Source 0.
        Src0 "src0",
        /// Source 1.
        Src1 "src1",
        /// Source 2.
        Src2 "src2",
        /// The result of the presubtract operation.
        Srcp "srcp",
    }
    /// What a channel of an input is.
    Swizzle {
        /// Red.
        R "r",
        /// Green.
        G "g",
        /// Blue.
        B "b",
        /// Alpha.
        A "a",
        /// 0.0
        Zero "0",
        /// 0.5
        Half "h",
        /// 1.0
        One "1",
        /// The code that means nothing; 0.0.
        Unused "_",
    }
    /// What happens to an input.
    Modifier {
        /// Nothing.
        None "",
        /// Its sign changes.
        Neg "-",
        /// Its magnitude.
        Abs "||",
        /// Its negative magnitude.
        Nab "-||",
    }
    /// The presubtract operation.
    Presubtract {
        /// `1 - 2 * src0`
        Bias "bias",
        /// `src1 - src0`
        Sub "sub",
        /// `src1 + src0`
        Add "add",
        /// `1 - src0`
        Inv "inv",
    }
    /// What happens to a result.
    Omod {
        /// Nothing.
        X1 "",
        /// Twice it.
        X2 "_x2",
        /// Four times it.
        X4 "_x4",
        /// Eight times it.
        X8 "_x8",
        /// Half of it.
        D2 "_d2",
        /// A fourth of it.
        D4 "_d4",
        /// An eighth of it.
        D8 "_d8",
        /// Its bits stay, unclamped.
        Raw "_raw",
    }
    /// A comparison with zero.
    Test {
        /// Zero.
        Equal "eq",
        /// Negative.
        Less "lt",
        /// Not negative.
        GreaterEqual "ge",
        /// Not zero.
        NotEqual "ne",
    }
    /// Predicate bits that count.
    PredSelect {
        /// None: all pass.
        None "",
        /// Each channel's own.
        Each "rgba",
        /// Red's.
        R "r",
        /// Green's.
        G "g",
        /// Blue's.
        B "b",
        /// Alpha's.
        A "a",
    }
    /// What a jump does to the address stack.
    AddressOp {
        /// Nothing.
        None "",
        /// Takes its target from it.
        Pop "pop",
        /// Leaves the next address on it.
        Push "push",
    }
    /// What happens to branch counters.
    BranchOp {
        /// Nothing.
        None "",
        /// They fall by the pop count; pixels below zero become active.
        Decr "decr",
        /// They rise; pixels that disagree become inactive.
        Incr "incr",
    }
}

impl Omod {
    /// What the result is multiplied with.
    pub fn factor(self) -> f32 {
        match self {
            Omod::X1 | Omod::Raw => 1.0,
            Omod::X2 => 2.0,
            Omod::X4 => 4.0,
            Omod::X8 => 8.0,
            Omod::D2 => 0.5,
            Omod::D4 => 0.25,
            Omod::D8 => 0.125,
        }
    }
}
