//! Texels that were read to the filtered values of a mip level.

use super::Lanes;
use super::room::Room;
use super::rules::FRACTION_BITS;
use super::stages::{self, Axis};
use super::wave::Wave;

/// The level that texels are of.
#[derive(Clone, Copy)]
pub(super) struct Share<'a> {
    /// Its weight in a reduction.
    pub mix: &'a Lanes,
    /// Whether nothing was reduced before.
    pub first: bool,
}

impl Wave<'_> {
    /// Adds the `count` texels of slice `k` to sums: of bytes, or of values.
    pub(super) fn sum(
        &self,
        room: &mut Room,
        count: usize,
        k: usize,
        share: Share,
        out: &mut [Lanes; 4],
    ) {
        if self.averages_bytes() {
            self.sum_bytes(room, count, out);
        } else if self.is_point() && self.reference.is_none() && !self.reduces() {
            self.take(room, k, out);
        } else {
            self.sum_values(room, count, k, share, out);
        }
    }

    fn sum_bytes(&self, room: &mut Room, count: usize, out: &mut [Lanes; 4]) {
        let taps = &mut room.words[0];
        if self.borders.contains(&true) {
            let border = self.texture.border_word(self.sampler);
            let across = room.axes[0].count;
            for (tap, row) in taps.iter_mut().enumerate().take(count) {
                let at = [tap % across, tap / across, 0];
                self.put_border(&room.axes, at, border, row);
            }
        }
        let [x, y, _] = &room.axes;
        match count {
            1 => stages::widen_bytes(self.level, &taps[0], out),
            2 => {
                [taps[2], taps[3]] = [taps[0], taps[1]];
                stages::average_bytes(self.level, taps, &x.w[1], &y.w[1], out);
            }
            _ => stages::average_bytes(self.level, taps, &x.w[1], &y.w[1], out),
        }
    }

    /// The texels themselves.
    fn take(&self, room: &Room, k: usize, out: &mut [Lanes; 4]) {
        for c in (0..4).filter(|&c| self.needed[c]) {
            let row = std::slice::from_mut(&mut out[c]);
            self.texture.decoder.decode(self.level, c, &room.words, row);
            self.put_border(&room.axes, [0, 0, k], self.border[c], &mut out[c]);
        }
    }

    /// Puts the border where texel `at` of the footprint is outside.
    fn put_border(&self, axes: &[Axis; 3], at: [usize; 3], border: u32, row: &mut Lanes) {
        for (axis, (at, borders)) in axes.iter().zip(at.into_iter().zip(self.borders)) {
            if borders {
                stages::put_border(self.level, &axis.i[at], border, row);
            }
        }
    }

    /// Component `c` of the 2x2 texels that were read, compared where that is asked for.
    pub(super) fn texels(&self, room: &mut Room, c: usize) {
        let Room {
            axes,
            words,
            values,
            ..
        } = room;
        self.texture.decoder.decode(self.level, c, words, values);
        for (tap, row) in values.iter_mut().enumerate() {
            self.put_border(axes, [tap & 1, tap >> 1, 0], self.border[c], row);
            if let Some(reference) = &self.reference {
                let op = self.sampler.sampler.compare;
                stages::compare(self.level, op, reference, row);
            }
        }
    }

    fn sum_values(
        &self,
        room: &mut Room,
        count: usize,
        k: usize,
        share: Share,
        out: &mut [Lanes; 4],
    ) {
        let (level, sampler) = (self.level, &self.sampler.sampler);
        let Room {
            axes,
            weights,
            words,
            values,
            ..
        } = room;
        let across = axes[0].count;
        let (weights, values) = (&mut weights[..count], &mut values[..count]);
        let at = |tap: usize| [tap % across, tap / across, k];
        let numbers = |tap: usize| {
            let [i, j, k] = at(tap);
            [&axes[0].w[i], &axes[1].w[j], &axes[2].w[k]]
        };
        let bits = FRACTION_BITS as usize * self.texture.dim.axes();
        let scale = 1.0 / (1u32 << bits) as f32;
        if !self.reduces() {
            for (tap, row) in weights.iter_mut().enumerate() {
                stages::weigh(level, numbers(tap), scale, row);
            }
        }
        for c in (0..4).filter(|&c| self.needed[c]) {
            let source = self.source(c);
            self.texture.decoder.decode(level, source, words, values);
            for (tap, row) in values.iter_mut().enumerate() {
                self.put_border(axes, at(tap), self.border[source], row);
                if let Some(reference) = &self.reference {
                    stages::compare(level, sampler.compare, reference, row);
                }
            }
            if !self.reduces() {
                stages::accumulate(level, values, weights, &mut out[c]);
                continue;
            }
            for (tap, row) in values.iter().enumerate() {
                let first = share.first && (tap, k) == (0, 0);
                let how = sampler.reduction;
                stages::extreme(level, how, row, numbers(tap), share.mix, first, &mut out[c]);
            }
        }
    }
}
