//! The opcode tables against the manual's lists.
#![allow(clippy::unwrap_used)]

use isa::vectors::list;
use r5xx::isa::rows;

#[test]
fn tables_equal_the_manual() {
    let manual = list(include_str!("manual.csv")).unwrap();
    let found: Vec<_> = rows()
        .iter()
        .map(|row| (row.encoding.to_owned(), row.mnemonic.to_owned(), row.opcode))
        .collect();
    assert_eq!(found, manual);
    let vertex = ["VE", "MACRO", "ME", "FLOW"];
    let of_vertices = found.iter().filter(|row| vertex.contains(&row.0.as_str()));
    assert_eq!(of_vertices.count(), 64);
    assert_eq!(found.len(), 64 + 45);
}
