//! Vertex fetches: elements of buffers into registers. [R600 16]

mod rows;

use lanes::{Fault, LANES, Wave};
use silicon::fragment::interpolate::lanes as lanes_of;
use silicon::fragment::mask::merge;
use silicon::host::SimdLevel;
use silicon::texture::format::{Kind, Read};
use silicon::texture::sample::Lanes;
use silicon::texture::{fixed, float, texel};
use silicon::{Format, Memory};

use crate::formats::{self, NumberFormat};
use crate::isa::words::{Elem, EndianSwap, FetchType, NumFormat, Select, Vtx};
use crate::isa::{ACTIVE, Port, Setup};
use crate::resource::{VertexResource, num_format};
use crate::sx::{ONES, ZEROS};

/// A fetch of a draw: its instruction with the buffer that was bound.
#[derive(Clone, Debug)]
pub(crate) struct Fetch {
    base: u64,
    size: u64,
    stride: u64,
    /// Added to the index.
    first: u32,
    endian: EndianSwap,
    element: Element,
    /// Channels of an element that are words as they are, and what stands for a missing fourth one.
    whole_words: Option<(usize, u32)>,
}

/// How an element becomes four values.
#[derive(Clone, Debug)]
enum Element {
    /// As silicon's table has it.
    Known(Format),
    /// Channel by channel.
    Channels {
        bits: Vec<u32>,
        float: bool,
        num: NumFormat,
        signed: bool,
        no_zero: bool,
    },
}

impl Element {
    fn new(data: u8, num: NumFormat, signed: bool, no_zero: bool) -> Option<Element> {
        let number = NumberFormat {
            num_format: match num {
                NumFormat::Int => num_format::INT,
                _ => num_format::NORM,
            },
            signed,
            degamma: false,
        };
        let found = formats::from_resource(data, number);
        let any = formats::DATA_FORMATS.iter().find(|(_, code)| *code == data);
        let (any, _) = any?;
        let is_float = any.channels().iter().any(|c| c.kind == Kind::Float);
        let plain = |format: &Format| {
            let reads = format.row().reads.iter().enumerate();
            let mut kept = reads.filter(|(_, read)| matches!(read, Read::Channel(_)));
            kept.all(|(n, read)| *read == Read::Channel(n as u8))
        };
        let exact = is_float || num != NumFormat::Scaled && !(no_zero && signed);
        if let Some(format) = found.filter(|f| exact && plain(f)) {
            return Some(Element::Known(format));
        }
        Some(Element::Channels {
            bits: any.channels().iter().map(|c| u32::from(c.bits)).collect(),
            float: is_float,
            num,
            signed,
            no_zero,
        })
    }

    /// Channels that are words as they are, if all are.
    fn words(&self) -> Option<usize> {
        let Element::Known(format) = self else {
            return None;
        };
        let mut channels = format.channels().iter();
        let plain = |kind| matches!(kind, Kind::Float | Kind::Uint | Kind::Sint);
        let all = channels.all(|c| c.bits == 32 && plain(c.kind));
        all.then_some(format.channels().len())
    }

    fn bytes(&self) -> u32 {
        match self {
            Element::Known(format) => format.size_bytes(),
            Element::Channels { bits, .. } => bits.iter().sum::<u32>() / 8,
        }
    }

    fn unpack(&self, level: SimdLevel, words: &[Lanes; 4], out: &mut [Lanes; 4]) {
        match self {
            Element::Known(format) => texel::unpack_row(level, *format, words, out),
            Element::Channels {
                bits,
                float,
                num,
                signed,
                no_zero,
            } => {
                let one = match num {
                    NumFormat::Int if !float => 1,
                    _ => 1f32.to_bits(),
                };
                let kind = (*float, *num, *signed, *no_zero);
                for lane in 0..LANES {
                    let mut at = 0;
                    for (component, row) in out.iter_mut().enumerate() {
                        let Some(bits) = bits.get(component) else {
                            row[lane] = if component == 3 { one } else { 0 };
                            continue;
                        };
                        let word = words[(at / 32) as usize][lane];
                        row[lane] = channel(kind, *bits, word >> (at % 32) & low(*bits));
                        at += bits;
                    }
                }
            }
        }
    }
}

fn low(bits: u32) -> u32 {
    u32::MAX >> (32 - bits)
}

