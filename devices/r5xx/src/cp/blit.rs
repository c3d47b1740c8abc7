//! 2D packets: fills, copies and bitmaps from the stream. [R5xx 6.2.2]
//!
//! The 2D registers are not in the manual, so a packet must bring pitch and offset itself; its settings stay for packets that
//! have none ([`scans`]). Every
//! ternary raster operation is executed; brushes are solid, 8x8 mono and 8x8 colour. A pixel is as wide as DST_TYPE says,
//! colours are pixels of the destination.

mod scans;

use std::ops::Range;

use radeon::packets::Packet;
use silicon::{Addr, Memory};

use super::{CommandProcessor, Engine};
use crate::packets::settings::{Setting, announced, gui, pixel_bytes};
use crate::packets::{
    BITBLT, BITBLT_MULTI, HOSTDATA_BLT, PAINT, PLY_NEXTSCAN, POLYSCANLINES, SET_SCISSORS,
    TRANS_BITBLT,
};
use crate::tiling::{Surface, Tiling};
use scans::Compare;

/// Largest coordinate.
const EDGE: i32 = 8192;
/// Bits of the width and the height of a copy.
const LENGTH: i32 = 0x3fff;

/// A rectangle, without its last column and row.
#[derive(Clone, Copy, Debug)]
struct Area {
    x: [i32; 2],
    y: [i32; 2],
}

/// An image in memory.
#[derive(Clone, Copy, Debug)]
struct Image {
    base: u64,
    surface: Surface,
}

impl Image {
    /// From a PITCH_OFFSET word.
    fn new(word: u32, bytes: u32) -> Result<Image, String> {
        let micro = word >> 31;
        let pitch = 64 * (word >> 22 & 0xff) / bytes;
        let tiling = Tiling::new(word >> 30 & 1 == 1, micro).expect("there are codes 0 and 1");
        let surface = Surface::new(tiling, bytes, [pitch, EDGE as u32], 1)?;
        if surface.pitch != pitch {
            return Err(format!(
                "a pitch of {pitch} pixels, {tiling:?} needs {}",
                surface.pitch
            ));
        }
        Ok(Image {
            base: 1024 * u64::from(word & 0x3f_ffff),
            surface,
        })
    }

    fn address(&self, x: i32, y: i32) -> Result<u64, String> {
        let inside = (0..self.surface.pitch as i32).contains(&x) && (0..EDGE).contains(&y);
        match inside {
            true => Ok(self.base + self.surface.offset(x as u32, y as u32, 0, 0)),
            false => Err(format!(
                "pixel {x}, {y} of an image with a pitch of {}",
                self.surface.pitch
            )),
        }
    }

    fn load(&self, memory: &Memory, x: i32, y: i32) -> Result<u32, String> {
        let at = self.address(x, y)?;
        let word = match self.surface.element_bytes {
            1 => memory.load_byte(at).map(u32::from),
            2 => memory
                .load(at & !3)
                .map(|word| word >> (8 * (at & 2)) & 0xffff),
            _ => memory.load(at),
        };
        word.ok_or_else(|| outside(at))
    }

    fn store(&self, memory: &Memory, x: i32, y: i32, pixel: u32) -> Result<(), String> {
        let at = self.address(x, y)?;
        let done = match self.surface.element_bytes {
            1 => memory.store_byte(at, pixel as u8),
            2 => memory.store_half(at, pixel as u16),
            _ => memory.store(at, pixel),
        };
        done.ok_or_else(|| outside(at))
    }
}

impl Image {
    /// Stores a word into some pixels of a row.
    fn fill_row(
        &self,
        memory: &Memory,
        columns: Range<i32>,
        y: i32,
        word: u32,
    ) -> Result<(), String> {
        if columns.is_empty() {
            return Ok(());
        }
        let first = self.address(columns.start, y)?;
        let last = self.address(columns.end - 1, y)?;
        let filled = memory.fill(Addr(first), (last - first) / 4 + 1, word);
        filled.map_err(|error| error.to_string())
    }
}

fn outside(at: u64) -> String {
    format!("a pixel at {at:#x}, outside video memory")
}

/// The pattern of a raster operation.
#[derive(Clone, Debug)]
enum Brush {
    None,
    Solid(u32),
    /// Rows of eight bits; foreground, and background unless it is transparent.
    Mono([u8; 8], u32, Option<u32>),
    Color(Vec<u32>),
}

