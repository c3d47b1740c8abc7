//! What the passes must find: pairs of expressions that become the same SSA. Listings would show a lost rule as a longer
//! listing; here each rule stands by itself.
#![allow(clippy::unwrap_used)]

use pipeline::ir::print;
use pipeline::lower::{Overrides, lower};
use pipeline::wgsl::{self, Source};

/// The fragment shader that gives `result`, after the passes, its values numbered in the order they are met.
fn ssa(result: &str) -> String {
    let text = format!(
        "var<immediate> given: vec4u;
         @fragment fn fs(@location(0) @interpolate(flat) v: vec4u, @location(1) @interpolate(flat) f: vec4f)
             -> @location(0) vec4u {{
             let x = v.x; let y = v.y; let a = f.x; let b = f.y; let c = v.z < v.w; let d = f.z < f.w;
             {result}
         }}"
    );
    let checked = wgsl::parse(Source::Wgsl(&text)).unwrap();
    let mut function = lower(&checked, Some("fs"), None, &Overrides::new()).unwrap();
    pipeline::passes::run(&mut function);
    renumbered(&print(&function))
}

fn renumbered(text: &str) -> String {
    let mut met: Vec<&str> = Vec::new();
    let mut parts = text.split('%');
    let mut out = parts.next().unwrap().to_string();
    for part in parts {
        let digits = part.find(|c: char| !c.is_ascii_digit());
        let (number, rest) = part.split_at(digits.unwrap_or(part.len()));
        let at = met.iter().position(|n| *n == number).unwrap_or_else(|| {
            met.push(number);
            met.len() - 1
        });
        out.push_str(&format!("%{at}{rest}"));
    }
    out
}

fn word(expression: &str) -> String {
    ssa(&format!("return vec4u({expression}, x, y, 0u);"))
}

fn float(expression: &str) -> String {
    word(&format!("bitcast<u32>({expression})"))
}

fn bit(expression: &str) -> String {
    word(&format!("select(10u, 20u, {expression})"))
}

#[test]
fn operations_that_change_nothing() {
    for (long, short) in [
        ("x + 0u", "x"),
        ("0u + x", "x"),
        ("x - 0u", "x"),
        ("x * 1u", "x"),
        ("1u * x", "x"),
        ("x | 0u", "x"),
        ("0u | x", "x"),
        ("x ^ 0u", "x"),
        ("0u ^ x", "x"),
        ("x | x", "x"),
        ("x & x", "x"),
        ("x & 0xffffffffu", "x"),
        ("0xffffffffu & x", "x"),
        ("x << 0u", "x"),
        ("x >> 0u", "x"),
        ("x * 0u", "0u"),
        ("0u * x", "0u"),
        ("x & 0u", "0u"),
        ("0u & x", "0u"),
        ("min(x & 15u, 15u)", "x & 15u"),
        ("min(15u, x & 15u)", "x & 15u"),
        ("min(x >> 28u, 15u)", "x >> 28u"),
        ("min(x % 7u, 6u)", "x % 7u"),
        ("min(x / 0x10000000u, 15u)", "x / 0x10000000u"),
    ] {
        assert_eq!(word(long), word(short), "{long}");
        assert_ne!(word(long), word("y"), "{long}");
    }
    for (long, short) in [
        ("-(-a)", "a"),
        ("abs(abs(a))", "abs(a)"),
        ("saturate(saturate(a))", "saturate(a)"),
        ("(a + b) * 1.0", "a + b"),
        ("1.0 * (a + b)", "a + b"),
    ] {
        assert_eq!(float(long), float(short), "{long}");
    }
    // A limit that the number may pass stays.
    assert_ne!(word("min(x & 15u, 14u)"), word("x & 15u"));
    assert_ne!(word("min(x % 7u, 5u)"), word("x % 7u"));
    assert_ne!(float("abs(saturate(a))"), float("abs(a)"));
}

