//! The opcode tables against the manual's lists.
#![allow(clippy::unwrap_used)]

use isa::vectors::list;
use isa::{ExecInput, Tools};
use r5xx::TOOLS;
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

#[test]
fn tools_know_two_stages() {
    let count = |stage| TOOLS.rows(stage).map(|rows| rows.len());
    assert_eq!(count(None).unwrap(), 109);
    assert_eq!(count(Some("vertex")).unwrap(), 64);
    assert_eq!(count(Some("fragment")).unwrap(), 45);
    assert!(count(Some("compute")).is_err());
    let vertex = TOOLS
        .assemble(Some("vertex"), "VE_ADD OUT0, I0, I0.0000")
        .unwrap();
    let lines = TOOLS.disassemble(Some("vertex"), &vertex.concat()).unwrap();
    assert_eq!(lines[0].text, "VE_ADD OUT0, I0, I0.0000");
    let pixel = TOOLS
        .assemble(Some("fragment"), "\n// nothing\nFC JUMP func 0xff, to 3")
        .unwrap();
    let lines = TOOLS
        .disassemble(Some("fragment"), &pixel.concat())
        .unwrap();
    assert_eq!(lines[0].text, "FC JUMP func 0xff, to 3");
    // Neither set is the other's, and none is a default.
    assert!(
        TOOLS
            .assemble(Some("fragment"), "VE_ADD OUT0, I0, I0.0000")
            .is_err()
    );
    let error = TOOLS.disassemble(None, &pixel.concat()).unwrap_err();
    assert!(
        error.to_string().contains("`vertex` or `fragment`"),
        "{error}"
    );
    let short = TOOLS
        .disassemble(Some("vertex"), &pixel.concat())
        .unwrap_err();
    assert!(short.to_string().contains("at 0x10"), "{short}");
    let error = TOOLS
        .exec("compute", &[0; 4], &ExecInput::default())
        .unwrap_err();
    assert!(error.to_string().contains("no stage `compute`"), "{error}");
    assert!(
        TOOLS
            .exec("fragment", &[0; 4], &ExecInput::default())
            .is_err()
    );
    assert!(TOOLS.exec("vertex", &[], &ExecInput::default()).is_err());
}
