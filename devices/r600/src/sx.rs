//! Shader exports: which lanes hand what to which target. [R600 3.4.1]

use lanes::{Fault, Wave};
use silicon::exports::VertexExports;
use silicon::fragment::blend::Source;
use silicon::fragment::interpolate::lanes as lanes_of;
use silicon::fragment::output::PixelExports;
use silicon::texture::sample::Lanes;

use crate::isa::export::Export;
use crate::isa::words::{ExportType, Select};
use crate::isa::{ACTIVE, VALID};

/// Where an export goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// Colour target 0..7; 16..23 the same with fog, which changes nothing here.
    Pixel(u8),
    /// Depth in element X, the reference of the stencil test in Y, the mask of samples in Z.
    Depth,
    /// Position 0..3, numbered from 60: clip position, miscellaneous, clip distances.
    Position(u8),
    /// Parameter 0..31.
    Parameter(u8),
}

impl Target {
    /// The target of `array_base` of a type; none where there is none.
    pub fn new(kind: ExportType, array_base: u16) -> Option<Target> {
        let base = u8::try_from(array_base).ok()?;
        match (kind, base) {
            (ExportType::Pixel, 0..=7 | 16..=23) => Some(Target::Pixel(base)),
            (ExportType::Pixel, 61) => Some(Target::Depth),
            (ExportType::Pos, 60..=63) => Some(Target::Position(base - 60)),
            (ExportType::Param, 0..=31) => Some(Target::Parameter(base)),
            _ => None,
        }
    }

    /// Name in the output of raw programs.
    pub fn name(self) -> String {
        match self {
            Target::Pixel(n) => format!("PIXEL{n}"),
            Target::Depth => "PIXEL61".into(),
            Target::Position(n) => format!("POS{}", 60 + n),
            Target::Parameter(n) => format!("PARAM{n}"),
        }
    }
}

/// Where an element of an export comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// A row of the wave.
    Row(u16),
    /// 0.0 in all lanes.
    Zero,
    /// 1.0 in all lanes.
    One,
    /// Nowhere: the target's element stays as it is.
    Masked,
}

/// One register of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exported {
    /// Where it goes.
    pub target: Target,
    /// The four elements.
    pub elements: [Element; 4],
}

/// The registers that an export hands over, the lowest first, in a wave of this many registers and with this loop index.
pub fn exported(inst: &Export, gprs: u8, loop_index: i32) -> Result<Vec<Exported>, Fault> {
    let count = u16::from(inst.burst_count) + 1;
    let first = i32::from(inst.rw_gpr) + if inst.rw_rel { loop_index } else { 0 };
    let register = |n: u16| {
        let at = inst.array_base + n;
        let target = Target::new(inst.kind, at).ok_or_else(|| Fault::Illegal {
            reason: format!("{} target {at} does not exist", inst.kind.name()),
        })?;
        // Registers that are not allocated read as R0.
        let gpr = first.saturating_add(i32::from(n));
        let gpr = u16::try_from(gpr).ok().filter(|r| *r < gprs.into());
        let row = 4 * gpr.unwrap_or(0);
        let elements = inst.selects().map(|select| match select {
            Select::X | Select::Y | Select::Z | Select::W => Element::Row(row + select as u16),
            Select::Zero => Element::Zero,
            Select::One => Element::One,
            Select::Mask => Element::Masked,
        });
        Ok(Exported { target, elements })
    };
    (0..count).map(register).collect()
}

/// Lanes that take part in an export.
pub fn taking_part(inst: &Export, wave: &Wave) -> u64 {
    // A pixel that a kill has hit is never written, whatever VALID_PIXEL_MODE says.
    match inst.kind {
        ExportType::Pixel => wave.mask(ACTIVE) & wave.mask(VALID),
        ExportType::Pos | ExportType::Param => wave.mask(ACTIVE),
    }
}

impl Element {
    /// Its value in all lanes; 0 where it is masked.
    #[inline(always)]
    pub fn lanes(self, wave: &Wave) -> &Lanes {
        match self {
            Element::Row(row) => &wave.rows[usize::from(row)].0,
            Element::One => &ONES,
            Element::Zero | Element::Masked => &ZEROS,
        }
    }
}

/// The place of depth behind those of colours.
const DEPTH: usize = 8;

/// Rows that a wave exported. Elements never exported are zero.
#[derive(Clone)]
pub(crate) struct Exports {
    /// The wave exported to `vertex`.
    has_vertex: bool,
    /// Of a vertex wave.
    pub(crate) vertex: VertexExports,
    /// Of a pixel wave.
    pub(crate) pixel: PixelExports,
    /// Lanes that took part in an export of pixels; none when there was no such export.
    lanes: Option<u64>,
    /// Colours, and behind them depth, that are still in registers of the wave, and where their elements are.
    in_place: u16,
    places: [[Element; 4]; DEPTH + 1],
}

/// What constant elements are.
pub(crate) static ZEROS: Lanes = [0; 64];
pub(crate) static ONES: Lanes = [0x3f80_0000; 64];