#[test]
fn tests_of_conditions() {
    for (long, short) in [
        ("!(!c)", "c"),
        ("!(v.z >= v.w)", "c"),
        ("!!(c && d)", "c && d"),
        ("select(5u, 7u, c) == 7u", "c"),
        ("select(5u, 7u, c) != 5u", "c"),
    ] {
        assert_eq!(bit(long), bit(short), "{long}");
    }
    // A negation is taken by what uses it: one select is left, of the condition itself.
    for test in ["select(5u, 7u, c) == 5u", "select(5u, 7u, c) != 7u"] {
        let left = bit(test);
        assert!(!left.contains("IEq") && !left.contains("INe"), "{left}");
        assert_eq!(left.matches("select").count(), 1, "{left}");
        assert_ne!(left, bit("c"), "{test}");
    }
}

#[test]
fn comparisons_with_bounds() {
    for (test, known) in [
        ("(x >> 28u) < 16u", "true"),
        ("(x >> 28u) >= 16u", "false"),
        ("16u > (x >> 28u)", "true"),
        ("16u <= (x >> 28u)", "false"),
        ("((x & 0x80000000u) >> 1u) < 0x40000001u", "true"),
        ("(x & 7u) + (y & 7u) < 15u", "true"),
        ("max(x & 3u, y & 12u) < 13u", "true"),
        ("x % 8u < 8u", "true"),
        ("extractBits(x, 3u, 5u) < 32u", "true"),
    ] {
        assert_eq!(bit(test), bit(known), "{test}");
    }
    // One less and the answer is open.
    for open in [
        "(x >> 28u) < 15u",
        "((x & 0x80000000u) >> 1u) < 0x40000000u",
        "((x & 0x80000000u) >> 1u) < 1u",
        "(x & 7u) + (y & 7u) < 14u",
        "max(x & 3u, y & 12u) < 12u",
        "x % 8u < 7u",
        "extractBits(x, 3u, 5u) < 31u",
        "x + y < 0xffffffffu",
    ] {
        assert_ne!(bit(open), bit("true"), "{open}");
        assert_ne!(bit(open), bit("false"), "{open}");
    }
}

/// What does not change in a loop is read before it: immediates at a known place, not those that a test keeps in range.
#[test]
fn loads_of_immediates_leave_loops() {
    let looped = |term: &str| {
        ssa(&format!(
            "var sum = 0u; var i = 0u;
             loop {{ if i * i >= x {{ break; }} sum += {term} ^ i; i += 1u; }}
             return vec4u(sum);"
        ))
    };
    let known = looped("given.y");
    let (before, _) = known.split_once(" loop ").unwrap();
    assert_eq!(known.matches("load_push").count(), 1, "{known}");
    assert!(before.contains("load_push"), "{known}");
    let chosen = looped("given[i & 3u]");
    let (before, after) = chosen.split_once(" loop ").unwrap();
    assert!(
        !before.contains("load_push") && after.contains("load_push"),
        "{chosen}"
    );
}

#[test]
fn discards_take_the_conditions_of_their_branches() {
    for (long, conditions) in [
        ("if c { discard; }", 1),
        ("if c { } else { discard; }", 1),
        ("if c { if d { discard; } }", 1),
        ("if c { discard; } else if d { discard; }", 2),
    ] {
        let text = ssa(&format!("{long} return vec4u(x, y, 0u, 0u);"));
        assert!(!text.contains("branch"), "{long}\n{text}");
        assert_eq!(
            text.matches("discard %").count(),
            conditions,
            "{long}\n{text}"
        );
    }
}

/// A trip that picks an element by its number has a comparison and a selection for each element, none of which stays.
#[test]
fn loops_whose_trips_fold_are_written_out() {
    let elements = |count: u32| {
        ssa(&format!(
            "var t: array<u32, {count}>;
             for (var i = 0u; i < {count}u; i++) {{ t[i] = x * (i + 7u); }}
             var s = 0u;
             for (var i = 0u; i < {count}u; i++) {{ s = (s ^ t[i]) + y; }}
             return vec4u(s, x, y, 0u);"
        ))
    };
    assert!(!elements(24).contains("branch"), "{}", elements(24));
    let unknown = ssa("var s = x; for (var i = 0u; i < y; i++) { s = s * 5u; } return vec4u(s);");
    assert!(unknown.contains("branch"), "{unknown}");
}
