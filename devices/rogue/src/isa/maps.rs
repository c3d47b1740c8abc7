//! Source and destination maps: registers in as few bytes as they fit. [Rogue 13.3, 13.5]

use super::bytes::{Bytes, Writer};
use super::error::{DecodeError, EncodeError};
use super::register::Register;

/// Which half of the sources a map holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// S0 to S2, with the selector of IS0.
    Lower,
    /// S3 to S5.
    Upper,
}

/// Bank and number of a source.
type Code = (u16, u16);

fn fits((bank, number): Code, bank_bits: u32, number_bits: u32) -> bool {
    bank >> bank_bits == 0 && number >> number_bits == 0
}

/// The length of a form among those of as many sources, from 0.
fn step(count: usize, bytes: usize) -> u8 {
    match (count, bytes) {
        (1, 1) | (2, 2) | (3, 4) => 0,
        (1, _) | (2, 3) | (3, 5) => 1,
        _ => 2,
    }
}

/// Appends a map of one to three sources. `mux` is the selector of IS0, 0 in upper maps.
pub fn encode_sources(
    half: Half,
    sources: &[Register],
    mux: u8,
    out: &mut Writer,
) -> Result<(), EncodeError> {
    let codes: Vec<Code> = sources
        .iter()
        .map(|source| {
            let (bank, number) = source.code();
            (u16::from(bank), number)
        })
        .collect();
    let mux = u16::from(mux);
    // A form that is longer than it has to be, by one step or by two.
    let [longer, longest] = [(); 2].map(|()| out.choose(false, false));
    let least = u8::from(longer) + 2 * u8::from(longest);
    let bytes = match codes[..] {
        [a] => one(a, mux, least),
        [a, b] => two(a, b, mux, least),
        [a, b, c] => three(half, [a, b, c], mux, least),
        _ => None,
    };
    let bytes = bytes.ok_or_else(|| EncodeError::Sources(sources.to_vec()))?;
    out.extend(bytes.iter().map(|byte| *byte as u8));
    Ok(())
}

/// The first byte: bit 0 of the bank and six bits of the number of the first source.
fn first((bank, number): Code, extended: bool) -> u16 {
    u16::from(extended) << 7 | (bank & 1) << 6 | number & 0x3f
}

fn one(a: Code, mux: u16, least: u8) -> Option<Vec<u16>> {
    if fits(a, 1, 6) && mux == 0 && least == 0 {
        return Some(vec![first(a, false)]);
    }
    let (bank, number) = a;
    (fits(a, 3, 11) && mux < 4).then(|| {
        let second = mux << 4 | bank >> 1 << 2 | number >> 6 & 3;
        vec![first(a, true), second, number >> 8]
    })
}

/// The second byte where there are several sources.
fn second((bank, number): Code, selected: bool, extended: bool) -> u16 {
    u16::from(selected) << 7 | u16::from(extended) << 6 | (bank & 1) << 5 | number & 0x1f
}

/// The third byte where there are several sources.
fn third(a: Code, b: Code, mux: u16, extended: bool) -> u16 {
    u16::from(extended) << 7
        | (mux & 3) << 5
        | (a.0 >> 1 & 1) << 4
        | (b.0 >> 1 & 1) << 3
        | (a.1 >> 6 & 1) << 2
        | b.1 >> 5 & 3
}

fn two(a: Code, b: Code, mux: u16, least: u8) -> Option<Vec<u16>> {
    if fits(a, 1, 6) && fits(b, 1, 5) && mux == 0 && least == 0 {
        return Some(vec![first(a, true), second(b, true, false)]);
    }
    let head = [first(a, true), second(b, true, true)];
    if fits(a, 2, 7) && fits(b, 2, 7) && mux < 4 && least < 2 {
        return Some([&head[..], &[third(a, b, mux, false)]].concat());
    }
    (fits(a, 3, 11) && fits(b, 2, 8)).then(|| {
        let fourth =
            a.1 >> 8 << 5 | (mux >> 2) << 4 | (a.0 >> 2) << 3 | (a.1 >> 7 & 1) << 1 | b.1 >> 7 & 1;
        [&head[..], &[third(a, b, mux, true), fourth]].concat()
    })
}

