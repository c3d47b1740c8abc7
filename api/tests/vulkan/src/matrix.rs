//! Cells of the matrix through Vulkan. A first line says that all is ready. Then names come by standard input, a line each;
//! the answer is a line with what a frame takes, wall time and processor time in milliseconds, and the picture in a file, or a
//! line with why there is none.

use std::io::{BufRead, Write};
use std::path::Path;

use wgpu::util::DeviceExt;

use crate::Failure;
use crate::cells::plan::{
    Compute, Dispatch, Draw, Pass, Pipeline, Plan, Resource, Sampling, Step, Texture,
};
use crate::measure::{Times, measure};

pub fn serve(frames: u32, picture: &Path) -> Result<(), Failure> {
    let features = wgpu::Features::TEXTURE_COMPRESSION_BC
        | wgpu::Features::FLOAT32_FILTERABLE
        | wgpu::Features::ADDRESS_MODE_CLAMP_TO_BORDER
        | wgpu::Features::IMMEDIATES
        | wgpu::Features::POLYGON_MODE_LINE
        | wgpu::Features::TEXTURE_ADAPTER_SPECIFIC_FORMAT_FEATURES;
    let limits = wgpu::Limits {
        max_immediate_size: 64,
        ..wgpu::Limits::default()
    };
    let (device, queue) = crate::open(features, limits)?;
    let cells = crate::cells::cells();
    say("ready")?;
    for name in std::io::stdin().lock().lines() {
        let name = name?;
        let plan = cells
            .iter()
            .find(|cell| cell.name == name)
            .ok_or_else(|| format!("no cell `{name}`"))?;
        let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
        let answer = time(&device, &queue, plan, frames, picture);
        let answer = match (pollster::block_on(scope.pop()), answer) {
            (Some(error), _) => error.to_string().replace('\n', " "),
            (None, Err(error)) => error.to_string().replace('\n', " "),
            (None, Ok(times)) => format!("{} {}", times.ms, times.processor_ms),
        };
        say(&answer)?;
    }
    Ok(())
}

/// Answers with a line.
fn say(line: &str) -> Result<(), Failure> {
    println!("{line}");
    Ok(std::io::stdout().flush()?)
}

/// What a frame takes; its picture goes to a file.
fn time(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    plan: &Plan,
    frames: u32,
    picture: &Path,
) -> Result<Times, Failure> {
    let drawing = Drawing::new(device, queue, plan);
    let times = measure(frames, || drawing.draw())?;
    std::fs::write(picture, drawing.read(plan.picture)?)?;
    Ok(times)
}

struct Drawing<'a> {
    device: &'a wgpu::Device,
    queue: &'a wgpu::Queue,
    plan: &'a Plan,
    textures: Vec<wgpu::Texture>,
    views: Vec<wgpu::TextureView>,
    buffers: Vec<wgpu::Buffer>,
    sets: Vec<wgpu::BindGroup>,
    pipelines: Vec<wgpu::RenderPipeline>,
    computes: Vec<wgpu::ComputePipeline>,
    /// As many as the largest pass counts.
    counts: Option<wgpu::QuerySet>,
    /// Where texels go to be read, as large as the largest first level.
    staging: wgpu::Buffer,
}

