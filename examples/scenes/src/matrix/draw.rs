//! A plan drawn through girih.

use girih::*;

use super::cells::plan::{
    Buffer as PlanBuffer, Compute, Dispatch, Draw, Pass, Pipeline, Plan, Resource, Sampling, Step,
    Texture,
};
use crate::Failure;

/// A plan on a device: everything that does not change from frame to frame.
pub struct Drawing<'a> {
    device: &'a Device,
    plan: &'a Plan,
    images: Vec<Image>,
    views: Vec<ImageView>,
    buffers: Vec<Buffer>,
    sets: Vec<DescriptorSet>,
    pipelines: Vec<GraphicsPipeline>,
    computes: Vec<ComputePipeline>,
    /// As many as the largest pass counts.
    counts: Option<QuerySet>,
    /// Where `Step::Read` puts its bytes.
    read: Vec<u8>,
}

impl<'a> Drawing<'a> {
    /// Makes the objects of a plan. Errors: those of the interface; formats and features that the device lacks are among
    /// them.
    pub fn new(device: &'a Device, plan: &'a Plan) -> Result<Drawing<'a>, Failure> {
        let mut drawing = Drawing {
            device,
            plan,
            images: Vec::new(),
            views: Vec::new(),
            buffers: Vec::new(),
            sets: Vec::new(),
            pipelines: Vec::new(),
            computes: Vec::new(),
            counts: None,
            read: Vec::new(),
        };
        for (n, texture) in plan.textures.iter().enumerate() {
            let (image, view) = make_image(device, texture, plan.usage(n))?;
            drawing.images.push(image);
            drawing.views.push(view);
        }
        for PlanBuffer { usage, bytes } in &plan.buffers {
            drawing
                .buffers
                .push(device.create_buffer_init(&BufferInitDescriptor {
                    label: None,
                    contents: bytes,
                    usage: *usage,
                })?);
        }
        let mut layouts = Vec::new();
        for (n, resources) in plan.sets.iter().enumerate() {
            let layout = drawing.layout(plan.visibility(n), resources)?;
            drawing.sets.push(drawing.set(&layout, resources)?);
            layouts.push(layout);
        }
        for pipeline in &plan.pipelines {
            let set = pipeline.set.map(|set| &layouts[set]);
            drawing
                .pipelines
                .push(make_pipeline(device, pipeline, set)?);
        }
        for compute in &plan.computes {
            let made = make_compute(device, compute, &layouts[compute.set])?;
            drawing.computes.push(made);
        }
        if plan.counted() > 0 {
            drawing.counts = Some(device.create_query_set(&QuerySetDescriptor {
                label: None,
                kind: QueryKind::Occlusion,
                count: plan.counted(),
                precise: false,
            })?);
        }
        Ok(drawing)
    }

    fn layout(
        &self,
        visibility: ShaderStages,
        resources: &[Resource],
    ) -> Result<DescriptorSetLayout, Failure> {
        let buffer = |ty, dynamic| BindingType::Buffer {
            ty,
            has_dynamic_offset: dynamic,
            min_binding_size: None,
        };
        let kind = |resource: &Resource| match resource {
            Resource::Texture(texture, sample_type) => BindingType::Texture {
                sample_type: *sample_type,
                view_dimension: self.plan.textures[*texture].view,
                multisampled: self.plan.textures[*texture].samples > 1,
            },
            Resource::Sampler(sampling) => BindingType::Sampler(sampling.binding()),
            Resource::Uniform(_) => buffer(BufferBindingType::Uniform, false),
            Resource::DynamicUniform(..) => buffer(BufferBindingType::Uniform, true),
            Resource::Storage(_) => buffer(BufferBindingType::Storage { read_only: true }, false),
            Resource::Written(_) => buffer(BufferBindingType::Storage { read_only: false }, false),
            Resource::Stored(texture) => BindingType::StorageTexture {
                access: StorageTextureAccess::WriteOnly,
                format: self.plan.textures[*texture].format,
                view_dimension: self.plan.textures[*texture].view,
            },
        };
        let entries: Vec<BindGroupLayoutEntry> = (0..)
            .zip(resources)
            .map(|(binding, resource)| BindGroupLayoutEntry {
                binding,
                visibility,
                ty: kind(resource),
                count: None,
            })
            .collect();
        Ok(self
            .device
            .create_descriptor_set_layout(&DescriptorSetLayoutDescriptor {
                label: None,
                entries: &entries,
            })?)
    }

    fn set(
        &self,
        layout: &DescriptorSetLayout,
        resources: &[Resource],
    ) -> Result<DescriptorSet, Failure> {
        let mut entries = Vec::new();
        for (binding, resource) in (0..).zip(resources) {
            let descriptor = match resource {
                Resource::Texture(texture, _) | Resource::Stored(texture) => {
                    Descriptor::from(&self.views[*texture])
                }
                Resource::Sampler(sampling) => {
                    Descriptor::from(&self.device.create_sampler(&sampling.descriptor())?)
                }
                Resource::Uniform(buffer)
                | Resource::Storage(buffer)
                | Resource::Written(buffer) => Descriptor::from(&self.buffers[*buffer]),
                Resource::DynamicUniform(buffer, bytes) => Descriptor::Buffer(BufferBinding {
                    buffer: self.buffers[*buffer].clone(),
                    offset: 0,
                    size: Some(*bytes),
                }),
            };
            entries.push((binding, descriptor));
        }
        Ok(self
            .device
            .create_descriptor_set(&DescriptorSetDescriptor {
                label: None,
                layout,
                entries: &entries,
            })?)
    }

    /// Records a frame, runs it and waits for it.
    pub fn draw(&mut self) -> Result<(), Failure> {
        let queue = self.device.queue();
        let mut commands = self.device.create_command_buffer(None);
        let plan = self.plan;
        for step in &plan.steps {
            match step {
                Step::Pass(pass) => self.pass(&mut commands, pass)?,
                Step::Compute(dispatches) => self.compute(&mut commands, dispatches)?,
                Step::Copy(from, to) => {
                    let (from, to) = (&self.images[*from], &self.images[*to]);
                    commands.transition_all(&[
                        (from, ImageLayout::CopySource),
                        (to, ImageLayout::CopyDestination),
                    ])?;
                    let size = from.level_size(0);
                    commands.copy_image(
                        &ImageCopy::level(from, 0),
                        &ImageCopy::level(to, 0),
                        size,
                    )?;
                }
                Step::Read(texture) => {
                    let image = &self.images[*texture];
                    commands.transition_all(&[(image, ImageLayout::CopySource)])?;
                    queue.submit(&[&commands], &[])?;
                    commands.reset();
                    self.read =
                        queue.read_image(&ImageCopy::level(image, 0), image.level_size(0))?;
                }
                Step::Write(texture, bytes) => {
                    queue.submit(&[&commands], &[])?;
                    commands.reset();
                    let image = &self.images[*texture];
                    queue.transition(image, ImageLayout::CopyDestination)?;
                    queue.write_image(&ImageCopy::level(image, 0), image.level_size(0), bytes)?;
                }
                Step::Update(buffer, bytes) => {
                    commands.update_buffer(&self.buffers[*buffer], 0, bytes)?;
                }
            }
        }
        queue.submit(&[&commands], &[])?;
        Ok(())
    }

    fn pass(&self, commands: &mut CommandBuffer, pass: &Pass) -> Result<(), Failure> {
        let mut layouts = Vec::new();
        for draw in &pass.draws {
            for resource in draw.set.iter().flat_map(|&set| &self.plan.sets[set]) {
                match resource {
                    Resource::Texture(n, _) => {
                        layouts.push((&self.images[*n], ImageLayout::ShaderReadOnly));
                    }
                    Resource::Stored(n) => {
                        layouts.push((&self.images[*n], ImageLayout::General));
                    }
                    _ => {}
                }
            }
        }
        layouts.sort_by_key(|(image, _)| std::ptr::from_ref(*image));
        layouts.dedup_by_key(|(image, _)| std::ptr::from_ref(*image));
        for target in &pass.colors {
            let drawn = [Some(target.texture), target.resolve];
            layouts.extend(
                drawn
                    .iter()
                    .flatten()
                    .map(|&n| (&self.images[n], ImageLayout::ColorAttachment)),
            );
        }
        let depth = pass
            .depth
            .map(|[texture, layer]| self.attachment(texture, 0, layer as u32))
            .transpose()?;
        if let Some(depth) = &depth {
            layouts.push((depth.image(), ImageLayout::DepthStencilAttachment));
        }
        commands.transition_all(&layouts)?;
        let views: Vec<ImageView> = pass
            .colors
            .iter()
            .map(|target| self.attachment(target.texture, target.level, target.layer))
            .collect::<Result<_, _>>()?;
        let colors: Vec<Option<ColorAttachment<'_>>> = std::iter::zip(&pass.colors, &views)
            .map(|(target, view)| {
                let [r, g, b, a] = target.clear.unwrap_or_default();
                Some(ColorAttachment {
                    resolve: target.resolve.map(|n| (&self.views[n]).into()),
                    load: match target.clear {
                        Some(_) => LoadOp::Clear(Color { r, g, b, a }),
                        None => LoadOp::Load,
                    },
                    ..view.into()
                })
            })
            .collect();
        let counts = self.counts.as_ref().filter(|_| pass.counted);
        if let Some(counts) = counts {
            commands.reset_queries(counts, 0..pass.draws.len() as u32)?;
        }
        commands.begin_pass(&RenderPass {
            label: None,
            colors: &colors,
            depth_stencil: depth.as_ref().map(Into::into),
        })?;
        for (n, draw) in (0..).zip(&pass.draws) {
            if let Some(counts) = counts {
                commands.begin_query(counts, n)?;
            }
            self.record(commands, draw)?;
            if let Some(counts) = counts {
                commands.end_query(counts, n)?;
            }
        }
        commands.end_pass()?;
        Ok(())
    }

    fn compute(
        &self,
        commands: &mut CommandBuffer,
        dispatches: &[Dispatch],
    ) -> Result<(), Failure> {
        for dispatch in dispatches {
            let layouts: Vec<(&Image, ImageLayout)> = self.plan.sets[dispatch.set]
                .iter()
                .filter_map(|resource| match resource {
                    Resource::Texture(n, _) => {
                        Some((&self.images[*n], ImageLayout::ShaderReadOnly))
                    }
                    Resource::Stored(n) => Some((&self.images[*n], ImageLayout::General)),
                    _ => None,
                })
                .collect();
            commands.transition_all(&layouts)?;
            commands.begin_compute_pass(&ComputePass { label: None })?;
            commands.bind_compute_pipeline(&self.computes[dispatch.compute])?;
            commands.bind_descriptor_set(0, &self.sets[dispatch.set], &[])?;
            commands.dispatch(dispatch.groups)?;
            commands.end_pass()?;
        }
        Ok(())
    }

    fn attachment(&self, texture: usize, level: u32, layer: u32) -> Result<ImageView, Failure> {
        let whole = &self.plan.textures[texture];
        if whole.levels == 1 && whole.size[2] == 1 {
            return Ok(self.views[texture].clone());
        }
        Ok(self.device.create_image_view(
            &self.images[texture],
            &ImageViewDescriptor {
                dimension: Some(TextureViewDimension::D2),
                base_mip_level: level,
                mip_level_count: Some(1),
                base_array_layer: layer,
                array_layer_count: Some(1),
                ..Default::default()
            },
        )?)
    }

    fn record(&self, commands: &mut CommandBuffer, draw: &Draw) -> Result<(), Failure> {
        commands.bind_pipeline(&self.pipelines[draw.pipeline])?;
        if let Some(set) = draw.set {
            commands.bind_descriptor_set(0, &self.sets[set], &draw.offsets)?;
        }
        for (slot, buffer) in (0..).zip(&draw.vertices) {
            commands.bind_vertex_buffer(slot, &self.buffers[*buffer], 0)?;
        }
        if !draw.immediates.is_empty() {
            commands.push_constants(0, &draw.immediates)?;
        }
        if let Some([x, y, width, height]) = draw.scissor {
            commands.set_scissor(Rect {
                x,
                y,
                width,
                height,
            })?;
        }
        if draw.stencil != 0 {
            commands.set_stencil_reference(draw.stencil)?;
        }
        if let Some(buffer) = draw.indices {
            commands.bind_index_buffer(&self.buffers[buffer], 0, IndexFormat::Uint32)?;
        }
        let (range, instances) = (draw.range.clone(), draw.instances.clone());
        match (draw.indices, draw.indirect) {
            (Some(_), Some(n)) => commands.draw_indexed_indirect(&self.buffers[n], 0, 1, 0)?,
            (None, Some(n)) => commands.draw_indirect(&self.buffers[n], 0, 1, 0)?,
            (Some(_), None) => commands.draw_indexed(range, 0, instances)?,
            (None, None) => commands.draw(range, instances)?,
        }
        Ok(())
    }

    /// The plan's picture: bytes of the first level.
    pub fn picture(&self) -> Result<Vec<u8>, Failure> {
        let queue = self.device.queue();
        let image = &self.images[self.plan.picture];
        queue.transition(image, ImageLayout::CopySource)?;
        Ok(queue.read_image(&ImageCopy::level(image, 0), image.level_size(0))?)
    }
}

