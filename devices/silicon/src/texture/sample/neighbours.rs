//! The 2x2 texels around each lane in level 0, not filtered.

use super::room::Blocks;
use super::scratch::WaveFootprint;
use super::target::{CHUNKS, part_mut};
use super::values::{At, How, Rows, compare, component, cover, decoded};
use super::{Lanes, Out};
use crate::fragment::mask;
use crate::memory::window::Window;
use crate::texture::exact::Exact;

impl<'a> At<'a> {
    /// Level 0, where no window is.
    pub fn first(place: &'a WaveFootprint) -> At<'a> {
        At {
            place,
            window: None,
            small: None,
            step: 0,
            k: 0,
            last: true,
        }
    }
}

impl How<'_> {
    /// A component of the 2x2 neighbours of each lane in level 0, not filtered, but compared where that is asked for; from
    /// the window around them, where it was read.
    #[inline(always)]
    pub fn neighbours<'r, F: Exact>(
        &self,
        blocks: &mut Option<Blocks>,
        window: Option<&Window>,
        place: &WaveFootprint,
        source: usize,
        rows: &'r mut Rows,
    ) -> &'r [Lanes; 4] {
        if window.is_none() {
            self.read_neighbours::<F>(blocks, place, 0, rows);
        }
        let Rows {
            words,
            values,
            texels,
            quads,
            ..
        } = rows;
        let first = At::first(place);
        let at = At { window, ..first };
        let found = component::<F>(self, at, (source, source), (words, values), (texels, quads));
        cover_all(self, first, source, found.each_mut());
        found
    }

    /// A word of the 2x2 neighbours of each lane in level 0, read one by one.
    #[inline(always)]
    pub fn read_neighbours<'r, F: Exact>(
        &self,
        blocks: &mut Option<Blocks>,
        place: &WaveFootprint,
        word: usize,
        rows: &'r mut Rows,
    ) -> &'r [Lanes; 4] {
        let [footprint, _] = &place.footprint;
        let words = &mut rows.words;
        let plane = self.grid.plane_of(Some(0));
        if plane.is_flat_words() {
            let [[a, b, c, d], ..] = &mut *words;
            for chunk in 0..CHUNKS {
                let taps = [
                    part_mut(a, chunk),
                    part_mut(b, chunk),
                    part_mut(c, chunk),
                    part_mut(d, chunk),
                ];
                plane.read::<F, 4>(&footprint.at, chunk, taps);
            }
        } else {
            plane.rows(&footprint.at, 0, false, words);
        }
        if let Some(blocks) = blocks {
            blocks.decode(4, words);
        }
        &words[word & 3]
    }

    /// The same straight to rows, where there is a window and neither borders nor comparisons.
    #[inline(always)]
    pub fn neighbours_to<F: Exact>(
        &self,
        window: &Window,
        source: usize,
        rows: &mut Rows,
        out: [&mut Lanes; 4],
    ) {
        let Rows { texels, quads, .. } = rows;
        let texels = decoded::<F>(self, window, source, &mut texels[source]);
        window.take(self.lookup, texels, 0, true, quads, out);
    }

    /// A word of the 2x2 neighbours of each lane in level 0, from the window around them, where it was read.
    #[inline(always)]
    pub fn words_of<F: Exact>(
        &self,
        blocks: &mut Option<Blocks>,
        (window, place): (Option<&Window>, &WaveFootprint),
        word: usize,
        rows: &mut Rows,
        out: &mut [Lanes; 4],
    ) {
        if let Some(window) = window {
            let texels = window.words(word);
            window.take(
                self.lookup,
                texels,
                0,
                true,
                &mut rows.quads,
                out.each_mut(),
            );
        } else {
            *out = *self.read_neighbours::<F>(blocks, place, word, rows);
        }
    }

    /// Writes component `source` of kept words to the rows of a wave: texels (0, 1), (1, 1), (1, 0), (0, 0).
    #[inline(always)]
    pub fn give<F: Exact>(
        &self,
        place: &WaveFootprint,
        source: usize,
        (words, rows): (&[Lanes; 4], &mut Rows),
        out: &mut Out,
    ) {
        let whole = place.exec == u64::MAX;
        if let (true, [Some(a), Some(b), Some(c), Some(d)]) = (whole, &mut *out) {
            let rows = [&mut **d, c, a, b];
            self.components_to::<F>(source, words, rows);
            let rows = [&mut **d, c, a, b];
            cover_all(self, At::first(place), source, rows);
            return;
        }
        let values = &mut rows.values;
        self.components_to::<F>(source, words, values.each_mut());
        cover_all(self, At::first(place), source, values.each_mut());
        for (row, tap) in out.iter_mut().zip([2, 3, 1, 0]) {
            let Some(row) = row else { continue };
            mask::replace(place.exec, row, |l| values[tap][l]);
        }
    }

    #[inline(always)]
    fn components_to<F: Exact>(&self, source: usize, words: &[Lanes; 4], out: [&mut Lanes; 4]) {
        for (words, out) in words.iter().zip(out) {
            word_at::<F>(self, source, words, out);
        }
    }
}

/// Component `source` of a row of texels, from the word that it is in.
#[inline(always)]
pub(super) fn word_at<F: Exact>(how: &How, source: usize, words: &Lanes, out: &mut Lanes) {
    match how.decoder.plain_word(source) {
        Some(_) => *out = *words,
        None => how.convert::<F>(
            source,
            std::slice::from_ref(words),
            std::slice::from_mut(out),
        ),
    }
}

/// Puts the border where 2x2 texels are outside, and compares them where that is asked for.
#[inline(always)]
pub(super) fn cover_all(how: &How, at: At, source: usize, texels: [&mut Lanes; 4]) {
    let footprint = &at.place.footprint[at.step];
    let has_border = footprint.has_border();
    for (tap, texels) in texels.into_iter().enumerate() {
        if has_border {
            cover(footprint.border(tap, at.k), how.border[source], texels);
        }
        if let Some((op, _)) = how.compare {
            compare(op, &at.place.reference, std::slice::from_mut(texels));
        }
    }
}
