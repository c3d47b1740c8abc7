//! What naga's values are called in messages, and where bindings stand in the text.

use naga::{AddressSpace, Binding, Span};

use crate::front::messages::separated;

/// An address space.
pub(super) fn space(space: AddressSpace) -> &'static str {
    match space {
        AddressSpace::Function => "function",
        AddressSpace::Private => "private",
        AddressSpace::WorkGroup => "workgroup",
        AddressSpace::Uniform => "uniform",
        AddressSpace::Storage { .. } => "storage",
        AddressSpace::Handle => "handle",
        AddressSpace::Immediate => "immediate",
        AddressSpace::TaskPayload => "task payload",
        AddressSpace::RayPayload | AddressSpace::IncomingRayPayload => "ray payload",
    }
}

/// A built-in function: its name begins small.
pub(super) fn function(fun: naga::MathFunction) -> String {
    let mut name = format!("{fun:?}");
    if let Some(first) = name.get_mut(..1) {
        first.make_ascii_lowercase();
    }
    name
}

/// Where an attribute of an entry point is written, the last time within a span. naga keeps no spans of them.
pub(super) fn declaration(text: &str, binding: &Binding, within: Span) -> Span {
    let range = within.to_range().unwrap_or(0..text.len());
    let Some(part) = text.get(range.clone()) else {
        return within;
    };
    let found = match binding {
        Binding::Location { location, .. } => last(part, "location", &location.to_string()),
        Binding::BuiltIn(builtin) => {
            last(part, "builtin", &separated(&format!("{builtin:?}"), '_'))
        }
    };
    match found {
        Some((start, end)) => Span::new((range.start + start) as u32, (range.start + end) as u32),
        // A whole structure still tells something, the whole text nothing.
        None if range.start == 0 => Span::UNDEFINED,
        None => within,
    }
}

/// The last `name(value)` or `name = value` of a text, white space aside.
fn last(text: &str, name: &str, value: &str) -> Option<(usize, usize)> {
    let mut places = text.rmatch_indices(name);
    places.find_map(|(start, _)| {
        let rest = text[start + name.len()..].trim_start();
        let called = rest.starts_with('(');
        let rest = rest.strip_prefix(['(', '='])?.trim_start();
        let rest = rest.strip_prefix(value)?;
        let rest = rest.strip_prefix(['u', 'i']).unwrap_or(rest);
        let ends = !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        let close = rest.trim_start().strip_prefix(')').filter(|_| called);
        ends.then_some((start, text.len() - close.unwrap_or(rest).len()))
    })
}
