//! Programmable stream control: the words of a vertex to input vectors. [R5xx VAP_PROG_STREAM_CNTL]
//!
//! A vertex is a run of words, of all arrays one after the other. Each element takes some of them, makes four components,
//! and writes those that its mask says to an input vector. Components that a float type lacks are 0, 0, 1.

use radeon::registers::RegisterFile;
use silicon::Memory;
use silicon::geometry::vertices::VertexInput;
use silicon::texture::{fixed, float};

use crate::cp::{IndexPart, Source, VertexArray};
use crate::regs::{
    Field, VAP_CNTL_STATUS, VAP_PROG_STREAM_CNTL, VAP_PROG_STREAM_CNTL_EXT, VAP_PSC_SGN_NORM_CNTL,
};
use crate::tx::swapped;

/// Elements that the registers hold.
const ELEMENTS: u32 = 16;
/// Input vectors.
pub const INPUTS: usize = 32;

const ZERO: u32 = 0;
const ONE: u32 = 1f32.to_bits();

/// DATA_TYPE: how words become components.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One to four floats.
    Float(u8),
    /// Four bytes, x lowest.
    Byte,
    /// Four bytes, z lowest and x third.
    D3dColor,
    /// Two halves of a word.
    Short2,
    /// Four halves of two words.
    Short4,
    /// 10, 10 and 10 bits.
    Ttt,
    /// 11, 11 and 10 bits.
    Eet,
    /// Eight floats, to two vectors.
    Float8,
    /// Two half floats.
    Half2,
    /// Four half floats.
    Half4,
}

impl Kind {
    fn new(code: u32) -> Option<Kind> {
        Some(match code {
            0..=3 => Kind::Float(code as u8 + 1),
            4 => Kind::Byte,
            5 => Kind::D3dColor,
            6 => Kind::Short2,
            7 => Kind::Short4,
            8 => Kind::Ttt,
            9 => Kind::Eet,
            10 => Kind::Float8,
            11 => Kind::Half2,
            12 => Kind::Half4,
            _ => return None,
        })
    }

    /// Words that it takes.
    pub fn words(self) -> usize {
        match self {
            Kind::Float(count) => usize::from(count),
            Kind::Float8 => 8,
            Kind::Short4 | Kind::Half4 => 2,
            _ => 1,
        }
    }

    /// Lowest bit and width of x, y, z and w in its words; none of components that it lacks.
    fn bits(self) -> [Option<(u32, u32)>; 4] {
        let each = |width: u32, count: u32| {
            [0, 1, 2, 3].map(|n: u32| (n < count).then_some((n * width, width)))
        };
        match self {
            Kind::Float(count) => each(32, u32::from(count)),
            Kind::Float8 => each(32, 4),
            Kind::Byte => each(8, 4),
            Kind::D3dColor => [Some((16, 8)), Some((8, 8)), Some((0, 8)), Some((24, 8))],
            Kind::Short2 | Kind::Half2 => each(16, 2),
            Kind::Short4 | Kind::Half4 => each(16, 4),
            Kind::Ttt => each(10, 3),
            Kind::Eet => [Some((0, 11)), Some((11, 11)), Some((22, 10)), None],
        }
    }
}

/// How integers become floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Numbers {
    Unsigned,
    Signed,
    Unorm,
    /// By `2^(n-1) - 1`; the most negative number is below -1.
    Snorm,
    /// The same, at least -1.
    SnormClamped,
    /// `(2 v + 1) / (2^n - 1)`: there is no zero.
    SnormNoZero,
}

impl Numbers {
    fn float(self, raw: u32, width: u32) -> u32 {
        let signed = (raw << (32 - width)) as i32 >> (32 - width);
        let largest = f64::from((1u32 << (width - 1)) - 1);
        let value = match self {
            Numbers::Unsigned => raw as f32,
            Numbers::Signed => signed as f32,
            Numbers::Unorm => fixed::from_unorm(raw, width),
            Numbers::Snorm => (f64::from(signed) / largest) as f32,
            Numbers::SnormClamped => fixed::from_snorm(signed, width),
            Numbers::SnormNoZero => {
                ((2.0 * f64::from(signed) + 1.0) / (2.0 * largest + 1.0)) as f32
            }
        };
        value.to_bits()
    }
}