fn three(half: Half, [a, b, c]: [Code; 3], mux: u16, least: u8) -> Option<Vec<u16>> {
    let head = [first(a, true), second(b, false, true)];
    let fourth = (c.0 & 3) << 6 | c.1 & 0x3f;
    if fits(a, 2, 7) && fits(b, 2, 7) && fits(c, 2, 6) && mux < 4 && least == 0 {
        return Some([&head[..], &[third(a, b, mux, false), fourth]].concat());
    }
    let fifth = |extended: bool| {
        (c.0 >> 2) << 7
            | (c.1 >> 6 & 3) << 5
            | (mux >> 2) << 4
            | (a.0 >> 2) << 3
            | u16::from(extended) << 2
            | (a.1 >> 7 & 1) << 1
            | b.1 >> 7 & 1
    };
    let c_fits = match half {
        Half::Lower => fits(c, 3, 11),
        Half::Upper => fits(c, 2, 8),
    };
    if !fits(b, 2, 8) || !c_fits {
        return None;
    }
    let head = [&head[..], &[third(a, b, mux, true), fourth]].concat();
    if fits(a, 3, 8) && fits(c, 3, 8) && least < 2 {
        return Some([&head[..], &[fifth(false)]].concat());
    }
    fits(a, 3, 11).then(|| [&head[..], &[fifth(true), c.1 >> 8 << 3 | a.1 >> 8]].concat())
}

/// Reads a map: its sources and the selector of IS0.
pub fn decode_sources(
    half: Half,
    bytes: &mut Bytes<'_>,
) -> Result<(Vec<Register>, u8), DecodeError> {
    let mut codes = [(0, 0); 3];
    let start = bytes.at();
    let (count, mux) = codes_of(bytes, &mut codes)?;
    let found = step(count, bytes.at() - start);
    let shortest = match (codes, u16::from(mux)) {
        ([a, ..], mux) if count == 1 => one(a, mux, 0),
        ([a, b, _], mux) if count == 2 => two(a, b, mux, 0),
        (codes, mux) => three(half, codes, mux, 0),
    };
    let shortest = shortest.map_or(found, |form| step(count, form.len()));
    // Only what is longer than it has to be is said.
    let least = if found > shortest { found } else { 0 };
    bytes.chose(least & 1 == 1, false);
    bytes.chose(least & 2 == 2, false);
    let sources = codes[..count].iter().map(|&(bank, number)| {
        Register::from_code(bank as u8, number).ok_or(DecodeError::Register { bank, number })
    });
    let sources = sources.collect::<Result<Vec<_>, _>>()?;
    let (bank, number) = codes[2];
    if half == Half::Upper && (mux != 0 || bank >> 2 != 0 || number >> 8 != 0) {
        return Err(bytes.reserved("the upper source map"));
    }
    Ok((sources, mux))
}

fn codes_of(bytes: &mut Bytes<'_>, [a, b, c]: &mut [Code; 3]) -> Result<(usize, u8), DecodeError> {
    let b0 = u16::from(bytes.next()?);
    *a = (b0 >> 6 & 1, b0 & 0x3f);
    if b0 >> 7 == 0 {
        return Ok((1, 0));
    }
    let b1 = u16::from(bytes.next()?);
    let (two, extended) = (b1 >> 7 == 1, b1 >> 6 & 1 == 1);
    if !extended && !two {
        let b2 = u16::from(bytes.next_with(0xf8, "the source map")?);
        a.0 |= (b1 >> 2 & 3) << 1;
        a.1 |= (b1 & 3) << 6 | b2 << 8;
        return Ok((1, (b1 >> 4 & 3) as u8));
    }
    *b = (b1 >> 5 & 1, b1 & 0x1f);
    if !extended {
        return Ok((2, 0));
    }
    let b2 = u16::from(bytes.next()?);
    let mut mux = b2 >> 5 & 3;
    a.0 |= (b2 >> 4 & 1) << 1;
    b.0 |= (b2 >> 3 & 1) << 1;
    a.1 |= (b2 >> 2 & 1) << 6;
    b.1 |= (b2 & 3) << 5;
    let extended = b2 >> 7 == 1;
    if two {
        if extended {
            let b3 = u16::from(bytes.next_with(0x04, "the source map")?);
            a.0 |= (b3 >> 3 & 1) << 2;
            a.1 |= (b3 >> 5) << 8 | (b3 >> 1 & 1) << 7;
            b.1 |= (b3 & 1) << 7;
            mux |= (b3 >> 4 & 1) << 2;
        }
        return Ok((2, mux as u8));
    }
    let b3 = u16::from(bytes.next()?);
    *c = (b3 >> 6, b3 & 0x3f);
    if extended {
        let b4 = u16::from(bytes.next()?);
        c.0 |= (b4 >> 7) << 2;
        c.1 |= (b4 >> 5 & 3) << 6;
        mux |= (b4 >> 4 & 1) << 2;
        a.0 |= (b4 >> 3 & 1) << 2;
        a.1 |= (b4 >> 1 & 1) << 7;
        b.1 |= (b4 & 1) << 7;
        if b4 >> 2 & 1 == 1 {
            let b5 = u16::from(bytes.next_with(0xc0, "the source map")?);
            c.1 |= (b5 >> 3) << 8;
            a.1 |= (b5 & 7) << 8;
        }
    }
    Ok((3, mux as u8))
}

