//! Reads test vectors (`text ; hexwords`, under `#` headings that name the source) and the manual's instruction list
//! (`encoding,mnemonic,opcode`).

/// One test vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vector {
    /// Line number from 1.
    pub line: usize,
    /// Assembly text.
    pub text: String,
    /// Its words.
    pub words: Vec<u32>,
}

/// Reads a vector file.
pub fn vectors(file: &str) -> Result<Vec<Vector>, String> {
    let mut vectors = Vec::new();
    for (line, text) in lines(file) {
        let wrong = || format!("line {line}: `{text}` is not `text ; hexwords`");
        let (text, words) = text.rsplit_once(';').ok_or_else(wrong)?;
        let words: Result<Vec<u32>, _> = words
            .split_whitespace()
            .map(|word| u32::from_str_radix(word, 16))
            .collect();
        let words = words.ok().filter(|words| !words.is_empty());
        vectors.push(Vector {
            line,
            text: text.trim().to_owned(),
            words: words.ok_or_else(wrong)?,
        });
    }
    Ok(vectors)
}

/// Reads a list of instructions as (encoding, mnemonic, opcode).
pub fn list(file: &str) -> Result<Vec<(String, String, u32)>, String> {
    let mut rows = Vec::new();
    for (line, text) in lines(file) {
        let wrong = || format!("line {line}: `{text}` is not `encoding,mnemonic,opcode`");
        let fields: Vec<&str> = text.split(',').map(str::trim).collect();
        let &[encoding, mnemonic, opcode] = fields.as_slice() else {
            return Err(wrong());
        };
        let opcode = opcode.parse().map_err(|_| wrong())?;
        rows.push((encoding.to_owned(), mnemonic.to_owned(), opcode));
    }
    Ok(rows)
}

fn lines(file: &str) -> impl Iterator<Item = (usize, &str)> {
    let numbered = file.lines().enumerate();
    numbered
        .map(|(index, text)| (index + 1, text.trim()))
        .filter(|(_, text)| !text.is_empty() && !text.starts_with('#'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_is_text_and_words() {
        let file = "# [SI p.12-15]\n\nv_add_f32 v1, v2, v3 ; 06020702\na ; 1 2\n";
        let found = vectors(file).unwrap_or_default();
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].line, 3);
        assert_eq!(found[0].text, "v_add_f32 v1, v2, v3");
        assert_eq!(found[1].words, [1, 2]);
    }

    #[test]
    fn wrong_lines_are_named() {
        assert!(vectors("a ;").is_err_and(|error| error.contains("line 1")));
        assert!(vectors("\na").is_err_and(|error| error.contains("line 2")));
        assert!(list("SOP2,S_ADD_U32").is_err());
        assert_eq!(
            list("SOP2,S_ADD_U32,0"),
            Ok(vec![("SOP2".to_owned(), "S_ADD_U32".to_owned(), 0)])
        );
    }
}
