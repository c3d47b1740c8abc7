//! Constant expressions of WGSL and GLSL in, the range that their value may lie in out.
//!
//! What names anything but constants has no value. What is not understood may be anything.

use std::collections::HashMap;

use super::lengths::ELEMENTS;
use super::tokens::{Kind, Token};

/// What a constant may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Range {
    pub(super) low: f64,
    pub(super) high: f64,
}

const ANY: Range = Range {
    low: -f64::MAX,
    high: f64::MAX,
};

impl Range {
    fn new(low: f64, high: f64) -> Range {
        // A sum of infinities is no number; it may be anything.
        match low.is_nan() || high.is_nan() {
            true => ANY,
            false => Range { low, high },
        }
    }

    fn one(value: f64) -> Range {
        Range::new(value, value)
    }

    fn of(values: &[f64]) -> Range {
        let fold = |f: fn(f64, f64) -> f64| values.iter().copied().reduce(f).unwrap_or(f64::NAN);
        match values.iter().any(|value| value.is_nan()) {
            true => ANY,
            false => Range::new(fold(f64::min), fold(f64::max)),
        }
    }

    pub(super) fn union(self, other: Range) -> Range {
        Range::of(&[self.low, self.high, other.low, other.high])
    }

    fn magnitude(self) -> f64 {
        self.high.max(-self.low)
    }

    fn corners(self, other: Range, f: impl Fn(f64, f64) -> f64) -> Range {
        let (a, b) = (self, other);
        Range::of(&[
            f(a.low, b.low),
            f(a.low, b.high),
            f(a.high, b.low),
            f(a.high, b.high),
        ])
    }
}

/// Constants and arrays by name. Where several have a name, any may be meant.
#[derive(Default)]
pub(super) struct Names<'a> {
    constants: HashMap<&'a str, Range>,
    pub(super) lengths: HashMap<&'a str, Range>,
}

impl<'b> Names<'b> {
    /// Notes the constant whose declaration goes on at a token; whether anything about it is new.
    pub(super) fn declare(&mut self, tokens: &'b [Token<'_>], start: usize) -> bool {
        let rest = &tokens[start.min(tokens.len())..];
        let Some(equals) = rest.iter().position(|t| t.is("=") || t.is(";")) else {
            return false;
        };
        if !rest[equals].is("=") {
            return false;
        }
        // `const int name[2] = …`, `const name: type = …`.
        let head = &rest[..equals];
        let named = head.iter().position(|t| t.is(":") || t.is("["));
        let named = &head[..named.unwrap_or(head.len())];
        let Some(name) = named.iter().rfind(|t| t.kind == Kind::Word) else {
            return false;
        };
        let mut depth = 0_i64;
        let end = rest[equals..].iter().position(|token| {
            depth += match token.kind {
                Kind::Open => 1,
                Kind::Close => -1,
                _ => 0,
            };
            token.is(";") || depth < 0
        });
        let value = &rest[equals + 1..end.map_or(rest.len(), |end| equals + end)];
        // Several at once: each may be any of the values.
        let mut range: Option<Range> = None;
        for part in split(value) {
            let from = part.iter().position(|t| t.is("=")).map_or(0, |at| at + 1);
            let Some(one) = self.evaluate(&part[from..]) else {
                continue;
            };
            range = Some(range.map_or(one, |all| all.union(one)));
        }
        let Some(range) = range else { return false };
        let mut changed = self.insert(&name.text, range);
        for part in split(value).skip(1) {
            if let Some(name) = part.first().filter(|t| t.kind == Kind::Word) {
                changed |= self.insert(&name.text, range);
            }
        }
        changed
    }

    fn insert(&mut self, name: &'b str, range: Range) -> bool {
        let known = self.constants.get(name).copied();
        let all = known.map_or(range, |known| known.union(range));
        self.constants.insert(name, all);
        known != Some(all)
    }

    /// The value of a constant expression; none for what is none.
    pub(super) fn evaluate(&self, tokens: &[Token<'_>]) -> Option<Range> {
        let mut reader = Reader {
            names: self,
            tokens,
            at: 0,
        };
        let value = reader.expression(0)?;
        match reader.at == tokens.len() {
            true => Some(value),
            // More than is known here of constant expressions.
            false => Some(ANY),
        }
    }
}

