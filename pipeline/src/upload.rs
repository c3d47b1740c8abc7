//! Binaries, descriptors and constants to video memory.

use std::ops::Range;

use silicon::{Addr, Memory, MemoryError};

use crate::codegen::Binary;
use crate::compile::CompiledPipeline;
use crate::driver::Driver;
use crate::state::{AttributeFetch, BufferRange, GraphicsState};
use crate::targets::{Chip, GeometryParts, PipelineParts};

/// What work on video memory gives.
pub type Result<T, E = MemoryError> = std::result::Result<T, E>;

/// What is asked of video memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// Bytes.
    pub bytes: u64,
    /// What the address is a multiple of.
    pub align: u64,
    /// Every byte is zero; else memory is as its last owner left it.
    pub zeroed: bool,
}

impl Request {
    /// Zeroed memory.
    pub fn zeroed(bytes: u64, align: u64) -> Request {
        Request {
            bytes,
            align,
            zeroed: true,
        }
    }
}

/// Hands out video memory.
pub type Allocate<'a> = dyn FnMut(Request) -> Result<Addr> + 'a;

/// Words of the descriptor of scratch memory where those of rings follow.
const SCRATCH_WORDS: usize = 4;

/// Alignment of scratch memory.
const SCRATCH_ALIGN: u64 = 256;

/// Bytes of a chunk of memory that small things are put into.
pub(crate) const CHUNK: u64 = 64 << 10;

impl CompiledPipeline {
    /// Puts the code, and scratch memory beside it, into memory that `allocate` hands out.
    pub fn upload(&mut self, driver: &Driver, allocate: &mut Allocate<'_>) -> Result<()> {
        let vertex = put_code(&self.vertex, driver, allocate)?;
        let fragment = put_code(&self.fragment, driver, allocate)?;
        self.code = [vertex, fragment];
        self.words.clear();
        let mut descriptors = Vec::new();
        let mut rings = [BufferRange::NONE; 2];
        if let Some(geometry) = &mut self.geometry {
            geometry.code = [
                match geometry.runs {
                    Some(_) => vertex,
                    None => put_code(&geometry.shader, driver, allocate)?,
                },
                match &geometry.copy {
                    Some(copy) => put_code(copy, driver, allocate)?,
                    None => Addr(0),
                },
            ];
            if let Some(chip) = driver.target.chip.rings() {
                for (ring, bytes) in rings.iter_mut().zip(chip.ring_bytes(&geometry.words)) {
                    let address = allocate(Request::zeroed(bytes, SCRATCH_ALIGN))?;
                    *ring = BufferRange { address, bytes };
                }
                chip.ring_descriptors(rings, &geometry.words, &mut descriptors);
            }
        }
        let geometry = self.geometry.as_ref();
        let before = geometry.map(|geometry| GeometryParts {
            vertex: (&self.vertex, vertex),
            shader: (&geometry.shader, geometry.code[0]),
            rings,
        });
        let parts = PipelineParts {
            state: &self.state,
            links: &self.links,
            vertex: geometry
                .and_then(|geometry| Some((geometry.copy.as_ref()?, geometry.code[1])))
                .unwrap_or((&self.vertex, vertex)),
            geometry: before,
            fragment: (&self.fragment, fragment),
            per_sample: self.per_sample,
        };
        driver.target.chip.pipeline(&parts, &mut self.words);
        self.scratch = put_scratch(parts.scratch_bytes(), driver, allocate)?;
        if !descriptors.is_empty() {
            // Behind that of scratch memory, which may be none.
            self.scratch.resize(SCRATCH_WORDS, 0);
            self.scratch.extend(descriptors);
        }
        Ok(())
    }
}

/// Puts code into memory that `allocate` hands out.
pub(crate) fn put_code(
    binary: &Binary,
    driver: &Driver,
    allocate: &mut Allocate<'_>,
) -> Result<Addr> {
    let align = driver.target.chip.code_align();
    let at = allocate(Request::zeroed(4 * binary.words.len() as u64, align))?;
    driver.memory.write_words(at, &binary.words)?;
    Ok(at)
}