impl<'a> Drawing<'a> {
    fn new(device: &'a wgpu::Device, queue: &'a wgpu::Queue, plan: &'a Plan) -> Drawing<'a> {
        let (textures, views): (Vec<_>, Vec<_>) = plan
            .textures
            .iter()
            .enumerate()
            .map(|(n, texture)| make_texture(device, queue, texture, plan.usage(n)))
            .unzip();
        let buffers: Vec<wgpu::Buffer> = plan
            .buffers
            .iter()
            .map(|buffer| {
                device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
                    label: None,
                    contents: &buffer.bytes,
                    usage: buffer.usage,
                })
            })
            .collect();
        let layouts: Vec<wgpu::BindGroupLayout> = plan
            .sets
            .iter()
            .enumerate()
            .map(|(n, set)| layout(device, plan, plan.visibility(n), set))
            .collect();
        let sets = std::iter::zip(&plan.sets, &layouts)
            .map(|(resources, layout)| bind(device, layout, resources, &views, &buffers))
            .collect();
        let pipelines = plan
            .pipelines
            .iter()
            .map(|pipeline| make_pipeline(device, pipeline, pipeline.set.map(|set| &layouts[set])))
            .collect();
        let computes = plan
            .computes
            .iter()
            .map(|compute| make_compute(device, compute, &layouts[compute.set]))
            .collect();
        let counts = (plan.counted() > 0).then(|| {
            device.create_query_set(&wgpu::QuerySetDescriptor {
                label: None,
                ty: wgpu::QueryType::Occlusion,
                count: plan.counted(),
            })
        });
        let largest = plan.textures.iter().map(padded).max().unwrap_or(256);
        let staging = device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: largest,
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        Drawing {
            device,
            queue,
            plan,
            textures,
            views,
            buffers,
            sets,
            pipelines,
            computes,
            counts,
            staging,
        }
    }

    fn draw(&self) -> Result<(), Failure> {
        let mut encoder = self.device.create_command_encoder(&Default::default());
        for step in &self.plan.steps {
            match step {
                Step::Pass(pass) => self.pass(&mut encoder, pass),
                Step::Compute(dispatches) => self.compute(&mut encoder, dispatches),
                Step::Copy(from, to) => encoder.copy_texture_to_texture(
                    self.textures[*from].as_image_copy(),
                    self.textures[*to].as_image_copy(),
                    self.plan.textures[*from].level_size(0),
                ),
                Step::Read(texture) => {
                    let encoder = std::mem::replace(
                        &mut encoder,
                        self.device.create_command_encoder(&Default::default()),
                    );
                    self.queue.submit([encoder.finish()]);
                    std::hint::black_box(self.read(*texture)?);
                }
                Step::Write(texture, bytes) => {
                    let [_, row, rows] = self.plan.textures[*texture].level_bytes(0);
                    self.queue.write_texture(
                        self.textures[*texture].as_image_copy(),
                        bytes,
                        rows_of(row, rows),
                        self.plan.textures[*texture].level_size(0),
                    );
                }
                Step::Update(buffer, bytes) => {
                    let encoder = std::mem::replace(
                        &mut encoder,
                        self.device.create_command_encoder(&Default::default()),
                    );
                    self.queue.submit([encoder.finish()]);
                    self.queue.write_buffer(&self.buffers[*buffer], 0, bytes);
                }
            }
        }
        self.queue.submit([encoder.finish()]);
        self.device.poll(wgpu::PollType::wait_indefinitely())?;
        Ok(())
    }

    fn pass(&self, encoder: &mut wgpu::CommandEncoder, pass: &Pass) {
        let view = |texture: usize, level: u32, layer: u32| {
            self.textures[texture].create_view(&wgpu::TextureViewDescriptor {
                dimension: Some(wgpu::TextureViewDimension::D2),
                base_mip_level: level,
                mip_level_count: Some(1),
                base_array_layer: layer,
                array_layer_count: Some(1),
                ..Default::default()
            })
        };
        let targets: Vec<wgpu::TextureView> = pass
            .colors
            .iter()
            .map(|target| view(target.texture, target.level, target.layer))
            .collect();
        let colors: Vec<Option<wgpu::RenderPassColorAttachment<'_>>> =
            std::iter::zip(&pass.colors, &targets)
                .map(|(target, view)| {
                    let [r, g, b, a] = target.clear.unwrap_or_default();
                    Some(wgpu::RenderPassColorAttachment {
                        view,
                        depth_slice: None,
                        resolve_target: target.resolve.map(|n| &self.views[n]),
                        ops: wgpu::Operations {
                            load: match target.clear {
                                Some(_) => wgpu::LoadOp::Clear(wgpu::Color { r, g, b, a }),
                                None => wgpu::LoadOp::Load,
                            },
                            store: wgpu::StoreOp::Store,
                        },
                    })
                })
                .collect();
        let depth = pass
            .depth
            .map(|[texture, layer]| (texture, view(texture, 0, layer as u32)));
        let depth_stencil_attachment = depth.as_ref().map(|(texture, view)| {
            let stencil = self.plan.textures[*texture].format.has_stencil_aspect();
            wgpu::RenderPassDepthStencilAttachment {
                view,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(1.0),
                    store: wgpu::StoreOp::Store,
                }),
                stencil_ops: stencil.then_some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(0),
                    store: wgpu::StoreOp::Store,
                }),
            }
        });
        let counts = self.counts.as_ref().filter(|_| pass.counted);
        let mut encoded = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &colors,
            depth_stencil_attachment,
            occlusion_query_set: counts,
            ..Default::default()
        });
        for (n, draw) in (0..).zip(&pass.draws) {
            if counts.is_some() {
                encoded.begin_occlusion_query(n);
            }
            self.record(&mut encoded, draw);
            if counts.is_some() {
                encoded.end_occlusion_query();
            }
        }
    }

    fn compute(&self, encoder: &mut wgpu::CommandEncoder, dispatches: &[Dispatch]) {
        let mut pass = encoder.begin_compute_pass(&Default::default());
        for dispatch in dispatches {
            pass.set_pipeline(&self.computes[dispatch.compute]);
            pass.set_bind_group(0, &self.sets[dispatch.set], &[]);
            let [x, y, z] = dispatch.groups;
            pass.dispatch_workgroups(x, y, z);
        }
    }

    fn record(&self, pass: &mut wgpu::RenderPass<'_>, draw: &Draw) {
        pass.set_pipeline(&self.pipelines[draw.pipeline]);
        if let Some(set) = draw.set {
            pass.set_bind_group(0, &self.sets[set], &draw.offsets);
        }
        for (slot, buffer) in (0..).zip(&draw.vertices) {
            pass.set_vertex_buffer(slot, self.buffers[*buffer].slice(..));
        }
        if !draw.immediates.is_empty() {
            pass.set_immediates(0, &draw.immediates);
        }
        if let Some([x, y, width, height]) = draw.scissor {
            pass.set_scissor_rect(x, y, width, height);
        }
        if draw.stencil != 0 {
            pass.set_stencil_reference(draw.stencil);
        }
        if let Some(buffer) = draw.indices {
            pass.set_index_buffer(self.buffers[buffer].slice(..), wgpu::IndexFormat::Uint32);
        }
        let (range, instances) = (draw.range.clone(), draw.instances.clone());
        match (draw.indices, draw.indirect) {
            (Some(_), Some(n)) => pass.draw_indexed_indirect(&self.buffers[n], 0),
            (None, Some(n)) => pass.draw_indirect(&self.buffers[n], 0),
            (Some(_), None) => pass.draw_indexed(range, 0, instances),
            (None, None) => pass.draw(range, instances),
        }
    }

    /// Bytes of the first level of an image, rows without padding.
    fn read(&self, texture: usize) -> Result<Vec<u8>, Failure> {
        let whole = &self.plan.textures[texture];
        let [_, row, rows] = whole.level_bytes(0);
        let wide = row.next_multiple_of(256);
        let mut encoder = self.device.create_command_encoder(&Default::default());
        encoder.copy_texture_to_buffer(
            self.textures[texture].as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &self.staging,
                layout: rows_of(wide, rows),
            },
            whole.level_size(0),
        );
        self.queue.submit([encoder.finish()]);
        let used = ..padded(whole);
        self.staging.map_async(wgpu::MapMode::Read, used, |result| {
            result.expect("the buffer is mapped")
        });
        self.device.poll(wgpu::PollType::wait_indefinitely())?;
        let mapped = self.staging.get_mapped_range(used)?;
        let mut bytes = Vec::with_capacity((row * rows) as usize);
        for line in mapped.chunks(wide as usize) {
            bytes.extend_from_slice(&line[..row as usize]);
        }
        drop(mapped);
        self.staging.unmap();
        Ok(bytes)
    }
}

