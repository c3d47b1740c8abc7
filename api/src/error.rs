//! What errors are made of: labels, named rules and the macro that ties the two to messages.
//!
//! There is one enum per family of calls. Each of its variants is one rule with a stable name, which the error's
//! `rule()`, `docs/rules.md` and the rule's test share.

use std::fmt;
use std::sync::Arc;

/// The name of an object in messages: its kind, and the name that the user gave it.
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
}

impl Label {
    pub(crate) fn new(kind: &'static str, name: Option<&str>) -> Label {
        let name = name.map(str::to_owned);
        Label(Arc::new(Named { kind, name }))
    }

    /// The name that the user gave, if any.
    pub fn name(&self) -> Option<&str> {
        self.0.name.as_deref()
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => write!(f, "{} \"{name}\"", self.0.kind),
            None => write!(f, "unnamed {}", self.0.kind),
        }
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

/// Declares the errors of one family of calls: the rule in words, its name, the message, the variant.
macro_rules! rules {
    (
        $(#[$meta:meta])*
        pub enum $enum:ident {
            $(
                $(#[doc = $doc:literal])+
                $rule:literal, $message:literal
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
                #[error($message)]
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
