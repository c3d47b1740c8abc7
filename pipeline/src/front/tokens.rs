//! Shader text in, tokens out: just enough of WGSL and GLSL to count what a front end would recurse over.

use std::borrow::Cow;
use std::ops::Range;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    Number,
    Operator,
    /// `(`, `[` or `{`.
    Open,
    /// `)`, `]` or `}`.
    Close,
    /// `,` or `;`.
    Separator,
    /// The end of a line; only in GLSL before its macros are expanded.
    Newline,
}

/// A token and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind,
    pub(super) text: Cow<'a, str>,
    pub(super) at: Range<usize>,
}

impl Token<'_> {
    pub(super) fn is(&self, text: &str) -> bool {
        self.text == text
    }
}

/// The language of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Syntax {
    Wgsl,
    Glsl,
}

/// Operators of two characters. `>>` is not among them: in WGSL it may end two lists of template arguments.
const PAIRS: [&str; 18] = [
    "<<", "<=", ">=", "==", "!=", "&&", "||", "^^", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=",
    "|=", "^=",
];

/// The tokens of a text, macros and directives as they stand there. At most one more than `limit`.
pub(super) fn tokens(text: &str, syntax: Syntax, limit: usize) -> Vec<Token<'_>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() && found.len() <= limit {
        let rest = &text[at..];
        let (kind, length) = match bytes[at] {
            b'\n' if syntax == Syntax::Glsl => (Kind::Newline, 1),
            c if c.is_ascii_whitespace() || c == b'\\' => {
                at += 1 + continuation(rest);
                continue;
            }
            b'/' if rest.starts_with("//") => {
                at += rest.find('\n').unwrap_or(rest.len());
                continue;
            }
            b'/' if rest.starts_with("/*") => {
                at += comment(rest, syntax);
                continue;
            }
            c if c.is_ascii_digit() || c == b'.' && starts_with_digit(&rest[1..]) => {
                (Kind::Number, number(rest))
            }
            c if c.is_ascii_alphabetic() || c == b'_' || c >= 0x80 => (Kind::Word, word(rest)),
            b'(' | b'[' | b'{' => (Kind::Open, 1),
            b')' | b']' | b'}' => (Kind::Close, 1),
            b',' | b';' => (Kind::Separator, 1),
            _ if PAIRS.iter().any(|pair| rest.starts_with(pair)) => (Kind::Operator, 2),
            _ => (Kind::Operator, 1),
        };
        found.push(Token {
            kind,
            text: Cow::Borrowed(&rest[..length]),
            at: at..at + length,
        });
        at += length;
    }
    found
}

/// Bytes of a line end behind a backslash.
fn continuation(rest: &str) -> usize {
    match rest.strip_prefix('\\') {
        Some(after) if after.starts_with("\r\n") => 2,
        Some(after) if after.starts_with('\n') => 1,
        _ => 0,
    }
}

/// Bytes of a comment. WGSL's nest.
fn comment(rest: &str, syntax: Syntax) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < rest.len() {
        let here = &rest.as_bytes()[at..];
        if here.starts_with(b"/*") && (depth == 0 || syntax == Syntax::Wgsl) {
            depth += 1;
            at += 2;
        } else if here.starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                break;
            }
        } else {
            at += 1;
        }
    }
    at
}

fn starts_with_digit(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
}

fn number(rest: &str) -> usize {
    let hex = rest.starts_with("0x") || rest.starts_with("0X");
    let mut before = ' ';
    let part = |c: char| {
        let exponent = if hex { 'p' } else { 'e' };
        let sign = matches!(c, '+' | '-') && before.to_ascii_lowercase() == exponent;
        before = c;
        c.is_ascii_alphanumeric() || c == '.' || sign
    };
    let mut part = part;
    rest.find(|c| !part(c)).unwrap_or(rest.len())
}

fn word(rest: &str) -> usize {
    let part = |c: char| c.is_alphanumeric() || c == '_' || !c.is_ascii();
    rest.find(|c| !part(c)).unwrap_or(rest.len())
}

/// The tokens of a GLSL text after its macros. At most one more than `limit`.
pub(super) fn expanded(text: &str, limit: usize) -> Vec<Token<'static>> {
    use pp_rs::token::{Punct, TokenValue};
    let mut found = Vec::new();
    for token in pp_rs::pp::Preprocessor::new(text).take(limit + 1) {
        // What the preprocessor refuses, the front end does as well.
        let Ok(token) = token else { continue };
        let (kind, text) = match token.value {
            TokenValue::Ident(name) => (Kind::Word, name.into()),
            TokenValue::Integer(value) => (Kind::Number, value.value.to_string().into()),
            TokenValue::Float(value) => (Kind::Number, value.value.to_string().into()),
            TokenValue::Punct(punct) => match punct {
                Punct::LeftParen => (Kind::Open, "(".into()),
                Punct::LeftBracket => (Kind::Open, "[".into()),
                Punct::LeftBrace => (Kind::Open, "{".into()),
                Punct::RightParen => (Kind::Close, ")".into()),
                Punct::RightBracket => (Kind::Close, "]".into()),
                Punct::RightBrace => (Kind::Close, "}".into()),
                Punct::Comma => (Kind::Separator, ",".into()),
                Punct::Semicolon => (Kind::Separator, ";".into()),
                other => (Kind::Operator, operator(other).into()),
            },
            TokenValue::Version(_) | TokenValue::Extension(_) | TokenValue::Pragma(_) => continue,
        };
        found.push(Token {
            kind,
            text,
            at: token.location.start as usize..token.location.end as usize,
        });
    }
    found
}

/// Operators that constant lengths are made of, by their text; the others only count.
fn operator(punct: pp_rs::token::Punct) -> &'static str {
    use pp_rs::token::Punct as P;
    match punct {
        P::Plus => "+",
        P::Minus => "-",
        P::Star => "*",
        P::Slash => "/",
        P::Percent => "%",
        P::LeftShift => "<<",
        P::RightShift => ">>",
        P::Ampersand => "&",
        P::Pipe => "|",
        P::Caret => "^",
        P::Tilde => "~",
        P::Bang => "!",
        P::Dot => ".",
        P::Equal => "=",
        P::Question => "?",
        P::Colon => ":",
        P::LeftAngle => "<",
        P::RightAngle => ">",
        P::LessEqual => "<=",
        P::GreaterEqual => ">=",
        P::EqualEqual => "==",
        P::NotEqual => "!=",
        P::LogicalAnd => "&&",
        P::LogicalOr => "||",
        P::LogicalXor => "^^",
        _ => "=",
    }
}
