//! Which part of the shader's text machine code comes from.

use crate::error::Location;
use crate::ir::{Origin, Text};

/// Places in the text of a shader, by the words of its code.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    text: Text,
    /// The first word of code that comes from a place, and the place.
    places: Vec<(u32, Origin)>,
}

impl Lines {
    /// From words and where the code from there on comes from, in any order. What comes from nowhere belongs to what
    /// stands before it.
    pub fn new(text: &Text, mut places: Vec<(u32, Origin)>) -> Lines {
        places.retain(|(_, origin)| origin.is_known());
        places.sort_by_key(|(word, _)| *word);
        let bytes = |origin: Origin| (origin.start, origin.end);
        places.dedup_by(|next, last| bytes(next.1) == bytes(last.1));
        Lines {
            text: text.clone(),
            places,
        }
    }

    /// Where a word of the code comes from.
    pub fn locate(&self, word: u32) -> Option<Location> {
        let behind = self.places.partition_point(|(first, _)| *first <= word);
        let (_, origin) = self.places[..behind].last()?;
        self.text.locate(*origin).0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_belong_to_the_place_before_them() {
        let text = Text(Some("one\ntwo\nthree".into()));
        let origin = |start, end| Origin { start, end };
        let places = vec![
            (8, origin(8, 13)),
            (2, origin(4, 7)),
            (4, Origin::default()),
        ];
        let lines = Lines::new(&text, places);
        let line = |word| lines.locate(word).map(|at| at.line);
        assert_eq!(
            [0, 2, 7, 8, 99].map(line),
            [None, Some(2), Some(2), Some(3), Some(3)]
        );
        assert_eq!(Lines::default().locate(0), None);
    }
}
