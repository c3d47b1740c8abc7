//! GLSL tokens with macros in; how many tokens there are without them, at most.
//!
//! A dozen macros that each name the one before twice make a text of any length. This counts without expanding.

use std::collections::HashMap;

use super::tokens::{Kind, Token};

/// Macros that name each other in a chain.
const CHAIN: usize = 250;
/// Macro calls in arguments of macro calls.
const CALLS: usize = 250;
/// Tokens of a condition of `#if`, which the preprocessor recurses over.
const CONDITION: u64 = 1_000;

/// Tokens that something expands to: so many, and so many times the arguments behind it.
#[derive(Clone, Copy, Default)]
struct Size {
    own: u64,
    arguments: u64,
}

impl Size {
    fn add(&mut self, other: Size) {
        self.own = self.own.saturating_add(other.own);
        self.arguments = self.arguments.saturating_add(other.arguments);
    }

    fn times(self, count: u64) -> Size {
        Size {
            own: self.own.saturating_mul(count),
            arguments: self.arguments.saturating_mul(count),
        }
    }
}

struct Macro<'a> {
    parameters: Vec<&'a str>,
    body: &'a [Token<'a>],
}

/// A text, or a condition in it, that is too long.
#[derive(Debug)]
pub(super) struct TooLong<'a> {
    pub(super) what: &'static str,
    pub(super) tokens: u64,
    pub(super) limit: u64,
    pub(super) token: Option<&'a Token<'a>>,
}

/// Refuses a text that expands to more than `limit` tokens.
pub(super) fn check<'a>(tokens: &'a [Token<'a>], limit: u64) -> Result<(), TooLong<'a>> {
    let mut macros: HashMap<&str, Vec<Macro<'a>>> = HashMap::new();
    let mut conditions = Vec::new();
    let mut lines = Vec::new();
    for line in tokens.split(|token| token.kind == Kind::Newline) {
        match line {
            [hash, name, rest @ ..] if hash.is("#") => match &*name.text {
                "define" => define(rest, &mut macros),
                "if" | "elif" | "line" => conditions.push(rest),
                _ => {}
            },
            _ => lines.push(line),
        }
    }
    if macros.is_empty() && conditions.is_empty() {
        return Ok(());
    }
    let mut count = Count {
        macros: &macros,
        steps: limit,
        chain: Vec::new(),
        calls: 0,
    };
    // A call may begin on one line and end on another.
    let text: Vec<Token<'a>> = lines.concat();
    let mut total = count.region(&text, &[]).own;
    for condition in conditions {
        let own = count.region(condition, &[]).own;
        if own > CONDITION {
            return Err(TooLong {
                what: "tokens in a condition of the preprocessor",
                tokens: own,
                limit: CONDITION,
                token: condition.first(),
            });
        }
        total = total.saturating_add(own);
    }
    if total > limit {
        return Err(TooLong {
            what: "tokens after its macros",
            tokens: total,
            limit,
            token: None,
        });
    }
    Ok(())
}

fn define<'a>(rest: &'a [Token<'a>], macros: &mut HashMap<&'a str, Vec<Macro<'a>>>) {
    let [name, rest @ ..] = rest else { return };
    let mut body = rest;
    let mut parameters = Vec::new();
    let called = |open: &Token<'_>| open.is("(") && open.at.start == name.at.end;
    if rest.first().is_some_and(called) {
        let end = rest.iter().position(|token| token.is(")"));
        let end = end.unwrap_or(rest.len() - 1);
        let words = rest[..end].iter().filter(|token| token.kind == Kind::Word);
        parameters = words.map(|token| &*token.text).collect();
        body = &rest[end + 1..];
    }
    let all = macros.entry(&name.text).or_default();
    all.push(Macro { parameters, body });
}

struct Count<'a> {
    macros: &'a HashMap<&'a str, Vec<Macro<'a>>>,
    /// Tokens that may still be looked at.
    steps: u64,
    /// Macros being expanded; none is expanded inside itself.
    chain: Vec<&'a str>,
    calls: usize,
}

const ENDLESS: Size = Size {
    own: u64::MAX,
    arguments: 0,
};

impl<'a> Count<'a> {
    /// The size of tokens, some of which may be parameters.
    fn region(&mut self, tokens: &[Token<'a>], parameters: &[&str]) -> Size {
        let mut total = Size::default();
        let mut at = 0;
        while at < tokens.len() {
            if self.steps == 0 {
                return ENDLESS;
            }
            self.steps -= 1;
            let token = &tokens[at];
            at += 1;
            total.own = total.own.saturating_add(1);
            if token.kind != Kind::Word {
                continue;
            }
            if parameters.contains(&&*token.text) {
                total.arguments = total.arguments.saturating_add(1);
                continue;
            }
            let Some(size) = self.named(&token.text) else {
                continue;
            };
            total.own = total.own.saturating_add(size.own);
            let mut open_end = true;
            // What stands in brackets behind it may be its arguments, or those of a macro that its text ends with.
            while let Some(length) = brackets(&tokens[at..]) {
                open_end = false;
                if self.calls == CALLS {
                    return ENDLESS;
                }
                self.calls += 1;
                let inside = self.region(&tokens[at + 1..at + length - 1], parameters);
                self.calls -= 1;
                // Once for the expansion of the arguments themselves.
                total.add(inside.times(size.arguments.saturating_add(1)));
                at += length;
            }
            if open_end {
                total.arguments = total.arguments.saturating_add(size.arguments);
            }
        }
        total
    }

    /// The size of a macro; none for what is no macro or is being expanded.
    fn named(&mut self, name: &str) -> Option<Size> {
        let (&name, definitions) = self.macros.get_key_value(name)?;
        if self.chain.contains(&name) {
            return None;
        }
        if self.chain.len() == CHAIN {
            return Some(ENDLESS);
        }
        self.chain.push(name);
        let mut size = Size::default();
        for definition in definitions {
            let one = self.region(definition.body, &definition.parameters);
            size.own = size.own.max(one.own);
            size.arguments = size.arguments.max(one.arguments);
        }
        self.chain.pop();
        Some(size)
    }
}

/// Number of tokens from an open parenthesis to its end.
fn brackets(tokens: &[Token<'_>]) -> Option<usize> {
    if !tokens.first()?.is("(") {
        return None;
    }
    let mut depth = 0_usize;
    let end = tokens.iter().position(|token| {
        match &*token.text {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => {}
        }
        depth == 0
    });
    Some(end? + 1)
}
