//! Blending into one bound target.

use super::PixelExports;
use crate::blend::{self, Blend, Color, Factor, Plan};
use crate::format::Format;
use crate::level::Level;
use crate::memory::Memory;
use crate::surface::{Place, Plane, Texels, Words};
use crate::texel;

/// One bound target.
#[derive(Clone, Debug)]
pub struct ColorOutput {
    /// Which export it takes.
    index: usize,
    /// The export that is the second source of blending.
    second: Option<usize>,
    format: Format,
    plan: Plan,
    plane: Plane,
}

/// Rows that blending works on.
#[derive(Clone, Debug)]
pub struct ColorRows {
    color: Color,
    words: Words,
}

impl Default for ColorRows {
    fn default() -> ColorRows {
        ColorRows {
            color: [[0; 64]; 4],
            words: [[0; 64]; 4],
        }
    }
}

fn is_second(factor: Factor) -> bool {
    matches!(
        factor,
        Factor::Src1Color
            | Factor::OneMinusSrc1Color
            | Factor::Src1Alpha
            | Factor::OneMinusSrc1Alpha
    )
}

impl ColorOutput {
    /// The target that takes export `index`; the second source of blending is the export after it.
    pub fn new(index: usize, format: Format, state: &Blend, plane: Plane) -> ColorOutput {
        let factors = [state.color, state.alpha].map(|e| is_second(e.src) || is_second(e.dst));
        ColorOutput {
            index,
            second: (factors != [false; 2]).then_some(index + 1),
            format,
            plan: state.plan(),
            plane,
        }
    }

    /// Where it lies.
    pub fn plane(&self) -> &Plane {
        &self.plane
    }

    /// Blends what a wave exported into these texels.
    pub fn write(
        &self,
        level: Level,
        memory: &Memory,
        texels: Texels,
        exports: &PixelExports,
        rows: &mut ColorRows,
    ) {
        let mask = texels.mask;
        if exports.color_mask >> self.index & 1 == 0 || !self.plan.writes() || mask == 0 {
            return;
        }
        let ColorRows { color, words } = rows;
        // Lanes of a whole tile that are not written go back as they were.
        let reads = self.plan.reads_destination();
        let kept = mask != u64::MAX && matches!(texels.place, Place::Tile(..));
        if reads || kept {
            self.plane.read(memory, texels, words);
        }
        if reads {
            texel::unpack_row(level, self.format, words, color);
        }
        let second = self.second.and_then(|n| exports.colors.get(n));
        let source = &exports.colors[self.index];
        blend::blend(level, &self.plan, source, second, mask, color);
        if kept {
            let old = *words;
            texel::pack_row(level, self.format, color, words);
            for (word, old) in words.iter_mut().zip(&old) {
                for lane in 0..64 {
                    word[lane] = if mask >> lane & 1 != 0 {
                        word[lane]
                    } else {
                        old[lane]
                    };
                }
            }
        } else {
            texel::pack_row(level, self.format, color, words);
        }
        self.plane.write(memory, texels, kept, words);
    }
}
