//! The guide's worked examples, and random groups through words and text.
#![allow(clippy::unwrap_used)]

use isa::suite::Random;

use super::alu::Alu;
use super::backend::Backend;
use super::bitwise::Bitwise;
use super::bytes::{Bytes, Forms};
use super::control::Control;
use super::group::ORIGINS;
use super::phase2::{Phase2, Selectors};
use super::*;

/// Bytes and listing. [Rogue 13.11]
const EXAMPLES: [(&str, &str); 7] = [
    (
        "26 02 97 02 89 04 00 00 00 8a 04 ff",
        "main { mbyp ft0, s0.neg } [s0=vi9, s3=c0, is0=s0, is1=ft0, is2=ft1, is3=ft0, is4=ft0, is5=ft0, w0=vi10]",
    ),
    (
        "27 36 10 40 87 e2 80 08 c3 c0 02 40 94 55",
        "main { fmul ft0, s0, s1; fadd.sat ft1, s3, s4 } [s0=sh7, s1=r2, s3=r3, s4=c64, is0=s0, is1=ft0, is2=ft1, \
         is3=ft0, is4=ft0, is5=ft1, w0=r20, w1=r21]",
    ),
    (
        "55 20 f9 9c 00 00 d4 be 00 ff",
        "main { ld s3, drc1, 7, s4 } [s0=c0, s3=r20, s4=r30, is0=s0, is1=ft0, is2=ft1, is3=ft0, is4=ft0, is5=ft0]",
    ),
    (
        "66 52 d0 3c fa d0 87 87 4c 4d 10 4e",
        "main { mbyp ft0, s0; mbyp ft1, s3; tstg.s32 ftt, _, is1, is2; movc w0.e0.e1.e2.e3, w1, ftt, ft0, ft0 } \
         [s0=r12, s3=r13, is0=s0, is1=ft0, is2=ft1, is3=ft0, is4=ft1, is5=ft0, w0=r14]",
    ),
    (
        "67 f2 40 01 40 8c 80 40 00 4b 80 8c 4c ff",
        "bitwise { byp ft0, ft1, s0, s1; lsl ft2, s2, s1; cbs ft3, s2; or ft4, _, ft2, _, s3; shr ft5, ft4, s4 } \
         [s0=c0, s1=c0, s2=r11, s3=c0, s4=c12, w0=r12]",
    ),
    (
        "44 82 67 28 68 00 68 ff",
        "(ignorepe) control { cndst if(p0), w0, s0, 1 } [s0=r40, s3=c0, w0=r40]",
    ),
    (
        "04 81 61 04 b8 0b 00 00",
        "if(!p0) control { br.allinst 3000 } []",
    ),
];

fn bytes_of(text: &str) -> Vec<u8> {
    let bytes = text.split_whitespace();
    bytes
        .map(|byte| u8::from_str_radix(byte, 16).unwrap())
        .collect()
}

#[test]
fn worked_examples_hold() {
    for (hex, text) in EXAMPLES {
        let bytes = bytes_of(hex);
        let (group, count) = Group::decode(&bytes).unwrap_or_else(|e| panic!("{hex}: {e}"));
        assert_eq!(count, bytes.len(), "{hex}");
        assert_eq!(group.to_string(), text);
        let mut encoded = Vec::new();
        group.encode(&mut encoded).unwrap();
        assert_eq!(encoded, bytes, "{text}");
        assert_eq!(text.parse::<Group>().unwrap(), group);
    }
}

#[test]
fn the_end_of_a_program_is_padded() {
    let bytes = bytes_of("04 80 ee 00 f2 ff ff ff");
    let (group, _) = Group::decode(&bytes).unwrap();
    assert_eq!(group.to_string(), "control { nop.end } [] pad2");
    let mut encoded = Vec::new();
    group.encode(&mut encoded).unwrap();
    assert_eq!(encoded, bytes);
    let padding = bytes_of("f3 ff ff ff ff ff 26");
    assert_eq!(Item::decode(&padding), Ok((Item::Padding(3), 6)));
    assert_eq!(
        Item::decode(&bytes_of("f3 ff 00 ff ff ff")),
        Err(DecodeError::Padding { at: 2, byte: 0 })
    );
}

