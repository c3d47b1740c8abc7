//! The text form: everything it can say survives printing and parsing, and the verifier finds what is broken.
#![allow(clippy::unwrap_used)]

use pipeline::ir::{parse, print, verify};

const EVERYTHING: &str = include_str!("ir/everything.txt");

#[test]
fn print_is_the_inverse_of_parse() {
    let function = parse(EVERYTHING).unwrap();
    verify(&function).unwrap();
    assert_eq!(print(&function), EVERYTHING);
}

#[test]
fn broken_functions_are_found() {
    // (a line, what it becomes, a part of the complaint)
    let cases = [
        ("%10 = FMul %3, %4", "%10 = FMul %3", "FMul"),
        ("%10 = FMul %3, %4", "%10 = FMul %3, %2", "FMul"),
        ("%10 = FMul %3, %4", "%3 = FMul %3, %4", "defined twice"),
        ("%10 = FMul %3, %4", "%10 = FMul %3, %43", "does not reach"),
        ("%10 = FMul %3, %4", "%10 = FMul %3, %900", "not defined"),
        (
            "jump b2(%1, %11)",
            "jump b2(%1)",
            "1 arguments for 2 parameters",
        ),
        ("jump b2(%1, %11)", "jump b2(%11, %11)", "is Bool"),
        ("jump b2(%1, %11)", "jump b9", "does not exist"),
        ("jump b2(%1, %11)", "return", "outside the last block"),
        ("jump b5(%41)", "jump b1", "no loop header"),
        (
            "%44 = ULt %43, %20",
            "output 0 0 %43\n  %44 = ULt %43, %20",
            "outside the last block",
        ),
        ("%7 = input 1 1", "%7 = input 1 2", "Input"),
        (
            "%20 = buffer_bytes r2",
            "%20 = buffer_bytes r70",
            "resource 70",
        ),
        ("branch %11 b1", "branch %10 b1", "is no bool"),
        ("discard %15", "discard %14", "Discard"),
        (
            "store_local 0 %1, %21",
            "store_local 3 %1, %21",
            "StoreLocal",
        ),
    ];
    for (line, broken, complaint) in cases {
        assert!(EVERYTHING.contains(line), "{line}");
        let function = parse(&EVERYTHING.replace(line, broken)).unwrap();
        let error = verify(&function).unwrap_err().to_string();
        assert!(error.contains(complaint), "{broken}: {error}");
    }
}

#[test]
fn broken_text_is_found() {
    let cases = [
        ("Fragment everything", "Pixel everything", "line 1"),
        ("const 0x0", "const zero", "no number"),
        ("FMul %3, %4", "FMull %3, %4", "no operation"),
        ("logic And", "logic Nand", "no "),
        ("image_sample Zero compare", "image_sample Zero", "4"),
        ("b4:", "b7:", "follows"),
        ("bool true", "bool maybe", "no bool"),
        ("%41: word", "%41: float", "no type"),
        ("  return", "  return now", "left over"),
    ];
    for (text, broken, complaint) in cases {
        assert!(EVERYTHING.contains(text), "{text}");
        let error = parse(&EVERYTHING.replacen(text, broken, 1)).unwrap_err();
        assert!(error.to_string().contains(complaint), "{broken}: {error}");
    }
}