impl Sampling {
    fn descriptor(&self) -> SamplerDescriptor<'static> {
        SamplerDescriptor {
            address_mode_u: self.address,
            address_mode_v: self.address,
            address_mode_w: self.address,
            mag_filter: self.filter,
            min_filter: self.filter,
            mipmap_filter: self.levels,
            compare: self.compare,
            anisotropy_clamp: self.anisotropy,
            border_color: (self.address == AddressMode::ClampToBorder)
                .then_some(BorderColor::OpaqueBlack),
            ..SamplerDescriptor::default()
        }
    }
}

fn make_image(
    device: &Device,
    texture: &Texture,
    usage: TextureUsages,
) -> Result<(Image, ImageView), Failure> {
    let image = device.create_image(&ImageDescriptor {
        dimension: match texture.view {
            TextureViewDimension::D1 => TextureDimension::D1,
            TextureViewDimension::D3 => TextureDimension::D3,
            _ => TextureDimension::D2,
        },
        size: texture.level_size(0),
        levels: texture.levels,
        samples: texture.samples,
        format: texture.format,
        usage,
        ..Default::default()
    })?;
    let view = device.create_image_view(
        &image,
        &ImageViewDescriptor {
            dimension: Some(texture.view),
            ..Default::default()
        },
    )?;
    if let Some(bytes) = texture.bytes() {
        let queue = device.queue();
        queue.transition(&image, ImageLayout::CopyDestination)?;
        let mut at = 0;
        for level in 0..texture.levels {
            let count = texture.level_bytes(level)[0] as usize;
            let place = ImageCopy::level(&image, level);
            queue.write_image(&place, texture.level_size(level), &bytes[at..at + count])?;
            at += count;
        }
    }
    Ok((image, view))
}

