//! Every rule of the interface, by family of calls. `docs/rules.md` is this list.
//!
//! ```
//! let (family, rules) = girih::rules::FAMILIES[3];
//! assert_eq!((family, rules[0].name), ("Buffers", "buffer-size"));
//! assert!(girih::rules::markdown().contains("| `buffer-size` | A buffer has at least one byte. |"));
//! ```

use crate::error::Rule;
use crate::*;

/// Families of calls with their rules, in the order of `docs/rules.md`.
pub const FAMILIES: &[(&str, &[Rule])] = &[
    ("Instances", InstanceError::RULES),
    ("Devices", DeviceError::RULES),
    ("Heaps", HeapError::RULES),
    ("Buffers", BufferError::RULES),
    ("Host access", AccessError::RULES),
    ("Images", ImageError::RULES),
    ("Image views", ImageViewError::RULES),
    ("Samplers", SamplerError::RULES),
    ("Descriptor set layouts", SetLayoutError::RULES),
    ("Descriptor sets", SetError::RULES),
    ("Pipeline layouts", PipelineLayoutError::RULES),
    ("Graphics pipelines", GraphicsPipelineError::RULES),
    ("Compute pipelines", ComputePipelineError::RULES),
    ("Passes", PassError::RULES),
    ("Commands", CommandError::RULES),
    ("Draws", DrawError::RULES),
    ("Stream output", StreamError::RULES),
    ("Dispatches", DispatchError::RULES),
    ("Copies", CopyError::RULES),
    ("Scaled copies", BlitError::RULES),
    ("Clears", ClearError::RULES),
    ("Queries", QueryError::RULES),
    ("Submissions", SubmitError::RULES),
    ("Fences", FenceError::RULES),
    ("Captures", CaptureError::RULES),
];

/// The list as Markdown: one table for each family.
pub fn markdown() -> String {
    let mut text = String::from(
        "# Rules\n\nOne row per rule that calls must keep: the name that the error's `rule()` gives, and what must hold. \
         Made from the errors in `api/src`; a test keeps it so.\n",
    );
    for (family, rules) in FAMILIES {
        text.push_str(&format!(
            "\n## {family}\n\n| Rule | What must hold |\n|---|---|\n"
        ));
        for rule in *rules {
            text.push_str(&format!("| `{}` | {} |\n", rule.name, rule.text.trim()));
        }
    }
    text
}
