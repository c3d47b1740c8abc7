//! A chip whose shaders are assembled by hand, and passes that draw with them.

use std::cell::RefCell;

use ::r5xx::isa::{pvs, us};
use ::r5xx::regs::*;
use silicon::{Addr, Gpu, Memory, Start};
use wgpu_types as wgt;

use super::super::packets::word;
use super::super::state;
use crate::codegen::{
    Binary, Bound, ConstantSource, InputVector, Lines, Number, Options, OutputVector, Result,
    Slots, Stats,
};
use crate::compile::{CompiledPipeline, LinkedStages, PipelineSource, StageSource};
use crate::driver::{DRIVER_BYTES, Driver};
use crate::encode::Encoder;
use crate::image::{self, ImageMemory, ImageShape, Part, Region, Rows};
use crate::ir::{Builtin, Function, Stage};
use crate::layout::PipelineLayout;
use crate::state::{
    AspectAccess, Attachment, ColorTarget, DepthStencilTarget, GraphicsState, PassTargets,
};
use crate::targets::{Surfaces, Target};
use crate::upload::Request;
use crate::wgsl::{self, Source};

/// Pixels of an edge of the targets.
pub const SIZE: u32 = 16;

/// The chip, and shaders by name.
pub static TARGET: Target = Target {
    info: &::r5xx::INFO,
    power_on: |on| ::r5xx::R5xx::power_on(Memory::new(on.memory_bytes), Start::default()),
    compile: assembled,
    lanes: |_| String::new(),
    tools: &::r5xx::TOOLS,
    chip: &state::R5xx,
};

/// The shaders in the words of the interface.
pub const SHADERS: &str = "
struct Varying { @builtin(position) at: vec4f, @location(0) vector: vec4f }
@group(0) @binding(0) var<uniform> color: vec4f;
@group(0) @binding(1) var texels: texture_2d<f32>;
@group(0) @binding(2) var filters: sampler;
@vertex fn plain(@location(0) at: vec4f) -> @builtin(position) vec4f { return at; }
@vertex fn pair(@location(0) at: vec4f, @location(1) vector: vec4f) -> Varying { return Varying(at, vector); }
@vertex fn numbered(@builtin(vertex_index) i: u32, @location(0) at: vec4f) -> Varying {
    return Varying(at, vec4f(f32(i)));
}
@fragment fn constant() -> @location(0) vec4f { return color; }
@fragment fn vector(@location(0) vector: vec4f) -> @location(0) vec4f { return vector; }
@fragment fn texture(@location(0) at: vec4f) -> @location(0) vec4f { return textureSample(texels, filters, at.xy); }
";

fn vertex(name: &str) -> (&'static str, Vec<InputVector>) {
    let [at, vector] = [0, 1].map(InputVector::Attribute);
    match name {
        "plain" => ("VE_ADD OUT0, I0, I0.0000", vec![at]),
        "pair" => (
            "VE_ADD OUT0, I0, I0.0000\nVE_ADD OUT1, I1, I1.0000",
            vec![at, vector],
        ),
        _ => (
            "VE_ADD OUT0, I1, I1.0000\nVE_ADD OUT1, I0.xxxx, I1.0000",
            vec![InputVector::Index(Builtin::VertexIndex), at],
        ),
    }
}

fn fragment(name: &str) -> &'static str {
    match name {
        "constant" => {
            "OUT.last MAX A.rgb = src0.rgb, src0.rgb [C0] / MAX A.a = src0.a, src0.a [C0]"
        }
        "texture" => {
            "TEX LD_acquire T0.rgba = t0.rgba, T0.rgba\nOUT.last.wait MAX A.rgb = src0.rgb, src0.rgb [T0] / MAX A.a = src0.a, src0.a [T0]"
        }
        "vector" => "OUT.last MAX A.rgb = src0.rgb, src0.rgb [T0] / MAX A.a = src0.a, src0.a [T0]",
        _ => "OUT.last MAX A.rgb = src0.000, src0.000 [T0] / MAX A.a = src0.0, src0.0 [T0]",
    }
}

/// A binding of set 0.
fn bound(slot: u32, offset: u32) -> Bound {
    Bound {
        slot,
        set: 0,
        offset,
        resource: 0,
        element: 0,
    }
}