/// One channel's value. [R600 16]
fn channel(
    (is_float, num, signed, no_zero): (bool, NumFormat, bool, bool),
    bits: u32,
    raw: u32,
) -> u32 {
    if is_float {
        return match bits {
            10 => float::from_small::<5>(raw),
            11 => float::from_small::<6>(raw),
            16 => float::from_f16(raw),
            _ => raw,
        };
    }
    let extended = ((raw << (32 - bits)) as i32) >> (32 - bits);
    match (num, signed) {
        (NumFormat::Int, true) => extended as u32,
        (NumFormat::Int, false) => raw,
        (NumFormat::Scaled, true) => (extended as f32).to_bits(),
        (NumFormat::Scaled, false) => (raw as f32).to_bits(),
        (NumFormat::Norm, false) => fixed::from_unorm(raw, bits).to_bits(),
        (NumFormat::Norm, true) if no_zero => {
            let steps = f64::from(low(bits));
            (((f64::from(extended) * 2.0 + 1.0) / steps) as f32).to_bits()
        }
        (NumFormat::Norm, true) => fixed::from_snorm(extended, bits).to_bits(),
    }
}

impl Fetch {
    /// `offsets` are what is added to the numbers of vertices and instances. None when the format is none.
    pub(crate) fn new(inst: &Vtx, resource: &VertexResource, offsets: [u32; 2]) -> Option<Fetch> {
        let word = &resource.word2;
        let num = |code: u8| match code {
            num_format::INT => NumFormat::Int,
            num_format::SCALED => NumFormat::Scaled,
            _ => NumFormat::Norm,
        };
        let (data, num, signed, no_zero, endian) = match inst.use_const_fields {
            true => (
                word.data_format,
                num(word.num_format_all),
                word.format_comp_all,
                word.srf_mode_all,
                match word.endian_swap {
                    1 => EndianSwap::Swap8In16,
                    2 => EndianSwap::Swap8In32,
                    _ => EndianSwap::None,
                },
            ),
            false => (
                inst.data_format,
                inst.num_format_all,
                inst.format_comp_all,
                inst.srf_mode_all,
                inst.endian_swap,
            ),
        };
        let element = Element::new(data, num, signed, no_zero)?;
        let one = match &element {
            Element::Known(format) if format.channels()[0].kind != Kind::Float => 1,
            _ => 1f32.to_bits(),
        };
        let words = element.words().filter(|_| endian == EndianSwap::None);
        Some(Fetch {
            whole_words: words.map(|count| (count, one)),
            base: resource.base,
            size: u64::from(resource.size),
            stride: match inst.const_buf_no_stride {
                true => 0,
                false => word.stride.into(),
            },
            first: match inst.fetch_type {
                FetchType::VertexData => offsets[0],
                FetchType::InstanceData => offsets[1],
                FetchType::NoIndexOffset => 0,
            },
            endian,
            element,
        })
    }

    /// Fetches for the active lanes into the register that the instruction names, or `semantic`.
    pub(crate) fn run(
        &self,
        inst: &Vtx,
        port: &Port,
        setup: &Setup<'_>,
        (level, memory): (SimdLevel, &Memory),
        semantic: Option<u8>,
        wave: &mut Wave,
    ) -> Result<(), Fault> {
        let active = wave.mask(ACTIVE);
        // Registers that are not allocated read as R0.
        let source = port.register(inst.src_gpr, inst.src_rel, setup, wave);
        let source = 4 * usize::from(source.unwrap_or(0)) + inst.src_sel_x as usize;
        let target = match inst.dst_gpr() {
            Some((gpr, relative)) => port.register(gpr, relative, setup, wave),
            None => semantic.filter(|gpr| *gpr < setup.gprs),
        };
        let Some(target) = target else {
            return Ok(());
        };
        let index = &wave.rows[source].0;
        if let Some(values) = self.uniform(memory, active, index, inst.offset) {
            for (elem, select) in inst.selects().into_iter().enumerate() {
                let value = match select {
                    Select::X | Select::Y | Select::Z | Select::W => values[select as usize],
                    Select::Zero => 0,
                    Select::One => 1f32.to_bits(),
                    Select::Mask => continue,
                };
                let row = &mut wave.rows[4 * usize::from(target) + elem].0;
                match active {
                    u64::MAX => row.fill(value),
                    _ => merge(level, active, &[value; LANES], row),
                }
            }
            return Ok(());
        }
        let (from, to) = ((source, inst.offset), (inst.selects(), target));
        if active == u64::MAX && self.whole(level, memory, from, to, wave) {
            return Ok(());
        }
        let index = &wave.rows[source].0;
        let mut words = [[0; LANES]; 4];
        let inside = match self.rows(level, memory, (active, index), inst.offset, &mut words) {
            Some(inside) => inside & active,
            None => self.load(memory, active, index, inst.offset, &mut words),
        };
        let mut unpacked;
        let out = match self.whole_words {
            Some((count, one)) => {
                for (row, value) in words.iter_mut().zip([0, 0, 0, one]).skip(count) {
                    *row = [value; LANES];
                }
                &mut words
            }
            None => {
                unpacked = [[0; LANES]; 4];
                self.element.unpack(level, &words, &mut unpacked);
                &mut unpacked
            }
        };
        if inside != active {
            // Outside the buffer all elements are zero.
            for row in &mut *out {
                for lane in lanes_of(active & !inside) {
                    row[lane] = 0;
                }
            }
        }
        write(level, out, inst.selects(), active, target, wave);
        Ok(())
    }

