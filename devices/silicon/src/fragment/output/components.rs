//! Targets of any plain format: rows of packed texels are decoded, blended and packed, one component after another.
//! Same bytes as [`crate::texture::texel`] and [`crate::fragment::blend`] in sequence.

mod formula;
mod sources;

use crate::fragment::blend::{Equation, Factor, Operation, Path, Plan, Range, Source};
use crate::fragment::output::Aligned;
use crate::fragment::surface::TileRows;
use crate::texture::format::{Class, Format, Read};
use crate::texture::sample::Lanes;
use crate::texture::texel::{Codec, Stored, Visit};
use formula::{Alphas, Formula, NO_ALPHAS, PART, ReadAlpha, Saturate};
use host::{Kernel, Rounding, SimdLevel};
use sources::Sources;

/// A format and a blend plan for it.
#[derive(Clone, Copy)]
pub(super) struct Components {
    format: Format,
    /// Those that are stored, and what becomes of them.
    stored: [Option<(Stored, Sum)>; 4],
    /// Those that are [`Sum::Source`], and of which words they are all.
    sources: Sources,
    /// Of those that are [`Sum::Formula`], and whether one reads alphas.
    formulas: [Option<Formula>; 4],
    reads_alpha: bool,
    /// Bits of each word that components have.
    used: [u32; 4],
    /// Those that texels have.
    held: [u32; 4],
    plan: Plan,
    /// Alpha of texels that store none.
    alpha: u32,
    replaces: bool,
}

impl std::fmt::Debug for Components {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Components({:?}, {:?})", self.format, self.plan)
    }
}

/// What a component becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sum {
    /// What it was.
    Kept,
    /// The source.
    Source,
    /// The source after an addition of zero.
    SourceAndZero,
    /// Source and destination.
    Both,
    /// `s * a + d * (1 - a)`
    Over,
    /// `s + d * (1 - a)`
    Rest,
    /// What a formula says.
    Formula,
}

const KEPT: u8 = Sum::Kept as u8;
const SOURCE_AND_ZERO: u8 = Sum::SourceAndZero as u8;
const BOTH: u8 = Sum::Both as u8;
const OVER: u8 = Sum::Over as u8;
const REST: u8 = Sum::Rest as u8;
const FORMULA: u8 = Sum::Formula as u8;
/// [`Sum::Formula`] whose factors are no rows.
const ROWLESS: u8 = FORMULA + 1;
/// [`Sum::Formula`] of the lesser or greater.
const CHOICE: u8 = FORMULA + 2;

impl Sum {
    /// Of a component by a plan.
    fn new(plan: &Plan, component: usize) -> Sum {
        if plan.state().write >> component & 1 == 0 {
            return Sum::Kept;
        }
        match plan.path() {
            Path::Nothing => Sum::Kept,
            Path::Opaque => Sum::Source,
            Path::Over if component < 3 => Sum::Over,
            Path::Over | Path::Premultiplied => Sum::Rest,
            Path::General => match equation(plan, component) {
                Equation::REPLACE => Sum::SourceAndZero,
                Equation {
                    src: Factor::One,
                    dst: Factor::One,
                    op: Operation::Add,
                } => Sum::Both,
                _ => Sum::Formula,
            },
        }
    }
}

/// What a plan does with a component.
fn equation(plan: &Plan, component: usize) -> Equation {
    match component {
        3 => plan.state().alpha,
        _ => plan.state().color,
    }
}

/// Lanes that stay in registers from the old texel to the new one.
const CHUNK: usize = 16;

impl Components {
    /// `None` for formats whose components are not each in bits of their own, and for numbers that the plan does not
    /// expect.
    pub(super) fn new(format: Format, plan: &Plan) -> Option<Components> {
        let stored = Stored::all(format)?;
        let class = format.class();
        let range = match class {
            Class::Unorm => Range::Unorm,
            Class::Snorm => Range::Snorm,
            _ => Range::Float,
        };
        let expected = stored.iter().flatten().all(|stored| stored.is_of(class));
        let computes = !matches!(plan.path(), Path::Opaque | Path::Nothing);
        if !expected || plan.state().range != range || class.is_integer() && computes {
            return None;
        }
        let alpha = match format.row().reads[3] {
            Read::One => 1.0,
            _ => 0.0,
        };
        let mut out = Components {
            format,
            stored: [None; 4],
            sources: Sources::NONE,
            formulas: [None; 4],
            reads_alpha: false,
            used: [0; 4],
            held: held(format),
            plan: *plan,
            alpha: f32::to_bits(alpha),
            replaces: true,
        };
        for (component, stored) in stored.into_iter().enumerate() {
            let Some(stored) = stored else { continue };
            let sum = Sum::new(plan, component);
            out.replaces &= matches!(sum, Sum::Source | Sum::SourceAndZero);
            out.used[stored.word] |= stored.bits()?;
            out.stored[component] = Some((stored, sum));
            match sum {
                Sum::Source => out.sources.add(component, stored)?,
                Sum::Formula => {
                    let formula = Formula::new(plan, component);
                    out.reads_alpha |= formula.reads_alpha();
                    out.formulas[component] = Some(formula);
                }
                _ => {}
            }
        }
        out.sources.finish(&out.used);
        Some(out)
    }

