//! Assembly text. In: lines of labels (`name:`), a statement, and comments (`//`, `;`, `#`). Out: statements and the
//! tokens that all parsers share. Directives (`.name ...`) are statements; the instruction set interprets them.

/// A statement with the labels before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement<'a> {
    /// Line number from 1.
    pub line: u32,
    /// Labels that stand for its address.
    pub labels: Vec<&'a str>,
    /// The statement without comment and surrounding space; empty for labels at the end of the text.
    pub text: &'a str,
}

/// The statements of a program, in order.
pub fn statements(text: &str) -> Vec<Statement<'_>> {
    let mut statements = Vec::new();
    let mut labels = Vec::new();
    let mut last = 0;
    for (index, line) in text.lines().enumerate() {
        let mut rest = without_comment(line).trim();
        while let Some((label, after)) = split_label(rest) {
            labels.push(label);
            rest = after.trim_start();
        }
        last = index as u32 + 1;
        if !rest.is_empty() {
            statements.push(Statement {
                line: last,
                labels: std::mem::take(&mut labels),
                text: rest,
            });
        }
    }
    if !labels.is_empty() {
        statements.push(Statement {
            line: last,
            labels,
            text: "",
        });
    }
    statements
}

fn without_comment(line: &str) -> &str {
    let end = ["//", ";", "#"]
        .iter()
        .filter_map(|mark| line.find(mark))
        .min();
    &line[..end.unwrap_or(line.len())]
}

/// `name: rest` where name is a whole word.
fn split_label(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = text.split_once(':')?;
    let name = name.trim_end();
    is_label(name).then_some((name, rest))
}

/// Whether a text can be a label: a word that does not start with a digit.
pub fn is_label(name: &str) -> bool {
    !name.is_empty() && name.chars().all(is_word) && !name.starts_with(digit)
}

fn digit(c: char) -> bool {
    c.is_ascii_digit()
}

/// Whether a character may be part of a word: a mnemonic, register, label or keyword.
fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$' | '@')
}

/// A number as written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// Decimal, `0x` or `0b`, without sign.
    Integer(u64),
    /// With a point or an exponent.
    Float(f64),
}

/// Reads tokens from a statement. Space between tokens is skipped.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'a> {
    rest: &'a str,
}

impl<'a> Cursor<'a> {
    /// At the start of a text.
    pub fn new(text: &'a str) -> Cursor<'a> {
        Cursor {
            rest: text.trim_start(),
        }
    }

    /// What is still to be read.
    pub fn rest(&self) -> &'a str {
        self.rest
    }

    /// Whether everything is read.
    pub fn is_end(&self) -> bool {
        self.rest.is_empty()
    }