/// Parts between commas that are in no brackets.
fn split<'t, 'a>(tokens: &'t [Token<'a>]) -> impl Iterator<Item = &'t [Token<'a>]> {
    let mut depth = 0_i64;
    tokens.split(move |token| {
        match token.kind {
            Kind::Open => depth += 1,
            Kind::Close => depth -= 1,
            _ => {}
        }
        depth == 0 && token.is(",")
    })
}

/// Reads an expression from left to right.
struct Reader<'n, 'b, 't, 'a> {
    names: &'n Names<'b>,
    tokens: &'t [Token<'a>],
    at: usize,
}

impl<'t, 'a> Reader<'_, '_, 't, 'a> {
    fn peek(&self) -> Option<&'t Token<'a>> {
        self.tokens.get(self.at)
    }

    fn eat(&mut self, text: &str) -> bool {
        let found = self.peek().is_some_and(|token| token.is(text));
        self.at += usize::from(found);
        found
    }

    /// An expression of operators that bind at least so strongly.
    fn expression(&mut self, strength: u8) -> Option<Range> {
        let mut left = self.unary()?;
        loop {
            if strength == 0 && self.eat("?") {
                let yes = self.expression(0)?;
                if !self.eat(":") {
                    return Some(ANY);
                }
                left = yes.union(self.expression(0)?);
                continue;
            }
            let Some((operator, length)) = self.operator() else {
                return Some(left);
            };
            let binds = binding(operator);
            if binds < strength.max(1) {
                return Some(left);
            }
            self.at += length;
            let right = self.expression(binds + 1)?;
            left = apply(operator, left, right);
        }
    }

    /// The operator that comes next, and its tokens.
    fn operator(&self) -> Option<(&'t str, usize)> {
        let token = self.peek()?;
        let next = self.tokens.get(self.at + 1);
        if token.is(">") && next.is_some_and(|n| n.is(">") && n.at.start == token.at.end) {
            return Some((">>", 2));
        }
        Some((&*token.text, 1)).filter(|(text, _)| binding(text) > 0)
    }

    fn unary(&mut self) -> Option<Range> {
        let mut sign = Vec::new();
        while let Some(token) = self.peek() {
            match &*token.text {
                "-" | "+" | "~" | "!" => sign.push(&*token.text),
                _ => break,
            }
            self.at += 1;
        }
        let mut value = self.primary()?;
        for sign in sign.into_iter().rev() {
            value = match sign {
                "-" => Range::new(-value.high, -value.low),
                "~" => ANY,
                "!" => Range::new(0.0, 1.0),
                _ => value,
            };
        }
        Some(value)
    }

    fn primary(&mut self) -> Option<Range> {
        let token = self.peek()?;
        self.at += 1;
        let mut name = None;
        let mut value = match token.kind {
            Kind::Number => number(&token.text),
            Kind::Open if !token.is("{") => self.arguments()?,
            Kind::Word if token.is("true") || token.is("false") => Range::new(0.0, 1.0),
            Kind::Word => {
                self.template();
                if self.peek().is_some_and(|next| next.is("(")) {
                    self.at += 1;
                    let inside = self.arguments()?;
                    call(&token.text, inside)
                } else {
                    name = Some(&*token.text);
                    match self.names.constants.get(&*token.text) {
                        Some(value) => *value,
                        None if self.is_length() => ANY,
                        None => return None,
                    }
                }
            }
            _ => return None,
        };
        // Components of a vector and elements of an array are in the range of all of them.
        loop {
            if self.is_length() {
                self.at += 4;
                let known = name.and_then(|name| self.names.lengths.get(name));
                value = known.copied().unwrap_or(Range::new(1.0, ELEMENTS));
            } else if self.eat(".") {
                self.at += 1;
            } else if self.eat("[") {
                self.arguments()?;
            } else {
                return Some(value);
            }
        }
    }

    /// Whether `.length()` comes next.
    fn is_length(&self) -> bool {
        let rest = &self.tokens[self.at.min(self.tokens.len())..];
        matches!(rest, [a, b, c, d, ..] if a.is(".") && b.is("length") && c.is("(") && d.is(")"))
    }