fn assembled(function: &Function, _: &Options) -> Result<Binary> {
    let name = function.name.as_str();
    let mut slots = Slots::default();
    let (words, registers) = match function.stage {
        Stage::Vertex => {
            let (text, inputs) = vertex(name);
            let code = pvs::assemble(text).expect("the program is this module's own");
            slots.inputs = inputs;
            slots.outputs = vec![OutputVector::Position];
            let varying = u32::from(name != "plain");
            if varying == 1 {
                slots.outputs.push(OutputVector::Varying(0));
            }
            let last = [(VAP_PVS_CODE_CNTL_0::PVS_LAST_INST, code.len() as u32 - 1)];
            let registers = vec![
                (VAP_PVS_CODE_CNTL_0.address, word(&last)),
                (VAP_OUT_VTX_FMT_0.address, 1),
                (VAP_OUT_VTX_FMT_1.address, 4 * varying),
            ];
            (code.concat(), registers)
        }
        _ => {
            let code = us::assemble(fragment(name)).expect("the program is this module's own");
            match name {
                "constant" => {
                    slots.banks = vec![bound(0, 0)];
                    let source = |n: u32| ConstantSource::Uniform {
                        bank: 0,
                        offset: 4 * n,
                        number: Number::Float,
                    };
                    slots.constants = vec![[0, 1, 2, 3].map(|n| Some(source(n)))];
                }
                "texture" => {
                    slots.inputs = vec![InputVector::Varying(0)];
                    slots.resources = vec![bound(0, 64)];
                    slots.samplers = vec![bound(0, 128)];
                }
                "vector" => slots.inputs = vec![InputVector::Varying(0)],
                _ => {}
            }
            let last = US_CODE_ADDR::END_ADDR.bits(code.len() as u32 - 1);
            let registers = vec![(US_CODE_ADDR.address, last), (US_PIXSIZE.address, 0)];
            (code.concat(), registers)
        }
    };
    Ok(Binary {
        words,
        registers,
        stage: function.stage,
        interface: function.interface.clone(),
        primitive_index: false,
        point_coord: false,
        base_vertex: false,
        scratch_bytes: 0,
        slots,
        stats: Stats::new(&[]),
        lines: Lines::default(),
        print: |_| String::new(),
    })
}

/// A device and its driver.
pub struct Rig {
    pub driver: Driver,
    gpu: RefCell<Box<dyn Gpu>>,
    next: u64,
}

/// An image with its place.
#[derive(Clone)]
pub struct Image {
    pub base: Addr,
    pub memory: ImageMemory,
}

impl Image {
    pub fn attachment(&self) -> Attachment<'_> {
        Attachment {
            base: self.base,
            memory: &self.memory,
            format: self.memory.shape.format,
            level: 0,
            first_layer: 0,
            layers: 1,
            samples: 1,
        }
    }
}

impl Rig {
    pub fn new() -> Rig {
        let gpu = ::r5xx::R5xx::power_on(Memory::new(16 << 20), Start::default());
        Rig {
            driver: Driver::new(&TARGET, &*gpu),
            gpu: RefCell::new(gpu),
            next: DRIVER_BYTES,
        }
    }

    /// Memory for good.
    pub fn take(&mut self, bytes: u64) -> Addr {
        let at = self.next;
        self.next = (at + bytes).next_multiple_of(2048);
        Addr(at)
    }

    /// Bytes in memory.
    pub fn put(&mut self, bytes: &[u8]) -> Addr {
        let at = self.take(bytes.len() as u64);
        self.driver.memory.write(at, bytes).unwrap();
        at
    }

    /// Floats in memory.
    pub fn floats(&mut self, floats: &[f32]) -> Addr {
        let bytes: Vec<u8> = floats.iter().flat_map(|v| v.to_le_bytes()).collect();
        self.put(&bytes)
    }

    /// A new image.
    pub fn image(&mut self, shape: ImageShape) -> Image {
        let memory = state::R5xx.image_memory(&shape).unwrap();
        Image {
            base: self.take(memory.bytes),
            memory,
        }
    }

    /// A target of 16 by 16 pixels.
    pub fn target(&mut self, format: wgt::TextureFormat) -> Image {
        self.image(shape(format, [SIZE, SIZE, 1], 1))
    }

