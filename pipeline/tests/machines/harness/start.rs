//! Video memory and registers that a raw program starts with.

use isa::{ExecInput, ExecOutput, LaneValue, MemoryBlock, Tools};
use pipeline::driver::ConstantTable;
use pipeline::ir::{Function, ResourceKind, Scalar, Stage};
use pipeline::layout::SetLayout;
use pipeline::state::{AttributeFetch, BufferRange};
use pipeline::targets::Chip;
use silicon::{Addr, Memory};
use wgpu_types::VertexFormat;

use super::texels::Texels;
use crate::direct::World;

/// What a program starts with. Blocks of memory are aligned to 256 bytes.
pub struct Start {
    input: ExecInput,
    next: u64,
    /// Words of the descriptor sets.
    pub sets: [Vec<u32>; 4],
    /// Locations of vertex attributes and the words of their descriptors.
    pub attributes: Vec<(u32, Vec<u32>)>,
    /// Blocks of memory, by resource and element.
    buffers: Vec<Vec<usize>>,
    images: Vec<Vec<usize>>,
}

/// Appends the descriptor of an image or a sampler: resource and element.
pub type Describe<'a> = &'a dyn Fn(&mut Start, [usize; 2], &mut Vec<u32>);

impl Start {
    /// Buffers, attributes and descriptor sets, those of textures and samplers as `describe` says.
    pub fn new(
        chip: &dyn Chip,
        function: &Function,
        world: &World,
        describe: Describe<'_>,
    ) -> Start {
        let mut start = Start {
            input: ExecInput {
                strict: true,
                ..ExecInput::default()
            },
            next: 0x1_0000,
            sets: Default::default(),
            attributes: Vec::new(),
            buffers: Vec::new(),
            images: Vec::new(),
        };
        let resources = &function.interface.resources;
        for (at, resource) in resources.iter().enumerate() {
            start.buffers.push(Vec::new());
            start.images.push(Vec::new());
            let mut words = Vec::new();
            for element in 0..resource.count as usize {
                match resource.kind {
                    ResourceKind::Uniform { .. } | ResourceKind::Storage { .. } => {
                        let data = &world.buffers[at][element];
                        start.buffers[at].push(start.input.memory.len());
                        let range = start.range(data);
                        chip.buffer_descriptor(range, &mut words);
                    }
                    _ => describe(&mut start, [at, element], &mut words),
                }
            }
            let layout =
                SetLayout::of_shader(resources, resource.slot.group, chip.descriptor_bytes());
            let key = (resource.slot.binding, (&resource.kind).into());
            let first = layout.offsets[&key] as usize / 4;
            let set = &mut start.sets[resource.slot.group as usize];
            set.resize(set.len().max(first + words.len()), 0);
            set[first..first + words.len()].copy_from_slice(&words);
        }
        if function.stage == Stage::Vertex {
            start.fetches(chip, function, world);
        }
        start
    }

    /// The same with tiled images.
    pub fn real(chip: &dyn Chip, function: &Function, world: &World, texels: &Texels) -> Start {
        Start::new(chip, function, world, &|start, [at, element], words| {
            if let Some(sampler) = texels.samplers[at].get(element) {
                let sampler = &sampler.clone().into();
                let mut constants = ConstantTable::new(&Memory::new(0));
                let described = chip.sampler_descriptor(sampler, &mut constants, words);
                return described.unwrap();
            }
            let image = &texels.images[at][element];
            start.next = start.next.next_multiple_of(image.memory.align);
            start.images[at].push(start.input.memory.len());
            let address = start.place(&image.tiled);
            image.descriptor(chip, address, words);
        })
    }