impl Brush {
    /// The pixel, if the brush paints there.
    fn at(&self, x: i32, y: i32) -> Option<u32> {
        let (x, y) = ((x & 7) as usize, (y & 7) as usize);
        match self {
            Brush::None => Some(0),
            Brush::Solid(pixel) => Some(*pixel),
            Brush::Mono(rows, fore, back) => match rows[y] >> x & 1 {
                0 => *back,
                _ => Some(*fore),
            },
            Brush::Color(pixels) => Some(pixels[8 * y + x]),
        }
    }
}

/// What SETTINGS say.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    control: u32,
    source: Option<Image>,
    target: Image,
    clip: Area,
    source_end: [i32; 2],
    brush: Brush,
    origin: [i32; 2],
}

/// The words of a packet, taken one after the other.
struct Words<'a>(&'a [u32]);

impl Words<'_> {
    fn next(&mut self) -> Result<u32, String> {
        let (word, rest) = self.0.split_first().ok_or("the packet ends too early")?;
        self.0 = rest;
        Ok(*word)
    }

    /// High and low half, signed.
    fn halves(&mut self) -> Result<[i32; 2], String> {
        let word = self.next()?;
        let half = |bits: u32| i32::from(bits as u16 as i16);
        Ok([half(word >> 16), half(word)])
    }

    /// A width and a height, without signs: high and low half.
    fn extents(&mut self) -> Result<[i32; 2], String> {
        let word = self.next()?;
        Ok([word >> 16, word & 0xffff].map(|length| length as i32))
    }

    fn take(&mut self, count: usize) -> Result<&[u32], String> {
        let split = self.0.split_at_checked(count);
        let (taken, rest) = split.ok_or("the packet ends too early")?;
        self.0 = rest;
        Ok(taken)
    }
}

impl Settings {
    fn new(words: &mut Words) -> Result<Settings, String> {
        let control = words.next()?;
        let kind = gui::DST_TYPE.get(control);
        let bytes = pixel_bytes(kind).ok_or_else(|| format!("pixels of reserved type {kind}"))?;
        let brush_type = gui::BRUSH_TYPE.get(control);
        let announced =
            announced(control).ok_or_else(|| format!("a brush of reserved type {brush_type}"))?;
        let (mut source, mut target) = (None, None);
        let mut clip = Area {
            x: [0, EDGE],
            y: [0, EDGE],
        };
        let (mut source_end, mut origin) = ([EDGE; 2], [0; 2]);
        let (mut colors, mut bits, mut bitmap) = (Vec::new(), Vec::new(), Vec::new());
        for setting in announced {
            let word = words.next()?;
            let corner = [(word & 0x3fff) as i32, (word >> 16 & 0x3fff) as i32];
            match setting {
                Setting::SrcPitchOffset => source = Some(Image::new(word, bytes)?),
                Setting::DstPitchOffset => target = Some(Image::new(word, bytes)?),
                Setting::SrcScBotRite => source_end = corner,
                Setting::ScTopLeft => [clip.x[0], clip.y[0]] = corner,
                Setting::ScBotRite => [clip.x[1], clip.y[1]] = corner,
                Setting::BkgrdColor | Setting::FrgrdColor => colors.push(word),
                Setting::MonoBmp => bits.extend(word.to_le_bytes()),
                Setting::ColorBmp => bitmap.push(word),
                Setting::BrushYX => origin = [(word & 31) as i32, (word >> 8 & 31) as i32],
            }
        }
        Ok(Settings {
            control,
            source,
            target: target.ok_or("the packet has no pitch and offset of its destination")?,
            clip,
            source_end,
            brush: match (brush_type, colors[..].as_ref()) {
                (0, &[back, fore]) => Brush::Mono(rows(&bits), fore, Some(back)),
                (1, &[fore]) => Brush::Mono(rows(&bits), fore, None),
                (10, _) => Brush::Color(pixels(&bitmap, bytes)),
                (13 | 14, &[fore]) => Brush::Solid(fore),
                (15, _) => Brush::None,
                _ => return Err(format!("brush type {brush_type} is for lines")),
            },
            origin,
        })
    }