/// Bytes of a first level with rows of a multiple of 256 bytes.
fn padded(texture: &Texture) -> u64 {
    let [_, row, rows] = texture.level_bytes(0);
    u64::from(row.next_multiple_of(256))
        * u64::from(rows)
        * u64::from(texture.level_size(0).depth_or_array_layers)
}

fn rows_of(row: u32, rows: u32) -> wgpu::TexelCopyBufferLayout {
    wgpu::TexelCopyBufferLayout {
        offset: 0,
        bytes_per_row: Some(row),
        rows_per_image: Some(rows),
    }
}

fn make_texture(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    texture: &Texture,
    usage: wgpu::TextureUsages,
) -> (wgpu::Texture, wgpu::TextureView) {
    let depth = texture.format.is_depth_stencil_format();
    let made = device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: texture.level_size(0),
        mip_level_count: texture.levels,
        sample_count: texture.samples,
        dimension: match texture.view {
            wgpu::TextureViewDimension::D1 => wgpu::TextureDimension::D1,
            wgpu::TextureViewDimension::D3 => wgpu::TextureDimension::D3,
            _ => wgpu::TextureDimension::D2,
        },
        format: texture.format,
        usage: if depth {
            usage - wgpu::TextureUsages::COPY_DST
        } else {
            usage
        },
        view_formats: &[],
    });
    if let Some(bytes) = texture.bytes() {
        let mut at = 0;
        for level in 0..texture.levels {
            let [count, row, rows] = texture.level_bytes(level);
            let place = wgpu::TexelCopyTextureInfo {
                mip_level: level,
                ..made.as_image_copy()
            };
            let (wide, high) = texture.format.block_dimensions();
            let size = texture.level_size(level);
            let size = wgpu::Extent3d {
                width: size.width.next_multiple_of(wide),
                height: size.height.next_multiple_of(high),
                ..size
            };
            queue.write_texture(
                place,
                &bytes[at..at + count as usize],
                rows_of(row, rows),
                size,
            );
            at += count as usize;
        }
    }
    let view = made.create_view(&wgpu::TextureViewDescriptor {
        dimension: Some(texture.view),
        ..Default::default()
    });
    (made, view)
}