fn make_pipeline(
    device: &Device,
    pipeline: &Pipeline,
    set: Option<&DescriptorSetLayout>,
) -> Result<GraphicsPipeline, Failure> {
    let sets: Vec<&DescriptorSetLayout> = set.into_iter().collect();
    let layout = device.create_pipeline_layout(&PipelineLayoutDescriptor {
        sets: &sets,
        push_constant_bytes: pipeline.immediates,
        ..Default::default()
    })?;
    let module = device.create_shader_module(&ShaderModuleDescriptor {
        label: None,
        source: ShaderSource::Wgsl(pipeline.shader.as_str().into()),
    })?;
    let stage = ShaderStage {
        module: &module,
        entry: None,
        constants: &[],
    };
    let buffers: Vec<VertexBufferLayout<'_>> = pipeline
        .buffers
        .iter()
        .map(|buffer| VertexBufferLayout {
            stride: buffer.stride as u32,
            step: buffer.step,
            attributes: &buffer.attributes,
        })
        .collect();
    let targets: Vec<Option<ColorTargetState>> =
        pipeline.targets.iter().cloned().map(Some).collect();
    Ok(
        device.create_graphics_pipeline(&GraphicsPipelineDescriptor {
            layout: Some(&layout),
            buffers: &buffers,
            fragment: pipeline.fragment.then_some(stage),
            targets: &targets,
            primitive: PrimitiveState {
                topology: pipeline.topology,
                cull_mode: pipeline.cull,
                polygon_mode: pipeline.fill,
                ..PrimitiveState::default()
            },
            depth_stencil: pipeline.depth.clone(),
            multisample: MultisampleState {
                count: pipeline.samples,
                alpha_to_coverage_enabled: pipeline.alpha_to_coverage,
                ..MultisampleState::default()
            },
            ..GraphicsPipelineDescriptor::new(stage)
        })?,
    )
}

fn make_compute(
    device: &Device,
    compute: &Compute,
    set: &DescriptorSetLayout,
) -> Result<ComputePipeline, Failure> {
    let layout = device.create_pipeline_layout(&PipelineLayoutDescriptor {
        sets: &[set],
        ..Default::default()
    })?;
    let module = device.create_shader_module(&ShaderModuleDescriptor {
        label: None,
        source: ShaderSource::Wgsl(compute.shader.as_str().into()),
    })?;
    Ok(device.create_compute_pipeline(&ComputePipelineDescriptor {
        layout: Some(&layout),
        ..ComputePipelineDescriptor::new(&module)
    })?)
}
