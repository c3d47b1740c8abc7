//! `word!`: microcode words, registers and descriptors as plain structs. In: named bit fields, highest first, as in
//! manuals. Out: a struct with `pack`, `unpack` and `FIELDS`. Overlaps and gaps fail the build.

/// Name and position of a field in its word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Name, as in the manual; fixed bits are called `fixed`.
    pub name: &'static str,
    /// Highest bit.
    pub hi: u32,
    /// Lowest bit.
    pub lo: u32,
}

impl Field {
    /// Number of bits.
    pub const fn width(&self) -> u32 {
        self.hi - self.lo + 1
    }

    /// The bits of this field in `word`, right-aligned.
    pub const fn of(&self, word: u128) -> u128 {
        (word >> self.lo) & mask(self.width())
    }
}

/// What a word holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Fields.
    Fields(&'static [Field]),
    /// A float.
    Float,
}

/// A type that says what a word holds: `f32`, or a struct of [`word!`](crate::word!).
pub trait Layout {
    /// What it holds.
    const CONTENT: Content;
}

impl Layout for f32 {
    const CONTENT: Content = Content::Float;
}

/// A Rust type that a field can have.
pub trait FieldValue: Copy + PartialEq {
    /// Whether `bits` encode a value of the type; `unpack` refuses other words.
    fn valid(_bits: u64, _width: u32) -> bool {
        true
    }
    /// The value of a field of `width` bits that holds `bits`.
    fn from_field(bits: u64, width: u32) -> Self;
    /// The bits of the value; those beyond the field are dropped.
    fn into_field(self) -> u64;
}

impl FieldValue for bool {
    #[inline]
    fn from_field(bits: u64, _: u32) -> bool {
        bits != 0
    }
    fn into_field(self) -> u64 {
        self.into()
    }
}

macro_rules! field_values {
    (unsigned $($u:ty)*; signed $($i:ty)*) => {
        $(impl FieldValue for $u {
            #[inline]
            fn from_field(bits: u64, _: u32) -> $u { bits as $u }
            fn into_field(self) -> u64 { self.into() }
        })*
        $(impl FieldValue for $i {
            #[inline]
            fn from_field(bits: u64, width: u32) -> $i { ((bits << (64 - width)) as i64 >> (64 - width)) as $i }
            fn into_field(self) -> u64 { self as i64 as u64 }
        })*
    };
}

field_values! { unsigned u8 u16 u32 u64; signed i8 i16 i32 i64 }

/// `width` ones.
#[inline]
pub const fn mask(width: u32) -> u128 {
    if width >= 128 {
        u128::MAX
    } else {
        (1 << width) - 1
    }
}

/// Stops the build when fields overlap, leave a gap or pass the end of a word of `width` bits.
pub const fn check_layout(width: u32, fields: &[Field]) {
    let mut seen = 0u128;
    let mut i = 0;
    while i < fields.len() {
        let field = fields[i];
        assert!(field.hi >= field.lo, "a field is written [hi:lo]");
        assert!(field.hi < width, "a field lies outside its word");
        assert!(
            field.width() <= 64,
            "a field has at most 64 bits; name the halves"
        );
        let bits = mask(field.width()) << field.lo;
        assert!(seen & bits == 0, "two fields overlap");
        seen |= bits;
        i += 1;
    }
    assert!(seen == mask(width), "a bit belongs to no field");
}

/// The bits of a field value, checked to fit.
pub fn pack_field<T: FieldValue>(value: T, hi: u32, lo: u32) -> u128 {
    let bits = u128::from(value.into_field()) & mask(hi - lo + 1);
    debug_assert!(
        T::from_field(bits as u64, hi - lo + 1) == value,
        "the value does not fit bits {hi}:{lo}"
    );
    bits << lo
}

/// Whether the field at `hi:lo` of `word` holds a value of its type.
pub fn valid_field<T: FieldValue>(word: u128, hi: u32, lo: u32) -> bool {
    T::valid((word >> lo & mask(hi - lo + 1)) as u64, hi - lo + 1)
}

/// The value of the field at `hi:lo` of `word`.
pub fn unpack_field<T: FieldValue>(word: u128, hi: u32, lo: u32) -> T {
    T::from_field((word >> lo & mask(hi - lo + 1)) as u64, hi - lo + 1)
}