    /// The word that a fill stores everywhere, where pixels are words that lie in rows.
    fn one_word(&self) -> Option<u32> {
        let Surface {
            tiling,
            element_bytes,
            ..
        } = self.target.surface;
        let in_rows = tiling == Tiling::default() && element_bytes == 4;
        match self.brush {
            Brush::Solid(word) if in_rows && !self.reads_target() => {
                Some(raster_operation(self.operation(), word, 0, 0))
            }
            _ => None,
        }
    }

    /// The raster operation.
    fn operation(&self) -> u8 {
        gui::ROP3.get(self.control) as u8
    }

    /// Whether the result depends on what the destination holds.
    fn reads_target(&self) -> bool {
        let code = self.operation();
        code >> 1 & 0x55 != code & 0x55
    }

    /// The source of a copy, which must be as wide as the destination.
    fn source(&self) -> Result<&Image, String> {
        let kind = gui::SRC_TYPE.get(self.control);
        if kind != 3 || gui::SRC_TYPE_2.is_set(self.control) {
            return Err(format!("SRC_TYPE {kind} of a copy is not executed"));
        }
        self.source
            .as_ref()
            .ok_or_else(|| "the packet has no pitch and offset of its source".into())
    }

    /// One pixel: the raster operation of pattern, source and destination.
    fn pixel(&self, memory: &Memory, [x, y]: [i32; 2], source: u32) -> Result<(), String> {
        if !self.shows([x, y]) {
            return Ok(());
        }
        let [left, top] = self.origin;
        let Some(pattern) = self.brush.at(x - left, y - top) else {
            return Ok(());
        };
        let old = match self.reads_target() {
            true => self.target.load(memory, x, y)?,
            false => 0,
        };
        let new = raster_operation(self.operation(), pattern, source, old);
        self.target.store(memory, x, y, new)
    }
}

fn rows(bits: &[u8]) -> [u8; 8] {
    std::array::from_fn(|n| bits.get(n).copied().unwrap_or(0))
}

/// Pixels of words, the lowest first.
fn pixels(words: &[u32], bytes: u32) -> Vec<u32> {
    let mask = u32::MAX >> (32 - 8 * bytes);
    let each = (0..4 / bytes).map(|n| 8 * bytes * n);
    let of = |word: &u32| {
        each.clone()
            .map(|shift| word >> shift & mask)
            .collect::<Vec<_>>()
    };
    words.iter().flat_map(of).collect()
}

/// A ternary raster operation: bit `4 * pattern + 2 * source + destination` of the code is the result.
fn raster_operation(code: u8, pattern: u32, source: u32, old: u32) -> u32 {
    let mut result = 0;
    for n in (0..8).filter(|n| code >> n & 1 == 1) {
        let term = |bit: u32, word: u32| if n >> bit & 1 == 1 { word } else { !word };
        result |= term(2, pattern) & term(1, source) & term(0, old);
    }
    result
}

impl<E: Engine> CommandProcessor<E> {
    /// Executes a 2D packet.
    pub(super) fn blit(&mut self, packet: &Packet) -> Result<(), String> {
        let words = &mut Words(packet.payload);
        if matches!(packet.opcode(), PLY_NEXTSCAN | SET_SCISSORS) {
            return self.go_on(packet.opcode(), words);
        }
        let settings = Settings::new(words)?;
        let done = self.blit_with(packet.opcode(), &settings, words);
        self.settings = Some(settings);
        done
    }

    fn blit_with(&self, opcode: u8, settings: &Settings, words: &mut Words) -> Result<(), String> {
        match opcode {
            HOSTDATA_BLT => return self.host_data(settings, words),
            POLYSCANLINES => return self.scan_lines(settings, words),
            _ => {}
        }
        let compare = match opcode {
            TRANS_BITBLT => Some(Compare::new(words, settings.target.surface.element_bytes)?),
            _ => None,
        };
        while !words.0.is_empty() {
            match opcode {
                BITBLT | BITBLT_MULTI | TRANS_BITBLT => {
                    let (from, to, size) = (words.halves()?, words.halves()?, words.extents()?);
                    let size = size.map(|length| length & LENGTH);
                    self.copy_rectangle((settings, compare.as_ref()), from, to, size)?;
                }
                PAINT => {
                    let ([y0, x0], [y1, x1]) = (words.halves()?, words.halves()?);
                    self.fill(settings, [x0, y0], [x1, y1])?;
                }
                _ => {
                    let ([x, y], [w, h]) = (words.halves()?, words.extents()?);
                    self.fill(settings, [x, y], [x + w, y + h])?;
                }
            }
        }
        Ok(())
    }