impl Exports {
    pub(crate) fn new() -> Exports {
        Exports {
            has_vertex: false,
            vertex: VertexExports::default(),
            pixel: PixelExports::default(),
            lanes: None,
            in_place: 0,
            places: [[Element::Masked; 4]; DEPTH + 1],
        }
    }

    /// Forgets what the wave before exported.
    pub(crate) fn clear(&mut self) {
        if std::mem::take(&mut self.has_vertex) {
            self.vertex.clear();
        }
        self.pixel.clear();
        self.lanes = None;
        self.in_place = 0;
    }

    /// A colour that the wave exported. Lanes that did not export it are anything.
    #[inline(always)]
    pub(crate) fn color<'a>(&'a self, target: usize, wave: &'a Wave) -> Source<'a> {
        match self.in_place >> target & 1 {
            0 => self.pixel.colors[target].each_ref(),
            _ => {
                // `map` stays a call.
                let [red, green, blue, alpha] = self.places[target];
                let row = |element: Element| element.lanes(wave);
                [row(red), row(green), row(blue), row(alpha)]
            }
        }
    }

    /// Depth, stencil reference or sample mask, by number, of a wave that exported one.
    #[inline(always)]
    pub(crate) fn depth<'a>(&'a self, component: usize, wave: &'a Wave) -> &'a Lanes {
        match self.in_place >> DEPTH & 1 {
            0 => &self.pixel.depth[component],
            _ => self.places[DEPTH][component].lanes(wave),
        }
    }

    /// Copies what is still in registers, before some of it is exported again.
    fn fetch(&mut self, place: usize, wave: &Wave) {
        if self.in_place >> place & 1 != 0 {
            self.in_place &= !(1 << place);
            let rows = match place {
                DEPTH => &mut self.pixel.depth,
                _ => &mut self.pixel.colors[place],
            };
            for (row, element) in rows.iter_mut().zip(self.places[place]) {
                *row = *element.lanes(wave);
            }
        }
    }

    /// Takes what these lanes of a wave hand over. `stays` says that no register changes before the wave ends.
    pub(crate) fn take(&mut self, exported: &Exported, lanes: u64, wave: &Wave, stays: bool) {
        let place = match exported.target {
            // Numbers from 16 on are the same targets with fog.
            Target::Pixel(n) => Some(usize::from(n & 7)),
            Target::Depth => Some(DEPTH),
            Target::Position(_) | Target::Parameter(_) => None,
        };
        if let Some(place) = place {
            self.lanes = Some(self.lanes.unwrap_or(0) | lanes);
            let fresh = match place {
                DEPTH => !self.pixel.has_depth,
                _ => self.pixel.color_mask >> place & 1 == 0,
            };
            if stays && fresh {
                match place {
                    DEPTH => self.pixel.has_depth = true,
                    _ => self.pixel.color_mask |= 1 << place,
                }
                self.in_place |= 1 << place;
                self.places[place] = exported.elements;
                return;
            }
            self.fetch(place, wave);
        }
        let (rows, fresh) = self.target(exported.target);
        for (row, element) in rows.iter_mut().zip(exported.elements) {
            match element {
                Element::Masked if fresh => row.fill(0),
                Element::Masked => {}
                element => {
                    let from = element.lanes(wave);
                    match lanes {
                        u64::MAX => *row = *from,
                        _ => lanes_of(lanes).for_each(|lane| row[lane] = from[lane]),
                    }
                }
            }
        }
    }

    /// The rows of a target, and whether the wave exports it for the first time.
    fn target(&mut self, target: Target) -> (&mut [Lanes; 4], bool) {
        fn first(mask: &mut u32, n: u8) -> bool {
            let fresh = *mask >> n & 1 == 0;
            *mask |= 1 << n;
            fresh
        }
        match target {
            Target::Pixel(n) => {
                let n = n & 7;
                let mut mask = u32::from(self.pixel.color_mask);
                let fresh = first(&mut mask, n);
                self.pixel.color_mask = mask as u8;
                (&mut self.pixel.colors[usize::from(n)], fresh)
            }
            Target::Depth => {
                let fresh = !std::mem::replace(&mut self.pixel.has_depth, true);
                (&mut self.pixel.depth, fresh)
            }
            Target::Position(n) => {
                self.has_vertex = true;
                let mut mask = u32::from(self.vertex.position_mask);
                let fresh = first(&mut mask, n);
                self.vertex.position_mask = mask as u8;
                (&mut self.vertex.positions[usize::from(n)], fresh)
            }
            Target::Parameter(n) => {
                self.has_vertex = true;
                let fresh = first(&mut self.vertex.param_mask, n);
                (&mut self.vertex.params[usize::from(n)], fresh)
            }
        }
    }

    /// At the end of a wave, of whose lanes these are valid.
    pub(crate) fn end(&mut self, valid: u64) {
        self.pixel.valid = valid & self.lanes.unwrap_or(u64::MAX);
    }
}