fn layout(
    device: &wgpu::Device,
    plan: &Plan,
    visibility: wgpu::ShaderStages,
    resources: &[Resource],
) -> wgpu::BindGroupLayout {
    let buffer = |ty, dynamic| wgpu::BindingType::Buffer {
        ty,
        has_dynamic_offset: dynamic,
        min_binding_size: None,
    };
    let entries: Vec<wgpu::BindGroupLayoutEntry> = (0..)
        .zip(resources)
        .map(|(binding, resource)| wgpu::BindGroupLayoutEntry {
            binding,
            visibility,
            ty: match resource {
                Resource::Texture(texture, sample_type) => wgpu::BindingType::Texture {
                    sample_type: *sample_type,
                    view_dimension: plan.textures[*texture].view,
                    multisampled: plan.textures[*texture].samples > 1,
                },
                Resource::Sampler(sampling) => wgpu::BindingType::Sampler(sampling.binding()),
                Resource::Uniform(_) => buffer(wgpu::BufferBindingType::Uniform, false),
                Resource::DynamicUniform(..) => buffer(wgpu::BufferBindingType::Uniform, true),
                Resource::Storage(_) => {
                    buffer(wgpu::BufferBindingType::Storage { read_only: true }, false)
                }
                Resource::Written(_) => {
                    buffer(wgpu::BufferBindingType::Storage { read_only: false }, false)
                }
                Resource::Stored(texture) => wgpu::BindingType::StorageTexture {
                    access: wgpu::StorageTextureAccess::WriteOnly,
                    format: plan.textures[*texture].format,
                    view_dimension: plan.textures[*texture].view,
                },
            },
            count: None,
        })
        .collect();
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: None,
        entries: &entries,
    })
}

