//! Tokens in; the largest array that they declare.
//!
//! naga takes a GLSL input of two hundred million elements apart, and writes a zero value of as many in WGSL out. So the
//! lengths are told before, as far as `constants` knows them.

use std::collections::HashMap;

use super::constants::Names;
use super::tokens::{Kind, Token};

/// Most elements of one array.
pub(super) const ELEMENTS: f64 = (1 << 24) as f64;
/// Most elements of everything that one declaration of GLSL declares.
const TOTAL: f64 = (1 << 26) as f64;
/// Most elements of an input or output of GLSL; each would be a location.
const LOCATIONS: f64 = 1024.0;

/// An array that is too long.
#[derive(Debug)]
pub(super) struct TooLong {
    pub(super) elements: u64,
    pub(super) limit: u64,
    /// Number of a token in the length.
    pub(super) token: usize,
}

/// Refuses arrays that are too long, in WGSL.
pub(super) fn check_wgsl(tokens: &[Token<'_>]) -> Result<(), TooLong> {
    let mut names = Names::default();
    // In any order, so that a chain of constants takes as many rounds as it is long at worst.
    let declared: Vec<usize> = (0..tokens.len())
        .filter(|&at| tokens[at].is("const") || tokens[at].is("override"))
        .collect();
    for _ in 0..declared.len().min(64) {
        let mut changed = false;
        for &at in &declared {
            changed |= names.declare(tokens, at + 1);
        }
        if !changed {
            break;
        }
    }
    for (at, token) in tokens.iter().enumerate() {
        let array = token.is("array") || token.is("binding_array");
        if !array || !tokens.get(at + 1).is_some_and(|next| next.is("<")) {
            continue;
        }
        let Some((length, end)) = last_argument(tokens, at + 2) else {
            continue;
        };
        if let Some(range) = names.evaluate(&tokens[length..end]) {
            within(range.high, ELEMENTS, length)?;
        }
    }
    Ok(())
}

/// Where the last of several template arguments begins and ends.
fn last_argument(tokens: &[Token<'_>], start: usize) -> Option<(usize, usize)> {
    let (mut brackets, mut angles) = (0_u32, 0_u32);
    let mut comma = None;
    for (at, token) in tokens.iter().enumerate().skip(start) {
        match token.kind {
            Kind::Open => brackets += 1,
            Kind::Close if brackets == 0 => return None,
            Kind::Close => brackets -= 1,
            _ if brackets > 0 => {}
            _ if token.is("<") => angles += 1,
            _ if token.is(">") && angles > 0 => angles -= 1,
            // `>=` ends the list as well: `let a: array<f32, 4>= …`.
            _ if token.is(">") || token.is(">=") => return comma.map(|from| (from, at)),
            _ if token.is(",") && angles == 0 => comma = Some(at + 1),
            _ if token.is(";") => return None,
            _ => {}
        }
    }
    None
}

fn within(elements: f64, limit: f64, token: usize) -> Result<(), TooLong> {
    if elements <= limit {
        return Ok(());
    }
    Err(TooLong {
        elements: elements as u64,
        limit: limit as u64,
        token,
    })
}

/// A declaration of GLSL while it is read.
#[derive(Clone, Copy)]
struct Declaration<'a> {
    /// Elements of its type.
    base: f64,
    /// Product of the lengths behind its name.
    product: f64,
    /// `in` or `out`, here or in front of the block.
    interface: bool,
    /// Name behind `struct`.
    structure: Option<&'a str>,
}

impl<'a> Declaration<'a> {
    fn new(interface: bool) -> Declaration<'a> {
        Declaration {
            base: 1.0,
            product: 1.0,
            interface,
            structure: None,
        }
    }

    fn check(&self, token: usize) -> Result<(), TooLong> {
        let limit = if self.interface { LOCATIONS } else { TOTAL };
        within(self.base * self.product, limit, token)
    }
}

/// What is declared in front of a block, and the elements of what comes before it.
struct Block<'a> {
    declaration: Declaration<'a>,
    members: f64,
}

/// Reads declarations of GLSL.
struct Declarations<'a, 'b> {
    tokens: &'b [Token<'a>],
    names: Names<'b>,
    structures: HashMap<&'b str, f64>,
    blocks: Vec<Block<'b>>,
    now: Declaration<'b>,
    /// Elements of the members of this block.
    members: f64,
    parentheses: u32,
}

