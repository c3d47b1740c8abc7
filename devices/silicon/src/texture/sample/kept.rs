//! Texels that a batch has gathered, kept for another component of them that is gathered next.

use super::repeats::Rows as GivenRows;
use super::scratch::{MAX_WAVES, WaveFootprint};
use super::values::{How, Rows};
use super::{LANES, Lanes, Out};
use host::{Kernel, Rounding};

/// Words of the 2x2 texels that each wave of a batch has gathered.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    /// What they were gathered for, and which words of texels they are; none if they are no more what the next batch would
    /// gather.
    pub of: Option<(Of, usize)>,
    pub words: [[Lanes; 4]; MAX_WAVES],
}

impl Kept {
    pub fn none() -> Box<Kept> {
        Box::new(Kept {
            of: None,
            words: [[[0; LANES]; 4]; MAX_WAVES],
        })
    }
}

/// What texels were gathered for.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Of {
    /// Names texture and sampler.
    pub name: u64,
    pub count: usize,
    /// Where the first and the last wave give their coordinates.
    pub rows: [Option<GivenRows>; 2],
}

/// Writes another component of texels that are kept.
pub(super) struct Again<'a, 'o> {
    pub how: How<'a>,
    pub source: usize,
    pub places: &'a [WaveFootprint],
    pub words: &'a [[Lanes; 4]],
    pub rows: &'a mut Rows,
    pub outs: &'a mut [Out<'o>],
}

impl Kernel for Again<'_, '_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let waves = self.places.iter().zip(self.words).zip(self.outs);
        for ((place, words), out) in waves {
            let rows = &mut *self.rows;
            self.how.give::<R>(place, self.source, (words, rows), out);
        }
    }
}
