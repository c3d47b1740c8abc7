//! Draws of a few lines for tests of fixed-function state: one shader text, one target, bytes back.

#![allow(dead_code, reason = "every test uses a part of it")]

use girih::*;

/// A device with what tests make of it.
pub struct Harness {
    pub device: Device,
    pub queue: Queue,
}

/// What a draw needs besides its shaders.
#[derive(Clone)]
pub struct Setup<'a> {
    /// Width and height.
    pub size: [u32; 2],
    /// Samples of a pixel.
    pub samples: u32,
    pub targets: Vec<ColorTargetState>,
    pub primitive: PrimitiveState,
    pub depth: Option<DepthStencilState>,
    pub multisample: MultisampleState,
    pub raster: RasterState,
    /// What the geometry shader of the text emits, and its invocations.
    pub geometry: Option<(GeometryOutput, u32)>,
    /// Every target is cleared to it.
    pub clear: Color,
    /// The depth target is cleared to it.
    pub clear_depth: f32,
    /// How targets of several samples are read back.
    pub resolve: ResolveMode,
    pub sets: Vec<&'a DescriptorSetLayout>,
}

impl Default for Setup<'_> {
    /// Eight by eight pixels of `Rgba8Unorm`, triangles, black.
    fn default() -> Self {
        Setup {
            size: [8, 8],
            samples: 1,
            targets: vec![TextureFormat::Rgba8Unorm.into()],
            primitive: PrimitiveState::default(),
            depth: None,
            multisample: MultisampleState::default(),
            raster: RasterState::default(),
            geometry: None,
            clear: Color::TRANSPARENT,
            clear_depth: 1.0,
            resolve: ResolveMode::Average,
            sets: Vec::new(),
        }
    }
}

impl Setup<'_> {
    pub fn format(format: TextureFormat) -> Self {
        Setup {
            targets: vec![format.into()],
            ..Setup::default()
        }
    }

    pub fn samples(samples: u32) -> Self {
        Setup {
            samples,
            ..Setup::default()
        }
    }

    pub fn topology(topology: PrimitiveTopology) -> Self {
        Setup {
            primitive: PrimitiveState {
                topology,
                ..PrimitiveState::default()
            },
            ..Setup::default()
        }
    }
}

/// Depth tests without stencil.
pub fn depth(format: TextureFormat, compare: CompareFunction) -> DepthStencilState {
    DepthStencilState {
        format,
        depth_write_enabled: Some(true),
        depth_compare: Some(compare),
        stencil: StencilState::default(),
        bias: DepthBiasState::default(),
    }
}

impl Harness {
    /// The first device.
    pub fn new() -> Harness {
        let gpu = Instance::new().physical_devices().next().unwrap();
        Harness::on(&gpu, None)
    }

    /// A device of every chip that has integers, which most shaders of the tests compute with.
    pub fn each() -> impl Iterator<Item = Harness> {
        Harness::all().filter(|harness| harness.device.features().integers)
    }

    /// A device of every chip.
    pub fn all() -> impl Iterator<Item = Harness> {
        let chips = Instance::new().physical_devices();
        chips.map(|gpu| Harness::on(&gpu, None))
    }

    /// Whether the chip keeps the primitives of a pass, and draws what is seen in tiles of 32 pixels.
    pub fn is_deferred(&self) -> bool {
        self.device.physical_device().name() == "rogue"
    }

    /// A device of a given chip.
    pub fn on(gpu: &PhysicalDevice, threads: Option<usize>) -> Harness {
        Harness::with(
            gpu,
            DeviceDescriptor {
                threads,
                ..DeviceDescriptor::default()
            },
        )
    }

    /// A device of a given chip that tests the depth of every pixel, or also by bounds of a tile's depths.
    pub fn with_depth(gpu: &PhysicalDevice, fine_depth: bool) -> Harness {
        Harness::with(
            gpu,
            DeviceDescriptor {
                fine_depth,
                ..DeviceDescriptor::default()
            },
        )
    }

    fn with(gpu: &PhysicalDevice, desc: DeviceDescriptor) -> Harness {
        let device = gpu
            .create_device(&DeviceDescriptor {
                label: Some("harness"),
                memory_bytes: Some(64 << 20),
                ..desc
            })
            .unwrap();
        Harness {
            queue: device.queue(),
            device,
        }
    }

    pub fn image(
        &self,
        format: TextureFormat,
        size: [u32; 3],
        samples: u32,
        usage: TextureUsages,
    ) -> Image {
        let desc = ImageDescriptor {
            label: Some("image"),
            dimension: TextureDimension::D2,
            size: Extent3d {
                width: size[0],
                height: size[1],
                depth_or_array_layers: size[2],
            },
            levels: 1,
            samples,
            format,
            usage,
            placement: None,
        };
        self.device.create_image(&desc).unwrap()
    }