    /// The element that all active lanes fetch, where it is one whose channels are words.
    fn uniform(
        &self,
        memory: &Memory,
        active: u64,
        index: &Lanes,
        offset: u16,
    ) -> Option<[u32; 4]> {
        let (count, one) = self.whole_words?;
        let first = index[active.trailing_zeros() as usize % LANES];
        let differs = |differ: u32, number: u32| differ | number ^ first;
        let differ = match active {
            u64::MAX => index.iter().fold(0, |differ, n| differs(differ, *n)),
            _ => lanes_of(active).fold(0, |differ, lane| differs(differ, index[lane])),
        };
        let at = u64::from(first.wrapping_add(self.first)) * self.stride + u64::from(offset);
        let address = self.base + at;
        if differ != 0 || !address.is_multiple_of(4) {
            return None;
        }
        if at + 4 * count as u64 > self.size {
            return Some([0; 4]);
        }
        let mut out = [0, 0, 0, one];
        for (n, value) in out.iter_mut().enumerate().take(count) {
            *value = memory.load(address + 4 * n as u64).unwrap_or(0);
        }
        Some(out)
    }

    /// Words of the elements of some lanes; returns the lanes whose element lies in the buffer.
    fn load(
        &self,
        memory: &Memory,
        active: u64,
        index: &Lanes,
        offset: u16,
        words: &mut [Lanes; 4],
    ) -> u64 {
        let bytes = u64::from(self.element.bytes());
        let count = bytes.div_ceil(4) as usize;
        // Elements of the same number are loaded once: of constants that are indexed, and of instances.
        let first = index[active.trailing_zeros() as usize % LANES];
        let same = index
            .iter()
            .fold(0, |differ, number| differ | number ^ first)
            == 0;
        let loaded = if same {
            active & active.wrapping_neg()
        } else {
            active
        };
        let mut inside = 0;
        for lane in lanes_of(loaded) {
            let number = u64::from(index[lane].wrapping_add(self.first));
            let at = number * self.stride + u64::from(offset);
            if at + bytes > self.size {
                continue;
            }
            inside |= 1 << lane;
            let address = self.base + at;
            let shift = 8 * (address & 3) as u32;
            let mut low = memory.load(address).unwrap_or(0);
            for (n, row) in words.iter_mut().enumerate().take(count) {
                let word = if shift == 0 {
                    std::mem::replace(
                        &mut low,
                        match n + 1 < count {
                            true => memory.load(address + 4 * (n as u64 + 1)).unwrap_or(0),
                            false => 0,
                        },
                    )
                } else {
                    let high = memory.load(address + 4 * (n as u64 + 1)).unwrap_or(0);
                    let joined = low >> shift | high << (32 - shift);
                    low = high;
                    joined
                };
                row[lane] = match self.endian {
                    EndianSwap::None => word,
                    EndianSwap::Swap8In16 => (word & 0x00ff_00ff) << 8 | word >> 8 & 0x00ff_00ff,
                    EndianSwap::Swap8In32 => word.swap_bytes(),
                };
            }
        }
        if !same {
            return inside;
        }
        for row in words.iter_mut().take(count) {
            *row = [row[active.trailing_zeros() as usize % LANES]; LANES];
        }
        if inside == 0 { 0 } else { active }
    }
}

/// Puts the elements of a fetch into a register.
pub(crate) fn write(
    level: SimdLevel,
    out: &[Lanes; 4],
    selects: [Select; 4],
    lanes: u64,
    target: u8,
    wave: &mut Wave,
) {
    for (elem, select) in [Elem::X, Elem::Y, Elem::Z, Elem::W]
        .into_iter()
        .zip(selects)
    {
        let values = match select {
            Select::X | Select::Y | Select::Z | Select::W => &out[select as usize],
            Select::Zero => &ZEROS,
            Select::One => &ONES,
            Select::Mask => continue,
        };
        let row = &mut wave.rows[4 * usize::from(target) + elem as usize].0;
        merge(level, lanes, values, row);
    }
}
