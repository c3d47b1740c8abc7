//! Scan lines, and copies that compare colours. [R5xx 6.2.2.5, 6.2.2.10, 6.2.2.11, 6.2.2.13]
//!
//! A segment ends before its last column, as rectangles do. Reference colours are pixels of the destination.

use silicon::Memory;

use super::{CommandProcessor, EDGE, Engine, Settings, Words};
use crate::packets::{PLY_NEXTSCAN, SET_SCISSORS};

/// Which pixels of a source are written, by their colour or that of the destination.
pub(super) struct Compare {
    source: Option<Rule>,
    target: Option<Rule>,
}

/// What becomes of a pixel by a colour.
#[derive(Clone, Copy)]
enum Rule {
    Always,
    Never,
    /// Where the colour is this one.
    Equal(u32),
    /// Where it is another one.
    Differs(u32),
}

impl Rule {
    fn writes(self, color: u32) -> bool {
        match self {
            Rule::Always => true,
            Rule::Never => false,
            Rule::Equal(reference) => color == reference,
            Rule::Differs(reference) => color != reference,
        }
    }
}

impl Compare {
    /// CLR_CMP_CNTL and the reference colours, of pixels of some bytes.
    pub(super) fn new(words: &mut Words, bytes: u32) -> Result<Compare, String> {
        let control = words.next()?;
        let mask = u32::MAX >> (32 - 8 * bytes);
        let [source, target] = [words.next()? & mask, words.next()? & mask];
        let of_source = match control & 7 {
            0 => Rule::Always,
            1 => Rule::Never,
            4 => Rule::Equal(source),
            5 => Rule::Differs(source),
            other => return Err(format!("CLR_CMP_SRC {other} is not executed")),
        };
        // Pixels of the destination are kept where they match.
        let of_target = match control >> 8 & 7 {
            0 => Rule::Always,
            1 => Rule::Never,
            4 => Rule::Differs(target),
            5 => Rule::Equal(target),
            other => return Err(format!("CLR_CMP_DST {other} is reserved")),
        };
        let (source, target) = match control >> 24 & 3 {
            0 => (None, Some(of_target)),
            1 => (Some(of_source), None),
            2 => (Some(of_source), Some(of_target)),
            _ => return Err("CMP_ENABLE 3 is reserved".into()),
        };
        Ok(Compare { source, target })
    }

    /// Whether a pixel of the source is written to a place.
    pub(super) fn writes(
        &self,
        settings: &Settings,
        memory: &Memory,
        [x, y]: [i32; 2],
        source: u32,
    ) -> Result<bool, String> {
        if self.source.is_some_and(|rule| !rule.writes(source)) {
            return Ok(false);
        }
        match self.target {
            Some(rule) if settings.shows([x, y]) => {
                Ok(rule.writes(settings.target.load(memory, x, y)?))
            }
            _ => Ok(true),
        }
    }
}

impl<E: Engine> CommandProcessor<E> {
    /// POLYSCANLINES: segments of scan lines.
    pub(super) fn scan_lines(&self, settings: &Settings, words: &mut Words) -> Result<(), String> {
        for _ in 0..words.next()? {
            let count = words.next()? as usize & 0x3fff;
            let place = words.halves()?;
            self.segments(settings, place, words.take(count)?)?;
        }
        Ok(())
    }

    fn segments(
        &self,
        settings: &Settings,
        [height, top]: [i32; 2],
        segments: &[u32],
    ) -> Result<(), String> {
        for segment in segments {
            let [end, start] = Words(&[*segment]).halves()?;
            self.fill(settings, [start, top], [end, top + height])?;
        }
        Ok(())
    }

    /// Packets that go on with the settings of the last one.
    pub(super) fn go_on(&mut self, opcode: u8, words: &mut Words) -> Result<(), String> {
        let settings = self.settings.take();
        let mut settings = settings.ok_or("no packet has brought settings")?;
        let done = match opcode {
            SET_SCISSORS => settings.set_scissors(words),
            PLY_NEXTSCAN => {
                let place = words.halves();
                place.and_then(|place| self.segments(&settings, place, words.0))
            }
            _ => Err("the packet has no settings".into()),
        };
        self.settings = Some(settings);
        done
    }
}

impl Settings {
    /// SET_SCISSORS, both corners.
    fn set_scissors(&mut self, words: &mut Words) -> Result<(), String> {
        let corner = |word: u32| [(word & 0x3fff) as i32, (word >> 16 & 0x3fff) as i32];
        let (first, last) = (corner(words.next()?), corner(words.next()?));
        self.clip.x = [first[0], last[0].min(EDGE)];
        self.clip.y = [first[1], last[1].min(EDGE)];
        Ok(())
    }

    /// Whether the clip rectangle has a pixel.
    pub(super) fn shows(&self, [x, y]: [i32; 2]) -> bool {
        let clip = &self.clip;
        (clip.x[0]..clip.x[1]).contains(&x) && (clip.y[0]..clip.y[1]).contains(&y)
    }
}