/// An element of a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element {
    /// How its words become components.
    pub kind: Kind,
    /// Its first word in the vertex.
    pub word: usize,
    /// The input vector that it writes, or the first of two.
    pub vector: usize,
    /// Components that it writes, x lowest.
    pub write: u8,
    numbers: Numbers,
    /// For each component: 0 to 3 of the element, 4 for zero, 5 for one.
    swizzle: [u8; 4],
}

/// Why vertices cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StreamError {
    /// A reserved code.
    #[error("element {element}: {field} {value} is reserved")]
    Reserved {
        /// Element.
        element: u32,
        /// Field.
        field: &'static str,
        /// Value.
        value: u32,
    },
    /// No element is the last.
    #[error("none of the 16 elements of a vertex is the last")]
    Endless,
    /// An element beyond the vertex.
    #[error("a vertex has {have} words and its elements need {need}")]
    Short {
        /// Words that the arrays give.
        have: usize,
        /// Words that the elements take.
        need: usize,
    },
    /// Two vectors from the last one on.
    #[error("element {element} writes vector {vector}, the last is 31")]
    Vector {
        /// Element.
        element: u32,
        /// Vector.
        vector: usize,
    },
    /// A vertex outside video memory.
    #[error("vertex {vertex} is read at {address:#x}, outside video memory")]
    Outside {
        /// Number of the vertex.
        vertex: u32,
        /// Address.
        address: u64,
    },
}

/// The elements of a vertex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stream {
    elements: Vec<Element>,
    /// Words that they take.
    words: usize,
    /// VC_SWAP of what memory has.
    swap: u32,
}

impl Stream {
    /// The stream of a draw, whose vertices have the words of this source.
    pub fn new(registers: &RegisterFile, source: &Source) -> Result<Stream, StreamError> {
        let mut stream = Stream {
            elements: Vec::new(),
            words: 0,
            swap: VAP_CNTL_STATUS::VC_SWAP.read(registers),
        };
        let mut at = 0;
        for n in 0..ELEMENTS {
            let (element, skip, last) = element(registers, n, at)?;
            stream.elements.push(element);
            stream.words = at + element.kind.words();
            at = stream.words + skip;
            if last {
                let have = words(source);
                return match have < stream.words {
                    false => Ok(stream),
                    true => Err(StreamError::Short {
                        have,
                        need: stream.words,
                    }),
                };
            }
        }
        Err(StreamError::Endless)
    }

    /// The elements in order.
    pub fn elements(&self) -> &[Element] {
        &self.elements
    }

    /// Input vectors that are written, a bit each.
    pub fn vectors(&self) -> u32 {
        let bits = self.elements.iter().map(|element| match element.kind {
            Kind::Float8 => 3 << element.vector,
            _ => 1 << element.vector,
        });
        bits.fold(0, |all, bits| all | bits)
    }

    /// Input vectors of vertices, a row for each component and one lane for each vertex. Components that no element
    /// writes keep their values. `words` is room for those of a vertex.
    pub fn load(
        &self,
        memory: &Memory,
        source: &Source,
        vertices: &[VertexInput],
        words: &mut Vec<u32>,
        inputs: &mut [[[u32; 64]; 4]; INPUTS],
    ) -> Result<(), StreamError> {
        for (lane, vertex) in vertices.iter().enumerate().take(64) {
            words.clear();
            match source {
                Source::Arrays(arrays) => {
                    for array in arrays {
                        array_words(memory, array, vertex.index, words)?;
                    }
                    if self.swap != 0 {
                        let each = words.iter_mut();
                        each.for_each(|word| *word = swapped(*word, self.swap));
                    }
                }
                Source::Stream { words: all, each } => {
                    let start = vertex.index as usize * *each as usize;
                    let vertex = all.get(start..start + *each as usize);
                    words.extend(vertex.unwrap_or_default());
                }
            }
            words.resize(words.len().max(self.words), 0);
            for element in &self.elements {
                element.write(words, |vector, component, value| {
                    inputs[vector][component][lane] = value;
                });
            }
        }
        Ok(())
    }
}

/// Words of a vertex.
fn words(source: &Source) -> usize {
    match source {
        Source::Arrays(arrays) => arrays.iter().map(|array| array.words as usize).sum(),
        Source::Stream { each, .. } => *each as usize,
    }
}

