//! VAP_VF_CNTL and vertex arrays to the description of a draw. [R5xx 8.2 "Draw commands"]

use radeon::registers::RegisterFile;
use silicon::geometry::topology::Topology;
use silicon::geometry::vertices::Vertices;

use crate::regs::*;

/// A draw whose data are there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draw {
    /// What the vertices make.
    pub topology: Topology,
    /// Vertex numbers, before offset and clamp.
    pub vertices: Vertices,
    /// What is added to a number.
    pub offset: i32,
    /// Smallest and largest number after that; others are clamped.
    pub range: [u32; 2],
    /// Primitives share vertices of the same number.
    pub reuse: bool,
    /// Where the words of a vertex are.
    pub source: Source,
}

/// Where the words of a vertex are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// In arrays; a vertex has the words of all, one array after the other.
    Arrays(Vec<VertexArray>),
    /// In the stream.
    Stream {
        /// The words of all vertices.
        words: Vec<u32>,
        /// Words of a vertex.
        each: u32,
    },
}

/// An array of vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VertexArray {
    /// Byte address of vertex 0.
    pub address: u64,
    /// Words of a vertex.
    pub words: u32,
    /// Bytes from one vertex to the next.
    pub stride: u32,
    /// Which bits of an index count in it.
    pub index: IndexPart,
}

/// Bits of an index. [R5xx VAP_VF_CNTL.DUAL_INDEX_MODE]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexPart {
    /// All.
    Whole,
    /// 0 to 15: arrays 1 to 15 of dual indices.
    Low,
    /// 16 to 23: array 0 of dual indices.
    High,
}

/// Values of VAP_VF_CNTL.PRIM_WALK.
pub mod walk {
    /// Vertices in registers.
    pub const STATE: u32 = 0;
    /// Indices in the stream.
    pub const INDICES: u32 = 1;
    /// Vertices counted.
    pub const LIST: u32 = 2;
    /// Vertices in the stream.
    pub const DATA: u32 = 3;
}

/// A draw that waits for words at a port.
#[derive(Clone, Debug)]
pub(super) struct Pending {
    control: u32,
    count: u32,
    need: u64,
    words: Vec<u32>,
}

/// The topology of a PRIM_TYPE; none of type 7, whose vertices have flags between them, and of reserved ones.
fn topology(code: u32) -> Option<Topology> {
    Some(match code {
        1 => Topology::Points,
        2 => Topology::Lines,
        3 => Topology::LineStrip,
        4 => Topology::Triangles,
        5 => Topology::TriangleFan,
        6 => Topology::TriangleStrip,
        12 => Topology::LineLoop,
        13 => Topology::Quads,
        14 => Topology::QuadStrip,
        15 => Topology::Polygon,
        _ => return None,
    })
}

/// The arrays that the registers name.
fn arrays(registers: &RegisterFile, control: u32) -> Result<Vec<VertexArray>, String> {
    let count = VAP_VTX_NUM_ARRAYS::VTX_NUM_ARRAYS.read(registers);
    if count > 16 {
        return Err(format!("VAP_VTX_NUM_ARRAYS is {count}, the chip has 16"));
    }
    let array = |n: u32| {
        use VAP_VTX_AOS_ATTR::*;
        let (pair, odd) = (n / 2, n % 2 == 1);
        let (address, words, stride) = match odd {
            false => (VAP_VTX_AOS_ADDR_EVEN, VTX_AOS_COUNT0, VTX_AOS_STRIDE0),
            true => (VAP_VTX_AOS_ADDR_ODD, VTX_AOS_COUNT1, VTX_AOS_STRIDE1),
        };
        VertexArray {
            address: u64::from(address.read(registers, pair) & !3),
            words: words.nth(registers, pair),
            stride: 4 * stride.nth(registers, pair),
            index: match (VAP_VF_CNTL::DUAL_INDEX_MODE.is_set(control), n) {
                (false, _) => IndexPart::Whole,
                (true, 0) => IndexPart::High,
                (true, _) => IndexPart::Low,
            },
        }
    };
    Ok((0..count).map(array).collect())
}