/// Appends the map of one or two destinations, W0 and W1; nothing where there are none.
pub fn encode_destinations(w: [Option<Register>; 2], out: &mut Writer) {
    let code = |register: Register| {
        let (bank, number) = register.code();
        (u16::from(bank), number)
    };
    match w {
        [None, None] => {}
        [Some(one), None] | [None, Some(one)] => {
            let (bank, number) = code(one);
            let extended = !fits((bank, number), 1, 6);
            let extended = out.choose(extended, extended);
            out.push(first((bank, number), extended) as u8);
            if extended {
                out.push((number >> 8 << 4 | bank >> 1 << 2 | number >> 6 & 3) as u8);
            }
        }
        [Some(w0), Some(w1)] => {
            let ((b0, n0), (b1, n1)) = (code(w0), code(w1));
            let more = n0 >> 8 != 0 || n1 >> 8 != 0;
            let more = out.choose(more, more);
            let extended = more || !fits((b0, n0), 1, 7) || !fits((b1, n1), 1, 6);
            let extended = out.choose(extended, extended);
            out.push(((b0 & 1) << 7 | n0 & 0x7f) as u8);
            out.push(first((b1, n1), extended) as u8);
            if extended {
                out.push(
                    (u16::from(more) << 7
                        | b1 >> 1 << 5
                        | (n1 >> 6 & 3) << 3
                        | b0 >> 1 << 1
                        | n0 >> 7 & 1) as u8,
                );
            }
            if more {
                out.push((n1 >> 8 << 3 | n0 >> 8) as u8);
            }
        }
    }
}

/// Reads the map of the destinations that are present.
pub fn decode_destinations(
    present: [bool; 2],
    bytes: &mut Bytes<'_>,
) -> Result<[Option<Register>; 2], DecodeError> {
    let register = |(bank, number): Code| {
        Register::from_code(bank as u8, number).ok_or(DecodeError::Register { bank, number })
    };
    match present {
        [false, false] => Ok([None, None]),
        [true, true] => {
            let (b0, b1) = (u16::from(bytes.next()?), u16::from(bytes.next()?));
            let mut w0 = (b0 >> 7, b0 & 0x7f);
            let mut w1 = (b1 >> 6 & 1, b1 & 0x3f);
            let mut more = false;
            if b1 >> 7 == 1 {
                let b2 = u16::from(bytes.next()?);
                w1.0 |= (b2 >> 5 & 3) << 1;
                w1.1 |= (b2 >> 3 & 3) << 6;
                w0.0 |= (b2 >> 1 & 3) << 1;
                w0.1 |= (b2 & 1) << 7;
                more = b2 >> 7 == 1;
                if more {
                    let b3 = u16::from(bytes.next_with(0xc0, "the destination map")?);
                    w1.1 |= (b3 >> 3) << 8;
                    w0.1 |= (b3 & 7) << 8;
                }
            }
            let long = w0.1 >> 8 != 0 || w1.1 >> 8 != 0;
            bytes.chose(more, long);
            let usual = more || !fits(w0, 1, 7) || !fits(w1, 1, 6);
            bytes.chose(b1 >> 7 == 1, usual);
            Ok([Some(register(w0)?), Some(register(w1)?)])
        }
        [first, _] => {
            let b0 = u16::from(bytes.next()?);
            let mut code = (b0 >> 6 & 1, b0 & 0x3f);
            if b0 >> 7 == 1 {
                let b1 = u16::from(bytes.next_with(0x80, "the destination map")?);
                code.0 |= (b1 >> 2 & 3) << 1;
                code.1 |= (b1 >> 4 & 7) << 8 | (b1 & 3) << 6;
            }
            bytes.chose(b0 >> 7 == 1, !fits(code, 1, 6));
            let found = Some(register(code)?);
            Ok(if first { [found, None] } else { [None, found] })
        }
    }
}
