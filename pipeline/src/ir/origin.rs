//! Where the parts of a function come from in the text of its shader.
//!
//! That is no part of what a function means: all origins are equal, and so are all texts, so that functions compare by
//! what they do. The text form leaves them out.

use std::sync::Arc;

use crate::error::{At, Location};

/// A range of bytes of the text; empty where something comes from no place in particular.
#[derive(Clone, Copy, Debug, Default, Eq)]
pub struct Origin {
    /// First byte.
    pub start: u32,
    /// The byte behind the last.
    pub end: u32,
}

impl Origin {
    /// Whether it is a place.
    pub fn is_known(self) -> bool {
        self.start < self.end
    }

    /// This place, or another where this is none.
    pub fn or(self, other: Origin) -> Origin {
        if self.is_known() { self } else { other }
    }
}

impl PartialEq for Origin {
    fn eq(&self, _: &Origin) -> bool {
        true
    }
}

/// The text that origins count bytes of, if there is one.
#[derive(Clone, Debug, Default, Eq)]
pub struct Text(pub Option<Arc<str>>);

impl Text {
    /// Line, column and excerpt of an origin.
    pub fn locate(&self, origin: Origin) -> At {
        let range = origin.start as usize..origin.end as usize;
        let text = self.0.as_deref().filter(|_| origin.is_known());
        At(text.and_then(|text| Location::new(text, range)))
    }
}

impl PartialEq for Text {
    fn eq(&self, _: &Text) -> bool {
        true
    }
}