    /// A full mask overwrites every old texel.
    #[inline]
    pub(super) fn replaces(&self) -> bool {
        self.replaces
    }

    /// Which component each word of a texel is, where it is that of the source as it is.
    pub(super) fn plain_words(&self) -> Option<[Option<usize>; 4]> {
        let mut words = [None; 4];
        for (component, stored) in self.stored.iter().enumerate() {
            let Some((stored, sum)) = stored else {
                continue;
            };
            if !stored.is_word() || *sum != Sum::Source {
                return None;
            }
            words[stored.word] = Some(component);
        }
        let whole = |(word, held): (&Option<usize>, &u32)| word.is_some() == (*held != 0);
        words.iter().zip(&self.held).all(whole).then_some(words)
    }

    /// Blends sources into all texels of a row each. `second` is the second source of each.
    pub(super) fn write_tiles(
        &self,
        level: SimdLevel,
        (sources, second): (&[Source], Option<&[Source]>),
        texels: &mut TileRows,
    ) {
        let second = second.unwrap_or(sources);
        if !self.reads_alpha {
            self.add_up(level, (sources, second), &NO_ALPHAS, texels);
            return;
        }
        let mut alphas = Alphas::NONE;
        for first in (0..sources.len()).step_by(PART) {
            let some = first..sources.len().min(first + PART);
            let mut texels = texels
                .each_mut()
                .map(|rows| rows.get_mut(some.clone()).unwrap_or_default());
            let (sources, second) = (&sources[some.clone()], &second[some]);
            self.read_alphas(level, sources, &texels, &mut alphas);
            self.add_up(level, (sources, second), &alphas, &mut texels);
        }
    }

    /// Alpha of texels, and what source alpha may add to it.
    fn read_alphas(
        &self,
        level: SimdLevel,
        sources: &[Source],
        texels: &TileRows,
        out: &mut Alphas,
    ) {
        match self.stored[3] {
            Some((stored, _)) => stored.visit(ReadAlpha {
                level,
                shift: stored.shift,
                texels: texels[stored.word],
                to: &mut out.target,
            }),
            None => out.target = [Aligned([self.alpha; 64]); PART],
        }
        level.run(Saturate {
            range: self.plan.state().range,
            sources,
            alphas: out,
        });
    }

    fn add_up(
        &self,
        level: SimdLevel,
        (sources, second): (&[Source], &[Source]),
        alphas: &Alphas,
        texels: &mut TileRows,
    ) {
        for (word, rows) in texels.iter_mut().enumerate() {
            let (used, held) = (self.used[word], self.held[word]);
            // Bits beyond a narrow texel are not stored.
            if used & held != held && !self.sources.covers(word) {
                for row in rows.iter_mut().take(sources.len()) {
                    level.run(And { row, bits: used });
                }
            }
        }
        self.sources.write(level, sources, texels);
        // What is decoded and encoded is what it was.
        let exact = self.plan.state().range == Range::Unorm;
        for (component, stored) in self.stored.iter().enumerate() {
            if let Some((stored, sum)) = stored
                && *sum != Sum::Source
                && !(exact && *sum == Sum::Kept)
            {
                stored.visit(Add {
                    level,
                    component,
                    sum: *sum,
                    bits: stored.bits().unwrap_or(0),
                    shift: stored.shift,
                    sources,
                    second,
                    formula: self.formulas[component].as_ref(),
                    alphas,
                    texels: &mut *texels[stored.word],
                });
            }
        }
    }
}

/// Bits of each word that texels of a format have.
fn held(format: Format) -> [u32; 4] {
    let mut held = [0; 4];
    for (n, held) in (0..).zip(&mut held) {
        let bits = (8 * format.size_bytes()).saturating_sub(32 * n).min(32);
        *held = if bits == 0 {
            0
        } else {
            u32::MAX >> (32 - bits)
        };
    }
    held
}

/// Clears unused bits.
struct And<'a> {
    row: &'a mut Lanes,
    bits: u32,
}

impl Kernel for And<'_> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        for word in self.row {
            *word &= self.bits;
        }
    }
}

/// One component of several rows.
struct Add<'a, 'b> {
    level: SimdLevel,
    component: usize,
    sum: Sum,
    bits: u32,
    shift: u32,
    sources: &'a [Source<'b>],
    /// As many.
    second: &'a [Source<'b>],
    /// Of [`Sum::Formula`].
    formula: Option<&'a Formula>,
    alphas: &'a Alphas,
    texels: &'a mut [Lanes],
}