    /// The next character.
    pub fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn advance(&mut self, bytes: usize) -> &'a str {
        let (token, rest) = self.rest.split_at(bytes);
        self.rest = rest.trim_start();
        token
    }

    /// Takes `token` if it is next.
    pub fn eat(&mut self, token: &str) -> bool {
        let found = self.rest.starts_with(token);
        if found {
            self.advance(token.len());
        }
        found
    }

    /// Takes `token` or says that it is missing.
    pub fn expect(&mut self, token: &str) -> Result<(), String> {
        match self.eat(token) {
            true => Ok(()),
            false => Err(format!("expected `{token}`{}", self.here())),
        }
    }

    /// Where the cursor stands, for messages.
    pub fn here(&self) -> String {
        match self.rest {
            "" => " at the end".to_owned(),
            rest => format!(" before `{rest}`"),
        }
    }

    /// The word at the cursor, not taken.
    pub fn peek_word(&self) -> Option<&'a str> {
        let end = self.rest.find(|c| !is_word(c)).unwrap_or(self.rest.len());
        let word = &self.rest[..end];
        (!word.is_empty() && !word.starts_with(digit)).then_some(word)
    }

    /// Takes a word.
    pub fn word(&mut self) -> Option<&'a str> {
        let word = self.peek_word()?;
        Some(self.advance(word.len()))
    }

    /// Takes `word` if the whole next word is that.
    pub fn eat_word(&mut self, word: &str) -> bool {
        let found = self.peek_word() == Some(word);
        if found {
            self.advance(word.len());
        }
        found
    }

    /// Takes everything up to `end`, and `end`.
    pub fn until(&mut self, end: char) -> Option<&'a str> {
        let at = self.rest.find(end)?;
        let text = self.advance(at);
        self.advance(end.len_utf8());
        Some(text.trim_end())
    }

    /// Takes a number without sign.
    pub fn number(&mut self) -> Option<Number> {
        if !self.rest.starts_with(digit) {
            return None;
        }
        let bytes = self.rest.as_bytes();
        let mut end = 0;
        while let Some(&byte) = bytes.get(end) {
            // A sign belongs to the number after the exponent of a decimal one.
            let exponent_sign = matches!(byte, b'+' | b'-')
                && !self.rest.starts_with("0x")
                && matches!(bytes[end.saturating_sub(1)], b'e' | b'E');
            if !(byte.is_ascii_alphanumeric() || byte == b'.' || exponent_sign) {
                break;
            }
            end += 1;
        }
        let text = &self.rest[..end];
        let number = if let Some(hex) = text.strip_prefix("0x") {
            Number::Integer(u64::from_str_radix(hex, 16).ok()?)
        } else if let Some(binary) = text.strip_prefix("0b") {
            Number::Integer(u64::from_str_radix(binary, 2).ok()?)
        } else if text.contains(['.', 'e', 'E']) {
            Number::Float(text.parse().ok()?)
        } else {
            Number::Integer(text.parse().ok()?)
        };
        self.advance(end);
        Some(number)
    }

    /// Takes an integer with an optional minus sign.
    pub fn integer(&mut self) -> Option<i64> {
        let start = *self;
        let negative = self.eat("-");
        match self.number() {
            Some(Number::Integer(value)) => Some(match negative {
                true => (value as i64).wrapping_neg(),
                false => value as i64,
            }),
            _ => {
                *self = start;
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_and_comments() {
        let text = "a: b: s_nop 0 // c: d\n\n; all comment\n x:\n  s_endpgm ; end\nlast:\n";
        let found: Vec<_> = statements(text)
            .into_iter()
            .map(|s| (s.line, s.labels, s.text))
            .collect();
        assert_eq!(
            found,
            [
                (1, vec!["a", "b"], "s_nop 0"),
                (5, vec!["x"], "s_endpgm"),
                (6, vec!["last"], ""),
            ]
        );
    }

    #[test]
    fn a_colon_after_a_keyword_is_no_label() {
        let found = statements("v_mad_f32 v1, v2, v3, v4 mul:2");
        assert_eq!(found[0].text, "v_mad_f32 v1, v2, v3, v4 mul:2");
    }

    #[test]
    fn numbers() {
        let mut cursor = Cursor::new("12 0x1F 0b101 1.5 2e-3 -7 v1");
        assert_eq!(cursor.number(), Some(Number::Integer(12)));
        assert_eq!(cursor.number(), Some(Number::Integer(31)));
        assert_eq!(cursor.number(), Some(Number::Integer(5)));
        assert_eq!(cursor.number(), Some(Number::Float(1.5)));
        assert_eq!(cursor.number(), Some(Number::Float(0.002)));
        assert_eq!(cursor.integer(), Some(-7));
        assert_eq!(cursor.number(), None);
        assert_eq!(cursor.word(), Some("v1"));
        assert!(cursor.is_end());
    }

    #[test]
    fn a_wrong_number_is_not_taken() {
        let mut cursor = Cursor::new("0xzz");
        assert_eq!(cursor.number(), None);
        assert_eq!(cursor.rest(), "0xzz");
        assert_eq!(cursor.integer(), None);
    }

    #[test]
    fn text_up_to_a_mark() {
        let mut cursor = Cursor::new("a b) c");
        assert_eq!(cursor.until(')'), Some("a b"));
        assert_eq!(cursor.rest(), "c");
        assert_eq!(cursor.until(')'), None);
        assert!(cursor.eat_word("c") && !cursor.eat_word("c"));
    }
}
