//! Every rule with a number in it: the last value that it accepts, and the first that it refuses.

#[path = "boundaries/captures.rs"]
mod captures;
#[path = "boundaries/drawing.rs"]
mod drawing;
#[path = "boundaries/objects.rs"]
mod objects;
#[path = "boundaries/pipelines.rs"]
mod pipelines;
#[path = "boundaries/transfers.rs"]
mod transfers;

/// Declares one test per rule: a call with a value, values that it accepts, values with which it breaks the rule.
macro_rules! bounds {
    ($($test:ident $rule:literal = |$t:ident, $value:ident $(: $type:ty)?| $call:expr;
        accepts [$($accepted:expr),* $(,)?]; refuses [$($refused:expr),* $(,)?];)*) => {
        $(
            #[test]
            fn $test() {
                let $t = &crate::Fixture::new();
                for value in [$($accepted),*] {
                    let $value $(: $type)? = value;
                    if let Err(error) = $call.map(drop) {
                        panic!("{value:?} was refused: {error}");
                    }
                }
                for value in [$($refused),*] {
                    let $value $(: $type)? = value;
                    match $call.map(drop) {
                        Ok(()) => panic!("{value:?} was accepted"),
                        Err(error) => assert_eq!(error.rule(), $rule, "{value:?}: {error}"),
                    }
                }
            }
        )*

        /// Rules whose bounds are tested here.
        pub const BOUNDED: &[&str] = &[$($rule),*];
    };
}
pub(crate) use bounds;

/// Rules without a number that a caller chooses: kinds, formats, usages, order of calls, owners, and how much memory
/// happens to be free.
const NUMBERLESS: &[&str] = &[
    "device-name",
    "heap-memory",
    "buffer-usage",
    "buffer-placement-device",
    "buffer-memory",
    "image-usage",
    "image-format",
    "image-shape",
    "image-placement-device",
    "image-memory",
    "view-device",
    "view-feature",
    "view-format",
    "view-aspect",
    "sampler-border",
    "sampler-reduction",
    "sampler-unnormalized",
    "sampler-feature",
    "set-layout-duplicate",
    "set-layout-type",
    "set-layout-dynamic-array",
    "set-missing",
    "set-unknown",
    "set-type",
    "set-usage",
    "set-view",
    "set-texel-format",
    "set-sampler",
    "set-device",
    "set-memory",
    "pipeline-layout-conflict",
    "pipeline-layout-device",
    "pipeline-shader",
    "pipeline-compile",
    "pipeline-link",
    "pipeline-binding",
    "pipeline-vertex-format",
    "pipeline-target-format",
    "pipeline-depth-format",
    "pipeline-depth-aspect",
    "pipeline-depth-bias",
    "pipeline-logic-op",
    "pipeline-dual-source",
    "pipeline-alpha-to-coverage",
    "pipeline-attachments",
    "pipeline-feature",
    "pipeline-device",
    "pipeline-derive",
    "pipeline-memory",
    "pass-nested",
    "pass-open",
    "pass-format",
    "pass-resolve",
    "command-inside-pass",
    "command-outside-pass",
    "command-buffer-usage",
    "command-transition",
    "command-transition-device",
    "draw-pass",
    "draw-pipeline",
    "draw-attachment-format",
    "draw-set",
    "draw-set-layout",
    "draw-vertex-buffer",
    "draw-index-buffer",
    "draw-indirect",
    "draw-indirect-usage",
    "draw-read-only",
    "draw-strip-format",
    "copy-usage",
    "copy-resolve",
    "copy-aspect",
    "copy-format",
    "copy-device",
    "copy-layout",
    "copy-outside-pass",
    "copy-picture",
    "blit-usage",
    "blit-capability",
    "blit-aspect",
    "blit-format",
    "blit-filter",
    "blit-outside-pass",
    "clear-usage",
    "clear-format",
    "clear-recording",
    "query-feature",
    "query-memory",
    "query-kind",
    "query-outside-pass",
    "query-device",
    "submit-device",
    "submit-object",
    "submit-open-pass",
    "submit-open-query",
    "submit-layout",
    "submit-transition",
    "submit-memory",
    "device-lost",
    "capture-begun",
    "capture-open",
    "capture-target",
    "capture-file",
    "capture-index",
    "capture-device-name",
    "capture-file-name",
    "compute-feature",
    "compute-shader",
    "compute-binding",
    "compute-device",
    "compute-derived-layout",
    "compute-memory",
    "pass-compute",
    "dispatch-pass",
    "dispatch-pipeline",
    "dispatch-set",
    "dispatch-set-layout",
    "dispatch-indirect-usage",
    "submit-dispatch-set",
    "capture-format",
    "capture-device",
    "capture-trap",
    "capture-no-picture",
    "command-streaming",
    "pass-stream",
    "stream-active",
    "stream-begun",
    "stream-device",
    "stream-draw",
    "stream-feature",
    "stream-pipeline",
    "stream-recording",
];

/// A rule either has its bounds tested or has no number.
#[test]
fn every_number_is_tested_on_both_sides() {
    let mut known: Vec<&str> = [
        objects::BOUNDED,
        pipelines::BOUNDED,
        crate::compute::BOUNDED,
        drawing::BOUNDED,
        transfers::BOUNDED,
        captures::BOUNDED,
        crate::streams::BOUNDED,
    ]
    .concat();
    known.sort_unstable();
    known.dedup();
    known.extend(NUMBERLESS);
    known.sort_unstable();
    let families = girih::rules::FAMILIES.iter();
    let mut rules: Vec<&str> = families
        .flat_map(|(_, rules)| rules.iter().map(|rule| rule.name))
        .collect();
    rules.sort_unstable();
    assert_eq!(known, rules);
}
