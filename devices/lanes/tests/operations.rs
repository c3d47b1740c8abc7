//! Every operation against values that were computed apart from this crate, in `operations.txt`.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use lanes::{LaneOp, WideOp};

/// Operations of several steps, which no line can define: divisions and angles are checked by the programs that chips
/// use them in (`southern-islands/tests/compiled.rs`, `semantics.txt`), faces of cubes by `r600/tests/compiled.rs`.
const ELSEWHERE: [&str; 13] = [
    "CubeId",
    "CubeSc",
    "CubeTc",
    "CubeMa",
    "FMulLit",
    "FDivScale",
    "FDivScaleFlag",
    "FDivFixup",
    "DRsq",
    "DDivScale",
    "DDivScaleFlag",
    "DDivFixup",
    "TrigPreop",
];

/// An operation on operands of up to 64 bits.
type Operation = Box<dyn Fn([u64; 3]) -> u64>;

/// Operations by their names.
fn operations() -> BTreeMap<String, Operation> {
    let mut all: BTreeMap<String, Operation> = BTreeMap::new();
    for &op in LaneOp::ALL {
        let eval = move |args: [u64; 3]| u64::from(op.eval(args.map(|arg| arg as u32)));
        all.insert(format!("{op:?}"), Box::new(eval));
    }
    for &op in WideOp::ALL {
        all.insert(format!("{op:?}"), Box::new(move |args| op.eval(args)));
    }
    all
}

#[test]
fn results_are_those_of_the_definitions() {
    let operations = operations();
    let mut lines: BTreeMap<&str, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    let text = include_str!("operations.txt");
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let hex = |word: &str| u64::from_str_radix(word, 16).unwrap();
        let (left, result) = line.split_once(" = ").unwrap();
        let mut words = left.split(' ');
        let name = words.next().unwrap();
        let mut args = [0; 3];
        args.iter_mut()
            .zip(words)
            .for_each(|(arg, word)| *arg = hex(word));
        let eval = operations.get(name).unwrap_or_else(|| panic!("no {name}"));
        let found = eval(args);
        if found != hex(result) {
            wrong.push(format!("`{line}` gives {found:x}"));
        }
        *lines.entry(name).or_default() += 1;
    }
    assert!(
        wrong.is_empty(),
        "{} lines: {:#?}",
        wrong.len(),
        &wrong[..wrong.len().min(20)]
    );
    for name in operations.keys().map(String::as_str) {
        let count = lines.get(name).copied().unwrap_or(0);
        let needed = if ELSEWHERE.contains(&name) { 0 } else { 4 };
        assert!(count >= needed, "{name} has {count} lines");
    }
}