    fn fill(&self, settings: &Settings, start: [i32; 2], end: [i32; 2]) -> Result<(), String> {
        let clip = &settings.clip;
        let columns = start[0].max(clip.x[0])..end[0].min(clip.x[1]);
        let word = settings.one_word();
        for y in start[1].max(clip.y[0])..end[1].min(clip.y[1]) {
            if let Some(word) = word {
                settings
                    .target
                    .fill_row(&self.memory, columns.clone(), y, word)?;
                continue;
            }
            for x in columns.clone() {
                settings.pixel(&self.memory, [x, y], 0)?;
            }
        }
        Ok(())
    }

    /// Copies; source and destination may overlap. All pixels, or those that compare so.
    fn copy_rectangle(
        &self,
        (settings, compare): (&Settings, Option<&Compare>),
        [from_x, from_y]: [i32; 2],
        [to_x, to_y]: [i32; 2],
        [width, height]: [i32; 2],
    ) -> Result<(), String> {
        let source = settings.source()?;
        let [right, bottom] = settings.source_end;
        let (columns, lines) = (
            0..width.min(right.saturating_sub(from_x)),
            0..height.min(bottom.saturating_sub(from_y)),
        );
        let mut read = Vec::new();
        for y in lines.clone() {
            for x in columns.clone() {
                read.push(source.load(&self.memory, from_x + x, from_y + y)?);
            }
        }
        let places = lines.flat_map(|y| columns.clone().map(move |x| [to_x + x, to_y + y]));
        let mut pixels = places.zip(read);
        pixels.try_for_each(|(at, pixel)| {
            let writes = match compare {
                Some(compare) => compare.writes(settings, &self.memory, at, pixel)?,
                None => true,
            };
            match writes {
                true => settings.pixel(&self.memory, at, pixel),
                false => Ok(()),
            }
        })
    }

    /// Bitmaps in the packet: bits, or pixels of the destination.
    fn host_data(&self, settings: &Settings, words: &mut Words) -> Result<(), String> {
        let control = settings.control;
        let colors = [words.next()?, words.next()?];
        let kind = gui::SRC_TYPE.get(control);
        let byte_rows = match gui::SRC_LOAD.get(control) {
            3 => false,
            4 => true,
            other => return Err(format!("SRC_LOAD {other} of host data")),
        };
        let bits = match kind {
            0 | 1 => 1,
            3 => 8 * settings.target.surface.element_bytes as usize,
            _ => return Err(format!("SRC_TYPE {kind} of host data is reserved")),
        };
        while !words.0.is_empty() {
            let ([y, x], [height, width]) = (words.halves()?, words.extents()?);
            let count = words.next()? as usize & 0x3fff;
            let raster = words.take(count)?;
            let [width, height] = [width, height].map(|length| length as usize);
            let row_bits = match byte_rows {
                true => (width * bits).next_multiple_of(8),
                false => width * bits,
            };
            if row_bits * height > 32 * count {
                return Err(format!(
                    "{width} by {height} pixels of {bits} bits in {count} dwords"
                ));
            }
            for line in 0..height {
                for column in 0..width {
                    let at = line * row_bits + column * bits;
                    let source = match kind {
                        3 => raster[at / 32] >> (at % 32) & u32::MAX >> (32 - bits),
                        _ => match (bit(raster, at, control), kind) {
                            (true, _) => colors[0],
                            (false, 0) => colors[1],
                            _ => continue,
                        },
                    };
                    let place = [x + column as i32, y + line as i32];
                    settings.pixel(&self.memory, place, source)?;
                }
            }
        }
        Ok(())
    }
}

/// A bit of a bitmap. The manual orders the bits of a dword; public drivers order those of each byte, as here.
fn bit(raster: &[u32], at: usize, control: u32) -> bool {
    let order = if gui::PIX_ORDER.is_set(control) { 0 } else { 7 };
    raster[at / 32] >> ((at % 32) ^ order) & 1 == 1
}