fn bind(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    resources: &[Resource],
    views: &[wgpu::TextureView],
    buffers: &[wgpu::Buffer],
) -> wgpu::BindGroup {
    let samplers: Vec<wgpu::Sampler> = resources
        .iter()
        .filter_map(|resource| match resource {
            Resource::Sampler(sampling) => Some(make_sampler(device, sampling)),
            _ => None,
        })
        .collect();
    let mut sampler = samplers.iter();
    let entries: Vec<wgpu::BindGroupEntry<'_>> = (0..)
        .zip(resources)
        .map(|(binding, resource)| wgpu::BindGroupEntry {
            binding,
            resource: match resource {
                Resource::Texture(texture, _) | Resource::Stored(texture) => {
                    wgpu::BindingResource::TextureView(&views[*texture])
                }
                Resource::Sampler(_) => {
                    wgpu::BindingResource::Sampler(sampler.next().expect("one is made for each"))
                }
                Resource::Uniform(buffer)
                | Resource::Storage(buffer)
                | Resource::Written(buffer) => buffers[*buffer].as_entire_binding(),
                Resource::DynamicUniform(buffer, bytes) => {
                    wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                        buffer: &buffers[*buffer],
                        offset: 0,
                        size: wgpu::BufferSize::new(*bytes),
                    })
                }
            },
        })
        .collect();
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout,
        entries: &entries,
    })
}

fn make_sampler(device: &wgpu::Device, sampling: &Sampling) -> wgpu::Sampler {
    device.create_sampler(&wgpu::SamplerDescriptor {
        address_mode_u: sampling.address,
        address_mode_v: sampling.address,
        address_mode_w: sampling.address,
        mag_filter: sampling.filter,
        min_filter: sampling.filter,
        mipmap_filter: sampling.levels,
        compare: sampling.compare,
        anisotropy_clamp: sampling.anisotropy,
        border_color: (sampling.address == wgpu::AddressMode::ClampToBorder)
            .then_some(wgpu::SamplerBorderColor::OpaqueBlack),
        ..Default::default()
    })
}

fn make_compute(
    device: &wgpu::Device,
    compute: &Compute,
    set: &wgpu::BindGroupLayout,
) -> wgpu::ComputePipeline {
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: None,
        source: wgpu::ShaderSource::Wgsl(compute.shader.as_str().into()),
    });
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: None,
        bind_group_layouts: &[Some(set)],
        immediate_size: 0,
    });
    device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: None,
        layout: Some(&layout),
        module: &module,
        entry_point: None,
        compilation_options: Default::default(),
        cache: None,
    })
}

fn make_pipeline(
    device: &wgpu::Device,
    pipeline: &Pipeline,
    set: Option<&wgpu::BindGroupLayout>,
) -> wgpu::RenderPipeline {
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: None,
        source: wgpu::ShaderSource::Wgsl(pipeline.shader.as_str().into()),
    });
    let sets: Vec<Option<&wgpu::BindGroupLayout>> = set.into_iter().map(Some).collect();
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: None,
        bind_group_layouts: &sets,
        immediate_size: pipeline.immediates,
    });
    let buffers: Vec<Option<wgpu::VertexBufferLayout<'_>>> = pipeline
        .buffers
        .iter()
        .map(|buffer| {
            Some(wgpu::VertexBufferLayout {
                array_stride: buffer.stride,
                step_mode: buffer.step,
                attributes: &buffer.attributes,
            })
        })
        .collect();
    let targets: Vec<Option<wgpu::ColorTargetState>> =
        pipeline.targets.iter().cloned().map(Some).collect();
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: None,
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: None,
            compilation_options: Default::default(),
            buffers: &buffers,
        },
        primitive: wgpu::PrimitiveState {
            topology: pipeline.topology,
            cull_mode: pipeline.cull,
            polygon_mode: pipeline.fill,
            ..Default::default()
        },
        depth_stencil: pipeline.depth.clone(),
        multisample: wgpu::MultisampleState {
            count: pipeline.samples,
            alpha_to_coverage_enabled: pipeline.alpha_to_coverage,
            ..Default::default()
        },
        fragment: pipeline.fragment.then_some(wgpu::FragmentState {
            module: &module,
            entry_point: None,
            compilation_options: Default::default(),
            targets: &targets,
        }),
        multiview_mask: None,
        cache: None,
    })
}