impl Draw {
    /// A draw of these vertices and words, with the state of the registers.
    fn new(
        registers: &RegisterFile,
        control: u32,
        vertices: Vertices,
        source: Source,
    ) -> Result<Draw, String> {
        use VAP_VF_CNTL::*;
        let code = PRIM_TYPE.get(control);
        let topology = topology(code)
            .ok_or_else(|| format!("VAP_VF_CNTL.PRIM_TYPE {code} is not executed"))?;
        let offset = VAP_INDEX_OFFSET.fields[0].signed(VAP_INDEX_OFFSET.read(registers, 0));
        let indexed = PRIM_WALK.get(control) == walk::INDICES;
        let clamp = match source {
            Source::Arrays(_) => [
                VAP_VF_MIN_VTX_INDX::MIN_INDX.read(registers),
                VAP_VF_MAX_VTX_INDX::MAX_INDX.read(registers),
            ],
            Source::Stream { .. } => [0, u32::MAX],
        };
        Ok(Draw {
            topology,
            vertices,
            offset: match source {
                Source::Arrays(_) => offset,
                Source::Stream { .. } => 0,
            },
            range: clamp,
            reuse: indexed && !VTX_REUSE_DIS.is_set(control),
            source,
        })
    }
}

impl Pending {
    /// What a write to VAP_VF_CNTL begins: nothing without a primitive.
    pub(super) fn begin(registers: &RegisterFile, control: u32) -> Result<Option<Pending>, String> {
        use VAP_VF_CNTL::*;
        if PRIM_TYPE.get(control) == 0 {
            return Ok(None);
        }
        if RSVD_PREV_USED.is_set(control) {
            return Err("VAP_VF_CNTL.RSVD_PREV_USED is not executed".into());
        }
        let count = match USE_ALT_NUM_VERTS.is_set(control) {
            true => VAP_ALT_NUM_VERTICES::NUM_VERTICES.read(registers),
            false => NUM_VERTICES.get(control),
        };
        let need = match (PRIM_WALK.get(control), INDEX_SIZE.is_set(control)) {
            (walk::LIST, _) => 0,
            (walk::INDICES, true) => u64::from(count),
            (walk::INDICES, false) => u64::from(count.div_ceil(2)),
            (walk::DATA, _) => {
                u64::from(count) * u64::from(VAP_VTX_SIZE::DWORDS_PER_VTX.read(registers))
            }
            (walk::STATE.., _) => return Err("vertices in registers are not executed".into()),
        };
        Ok(Some(Pending {
            control,
            count,
            need,
            words: Vec::new(),
        }))
    }

    /// Whether all words are there.
    pub(super) fn is_complete(&self) -> bool {
        self.words.len() as u64 == self.need
    }

    /// A word at a port.
    pub(super) fn word(&mut self, word: u32) -> Result<(), String> {
        if self.is_complete() {
            return Err(format!("a draw of {} dwords gets one more", self.need));
        }
        self.words.push(word);
        Ok(())
    }

    /// What is wrong when no more words come.
    pub(super) fn missing(&self) -> String {
        let have = self.words.len();
        format!("a draw has {have} dwords and needs {}", self.need)
    }

    /// Whether `words` dwords of memory are all that the draw needs, and indices.
    pub(super) fn takes_indices(&self, words: u64) -> bool {
        let walk = VAP_VF_CNTL::PRIM_WALK.get(self.control);
        walk == walk::INDICES && self.words.is_empty() && words == self.need
    }

    /// The draw, its indices in memory.
    pub(super) fn indexed(self, registers: &RegisterFile, address: u64) -> Result<Draw, String> {
        let vertices = Vertices::Indexed {
            address,
            first: 0,
            count: self.count,
            limit: self.count,
            wide: VAP_VF_CNTL::INDEX_SIZE.is_set(self.control),
        };
        let source = Source::Arrays(arrays(registers, self.control)?);
        Draw::new(registers, self.control, vertices, source)
    }

    /// The draw of a complete one.
    pub(super) fn draw(self, registers: &RegisterFile) -> Result<Draw, String> {
        let Pending {
            control,
            count,
            words,
            ..
        } = self;
        let counted = Vertices::Counted { first: 0, count };
        let (vertices, source) = match VAP_VF_CNTL::PRIM_WALK.get(control) {
            walk::DATA => {
                let each = VAP_VTX_SIZE::DWORDS_PER_VTX.read(registers);
                (counted, Source::Stream { words, each })
            }
            walk::INDICES => {
                let list = match VAP_VF_CNTL::INDEX_SIZE.is_set(control) {
                    true => words,
                    false => {
                        let halves = words.iter().flat_map(|word| [word & 0xffff, word >> 16]);
                        halves.take(count as usize).collect()
                    }
                };
                (
                    Vertices::Listed(list),
                    Source::Arrays(arrays(registers, control)?),
                )
            }
            _ => (counted, Source::Arrays(arrays(registers, control)?)),
        };
        Draw::new(registers, control, vertices, source)
    }
}
