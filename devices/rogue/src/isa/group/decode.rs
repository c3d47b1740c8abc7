//! Bytes to instruction groups. [Rogue 13.1, 13.2]

use super::{BITWISE, Body, CONTROL, Condition, Group, Item, MAIN, MAX_BYTES, Main, ORIGINS};
use crate::isa::alu::Alu;
use crate::isa::backend::Backend;
use crate::isa::bitwise::Bitwise;
use crate::isa::bytes::{Bytes, is};
use crate::isa::control::Control;
use crate::isa::error::DecodeError;
use crate::isa::maps::{Half, decode_destinations, decode_sources};
use crate::isa::phase2::{Phase2, Selectors};

impl Group {
    /// Reads the group at the start of the bytes, and how many of them it has.
    pub fn decode(bytes: &[u8]) -> Result<(Group, usize), DecodeError> {
        let first = *bytes.first().ok_or(DecodeError::Short { bytes: 0 })?;
        let stated = match usize::from(first & 15) {
            0 => MAX_BYTES,
            words => 2 * words,
        };
        let available = bytes.len();
        let whole = bytes.get(..stated);
        let whole = whole.ok_or(DecodeError::Short { bytes: available })?;
        let mut bytes = Bytes::new(whole);
        let group = read(&mut bytes, usize::from(first >> 4)).map_err(|error| match error {
            DecodeError::Short { .. } => DecodeError::Length {
                stated,
                needed: stated + 1,
            },
            other => other,
        })?;
        Ok((group, stated))
    }
}

/// Reads a group; `stated` is the DA of its header.
fn read(bytes: &mut Bytes<'_>, stated: usize) -> Result<Group, DecodeError> {
    bytes.next()?;
    let header = bytes.next()?;
    let third = if is(header, 7) { bytes.next()? } else { 0 };
    bytes.chose(is(header, 7), third != 0);
    let condition = Condition::ALL[usize::from(header & 1 | (third & 1) << 1)];
    let kind = third >> 5 & 3;
    let mut group = Group {
        condition,
        end: kind != CONTROL && is(third, 7),
        atomic: kind != CONTROL && is(third, 3),
        output_lock: is(header, 3),
        repeat: if kind == CONTROL {
            1
        } else {
            (third >> 1 & 3) + 1
        },
        ..Group::new(Body::Bitwise(Bitwise::default()))
    };
    if kind != CONTROL && is(third, 4) {
        return Err(bytes.reserved("the header"));
    }
    let organisation = header >> 4 & 7;
    let (body, da) = match kind {
        MAIN => main(organisation, bytes, &mut group)?,
        BITWISE => {
            if organisation == 0 {
                return Err(bytes.reserved("the header of a bitwise group"));
            }
            let bitwise = Bitwise::decode(organisation, bytes)?;
            let da = bytes.at();
            sources(bytes, &mut group)?;
            (Body::Bitwise(bitwise), da)
        }
        CONTROL => {
            if organisation != 0 {
                return Err(bytes.reserved("the header of a control group"));
            }
            let control = Control::decode(third >> 1 & 15, is(third, 7), bytes)?;
            (group.lower, group.upper) = (Vec::new(), Vec::new());
            let mut da = bytes.at();
            if control.has_sources() {
                sources(bytes, &mut group)?;
            } else if header >> 1 & 3 == 0 {
                da = 0;
            }
            (Body::Control(control), da)
        }
        other => return Err(bytes.unknown("kind of group", other)),
    };
    group.body = body;
    if da != stated {
        return Err(DecodeError::Da { stated, found: da });
    }
    group.w = decode_destinations([is(header, 1), is(header, 2)], bytes)?;
    group.pad = padding(bytes)?;
    group.forms = bytes.forms();
    Ok(group)
}

/// Both source maps of a group without selectors.
fn sources(bytes: &mut Bytes<'_>, group: &mut Group) -> Result<(), DecodeError> {
    let (lower, mux) = decode_sources(Half::Lower, bytes)?;
    if mux != 0 {
        return Err(bytes.reserved("the lower source map"));
    }
    group.lower = lower;
    (group.upper, _) = decode_sources(Half::Upper, bytes)?;
    Ok(())
}

fn main(
    origin: u8,
    bytes: &mut Bytes<'_>,
    group: &mut Group,
) -> Result<(Body, usize), DecodeError> {
    let [p0, p1, p2, backend] = ORIGINS[usize::from(origin)];
    let mut main = Main::default();
    if backend {
        main.backend = Some(Backend::decode(bytes)?);
    }
    if p2 {
        main.p2 = Phase2::decode(bytes)?;
    }
    let da = bytes.at();
    if p1 {
        main.p1 = Some(Alu::decode(bytes, true)?);
    }
    if p0 {
        main.p0 = Some(Alu::decode(bytes, false)?);
    }
    let (lower, mux) = decode_sources(Half::Lower, bytes)?;
    group.lower = lower;
    (group.upper, _) = decode_sources(Half::Upper, bytes)?;
    let byte = bytes.next()?;
    let selectors = Selectors::from_codes(mux, byte);
    main.selectors = selectors.ok_or_else(|| bytes.unknown("selector of IS0", mux))?;
    Ok((Body::Main(main), da))
}

/// The padding at the end of a group: a byte where their number is odd, then whole words.
fn padding(bytes: &mut Bytes<'_>) -> Result<u8, DecodeError> {
    let wrong = |bytes: &Bytes<'_>| DecodeError::Padding {
        at: bytes.at(),
        byte: bytes.peek().unwrap_or(0),
    };
    let expect = |bytes: &mut Bytes<'_>, byte| match bytes.peek() == Some(byte) {
        true => bytes.next().map(|_| ()),
        false => Err(wrong(bytes)),
    };
    if bytes.at() % 2 == 1 {
        expect(bytes, 0xff)?;
    }
    let words = bytes.left().len() / 2;
    if words > 0 {
        if words > 15 {
            return Err(wrong(bytes));
        }
        expect(bytes, 0xf0 | words as u8)?;
        while bytes.peek().is_some() {
            expect(bytes, 0xff)?;
        }
    }
    Ok(words as u8)
}

impl Item {
    /// Reads what stands at the start of the bytes, and how many of them it has.
    pub fn decode(bytes: &[u8]) -> Result<(Item, usize), DecodeError> {
        match bytes.first() {
            Some(&byte @ 0xf1..=0xff) => {
                let words = byte & 15;
                let count = 2 * usize::from(words);
                let all = bytes
                    .get(..count)
                    .ok_or(DecodeError::Short { bytes: bytes.len() })?;
                match all.iter().skip(1).position(|byte| *byte != 0xff) {
                    None => Ok((Item::Padding(words), count)),
                    Some(at) => Err(DecodeError::Padding {
                        at: at + 1,
                        byte: all[at + 1],
                    }),
                }
            }
            _ => Group::decode(bytes).map(|(group, count)| (Item::Group(group), count)),
        }
    }
}