    /// A level of an image, all slices, as plain rows.
    pub fn texels(&self, image: &Image, level: u32, plane: usize) -> Vec<u8> {
        let region = region(image, level, plane);
        let found = &image.memory.planes[plane];
        let row = region.x.len() as u64 * u64::from(found.element_bytes);
        let rows = Rows::tight(row, region.y.len() as u64);
        let mut bytes = vec![0; (rows.slice_bytes * region.slices.len() as u64) as usize];
        image::read(&self.driver, part(image, &region), rows, &mut bytes).unwrap();
        bytes
    }

    /// Writes such rows.
    pub fn upload(&self, image: &Image, level: u32, texels: &[u8]) {
        let region = region(image, level, 0);
        let row = region.x.len() as u64 * u64::from(image.memory.planes[0].element_bytes);
        let rows = Rows::tight(row, region.y.len() as u64);
        image::write(&self.driver, part(image, &region), rows, texels).unwrap();
    }

    /// A pipeline of shaders of [`SHADERS`].
    pub fn pipeline(&mut self, names: [&str; 2], state: GraphicsState) -> CompiledPipeline {
        let module = wgsl::parse(Source::Wgsl(SHADERS)).unwrap();
        let [vertex, fragment] = names.map(|name| StageSource {
            module: &module,
            entry: Some(name),
            constants: &[],
        });
        let source = PipelineSource {
            geometry: None,
            vertex,
            fragment: Some(fragment),
        };
        let linked = LinkedStages::link(&TARGET, &source, state).unwrap();
        let mut compiled = linked.compile(&TARGET, &PipelineLayout::default()).unwrap();
        let mut next = self.next;
        let mut allocate = |Request { bytes, align, .. }: Request| {
            let at = next.next_multiple_of(align);
            next = at + bytes;
            Ok(Addr(at))
        };
        compiled.upload(&self.driver, &mut allocate).unwrap();
        self.next = next.next_multiple_of(2048);
        compiled
    }

    /// Runs a stream; what it counted.
    pub fn run<'e>(
        &'e self,
        record: impl FnOnce(&mut Encoder<'e>) -> crate::upload::Result<()>,
    ) -> silicon::Stats {
        let mut next = self.next;
        // It lives as long as what is recorded.
        let allocate = Box::leak(Box::new(move |Request { bytes, align, .. }: Request| {
            let at = next.next_multiple_of(align);
            next = at + bytes;
            Ok(Addr(at))
        }));
        let mut encoder = Encoder::new(&self.driver, allocate);
        record(&mut encoder).unwrap();
        let stream = encoder.finish().unwrap();
        self.gpu.borrow_mut().execute(stream).unwrap()
    }
}

fn part<'a>(image: &'a Image, region: &'a Region) -> Part<'a> {
    Part {
        base: image.base,
        image: &image.memory,
        region,
        sample: 0,
    }
}

fn region(image: &Image, level: u32, plane: usize) -> Region {
    let found = &image.memory.planes[plane].levels[level as usize];
    Region {
        plane,
        level,
        x: 0..found.width,
        y: 0..found.height,
        slices: 0..found.slices,
    }
}

/// A 2D image, or one of several slices.
pub fn shape(format: wgt::TextureFormat, [x, y, z]: [u32; 3], levels: u32) -> ImageShape {
    ImageShape {
        format,
        dimension: wgt::TextureDimension::D2,
        size: wgt::Extent3d {
            width: x,
            height: y,
            depth_or_array_layers: z,
        },
        levels,
        samples: 1,
        usage: wgt::TextureUsages::all(),
    }
}

/// A pass that clears a colour target, and one of depth and stencil.
pub fn pass<'a>(
    color: &'a Image,
    clear: wgt::Color,
    depth: Option<(&'a Image, f32, u32)>,
) -> PassTargets<'a> {
    PassTargets {
        colors: vec![Some(ColorTarget {
            view: color.attachment(),
            load: wgt::LoadOp::Clear(clear),
            store: wgt::StoreOp::Store,
            resolve: None,
        })],
        depth_stencil: depth.map(|(image, depth, stencil)| DepthStencilTarget {
            view: image.attachment(),
            depth: AspectAccess::Write {
                load: wgt::LoadOp::Clear(depth),
                store: wgt::StoreOp::Store,
            },
            stencil: AspectAccess::Write {
                load: wgt::LoadOp::Clear(stencil),
                store: wgt::StoreOp::Store,
            },
            resolve: None,
        }),
        width: SIZE,
        height: SIZE,
    }
}
