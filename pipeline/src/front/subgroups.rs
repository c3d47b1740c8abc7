//! Subgroups in WGSL, as far as naga does not have them: the `enable` directive, and `subgroupElect`. In: text. Out: text
//! in which everything else stands where it stood.

use std::borrow::Cow;
use std::ops::Range;

use super::tokens::{Syntax, Token, tokens};

/// The first lane is the one with none before it.
const ELECT: &str = "\nfn subgroupElect() -> bool { return subgroupExclusiveAdd(1u) == 0u; }\n";

/// Text that naga parses.
pub(crate) fn known_to_naga(text: &str) -> Cow<'_, str> {
    if !text.contains("subgroup") {
        return Cow::Borrowed(text);
    }
    let tokens = tokens(text, Syntax::Wgsl, usize::MAX);
    let mut known = Cow::Borrowed(text);
    for range in enabled(&tokens) {
        let blank: String = text[range.clone()]
            .chars()
            .map(|c| if c == '\n' { '\n' } else { ' ' })
            .collect();
        // What is cut out may be wider in bytes than in characters only where there are comments.
        if blank.len() == range.len() {
            known.to_mut().replace_range(range, &blank);
        }
    }
    let elect = |pair: &[Token<'_>]| pair[1].is("subgroupElect");
    let called = tokens
        .windows(2)
        .any(|pair| elect(pair) && !pair[0].is("fn"));
    let declared = tokens
        .windows(2)
        .any(|pair| elect(pair) && pair[0].is("fn"));
    if called && !declared {
        known.to_mut().push_str(ELECT);
    }
    known
}

/// Where `subgroups` is enabled: the whole directive, or the name with one comma.
fn enabled(tokens: &[Token<'_>]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let directive =
        |token: &Token<'_>| ["enable", "requires", "diagnostic"].map(|name| token.is(name));
    let mut rest = tokens;
    while let Some((first, others)) = rest.split_first()
        && directive(first).contains(&true)
        && let Some(end) = others.iter().position(|token| token.is(";"))
    {
        let (names, after) = others.split_at(end);
        rest = &after[1..];
        if !first.is("enable") {
            continue;
        }
        for (at, name) in names.iter().enumerate() {
            if !name.is("subgroups") {
                continue;
            }
            let alone = names.iter().filter(|name| !name.is(",")).count() == 1;
            let before = at.checked_sub(1).map(|at| &names[at]);
            let behind = names.get(at + 1);
            found.push(match (alone, before, behind) {
                (true, ..) => first.at.start..after[0].at.end,
                (_, Some(comma), _) => comma.at.start..name.at.end,
                (_, None, Some(comma)) => name.at.start..comma.at.end,
                (_, None, None) => name.at.clone(),
            });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_directive_becomes_blank() {
        for (text, known) in [
            (
                "enable subgroups;\nfn f() {}",
                "                 \nfn f() {}",
            ),
            ("enable f16, subgroups;", "enable f16           ;"),
            ("enable subgroups, f16;", "enable            f16;"),
            ("enable f16, subgroups, f16;", "enable f16           , f16;"),
            (
                "/* enable subgroups; */ requires a; enable\nsubgroups ; ",
                "/* enable subgroups; */ requires a;       \n            ",
            ),
            ("fn f() {} enable subgroups;", "fn f() {} enable subgroups;"),
            ("// subgroups", "// subgroups"),
        ] {
            assert_eq!(known_to_naga(text), known);
        }
    }

    #[test]
    fn elect_is_declared_where_it_is_called() {
        let called = "fn f() -> bool { return subgroupElect(); }";
        assert_eq!(known_to_naga(called), format!("{called}{ELECT}"));
        let declared = "fn subgroupElect() {} fn f() { subgroupElect(); }";
        assert_eq!(known_to_naga(declared), declared);
    }
}
