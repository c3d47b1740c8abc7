//! The guide's two lists, line by line: how each instruction is written, encoded, printed and executed, and what each
//! special number reads as. `audit.txt` has a group for every instruction with a public form; the others are refused by
//! name.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use lanes::{Program, Step};
use rogue::isa::{Group, Placed, Special, UNPUBLISHED, assemble, disassemble_as_manual, special};
use rogue::isa::{align, decode, rows};
use rogue::lift::{Lifted, SpecialRegister, WHOLE, constant, lift};

/// Instructions, as `group,mnemonic`.
const MANUAL: &str = include_str!("manual.csv");
/// An instruction and a group with it; its last word says how it is executed.
const AUDIT: &str = include_str!("audit.txt");
/// Special numbers: number, value or name, kind, access.
const CONSTANTS: &str = include_str!("constants.csv");

const SELECTORS: &str = "is0=s0, is1=ft0, is2=ft1, is3=ft0, is4=ft0, is5=ft0";

fn lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
}

/// How a group is executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    /// Steps of lanes alone.
    Steps,
    /// A unit beside the arithmetic: memory, textures, iteration, pixels.
    Port,
    /// The order of groups.
    Flow,
    /// Its result is there anyway: hints, fences, locks.
    Nothing,
}

/// The instruction, the canonical line of its group, and how it is executed.
fn audited() -> BTreeMap<&'static str, (String, How)> {
    let row = |line: &'static str| {
        let (name, rest) = line.split_once(" = ").unwrap();
        let (text, how) = rest.rsplit_once(" : ").unwrap();
        let how = match how {
            "steps" => How::Steps,
            "port" => How::Port,
            "flow" => How::Flow,
            "nothing" => How::Nothing,
            other => panic!("{name} is executed by {other}"),
        };
        (name, (text.replace("SELECT", SELECTORS), how))
    };
    lines(AUDIT).map(row).collect()
}

fn program(group: &Group) -> Vec<Placed> {
    let mut groups = assemble("control { nop.end } [] pad2").unwrap();
    let mut bytes = Vec::new();
    group.encode(&mut bytes).unwrap();
    groups.insert(0, bytes);
    align(&mut groups).unwrap();
    decode(&groups.concat()).unwrap()
}

fn lifted(group: &Group) -> Lifted {
    let placed = program(group);
    lift(&placed, &WHOLE).unwrap_or_else(|error| panic!("{group}: {error}"))
}

fn as_manual(bytes: &[u8]) -> String {
    let lines = disassemble_as_manual(bytes).unwrap().into_iter();
    let lines: Vec<String> = lines.map(|line| line.text).collect();
    lines.join("\n")
}

fn arithmetic(program: &Program) -> usize {
    let works = |step: &&Step| !matches!(step, Step::Tick { .. } | Step::Port { .. });
    program.steps.iter().filter(works).count()
}

#[test]
fn every_instruction_is_assembled_printed_and_executed() {
    let audited = audited();
    let unpublished = |line: &str| {
        let mut own = UNPUBLISHED.iter();
        own.any(|row| format!("{},{}", row.encoding, row.mnemonic) == line)
    };
    let nothing = lifted(&"control { nop } []".parse().unwrap());
    let (mut seen, mut refused) = (0, Vec::new());
    for line in lines(MANUAL) {
        if unpublished(line) {
            assert!(!audited.contains_key(line), "{line} has no public form");
            continue;
        }
        let (text, how) = audited
            .get(line)
            .unwrap_or_else(|| panic!("{line} has no group"));
        seen += 1;
        let group: Group = text
            .parse()
            .unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(&group.to_string(), text, "{line}");
        let mut bytes = Vec::new();
        group
            .encode(&mut bytes)
            .unwrap_or_else(|error| panic!("{line}: {error}"));
        let (decoded, count) = Group::decode(&bytes).unwrap();
        assert_eq!((&decoded, count), (&group, bytes.len()), "{line}");
        assert_eq!(assemble(text).unwrap(), [bytes.clone()], "{line}");
        // The manual's syntax names no slots: it comes back as itself.
        let manual = as_manual(&bytes);
        match assemble(&manual).map(|groups| as_manual(&groups.concat())) {
            Ok(again) if again == manual => {}
            other => refused.push(format!("{line}: {manual}: {other:?}")),
        }
        let found = lifted(&group);
        let does = match (found.ports.len(), arithmetic(&found.program)) {
            (0, steps) if steps == arithmetic(&nothing.program) => How::Nothing,
            (0, _) => How::Steps,
            _ => How::Port,
        };
        match how {
            How::Flow => {}
            how => assert_eq!(does, *how, "{line}: {}", found.program),
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
    assert_eq!((seen, audited.len()), (112, 112));
    assert_eq!(rows().len(), seen + UNPUBLISHED.len());
}

#[test]
fn what_has_no_public_form_is_refused_by_name() {
    for row in UNPUBLISHED {
        let name = row.mnemonic.to_lowercase();
        let kind = match row.encoding {
            "bitwise" | "control" => row.encoding,
            _ => "main",
        };
        let operands = match row.mnemonic {
            "ST.TEXELMODE" => "s0, 2, drc0, 2, s3, _",
            _ => "w0, s0",
        };
        let text = format!("{kind} {{ {name} {operands} }} [s0=r1, s3=c0, {SELECTORS}, w0=r2]");
        let refused = text.parse::<Group>().unwrap_err();
        // Modifiers that nothing takes are told by what the text would be.
        let told = refused.contains(&name) || refused.contains("would be");
        assert!(told, "{name}: {refused}");
        let refused = assemble(&format!("0 : {name} r0, r1")).unwrap_err();
        assert!(refused.to_string().contains(&name), "{name}: {refused}");
    }
}

#[test]
fn every_special_number_reads_as_the_guide_says() {
    let mut seen = 0;
    for line in lines(CONSTANTS) {
        let parts: Vec<&str> = line.split(',').collect();
        let [number, value, kind, access] = parts[..] else {
            panic!("{line}");
        };
        let number: u16 = number.parse().unwrap();
        seen += 1;
        match special(number) {
            Special::Constant(n) => {
                let bits = value
                    .strip_prefix("0x")
                    .map(|v| u32::from_str_radix(v, 16).unwrap());
                let register = SpecialRegister::from_code(n);
                match bits {
                    Some(bits) => assert_eq!((kind, constant(n)), ("SC", bits), "{line}"),
                    None => assert!(register.is_some(), "{line} is no register"),
                }
            }
            Special::Output(n) => assert_eq!(value, format!("pixout{n}"), "{line}"),
            Special::Internal(n) => assert_eq!(value, format!("intl{n}"), "{line}"),
            Special::Register(n) => {
                let register = SpecialRegister::from_code(n).unwrap_or_else(|| panic!("{line}"));
                assert_eq!(register.name(), value, "{line}");
                assert_eq!(register.sem(), access.contains('w'), "{line}");
            }
        }
    }
    assert_eq!(seen, 163);
}