/// Refuses arrays that are too long, in GLSL.
pub(super) fn check_glsl(tokens: &[Token<'_>]) -> Result<(), TooLong> {
    let mut declarations = Declarations {
        tokens,
        names: Names::default(),
        structures: HashMap::new(),
        blocks: Vec::new(),
        now: Declaration::new(false),
        members: 0.0,
        parentheses: 0,
    };
    let mut at = 0;
    while at < tokens.len() {
        at = declarations.token(at)? + 1;
    }
    Ok(())
}

impl<'b> Declarations<'_, 'b> {
    /// Reads a token; gives the last one that was read.
    fn token(&mut self, at: usize) -> Result<usize, TooLong> {
        let tokens = self.tokens;
        let token = &tokens[at];
        match &*token.text {
            "(" => self.parentheses += 1,
            ")" => self.parentheses = self.parentheses.saturating_sub(1),
            "{" => {
                let inside = self.now.interface && self.now.structure.is_none();
                self.blocks.push(Block {
                    declaration: self.now,
                    members: self.members,
                });
                self.now = Declaration::new(inside);
                self.members = 0.0;
            }
            "}" => self.end_block(at)?,
            ";" => self.end(),
            "," if self.parentheses == 0 => {
                self.members += self.now.base * self.now.product;
                self.now.product = 1.0;
            }
            "in" | "out" if self.parentheses == 0 && self.blocks.is_empty() => {
                self.now.interface = true;
            }
            "struct" => self.now.structure = tokens.get(at + 1).map(|name| &*name.text),
            "const" => {
                self.names.declare(tokens, at + 1);
            }
            "[" => return self.length(at),
            name if token.kind == Kind::Word => {
                if let Some(&members) = self.structures.get(name) {
                    self.now.base *= members.max(1.0);
                    self.now.check(at)?;
                }
            }
            _ => {}
        }
        Ok(at)
    }

    fn end(&mut self) {
        self.members += self.now.base * self.now.product;
        let around = self.blocks.last();
        let around = around.map(|block| &block.declaration);
        let inside = around.is_some_and(|block| block.interface && block.structure.is_none());
        self.now = Declaration::new(inside);
    }

    fn end_block(&mut self, at: usize) -> Result<(), TooLong> {
        let members = self.members;
        let Some(block) = self.blocks.pop() else {
            return Ok(());
        };
        (self.now, self.members) = (block.declaration, block.members);
        self.now.base = members.max(1.0);
        if let Some(name) = self.now.structure {
            let known = self.structures.entry(name).or_default();
            *known = known.max(members);
        }
        self.now.check(at)?;
        // A function ends without a semicolon; a block or a structure may go on with a name.
        let next = self.tokens.get(at + 1);
        let function = self.tokens[..at].is_empty() || !next.is_some_and(|next| next.is(";"));
        let named = self.now.structure.is_some() || self.now.interface;
        if function && !named && self.blocks.is_empty() {
            let storage = next.is_some_and(|next| next.kind == Kind::Word);
            let after = self.tokens.get(at + 2);
            let instance = storage && after.is_some_and(|t| t.is(";") || t.is("["));
            if !instance {
                self.end();
            }
        } else if !self.blocks.is_empty() && self.now.structure.is_none() {
            self.end();
        }
        Ok(())
    }

    /// Reads a length or an index; gives the bracket at its end.
    fn length(&mut self, at: usize) -> Result<usize, TooLong> {
        let tokens = self.tokens;
        let end = closing(tokens, at);
        let Some(range) = self.names.evaluate(&tokens[at + 1..end]) else {
            return Ok(end);
        };
        within(range.high, ELEMENTS, at)?;
        let next = tokens.get(end + 1);
        match next.is_some_and(|next| next.kind == Kind::Word) {
            // `float[4] name`.
            true => self.now.base *= range.high.max(1.0),
            false => self.now.product *= range.high.max(1.0),
        }
        self.now.check(at)?;
        let before = at.checked_sub(1).map(|before| &tokens[before]);
        if let Some(name) = before.filter(|token| token.kind == Kind::Word) {
            let known = self.names.lengths.entry(&name.text).or_insert(range);
            *known = known.union(range);
        }
        Ok(end)
    }
}