    /// Vertex attributes: lane `n` is vertex `n`.
    fn fetches(&mut self, chip: &dyn Chip, function: &Function, world: &World) {
        use VertexFormat as F;
        for (input, varying) in function.interface.inputs.iter().enumerate() {
            let count = varying.components as usize;
            let lanes = &world.inputs[input];
            let data = (0..64).flat_map(|lane| (0..count).map(move |c| lanes[c][lane]));
            let formats = match varying.scalar {
                Scalar::Float => [F::Float32, F::Float32x2, F::Float32x3, F::Float32x4],
                Scalar::Sint => [F::Sint32, F::Sint32x2, F::Sint32x3, F::Sint32x4],
                Scalar::Uint => [F::Uint32, F::Uint32x2, F::Uint32x3, F::Uint32x4],
            };
            let fetch = AttributeFetch {
                buffer: self.range(&data.collect::<Vec<u32>>()),
                offset: 0,
                stride: 4 * count as u32,
                format: formats[count - 1],
            };
            let mut words = Vec::new();
            chip.attribute_descriptor(&fetch, &mut words);
            self.attributes.push((varying.location, words));
        }
    }

    /// Puts bytes into memory; their address.
    pub fn place(&mut self, bytes: &[u8]) -> u64 {
        let address = self.next;
        self.next = (self.next + bytes.len() as u64).next_multiple_of(256) + 256;
        self.input.memory.push(MemoryBlock::new(address, bytes));
        address
    }

    /// Puts words into memory.
    pub fn range(&mut self, words: &[u32]) -> BufferRange {
        BufferRange {
            address: Addr(self.place(&bytes_of(words))),
            bytes: 4 * words.len() as u64,
        }
    }

    /// How many lanes run, where the chip's executor takes fewer by itself.
    pub fn lanes(&mut self, count: u32) {
        self.input.lanes = Some(count);
    }

    pub fn set(&mut self, register: impl Into<String>, value: LaneValue) {
        self.input.registers.insert(register.into(), value);
    }

    /// Words of the local data share.
    pub fn share(&mut self, words: &[u32]) {
        self.input.shared = Some(MemoryBlock::new(0, &bytes_of(words)).hex);
    }

    /// The registers that are set.
    pub fn registers(&self) -> impl Iterator<Item = (&str, &LaneValue)> {
        let registers = self.input.registers.iter();
        registers.map(|(name, value)| (name.as_str(), value))
    }

    /// Memory with everything that was put there.
    pub fn memory(&self) -> Memory {
        let memory = Memory::new(self.next);
        self.load(&memory);
        memory
    }

    /// Puts everything into a memory.
    pub fn load(&self, memory: &Memory) {
        for block in &self.input.memory {
            let bytes = block.bytes(self.next).unwrap();
            memory.write(Addr(block.address), &bytes).unwrap();
        }
    }

    /// The blocks as they are in a memory.
    pub fn blocks(&self, memory: &Memory) -> Vec<MemoryBlock> {
        let now = |block: &MemoryBlock| {
            let mut bytes = block.bytes(self.next).unwrap();
            memory.read(Addr(block.address), &mut bytes).unwrap();
            MemoryBlock::new(block.address, &bytes)
        };
        self.input.memory.iter().map(now).collect()
    }

    /// Words of the buffers that a run left, by resource and element.
    pub fn buffers(&self, left: &[MemoryBlock]) -> Vec<Vec<Vec<u32>>> {
        let words = |block: &usize| words_of(&left[*block].bytes(u64::MAX).unwrap());
        let elements = |blocks: &Vec<usize>| blocks.iter().map(words).collect();
        self.buffers.iter().map(elements).collect()
    }

    /// Resource, element and bytes of the images that a run left.
    pub fn images(&self, left: &[MemoryBlock]) -> Vec<((usize, usize), Vec<u8>)> {
        let mut found = Vec::new();
        for (resource, blocks) in self.images.iter().enumerate() {
            for (element, block) in blocks.iter().enumerate() {
                found.push(((resource, element), left[*block].bytes(u64::MAX).unwrap()));
            }
        }
        found
    }

    /// Runs a program with the chip's executor.
    pub fn exec(
        &self,
        tools: &dyn Tools,
        stage: Stage,
        words: &[u32],
    ) -> Result<ExecOutput, String> {
        let stage = match stage {
            Stage::Vertex => "vertex",
            _ => "fragment",
        };
        let output = tools.exec(stage, words, &self.input);
        output.map_err(|error| error.to_string())
    }
}

fn bytes_of(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn words_of(bytes: &[u8]) -> Vec<u32> {
    let words = bytes.chunks_exact(4);
    words
        .map(|word| u32::from_le_bytes(word.try_into().unwrap()))
        .collect()
}
