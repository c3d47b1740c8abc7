//! Tokens in; how deep the tree of their expressions and statements is at most.
//!
//! Brackets nest, and so do operators in a row: `a + b + c` is a tree of two levels, as are `a.b.c` and `if … else if`.

use super::tokens::{Kind, Token};

/// A part of the text that is deeper than allowed.
#[derive(Debug)]
pub(super) struct TooDeep {
    pub(super) levels: u64,
    /// Number of the token at its end.
    pub(super) token: usize,
}

/// What is between two brackets, as far as it was read.
#[derive(Clone, Copy, Default)]
struct Level {
    /// Operators since the last separator.
    row: u64,
    /// Those of them that are words in front of statements.
    words: u64,
    /// Deepest brackets since then.
    inner: u64,
    /// Deepest part before.
    deepest: u64,
}

impl Level {
    /// Something new begins, below the words in front of it if it is the other side of an `if`.
    fn separate(&mut self, continued: bool) {
        self.deepest = self.depth();
        if !continued {
            self.words = 0;
        }
        (self.row, self.inner) = (self.words, 0);
    }

    fn depth(&self) -> u64 {
        self.deepest.max(self.row + self.inner)
    }
}

/// Refuses tokens that nest deeper than `limit`.
pub(super) fn check(tokens: &[Token<'_>], limit: u64) -> Result<(), TooDeep> {
    let mut outer: Vec<Level> = Vec::new();
    let mut top = Level::default();
    // Operators in front of this token, in all brackets that are open.
    let mut path = 0;
    for (at, token) in tokens.iter().enumerate() {
        // An `else` hangs below the `if` before it.
        let continued = || tokens.get(at + 1).is_some_and(|next| next.is("else"));
        let row = top.row;
        match token.kind {
            Kind::Open => {
                top.row += 1;
                path += top.row;
                outer.push(top);
                top = Level::default();
            }
            Kind::Close => {
                let inside = top.depth();
                top = outer.pop().unwrap_or_default();
                path -= top.row;
                top.inner = top.inner.max(inside);
                if token.is("}") {
                    top.separate(continued());
                }
            }
            Kind::Separator => top.separate(token.is(";") && continued()),
            Kind::Operator if !token.is(":") => top.row += 1,
            Kind::Word if nests(&token.text) => {
                top.row += 1;
                top.words += 1;
            }
            _ => {}
        }
        let levels = top.depth().max(path + top.row);
        if levels > limit && (top.row > row || token.kind == Kind::Close) {
            return Err(TooDeep { levels, token: at });
        }
    }
    Ok(())
}

/// Words in front of a statement that is a part of another one.
fn nests(word: &str) -> bool {
    matches!(word, "if" | "else" | "for" | "while" | "do" | "switch")
}