/// Takes scratch memory for waves that need this much; its descriptor, empty where they need none.
pub(crate) fn put_scratch(
    wave_bytes: u32,
    driver: &Driver,
    allocate: &mut Allocate<'_>,
) -> Result<Vec<u32>> {
    let chip = driver.target.chip;
    let mut descriptor = Vec::new();
    if wave_bytes > 0 {
        let at = allocate(Request::zeroed(
            chip.scratch_bytes(wave_bytes),
            SCRATCH_ALIGN,
        ))?;
        chip.scratch_descriptor(at, wave_bytes, &mut descriptor);
    }
    Ok(descriptor)
}

/// Video memory that lasts until a command stream has run.
pub(crate) struct Transient<'a> {
    memory: &'a Memory,
    allocate: &'a mut Allocate<'a>,
    /// What is left of the chunk that small things go into.
    chunk: Range<u64>,
}

impl<'a> Transient<'a> {
    pub fn new(memory: &'a Memory, allocate: &'a mut Allocate<'a>) -> Transient<'a> {
        Transient {
            memory,
            allocate,
            chunk: 0..0,
        }
    }

    /// Takes memory of its own.
    pub fn take(&mut self, bytes: u64, align: u64) -> Result<Addr> {
        (self.allocate)(Request::zeroed(bytes, align))
    }

    /// Takes what a request says.
    pub fn request(&mut self, request: Request) -> Result<Addr> {
        (self.allocate)(request)
    }

    /// Puts bytes into a chunk.
    pub fn put(&mut self, bytes: &[u8], align: u64) -> Result<Addr> {
        let len = bytes.len() as u64;
        let mut at = self.chunk.start.next_multiple_of(align);
        if at + len > self.chunk.end {
            let size = len.max(CHUNK);
            let start = self.take(size, align.max(256))?.0;
            self.chunk = start..start + size;
            at = start;
        }
        self.chunk.start = at + len;
        self.memory.write(Addr(at), bytes)?;
        Ok(Addr(at))
    }

    /// Puts words into memory of their own.
    pub fn put_words(&mut self, words: &[u32]) -> Result<Range<Addr>> {
        let bytes = 4 * words.len() as u64;
        let at = self.take(bytes, 256)?;
        self.memory.write_words(at, words)?;
        Ok(at..Addr(at.0 + bytes))
    }

    /// Puts a copy of a descriptor set with other buffers at some byte offsets.
    pub fn put_set(
        &mut self,
        chip: &dyn Chip,
        (at, bytes): (Addr, u32),
        buffers: &[(u32, BufferRange)],
    ) -> Result<Addr> {
        let mut set = vec![0; bytes as usize];
        self.memory.read(at, &mut set)?;
        let mut words = Vec::new();
        for &(offset, range) in buffers {
            words.clear();
            chip.buffer_descriptor(range, &mut words);
            place(&words, &mut set[offset as usize..]);
        }
        self.put(&set, chip.descriptor_bytes().set_align.into())
    }

    /// Puts one descriptor per attribute location, unused ones empty; nothing where there are none.
    pub fn put_attributes(
        &mut self,
        chip: &dyn Chip,
        state: &GraphicsState,
        buffers: &[Option<BufferRange>],
    ) -> Result<Option<Addr>> {
        let size = chip.descriptor_bytes().buffer as usize;
        let mut table = Vec::new();
        let mut words = Vec::new();
        for (layout, buffer) in state.vertex_buffers.iter().zip(buffers) {
            let &Some(buffer) = buffer else { continue };
            for attribute in &layout.attributes {
                words.clear();
                let fetch = AttributeFetch {
                    buffer,
                    offset: attribute.offset as u32,
                    stride: layout.stride,
                    format: attribute.format,
                };
                chip.attribute_descriptor(&fetch, &mut words);
                let at = attribute.shader_location as usize * size;
                if table.len() < at + size {
                    table.resize(at + size, 0);
                }
                place(&words, &mut table[at..at + size]);
            }
        }
        if table.is_empty() {
            return Ok(None);
        }
        self.put(&table, 64).map(Some)
    }
}

/// Puts words in front of bytes, in the order of video memory: the lowest byte of a word comes first.
fn place(words: &[u32], bytes: &mut [u8]) {
    for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().zip(words) {
        *bytes = word.to_le_bytes();
    }
}