/// Number of the bracket that ends another one.
fn closing(tokens: &[Token<'_>], open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.kind {
            Kind::Open => depth += 1,
            Kind::Close => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    tokens.len()
}

#[cfg(test)]
mod tests {
    use super::super::tokens::{Syntax, expanded, tokens};
    use super::*;

    fn wgsl(text: &str) -> Option<u64> {
        let tokens = tokens(text, Syntax::Wgsl, 10_000);
        check_wgsl(&tokens).err().map(|error| error.elements)
    }

    fn glsl(text: &str) -> Option<u64> {
        check_glsl(&expanded(text, 10_000))
            .err()
            .map(|error| error.elements)
    }

    #[test]
    fn lengths_of_wgsl() {
        for text in [
            "var<private> a: array<f32, 16777216>;",
            "const n = 4096; const m = n * n; var<private> a: array<vec4<f32>, m>;",
            "var<private> a: array<array<f32, 1 << 20>, 0x100u>;",
            "fn f(a: array<f32, 4>) -> bool { return a[2000000000] < 4 && a[3] > 5; }",
            "@id(1) override n: u32; var<workgroup> a: array<f32, n>;",
            "const e = array<u32, 3>(1, 2, 3); var<private> a: array<f32, e[2] * 70000>;",
            "fn f() { let a = array<f32, 3>(1, 2, 3); let i = u32(x); b[i * 99999999u] = 1; }",
            "const n = max(2u, u32(ceil(4.5))) + vec2<u32>(3, 4).x; var<private> a: array<f32, n>;",
        ] {
            assert_eq!(wgsl(text), None, "{text}");
        }
        for (text, elements) in [
            ("var<private> a: array<f32, 200000000>;", 200_000_000),
            (
                "const n = 20000; fn f() { var a = array<f32, n * n>(); }",
                400_000_000,
            ),
            (
                "var<private> a: array<f32, m>; const m = 2 * k; const k = 1 << 30;",
                1 << 31,
            ),
            (
                "var<private> a: array<array<f32, 5 * 8000000>, 2>;",
                40_000_000,
            ),
            (
                "const a: array<f32, 16777217>= array<f32, 16777217>();",
                16_777_217,
            ),
            ("alias A = array<array<f32, 3>, (1 << 25)>;", 1 << 25),
        ] {
            assert_eq!(wgsl(text), Some(elements), "{text}");
        }
        // More than is told here: any length.
        assert!(wgsl("var<private> a: array<f32, u32(pow(2, 31))>;").is_some());
        assert!(wgsl("var<private> a: array<f32, u32(-1)>;").is_some());
    }

    #[test]
    fn lengths_of_glsl() {
        for text in [
            "buffer B { float before[3]; float data[16777216]; } b; float f() { return b.data[1]; }",
            "in vec4 a[16]; out B { vec4 c[8]; } b; void main() { c[3] = a[15]; }",
            "struct S { float a[4096]; }; void f(in float a[2000], in S s) {} uniform U { S s[9]; };",
            "const int n = 3, m = 70; float a[n * m]; float b[a.length() * 2];",
            "void f(int i) { for (int k = 0; k < 9; k++) { a[i * 99999999] = b[k][2]; } }",
        ] {
            assert_eq!(glsl(text), None, "{text}");
        }
        for (text, elements) in [
            ("float a[200000000];", 200_000_000),
            ("in float a[2000];", 2000),
            ("layout(location = 0) out vec4 a[64][64];", 4096),
            (
                "#define N 20000\nvoid main() { float a[N * N]; }",
                400_000_000,
            ),
            ("const int n = 1 << 12; float a[n][n][n];", 1 << 36),
            (
                "struct S { float a[16777216]; }; struct T { S s[8]; }; T t;",
                1 << 27,
            ),
            ("struct S { float a[4096]; }; in S s;", 4096),
            ("in B { float c[4096]; } b;", 4096),
            ("float a[10]; float b[a.length() * 9000000];", 90_000_000),
        ] {
            assert_eq!(glsl(text), Some(elements), "{text}");
        }
    }
}