impl Visit for Add<'_, '_> {
    fn visit<C: Codec>(self, codec: C) {
        match self.sum {
            // Those are written before.
            Sum::Source => {}
            Sum::Kept => self.run::<C, KEPT>(codec),
            Sum::SourceAndZero => self.run::<C, SOURCE_AND_ZERO>(codec),
            Sum::Both => self.run::<C, BOTH>(codec),
            Sum::Over => self.run::<C, OVER>(codec),
            Sum::Rest => self.run::<C, REST>(codec),
            Sum::Formula => match self.formula {
                Some(formula) if formula.chooses() => self.run::<C, CHOICE>(codec),
                Some(formula) if !formula.has_rows() => self.run::<C, ROWLESS>(codec),
                _ => self.run::<C, FORMULA>(codec),
            },
        }
    }
}

impl<'a, 'b> Add<'a, 'b> {
    fn run<C: Codec, const SUM: u8>(self, codec: C) {
        self.level.run(Rows::<C, SUM> { add: self, codec });
    }
}

struct Rows<'a, 'b, C, const SUM: u8> {
    add: Add<'a, 'b>,
    codec: C,
}

/// Sixteen lanes. A loop, as library calls that are not inlined compile for the baseline.
#[inline(always)]
fn words(row: &Lanes, first: usize) -> [u32; CHUNK] {
    let mut words = [0; CHUNK];
    for (word, lane) in words.iter_mut().zip(&row[first..first + CHUNK]) {
        *word = *lane;
    }
    words
}

impl<C: Codec, const SUM: u8> Kernel for Rows<'_, '_, C, SUM> {
    type Output = ();
    #[inline(always)]
    fn run<R: Rounding>(self) {
        let Rows { add, codec } = self;
        let (component, bits, shift) = (add.component, add.bits, add.shift);
        let mut looked_up = Aligned([0; 64]);
        let formula = *add.formula.unwrap_or(&Formula::NONE);
        for (n, (source, texels)) in add.sources.iter().zip(add.texels).enumerate() {
            let (colors, alphas) = (source[component], source[3]);
            let rows = match SUM {
                FORMULA => formula.rows((source, &add.second[n]), n, add.alphas),
                _ => [colors; 2],
            };
            if C::LOOKS_UP {
                // Lane by lane, all of them before vectors that wait for narrow stores.
                for (to, from) in looked_up.0.iter_mut().zip(&*texels) {
                    *to = codec.decode::<R>(*from >> shift);
                }
            }
            for first in (0..64).step_by(CHUNK) {
                let old = words(texels, first);
                let color = words(colors, first);
                let alpha = words(alphas, first);
                let mut value = color;
                let mut before = words(&looked_up.0, first);
                if !C::LOOKS_UP {
                    for i in 0..CHUNK {
                        before[i] = codec.decode::<R>(old[i] >> shift);
                    }
                }
                if SUM == FORMULA {
                    let factors = [words(rows[0], first), words(rows[1], first)];
                    for i in 0..CHUNK {
                        let factors = Some([factors[0][i], factors[1][i]]);
                        value[i] = formula.sum::<C>(color[i], before[i], factors);
                    }
                } else if SUM == ROWLESS {
                    for i in 0..CHUNK {
                        value[i] = formula.sum::<C>(color[i], before[i], None);
                    }
                } else if SUM == CHOICE {
                    for i in 0..CHUNK {
                        value[i] = formula.chosen::<C>(color[i], before[i]);
                    }
                } else {
                    for i in 0..CHUNK {
                        value[i] = one::<C, SUM>(color[i], alpha[i], before[i]);
                    }
                }
                let mut new = [0; CHUNK];
                let mut doubts = !C::SHORT;
                if C::SHORT {
                    for i in 0..CHUNK {
                        let (short, doubt) = codec.short::<R>(value[i]);
                        doubts |= doubt;
                        new[i] = old[i] & !bits | short << shift;
                    }
                }
                if doubts {
                    for i in 0..CHUNK {
                        let long = match SUM {
                            KEPT => codec.encode::<R>(value[i]),
                            _ => codec.encode_sum::<R>(f32::from_bits(value[i])),
                        };
                        new[i] = old[i] & !bits | long << shift;
                    }
                }
                texels[first..first + CHUNK].copy_from_slice(&new);
            }
        }
    }
}

/// What a component becomes, of the bits of a source and of the texel's value, which is within limits.
#[inline(always)]
fn one<C: Codec, const SUM: u8>(color: u32, alpha: u32, before: u32) -> u32 {
    if SUM == KEPT {
        return before;
    }
    let s = C::limit(f32::from_bits(color));
    if SUM == SOURCE_AND_ZERO {
        return (s + 0.0).to_bits();
    }
    let d = f32::from_bits(before);
    if SUM == BOTH {
        return (s + d).to_bits();
    }
    let a = C::limit(f32::from_bits(alpha));
    let s = if SUM == OVER { s * a } else { s };
    (s + d * (1.0 - a)).to_bits()
}

#[cfg(test)]
mod tests;