fn array_words(
    memory: &Memory,
    array: &VertexArray,
    vertex: u32,
    words: &mut Vec<u32>,
) -> Result<(), StreamError> {
    let index = match array.index {
        IndexPart::Whole => vertex,
        IndexPart::Low => vertex & 0xffff,
        IndexPart::High => vertex >> 16 & 0xff,
    };
    let start = array.address + u64::from(index) * u64::from(array.stride);
    for n in 0..u64::from(array.words) {
        let address = start + 4 * n;
        let word = memory.load(address);
        words.push(word.ok_or(StreamError::Outside { vertex, address })?);
    }
    Ok(())
}

/// Element `n`, whose first word is `word`; the words that are skipped after it, and whether it is the last.
fn element(
    registers: &RegisterFile,
    n: u32,
    word: usize,
) -> Result<(Element, usize, bool), StreamError> {
    use VAP_PROG_STREAM_CNTL::*;
    use VAP_PROG_STREAM_CNTL_EXT::*;
    // Two elements share a word.
    let half = |word: u32| word >> (16 * (n % 2)) & 0xffff;
    let control = half(VAP_PROG_STREAM_CNTL.read(registers, n / 2));
    let extended = half(VAP_PROG_STREAM_CNTL_EXT.read(registers, n / 2));
    let reserved = |field: Field, value| StreamError::Reserved {
        element: n,
        field: field.name,
        value,
    };
    let code = DATA_TYPE_0.get(control);
    let kind = Kind::new(code).ok_or_else(|| reserved(DATA_TYPE_0, code))?;
    let method = VAP_PSC_SGN_NORM_CNTL.fields[n as usize];
    let numbers = match (
        NORMALIZE_0.is_set(control),
        SIGNED_0.is_set(control),
        method.read(registers),
    ) {
        (false, false, _) => Numbers::Unsigned,
        (false, true, _) => Numbers::Signed,
        (true, false, _) => Numbers::Unorm,
        (true, true, 0) => Numbers::Snorm,
        (true, true, 1) => Numbers::SnormClamped,
        (true, true, 2) => Numbers::SnormNoZero,
        (true, true, other) => return Err(reserved(method, other)),
    };
    let mut swizzle = [0; 4];
    let fields = [
        SWIZZLE_SELECT_X_0,
        SWIZZLE_SELECT_Y_0,
        SWIZZLE_SELECT_Z_0,
        SWIZZLE_SELECT_W_0,
    ];
    for (select, field) in swizzle.iter_mut().zip(fields) {
        let value = field.get(extended);
        if value > 5 {
            return Err(reserved(field, value));
        }
        *select = value as u8;
    }
    let vector = DST_VEC_LOC_0.get(control) as usize;
    if kind == Kind::Float8 && vector + 1 >= INPUTS {
        return Err(StreamError::Vector { element: n, vector });
    }
    let element = Element {
        kind,
        word,
        vector,
        write: WRITE_ENA_0.get(extended) as u8,
        numbers,
        swizzle,
    };
    let skip = SKIP_DWORDS_0.get(control) as usize;
    Ok((element, skip, LAST_VEC_0.is_set(control)))
}

impl Element {
    /// Writes components: vector, component and value.
    fn write(&self, vertex: &[u32], mut to: impl FnMut(usize, usize, u32)) {
        let vectors = if self.kind == Kind::Float8 { 2 } else { 1 };
        for ahead in 0..vectors {
            let words = &vertex[self.word + 4 * ahead..];
            let values = self.components(words);
            for (n, select) in self.swizzle.iter().enumerate() {
                if self.write >> n & 1 == 1 {
                    let value = match select {
                        0..=3 => values[usize::from(*select)],
                        4 => ZERO,
                        _ => ONE,
                    };
                    to(self.vector + ahead, n, value);
                }
            }
        }
    }

    /// x, y, z and w.
    fn components(&self, words: &[u32]) -> [u32; 4] {
        let mut values = [ZERO, ZERO, ZERO, ONE];
        for (value, bits) in values.iter_mut().zip(self.kind.bits()) {
            let Some((low, width)) = bits else {
                continue;
            };
            let word = words[(low / 32) as usize];
            let raw = word >> (low % 32) & u32::MAX >> (32 - width);
            *value = match self.kind {
                Kind::Float(_) | Kind::Float8 => raw,
                Kind::Half2 | Kind::Half4 => float::from_f16(raw),
                _ => self.numbers.float(raw, width),
            };
        }
        values
    }
}