    pub fn view(&self, image: &Image) -> ImageView {
        let desc = ImageViewDescriptor::default();
        self.device.create_image_view(image, &desc).unwrap()
    }

    /// A filterable 2D texture at binding 0 and a sampler at binding 1, of fragment shaders.
    pub fn sampled(
        &self,
        view: &ImageView,
        sampler: &SamplerDescriptor,
    ) -> (DescriptorSetLayout, DescriptorSet) {
        let entry = |binding, ty| BindGroupLayoutEntry {
            binding,
            visibility: ShaderStages::FRAGMENT,
            ty,
            count: None,
        };
        let texture = BindingType::Texture {
            sample_type: TextureSampleType::Float { filterable: true },
            view_dimension: TextureViewDimension::D2,
            multisampled: false,
        };
        let sampling = BindingType::Sampler(SamplerBindingType::Filtering);
        let layout = DescriptorSetLayoutDescriptor {
            label: None,
            entries: &[entry(0, texture), entry(1, sampling)],
        };
        let layout = self.device.create_descriptor_set_layout(&layout).unwrap();
        let sampler = self.device.create_sampler(sampler).unwrap();
        let set = DescriptorSetDescriptor {
            label: None,
            layout: &layout,
            entries: &[(0, view.into()), (1, (&sampler).into())],
        };
        let set = self.device.create_descriptor_set(&set).unwrap();
        (layout, set)
    }

    /// A view of a new attachment that can be sampled, if its format can, and, with one sample, be read.
    pub fn attachment(&self, format: TextureFormat, [x, y]: [u32; 2], samples: u32) -> ImageView {
        let mut usage = TextureUsages::RENDER_ATTACHMENT | TextureUsages::COPY_SRC;
        let gpu = self.device.physical_device();
        if gpu.format_capabilities(format).sampled {
            usage |= TextureUsages::TEXTURE_BINDING;
        }
        self.view(&self.image(format, [x, y, 1], samples, usage))
    }

    pub fn module(&self, wgsl: &str) -> ShaderModule {
        self.device
            .create_shader_module(&ShaderModuleDescriptor {
                label: Some("shader"),
                source: ShaderSource::Wgsl(wgsl.to_owned().into()),
            })
            .unwrap()
    }

    /// A module of SPIR-V.
    pub fn words(&self, bytes: &[u8]) -> ShaderModule {
        let words = bytes.as_chunks().0.iter();
        let words: Vec<u32> = words.map(|word| u32::from_le_bytes(*word)).collect();
        let desc = ShaderModuleDescriptor {
            label: Some("words"),
            source: ShaderSource::SpirV(words.into()),
        };
        self.device.create_shader_module(&desc).unwrap()
    }

    /// A vertex shader with a fragment shader of SPIR-V.
    pub fn words_pipeline(
        &self,
        vertex: &ShaderModule,
        fragment: &[u8],
        setup: &Setup<'_>,
    ) -> Result<GraphicsPipeline, GraphicsPipelineError> {
        let fragment = self.words(fragment);
        let stage = |module| ShaderStage {
            module,
            entry: None,
            constants: &[],
        };
        let targets: Vec<_> = setup.targets.iter().cloned().map(Some).collect();
        self.device
            .create_graphics_pipeline(&GraphicsPipelineDescriptor {
                fragment: Some(stage(&fragment)),
                targets: &targets,
                depth_stencil: setup.depth.clone(),
                multisample: MultisampleState {
                    count: setup.samples,
                    ..setup.multisample
                },
                ..GraphicsPipelineDescriptor::new(stage(vertex))
            })
    }

    pub fn try_pipeline(
        &self,
        setup: &Setup<'_>,
        wgsl: &str,
    ) -> Result<GraphicsPipeline, GraphicsPipelineError> {
        let module = self.module(wgsl);
        let stage = ShaderStage {
            module: &module,
            entry: None,
            constants: &[],
        };
        let layout = PipelineLayoutDescriptor {
            label: Some("layout"),
            sets: &setup.sets,
            push_constant_bytes: 0,
        };
        let targets: Vec<_> = setup.targets.iter().cloned().map(Some).collect();
        self.device
            .create_graphics_pipeline(&GraphicsPipelineDescriptor {
                label: Some("pipeline"),
                layout: Some(&self.device.create_pipeline_layout(&layout).unwrap()),
                vertex: stage,
                buffers: &[],
                stream: None,
                geometry: setup.geometry.map(|(output, invocations)| GeometryStage {
                    invocations,
                    ..GeometryStage::new(stage, output)
                }),
                fragment: wgsl.contains("@fragment").then_some(stage),
                targets: &targets,
                primitive: setup.primitive,
                depth_stencil: setup.depth.clone(),
                multisample: MultisampleState {
                    count: setup.samples,
                    ..setup.multisample
                },
                raster: setup.raster,
            })
    }