/// Declares a struct for a word of `u32`, `u64` or `u128`.
///
/// ```
/// isa::word! {
///     /// VOP2. [SI p.12-15]
///     pub struct Vop2: u32 where [31:31] = 0 { op: u16 [30:25], vdst: u8 [24:17], vsrc1: u8 [16:9], src0: u16 [8:0] }
/// }
/// isa::word! {
///     /// A word without fixed bits can always be unpacked.
///     pub struct Pair: u32 where { high: i16 [31:16], low: u16 [15:0] }
/// }
/// let word = Vop2 { op: 3, vdst: 1, vsrc1: 3, src0: 256 + 2 };
/// assert_eq!(word.pack(), 0x0602_0702);
/// assert_eq!(Vop2::unpack(0x0602_0702), Some(word));
/// assert_eq!(Vop2::unpack(0x8602_0702), None);
/// assert_eq!(Pair::from_word(0xffff_0001), Pair { high: -1, low: 1 });
/// assert_eq!(Pair::FIELDS[1].name, "low");
/// ```
///
/// A field may have the type of an opcode table of [`ops!`](crate::ops!): words with other opcodes are refused.
///
/// A gap does not compile:
///
/// ```compile_fail
/// isa::word! { struct Gap: u32 where { high: u16 [31:16], low: u8 [7:0] } }
/// ```
///
/// Neither does an overlap:
///
/// ```compile_fail
/// isa::word! { struct Twice: u32 where { high: u16 [31:16], low: u32 [16:0] } }
/// ```
#[macro_export]
macro_rules! word {
    // No fixed bits: every value is one of these words.
    ($(#[$meta:meta])* $vis:vis struct $Name:ident: $Word:ident where { $($body:tt)* }) => {
        $crate::word! { @make [$(#[$meta])*] [$vis] $Name $Word [] { $($body)* } }
        #[allow(dead_code)]
        impl $Name {
            /// The fields of a word.
            pub fn from_word(word: $Word) -> $Name {
                Self::fields_of(word)
            }
        }
    };
    ($(#[$meta:meta])* $vis:vis struct $Name:ident: $Word:ident where
        $([$fhi:literal : $flo:literal] = $fixed:literal),+ $(,)? { $($body:tt)* }) => {
        $crate::word! { @make [$(#[$meta])*] [$vis] $Name $Word [$(($fhi, $flo, $fixed))+] { $($body)* } }
    };
    (@make [$(#[$meta:meta])*] [$vis:vis] $Name:ident $Word:ident [$(($fhi:literal, $flo:literal, $fixed:literal))*] {
        $($(#[$fmeta:meta])* $field:ident: $ty:ty [$hi:literal : $lo:literal]),* $(,)?
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        $vis struct $Name {
            $($(#[$fmeta])* #[doc = concat!("Bits ", $hi, ":", $lo, ".")] pub $field: $ty,)*
        }

        impl $crate::word::Layout for $Name {
            const CONTENT: $crate::word::Content = $crate::word::Content::Fields($Name::FIELDS);
        }

        #[allow(dead_code)]
        impl $Name {
            /// Names and positions of all fields, as declared.
            pub const FIELDS: &'static [$crate::Field] = &[
                $($crate::Field { name: stringify!($field), hi: $hi, lo: $lo },)*
            ];

            /// The word of these fields.
            pub fn pack(self) -> $Word {
                (0u128 $(| ($fixed as u128) << $flo)* $(| $crate::word::pack_field::<$ty>(self.$field, $hi, $lo))*) as $Word
            }

            /// The fields of a word; `None` if fixed bits differ or a field holds no value of its type.
            pub fn unpack(word: $Word) -> Option<$Name> {
                let whole = word as u128;
                let fits = true $(&& whole >> $flo & $crate::word::mask($fhi - $flo + 1) == $fixed as u128)*
                    $(&& $crate::word::valid_field::<$ty>(whole, $hi, $lo))*;
                fits.then(|| Self::fields_of(word))
            }

            fn fields_of(word: $Word) -> $Name {
                let word = word as u128;
                $Name { $($field: $crate::word::unpack_field::<$ty>(word, $hi, $lo),)* }
            }
        }

        const _: () = $crate::word::check_layout($Word::BITS, &[
            $($crate::Field { name: "fixed", hi: $fhi, lo: $flo },)*
            $($crate::Field { name: stringify!($field), hi: $hi, lo: $lo },)*
        ]);
    };
}