    /// Skips `<u32>` in front of arguments.
    fn template(&mut self) {
        let rest = &self.tokens[self.at.min(self.tokens.len())..];
        if let [open, _, close, ..] = rest
            && open.is("<")
            && close.is(">")
        {
            self.at += 3;
        }
    }

    /// The range of everything up to the end of a bracket; of nothing, zero.
    fn arguments(&mut self) -> Option<Range> {
        let mut range: Option<Range> = None;
        loop {
            if self.peek()?.kind == Kind::Close {
                self.at += 1;
                return Some(range.unwrap_or(Range::one(0.0)));
            }
            let one = self.expression(0)?;
            range = Some(range.map_or(one, |all| all.union(one)));
            if !self.eat(",") && self.peek()?.kind != Kind::Close {
                return Some(ANY);
            }
        }
    }
}

fn binding(operator: &str) -> u8 {
    match operator {
        "||" => 1,
        "^^" => 2,
        "&&" => 3,
        "|" => 4,
        "^" => 5,
        "&" => 6,
        "==" | "!=" => 7,
        "<" | ">" | "<=" | ">=" => 8,
        "<<" | ">>" => 9,
        "+" | "-" => 10,
        "*" | "/" | "%" => 11,
        _ => 0,
    }
}

fn apply(operator: &str, a: Range, b: Range) -> Range {
    let most = a.magnitude();
    let unsigned = a.low >= 0.0 && b.low >= 0.0;
    match operator {
        "+" => Range::new(a.low + b.low, a.high + b.high),
        "-" => Range::new(a.low - b.high, a.high - b.low),
        "*" => a.corners(b, |x, y| x * y),
        // Of floats the divisor may be less than one.
        "/" if b.low >= 1.0 => a.corners(b, |x, y| x / y),
        "/" => ANY,
        "%" => Range::new(-most, most),
        "<<" if b.low >= 0.0 && b.high < 64.0 => {
            a.corners(b, |x, y| x * (1_u64 << y as u32) as f64)
        }
        ">>" if b.low >= 0.0 && b.high < 64.0 => {
            let shifted = a.corners(b, |x, y| x / (1_u64 << y as u32) as f64);
            Range::new(shifted.low - 1.0, shifted.high)
        }
        "&" if unsigned => Range::new(0.0, a.high.min(b.high)),
        "|" | "^" if unsigned => Range::new(0.0, a.high + b.high),
        "==" | "!=" | "<" | ">" | "<=" | ">=" | "&&" | "||" | "^^" => Range::new(0.0, 1.0),
        _ => ANY,
    }
}

/// A function of constants. Those that are not known may give anything.
fn call(name: &str, inside: Range) -> Range {
    let unsigned =
        matches!(name, "u32" | "uint") || name.ends_with('u') || name.starts_with("uvec");
    match name {
        _ if unsigned && inside.low < 0.0 => ANY,
        "abs" => Range::new(0.0, inside.magnitude()),
        "min" | "max" | "clamp" | "select" | "floor" | "trunc" | "saturate" | "u32" | "i32"
        | "f32" | "int" | "uint" | "float" => inside,
        "ceil" | "round" => Range::new(inside.low - 1.0, inside.high + 1.0),
        "countOneBits" | "countLeadingZeros" | "countTrailingZeros" | "bitCount" | "findMSB"
        | "findLSB" | "firstLeadingBit" | "firstTrailingBit" => Range::new(-1.0, 32.0),
        _ if ["vec", "ivec", "uvec", "array"]
            .iter()
            .any(|p| name.starts_with(p)) =>
        {
            inside
        }
        _ => ANY,
    }
}

/// A literal. One that is not understood may be anything.
fn number(text: &str) -> Range {
    let lower = text.to_ascii_lowercase();
    let hexadecimal = lower.strip_prefix("0x");
    let value = match hexadecimal {
        Some(digits) if !digits.contains(['.', 'p']) => {
            let digits = digits.trim_end_matches(['u', 'i']);
            u64::from_str_radix(digits, 16).ok().map(|v| v as f64)
        }
        Some(_) => None,
        None => lower
            .trim_end_matches(['u', 'i', 'f', 'h', 'l'])
            .parse()
            .ok(),
    };
    value.map_or(ANY, Range::one)
}