    pub fn pipeline(&self, setup: &Setup<'_>, wgsl: &str) -> GraphicsPipeline {
        self.try_pipeline(setup, wgsl).unwrap()
    }

    /// Draws `vertices` vertices once and gives the bytes of every target.
    pub fn draw(&self, setup: &Setup<'_>, wgsl: &str, vertices: u32) -> Vec<Vec<u8>> {
        let pipeline = self.pipeline(setup, wgsl);
        self.record(setup, |commands| {
            commands.bind_pipeline(&pipeline).unwrap();
            commands.draw(0..vertices, 0..1).unwrap();
        })
    }

    /// Records draws in a pass of new attachments and gives the bytes of every target, resolved. Stencil starts as 0.
    pub fn record(
        &self,
        setup: &Setup<'_>,
        record: impl FnOnce(&mut CommandBuffer),
    ) -> Vec<Vec<u8>> {
        let Setup { size, samples, .. } = *setup;
        let views = |samples| -> Vec<ImageView> {
            let formats = setup.targets.iter().map(|target| target.format);
            formats
                .map(|format| self.attachment(format, size, samples))
                .collect()
        };
        let targets = views(samples);
        let resolved = if samples > 1 { views(1) } else { Vec::new() };
        let depth = setup
            .depth
            .as_ref()
            .map(|depth| self.attachment(depth.format, size, samples));
        let mut commands = self.device.create_command_buffer(Some("draw"));
        for view in targets.iter().chain(&resolved) {
            let (old, new) = (ImageLayout::Undefined, ImageLayout::ColorAttachment);
            commands.transition(view.image(), old, new).unwrap();
        }
        if let Some(view) = &depth {
            let (old, new) = (ImageLayout::Undefined, ImageLayout::DepthStencilAttachment);
            commands.transition(view.image(), old, new).unwrap();
        }
        let colors: Vec<_> = targets
            .iter()
            .enumerate()
            .map(|(i, view)| {
                Some(ColorAttachment {
                    view,
                    resolve: resolved.get(i).map(|view| Resolve {
                        view,
                        mode: setup.resolve,
                    }),
                    load: LoadOp::Clear(setup.clear),
                    store: StoreOp::Store,
                })
            })
            .collect();
        commands
            .begin_pass(&RenderPass {
                label: Some("pass"),
                colors: &colors,
                depth_stencil: depth.as_ref().map(|view| DepthStencilAttachment {
                    view,
                    depth: AspectAccess::Write {
                        load: LoadOp::Clear(setup.clear_depth),
                        store: StoreOp::Store,
                    },
                    stencil: AspectAccess::Write {
                        load: LoadOp::Clear(0),
                        store: StoreOp::Store,
                    },
                    resolve: None,
                }),
            })
            .unwrap();
        record(&mut commands);
        commands.end_pass().unwrap();
        self.queue.submit(&[&commands], &[]).unwrap();
        let read = if samples > 1 { &resolved } else { &targets };
        read.iter().map(|view| self.read(view)).collect()
    }

    /// The texels of a view's image.
    pub fn read(&self, view: &ImageView) -> Vec<u8> {
        let image = view.image();
        self.queue
            .transition(image, ImageLayout::CopySource)
            .unwrap();
        let copy = ImageCopy::level(image, view.subresources().level);
        self.queue.read_image(&copy, view.size()).unwrap()
    }
}

/// The first byte of every pixel, line by line: what a shape looks like in red.
pub fn red(bytes: &[u8], width: usize, texel_bytes: usize) -> Vec<Vec<u8>> {
    bytes
        .chunks(width * texel_bytes)
        .map(|line| line.chunks(texel_bytes).map(|texel| texel[0]).collect())
        .collect()
}

/// A shape as text: `#` where the first byte is not zero.
pub fn shape(bytes: &[u8], width: usize) -> String {
    let lines = red(bytes, width, 4);
    let text = |line: &Vec<u8>| -> String {
        let cell = |value: &u8| if *value == 0 { '.' } else { '#' };
        line.iter().map(cell).chain(['\n']).collect()
    };
    lines.iter().map(text).collect()
}

/// The words of 32-bit texels.
pub fn words(bytes: &[u8]) -> Vec<u32> {
    bytes
        .chunks(4)
        .map(|word| u32::from_le_bytes(word.try_into().unwrap()))
        .collect()
}

/// A shader stage that covers everything, at depth 0.5.
pub const EVERYWHERE: &str =
    "@vertex fn vertex(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
    return vec4f(vec2f(f32(i & 1u), f32(i >> 1u)) * 4.0 - 1.0, 0.5, 1.0);
}
";
