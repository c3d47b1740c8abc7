//! What errors are made of: labels, named rules and the macro that ties the two to messages.
//!
//! There is one enum per family of calls. Each of its variants is one rule with a stable name, which the error's
//! `rule()`, `docs/rules.md` and the rule's test share. [`Error`](crate::Error) is any of them.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// The name of an object in messages: its kind, and the name that the user gave it. An object without a name has a
/// number: `image #3` is the third image that its device was asked for, `pass #2` the second pass of its command buffer.
///
/// ```
/// use girih::{BufferDescriptor, BufferUsages, DeviceDescriptor, Instance};
///
/// let gpu = Instance::new().physical_devices().next().ok_or("no device")?;
/// let device = gpu.create_device(&DeviceDescriptor::default())?;
/// let usage = BufferUsages::VERTEX;
/// let empty = BufferDescriptor { label: Some("mesh"), size: 0, usage, placement: None };
/// let error = device.create_buffer(&empty).err().ok_or("no error")?;
/// assert_eq!(error.to_string(), "buffer \"mesh\" would have no bytes");
/// assert_eq!(error.rule(), "buffer-size");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Label(Arc<Named>);

#[derive(PartialEq, Eq, Hash)]
struct Named {
    kind: &'static str,
    name: Option<String>,
    /// None where there is only one.
    number: Option<u32>,
}

impl Label {
    pub(crate) fn new(kind: &'static str, name: Option<&str>, number: Option<u32>) -> Label {
        let name = name.map(str::to_owned);
        Label(Arc::new(Named { kind, name, number }))
    }

    /// The name that the user gave, if any.
    pub fn name(&self) -> Option<&str> {
        self.0.name.as_deref()
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Named { kind, name, number } = &*self.0;
        match (name, number) {
            (Some(name), _) => write!(f, "{kind} \"{name}\""),
            (None, Some(number)) => write!(f, "{kind} #{number}"),
            (None, None) => write!(f, "the {kind}"),
        }
    }
}

/// How many objects of each kind a device was asked for.
#[derive(Debug, Default)]
pub(crate) struct Counts(Mutex<BTreeMap<&'static str, u32>>);

impl Counts {
    /// The label of the next object of a kind.
    pub(crate) fn label(&self, kind: &'static str, name: Option<&str>) -> Label {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(kind).or_default();
        *count += 1;
        Label::new(kind, name, Some(*count))
    }
}

impl fmt::Debug for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// One rule that calls must keep: a row of `docs/rules.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Stable name, as the error's `rule()` gives it.
    pub name: &'static str,
    /// What must hold, in a sentence.
    pub text: &'static str,
}

/// `1st`, `2nd`, `3rd`, `4th`.
pub(crate) fn ordinal(number: u32) -> String {
    let ending = match (number % 100, number % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

/// Names as a choice: `a, b or c`.
pub(crate) fn either(names: &[impl fmt::Display]) -> String {
    let mut text = String::new();
    for (n, name) in names.iter().enumerate() {
        text += match (n, n + 1 == names.len()) {
            (0, _) => "",
            (_, true) => " or ",
            _ => ", ",
        };
        text += &name.to_string();
    }
    text
}

/// `1 level`, `2 levels`.
pub(crate) fn counted(count: u32, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Declares the errors of one family of calls: the rule in words, its name, the message with the values that are no
/// plain fields, the variant.
macro_rules! rules {
    (
        $(#[$meta:meta])*
        pub enum $enum:ident {
            $(
                $(#[doc = $doc:literal])+
                $rule:literal, $message:literal $(, $arg:ident = $value:expr)*
                => $variant:ident $({ $($field:ident : $type:ty),+ $(,)? })?
            ;)+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, thiserror::Error)]
        #[non_exhaustive]
        #[allow(missing_docs, reason = "the message of a variant says what its fields are")]
        pub enum $enum {
            $(
                $(#[doc = $doc])+
                #[doc = concat!("\n\n Rule `", $rule, "`.")]
                #[error($message $(, $arg = $value)*)]
                $variant $({ $($field: $type),+ })?,
            )+
        }

        impl $enum {
            /// Every rule of this family.
            pub const RULES: &'static [$crate::error::Rule] = &[
                $($crate::error::Rule { name: $rule, text: concat!($($doc),+) }),+
            ];

            /// Stable name of the rule that was broken.
            pub fn rule(&self) -> &'static str {
                match self {
                    $($enum::$variant { .. } => $rule),+
                }
            }
        }
    };
}
pub(crate) use rules;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_messages() {
        let ordinals = [1, 2, 3, 4, 11, 12, 13, 21, 112, 123].map(ordinal);
        let expected = [
            "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "112th", "123rd",
        ];
        assert_eq!(ordinals, expected);
        assert_eq!(either(&["a"]), "a");
        assert_eq!(either(&["a", "b"]), "a or b");
        assert_eq!(either(&["a", "b", "c"]), "a, b or c");
        assert_eq!(
            [counted(1, "level"), counted(2, "level")].join(" "),
            "1 level 2 levels"
        );
    }

    #[test]
    fn objects_are_counted_by_kind() {
        let counts = Counts::default();
        let label = |kind, name| counts.label(kind, name).to_string();
        assert_eq!(label("image", None), "image #1");
        assert_eq!(label("image", Some("sky")), "image \"sky\"");
        assert_eq!(label("buffer", None), "buffer #1");
        assert_eq!(label("image", None), "image #3");
        assert_eq!(Label::new("device", None, None).to_string(), "the device");
    }
}