/// Something that random bytes decode to.
fn any<T>(random: &mut Random, decode: impl Fn(&mut Bytes<'_>) -> Result<T, DecodeError>) -> T {
    loop {
        let bytes = [random.word().to_le_bytes(), random.word().to_le_bytes()].concat();
        if let Ok(found) = decode(&mut Bytes::new(&bytes)) {
            return found;
        }
    }
}

fn register(random: &mut Random) -> Register {
    loop {
        let number = match random.below(3) {
            0 => random.below(32),
            1 => random.below(256),
            _ => random.below(2048),
        };
        if let Some(found) = Register::from_code(random.below(8) as u8, number as u16) {
            return found;
        }
    }
}

fn body(random: &mut Random) -> Body {
    let flag = |random: &mut Random| random.below(2) == 1;
    match random.below(4) {
        0 => Body::Bitwise(any(random, |bytes| {
            let phases = bytes.next()? & 7;
            match phases {
                0 => Err(bytes.reserved("phases")),
                _ => Bitwise::decode(phases, bytes),
            }
        })),
        1 => Body::Control(any(random, |bytes| {
            let head = bytes.next()?;
            Control::decode(head & 15, head >> 7 == 1, bytes)
        })),
        _ => {
            let [p0, p1, p2, backend] = ORIGINS[random.below(8) as usize];
            Body::Main(Main {
                p0: p0.then(|| any(random, |bytes| Alu::decode(bytes, false))),
                p1: p1.then(|| any(random, |bytes| Alu::decode(bytes, true))),
                p2: if p2 {
                    any(random, Phase2::decode)
                } else {
                    Phase2::default()
                },
                backend: backend.then(|| any(random, Backend::decode)),
                selectors: Selectors {
                    is0: random.below(6) as u8,
                    is1_fte: flag(random),
                    ..Selectors::from_codes(0, random.word() as u8).unwrap()
                },
            })
        }
    }
}

fn group(random: &mut Random) -> Group {
    let body = body(random);
    let plain = matches!(body, Body::Control(_));
    let sources = |random: &mut Random| {
        (0..1 + random.below(3))
            .map(|_| register(random))
            .collect::<Vec<_>>()
    };
    let new = Group::new(body);
    let has_maps = !new.lower.is_empty();
    let mut flag = |one_in| random.below(one_in) == 0;
    let (end, atomic, output_lock) = (flag(5) && !plain, flag(5) && !plain, flag(5));
    Group {
        condition: Condition::ALL[random.below(4) as usize],
        end,
        atomic,
        output_lock,
        repeat: if plain { 1 } else { 1 + random.below(4) as u8 },
        lower: if has_maps {
            sources(random)
        } else {
            Vec::new()
        },
        upper: if has_maps {
            sources(random)
        } else {
            Vec::new()
        },
        w: [(); 2].map(|()| (random.below(2) == 0).then(|| register(random))),
        pad: if random.below(4) == 0 {
            random.below(4) as u8
        } else {
            0
        },
        ..new
    }
}

#[test]
fn random_groups_survive() {
    let mut random = Random(1);
    let (mut kept, mut differ) = (0, 0);
    for _ in 0..60_000 {
        let group = group(&mut random);
        let text = group.to_string();
        let mut bytes = Vec::new();
        // Sources that no map holds, groups that are too long, stores whose mask is missing.
        if group.encode(&mut bytes).is_err() {
            continue;
        }
        kept += 1;
        let (decoded, count) = Group::decode(&bytes).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!((&decoded, count), (&group, bytes.len()), "{bytes:02x?}");
        assert_eq!(text.parse::<Group>().as_ref(), Ok(&group), "{text}");
        // The same in longer forms, which stay.
        let forms = Forms(random.word() as u32);
        let mut longer = Vec::new();
        if (Group { forms, ..group }).encode(&mut longer).is_ok() {
            let (decoded, _) = Group::decode(&longer).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(decoded.to_string(), text);
            let mut again = Vec::new();
            decoded.encode(&mut again).unwrap();
            assert_eq!(again, longer, "{text}");
            differ += usize::from(longer != bytes);
        }
    }
    assert!(differ > 5_000, "{differ} groups in longer forms");
    assert!(kept > 20_000, "{kept} groups");
}

#[test]
fn random_bytes_never_panic_and_come_back() {
    let mut random = Random(2);
    let mut kept = 0;
    for _ in 0..2_000_000 {
        let mut bytes: Vec<u8> = (0..4).flat_map(|_| random.word().to_le_bytes()).collect();
        // Short groups with a DA that may be right.
        bytes[0] = (2 + random.below(6) as u8) << 4 | (2 + random.below(6) as u8);
        let Ok((group, count)) = Group::decode(&bytes) else {
            continue;
        };
        kept += 1;
        let mut again = Vec::new();
        group.encode(&mut again).unwrap();
        assert_eq!(again, bytes[..count], "{group}");
    }
    assert!(kept > 20, "{kept} groups");
}

#[test]
fn wrong_text_is_refused() {
    for (text, says) in [
        ("main { fadd ft0, s1, s0 } [s0=r1, s1=r2]", "would be"),
        ("main { fadd ft0, s0, s1 ", "no ` } [`"),
        ("vector { fadd ft0, s0, s1 } []", "is not main"),
        ("main { fsqrt w0, s0 } [s0=r1]", "no operation"),
        ("bitwise { tz p0, ft5 } []", "second shift"),
        ("control { nop; nop } []", "one operation"),
        ("main { mbyp ft0, s0 } [s0=q1]", "no register"),
        ("control { nop } [] pad16", "no padding"),
    ] {
        let error = text.parse::<Group>().unwrap_err();
        assert!(error.contains(says), "{text}: {error}");
    }
}

#[test]
fn groups_without_a_binary_form_say_why() {
    let encode = |text: &str| {
        let mut out = Vec::new();
        text.parse::<Group>()
            .unwrap()
            .encode(&mut out)
            .map_err(|e| e.to_string())
    };
    let selectors = "is0=s0, is1=ft0, is2=ft1, is3=ft0, is4=ft0, is5=ft0";
    let both = format!("main {{ mbyp ft0, s0; depthf w0 }} [s0=r1, s3=c0, {selectors}]");
    assert!(encode(&both).unwrap_err().contains("backend beside"));
    let shared = format!("main {{ fmul ft0, s0, s1 }} [s0=r1, s1=sh2, s3=c0, {selectors}]");
    assert!(encode(&shared).unwrap_err().contains("r1, sh2"));
    assert!(encode("control { br 3 } []").unwrap_err().contains("even"));
}

#[test]
fn the_list_is_the_manuals() {
    let manual = include_str!("../../tests/manual.csv").lines();
    let mut manual: Vec<&str> = manual.filter(|line| !line.starts_with('#')).collect();
    let rows = rows();
    let mut ours: Vec<String> = rows
        .iter()
        .map(|r| format!("{},{}", r.encoding, r.mnemonic))
        .collect();
    manual.sort_unstable();
    ours.sort_unstable();
    assert_eq!(ours, manual);
}

#[test]
fn programs_have_labels_and_comments() {
    let text = "start: control { wdf drc0 } [] # waits\n\
                if(p0) control { br done } []\n\
                control { br start } [] // again\n\
                done: control { nop.end } []\n";
    let mut groups = assemble(text).unwrap();
    let lines = disassemble(&groups.concat()).unwrap();
    let texts: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    assert_eq!(
        texts,
        [
            "control { wdf drc0 } []",
            "if(p0) control { br 16 } []",
            "control { br -12 } []",
            "control { nop.end } []",
        ]
    );
    align(&mut groups).unwrap();
    let placed = decode(&groups.concat()).unwrap();
    let last = placed.last().unwrap();
    assert_eq!((last.at % ALIGN, last.bytes % ALIGN), (0, 0));
    let error = assemble("control { br nowhere } []").unwrap_err();
    assert!(error.to_string().contains("no label `nowhere`"), "{error}");
    let error = disassemble(&[0x26, 0x02]).unwrap_err();
    assert!(
        error.to_string().contains("longer than its 2 bytes"),
        "{error}"
    );
}

#[test]
fn rules_are_named() {
    let selectors = "is0=s0, is1=ft0, is2=ft1, is3=ft0, is4=ft0, is5=ft0";
    let rule = |operations: &str, binds: &str| {
        let text = format!("main {{ {operations} }} [{binds}, {selectors}]");
        check(&text.parse().unwrap())
    };
    assert_eq!(rule("fadd ft0, s0, s1", "s0=r1, s1=r2, s3=c0"), Ok(()));
    assert_eq!(
        rule("fadd ft0, s0, s1", "s0=r1, s3=c0"),
        Err(RuleError::Unnamed(1))
    );
    assert!(matches!(
        rule("fadd ft0, s0, s1", "s0=sr97, s1=r2, s3=c0"),
        Err(RuleError::Slot { slot: 0, .. })
    ));
    assert!(matches!(
        rule("fmad ft0, s0, s1, s2", "s0=r1, s1=o0, s2=r1, s3=c0"),
        Err(RuleError::Slot { slot: 1, .. })
    ));
    assert_eq!(
        rule(
            "mbyp ft0, s0; movc w0.e0, w1, ftt, ft0, ft0",
            "s0=r1, s3=c0"
        ),
        Err(RuleError::MovcWithoutTst)
    );
    assert_eq!(
        rule("frcp w0, s0; mbyp ft1, s3", "s0=r1, s3=r2"),
        Err(RuleError::WholeAlu("frcp"))
    );
    assert_eq!(
        rule("depthf w0", "s0=c0, s3=c0"),
        Err(RuleError::OutputLock("DEPTHF"))
    );
    assert!(matches!(
        rule("fitr.pixel s3, drc0, s0, 4", "s0=cf4, s3=i0"),
        Err(RuleError::IteratedTo(_))
    ));
    let repeated =
        format!("rpt3 main {{ unpck.u1616 ft0, s0.e0 }} [s0=r1, s3=c0, {selectors}, w0=r2]");
    assert!(matches!(
        check(&repeated.parse().unwrap()),
        Err(RuleError::Repeat { count: 3, .. })
    ));
}
