//! Shader text in; refuses what a front end would recurse over too deeply, or take too long or too much memory for.
//!
//! All limits count what stands in the text, so a shader is refused on every host or on none.

use super::depth;
use super::lengths::{self, TooLong};
use super::macros;
use super::tokens::{Kind, Syntax, Token, expanded, tokens};
use crate::error::{At, Location, ShaderError};

/// Most bytes of text.
const TEXT_BYTES: usize = 1 << 20;
/// Most tokens, also after macros.
const TOKENS: usize = 1 << 18;
/// Most levels of expressions and statements. Where naga is not optimised, one takes up to 43 KiB of
/// stack. Without threads there is only the stack of whoever calls.
const LEVELS: u64 = if cfg!(target_arch = "wasm32") {
    100
} else {
    1_000
};
/// Most functions times global variables: naga keeps something for each pair.
const PRODUCT: u64 = 4_000_000;

/// Checks WGSL text.
pub(crate) fn wgsl(text: &str) -> Result<(), ShaderError> {
    let check = Check { text };
    check.size()?;
    let tokens = tokens(text, Syntax::Wgsl, TOKENS);
    check.tokens(&tokens)?;
    let count = |name| tokens.iter().filter(|token| token.is(name)).count() as u64;
    check.product(count("fn"), count("var"))?;
    lengths::check_wgsl(&tokens).map_err(|error| check.length(&error, &tokens))
}

/// Checks GLSL text.
pub(crate) fn glsl(text: &str) -> Result<(), ShaderError> {
    let check = Check { text };
    check.size()?;
    let written = tokens(text, Syntax::Glsl, TOKENS);
    check.count(&written)?;
    macros::check(&written, TOKENS as u64)
        .map_err(|error| check.too_large(error.what, error.tokens, error.limit, error.token))?;
    let tokens = expanded(text, TOKENS);
    check.tokens(&tokens)?;
    let (globals, evaluated) = globals(&tokens);
    check.product(evaluated, globals)?;
    lengths::check_glsl(&tokens).map_err(|error| check.length(&error, &tokens))
}

/// Declarations outside of functions, and what naga sees all of them for: functions and constant expressions.
fn globals(tokens: &[Token<'_>]) -> (u64, u64) {
    let (mut depth, mut globals, mut evaluated) = (0_u64, 0, 0);
    let mut body = false;
    for (at, token) in tokens.iter().enumerate() {
        match (token.kind, &*token.text) {
            (Kind::Open, "{") => {
                if depth == 0 {
                    body = at > 0 && tokens[at - 1].is(")");
                    evaluated += u64::from(body);
                }
                depth += 1;
            }
            (Kind::Close, "}") => depth = depth.saturating_sub(1),
            (Kind::Open, "[") | (Kind::Word, "layout") => evaluated += 1,
            // The members of a block are variables of their own.
            (Kind::Separator, ";") => globals += u64::from(depth == 0 || depth == 1 && !body),
            _ => {}
        }
    }
    (globals, evaluated)
}

struct Check<'a> {
    text: &'a str,
}

impl Check<'_> {
    fn too_large(
        &self,
        what: &'static str,
        needed: u64,
        limit: u64,
        token: Option<&Token<'_>>,
    ) -> ShaderError {
        let at = token.and_then(|token| Location::new(self.text, token.at.clone()));
        ShaderError::TooLarge {
            what,
            needed,
            limit,
            at: At(at),
        }
    }

    fn size(&self) -> Result<(), ShaderError> {
        let (needed, limit) = (self.text.len() as u64, TEXT_BYTES as u64);
        if needed > limit {
            return Err(self.too_large("bytes of text", needed, limit, None));
        }
        Ok(())
    }

    fn count(&self, tokens: &[Token<'_>]) -> Result<(), ShaderError> {
        if tokens.len() > TOKENS {
            let count = tokens.len() as u64;
            return Err(self.too_large("tokens", count, TOKENS as u64, tokens.last()));
        }
        Ok(())
    }

    /// The number of tokens, and how they nest.
    fn tokens(&self, tokens: &[Token<'_>]) -> Result<(), ShaderError> {
        self.count(tokens)?;
        depth::check(tokens, LEVELS).map_err(|error| {
            let token = tokens.get(error.token);
            self.too_large("levels of nesting", error.levels, LEVELS, token)
        })
    }

    fn product(&self, functions: u64, globals: u64) -> Result<(), ShaderError> {
        let product = functions * globals;
        if product > PRODUCT {
            let what = "functions times global variables";
            return Err(self.too_large(what, product, PRODUCT, None));
        }
        Ok(())
    }

    fn length(&self, error: &TooLong, tokens: &[Token<'_>]) -> ShaderError {
        let token = tokens.get(error.token);
        self.too_large("elements in an array", error.elements, error.limit, token)
    }
}
