//! The calls of Vulkan that draw a scene.

use std::ffi::CStr;

use ash::vk;

use crate::measure::{Times, measure};
use crate::shapes::UNIFORM_FLOATS;
use crate::{Drawing, Failure, Step, Tests};

/// Format of the picture, as scenes have it.
const COLOR: vk::Format = vk::Format::R8G8B8A8_SRGB;
const DEPTH: vk::Format = vk::Format::D32_SFLOAT_S8_UINT;
/// Texels along the edge of a face.
const EDGE: u32 = 128;
const FACES: u32 = 6;

/// Draws through the first device of the system: the bytes of the picture. Uniforms are those of what stands still, and of what
/// turns.
pub fn draw(
    drawing: &Drawing,
    uniforms: &[[f32; UNIFORM_FLOATS]; 2],
    size: [u32; 2],
) -> Result<Vec<u8>, Failure> {
    let mut picture = Vec::new();
    // SAFETY: the driver is that of the system; every call keeps the rules of Vulkan, and all objects live until the end.
    unsafe {
        draw_by_calls(drawing, uniforms, size, true, |frame, texels| {
            frame()?;
            picture = texels().to_vec();
            Ok(())
        })?;
    }
    Ok(picture)
}

/// What a frame takes that is drawn so many times, without the copy of its picture.
pub fn time(
    drawing: &Drawing,
    uniforms: &[[f32; UNIFORM_FLOATS]; 2],
    size: [u32; 2],
    frames: u32,
) -> Result<Times, Failure> {
    let mut times = None;
    // SAFETY: as of `draw`.
    unsafe {
        draw_by_calls(drawing, uniforms, size, false, |frame, _| {
            times = Some(measure(frames, frame)?);
            Ok(())
        })?;
    }
    times.ok_or_else(|| "nothing was timed".into())
}

/// What calls go to.
struct Gpu {
    device: ash::Device,
    /// The library stays loaded.
    _entry: ash::Entry,
    memory: vk::PhysicalDeviceMemoryProperties,
}

impl Gpu {
    /// Memory of a kind for an object.
    unsafe fn memory(
        &self,
        needs: vk::MemoryRequirements,
        flags: vk::MemoryPropertyFlags,
    ) -> Result<vk::DeviceMemory, Failure> {
        let kinds = self.memory.memory_types_as_slice().iter().enumerate();
        let mut fitting = kinds.filter(|(n, kind)| {
            needs.memory_type_bits >> n & 1 != 0 && kind.property_flags.contains(flags)
        });
        let (index, _) = fitting.next().ok_or("no such memory")?;
        let info = vk::MemoryAllocateInfo::default()
            .allocation_size(needs.size)
            .memory_type_index(index as u32);
        Ok(unsafe { self.device.allocate_memory(&info, None)? })
    }

    unsafe fn buffer(
        &self,
        usage: vk::BufferUsageFlags,
        contents: &[u8],
    ) -> Result<(vk::Buffer, *mut u8), Failure> {
        let info = vk::BufferCreateInfo::default()
            .size(contents.len() as u64)
            .usage(usage);
        unsafe {
            let buffer = self.device.create_buffer(&info, None)?;
            let needs = self.device.get_buffer_memory_requirements(buffer);
            let seen =
                vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT;
            let memory = self.memory(needs, seen)?;
            self.device.bind_buffer_memory(buffer, memory, 0)?;
            let flags = vk::MemoryMapFlags::empty();
            let at = self.device.map_memory(memory, 0, needs.size, flags)?;
            std::ptr::copy_nonoverlapping(contents.as_ptr(), at.cast(), contents.len());
            Ok((buffer, at.cast()))
        }
    }

    unsafe fn target(
        &self,
        format: vk::Format,
        usage: vk::ImageUsageFlags,
        aspect: vk::ImageAspectFlags,
        ([width, height], layers): ([u32; 2], u32),
    ) -> Result<(vk::Image, vk::ImageView), Failure> {
        let flags = match layers {
            FACES => vk::ImageCreateFlags::CUBE_COMPATIBLE,
            _ => vk::ImageCreateFlags::empty(),
        };
        let info = vk::ImageCreateInfo::default()
            .flags(flags)
            .image_type(vk::ImageType::TYPE_2D)
            .format(format)
            .extent(vk::Extent3D {
                width,
                height,
                depth: 1,
            })
            .mip_levels(1)
            .array_layers(layers)
            .samples(vk::SampleCountFlags::TYPE_1)
            .usage(usage);
        unsafe {
            let image = self.device.create_image(&info, None)?;
            let needs = self.device.get_image_memory_requirements(image);
            let memory = self.memory(needs, vk::MemoryPropertyFlags::empty())?;
            self.device.bind_image_memory(image, memory, 0)?;
            let kind = vk::ImageViewType::TYPE_2D_ARRAY;
            Ok((image, self.view(image, format, kind, (aspect, layers))?))
        }
    }

    unsafe fn view(
        &self,
        image: vk::Image,
        format: vk::Format,
        kind: vk::ImageViewType,
        (aspect_mask, layer_count): (vk::ImageAspectFlags, u32),
    ) -> Result<vk::ImageView, Failure> {
        let range = vk::ImageSubresourceRange {
            aspect_mask,
            level_count: 1,
            layer_count,
            ..Default::default()
        };
        let info = vk::ImageViewCreateInfo::default()
            .image(image)
            .view_type(kind)
            .format(format)
            .subresource_range(range);
        Ok(unsafe { self.device.create_image_view(&info, None)? })
    }

    /// A set for each of the uniforms, with a cube of faces, and the layout of pipelines that take them.
    unsafe fn sets(
        &self,
        uniforms: &[[f32; UNIFORM_FLOATS]; 2],
        faces: &Frame,
    ) -> Result<(vk::PipelineLayout, Vec<vk::DescriptorSet>), Failure> {
        let device = &self.device;
        let fragment = vk::ShaderStageFlags::FRAGMENT;
        let all = vk::ShaderStageFlags::VERTEX | vk::ShaderStageFlags::GEOMETRY | fragment;
        let (uniform, image) = (
            vk::DescriptorType::UNIFORM_BUFFER,
            vk::DescriptorType::COMBINED_IMAGE_SAMPLER,
        );
        let binding = |binding, kind, stages| {
            vk::DescriptorSetLayoutBinding::default()
                .binding(binding)
                .descriptor_type(kind)
                .descriptor_count(1)
                .stage_flags(stages)
        };
        let bindings = [binding(0, uniform, all), binding(1, image, fragment)];
        let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
        let sizes = [uniform, image].map(|ty| vk::DescriptorPoolSize {
            ty,
            descriptor_count: 2,
        });
        unsafe {
            let layouts = [device.create_descriptor_set_layout(&info, None)?; 2];
            let constants = [vk::PushConstantRange::default()
                .stage_flags(fragment)
                .size(8)];
            let info = vk::PipelineLayoutCreateInfo::default()
                .set_layouts(&layouts[..1])
                .push_constant_ranges(&constants);
            let layout = device.create_pipeline_layout(&info, None)?;
            let info = vk::DescriptorPoolCreateInfo::default()
                .max_sets(2)
                .pool_sizes(&sizes);
            let info = vk::DescriptorSetAllocateInfo::default()
                .descriptor_pool(device.create_descriptor_pool(&info, None)?)
                .set_layouts(&layouts);
            let sets = device.allocate_descriptor_sets(&info)?;
            let info = vk::SamplerCreateInfo::default()
                .mag_filter(vk::Filter::LINEAR)
                .min_filter(vk::Filter::LINEAR);
            let cube = (vk::ImageAspectFlags::COLOR, FACES);
            let images = [vk::DescriptorImageInfo {
                sampler: device.create_sampler(&info, None)?,
                image_view: self.view(faces.image, COLOR, vk::ImageViewType::CUBE, cube)?,
                image_layout: vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL,
            }];
            for (set, uniforms) in sets.iter().zip(uniforms) {
                let bytes = floats(uniforms.iter().copied());
                let (buffer, _) = self.buffer(vk::BufferUsageFlags::UNIFORM_BUFFER, &bytes)?;
                let ranges = [vk::DescriptorBufferInfo {
                    buffer,
                    offset: 0,
                    range: vk::WHOLE_SIZE,
                }];
                let write = |binding, kind| {
                    vk::WriteDescriptorSet::default()
                        .dst_set(*set)
                        .dst_binding(binding)
                        .descriptor_type(kind)
                };
                let writes = [
                    write(0, uniform).buffer_info(&ranges),
                    write(1, image).image_info(&images),
                ];
                device.update_descriptor_sets(&writes, &[]);
            }
            Ok((layout, sets))
        }
    }

    unsafe fn shader(&self, bytes: &[u8]) -> Result<vk::ShaderModule, Failure> {
        let words = ash::util::read_spv(&mut std::io::Cursor::new(bytes))?;
        let info = vk::ShaderModuleCreateInfo::default().code(&words);
        Ok(unsafe { self.device.create_shader_module(&info, None)? })
    }
}

fn floats(all: impl IntoIterator<Item = f32>) -> Vec<u8> {
    all.into_iter().flat_map(f32::to_le_bytes).collect()
}

/// Draws a frame and waits for it.
type Draws<'a> = &'a dyn Fn() -> Result<(), Failure>;

/// Records a drawing, with a copy of its picture where it is `kept`, and hands over what draws it, and what the copy is then.
unsafe fn draw_by_calls(
    drawing: &Drawing,
    uniforms: &[[f32; UNIFORM_FLOATS]; 2],
    size: [u32; 2],
    kept: bool,
    then: impl FnOnce(Draws<'_>, &dyn Fn() -> &'static [u8]) -> Result<(), Failure>,
) -> Result<(), Failure> {
    unsafe {
        let gpu = open()?;
        let device = &gpu.device;
        let mesh = &drawing.mesh;
        let corners = floats(mesh.corners.iter().flatten().flatten().copied());
        let (vertices, _) = gpu.buffer(vk::BufferUsageFlags::VERTEX_BUFFER, &corners)?;
        let numbers = mesh.indices.iter().flat_map(|index| index.to_le_bytes());
        let numbers: Vec<u8> = numbers.collect();
        let (indices, _) = gpu.buffer(vk::BufferUsageFlags::INDEX_BUFFER, &numbers)?;
        let bytes = u64::from(size[0]) * u64::from(size[1]) * 4;
        let (read, texels) =
            gpu.buffer(vk::BufferUsageFlags::TRANSFER_DST, &vec![0; bytes as usize])?;
        let picture = Frame::new(&gpu, size, 1, vk::ImageLayout::TRANSFER_SRC_OPTIMAL)?;
        let seen = vk::ImageLayout::SHADER_READ_ONLY_OPTIMAL;
        let faces = Frame::new(&gpu, [EDGE; 2], FACES, seen)?;
        let (layout, sets) = gpu.sets(uniforms, &faces)?;

        let info = vk::CommandPoolCreateInfo::default();
        let pool = device.create_command_pool(&info, None)?;
        let info = vk::CommandBufferAllocateInfo::default()
            .command_pool(pool)
            .command_buffer_count(1);
        let commands = device.allocate_command_buffers(&info)?[0];
        device.begin_command_buffer(commands, &vk::CommandBufferBeginInfo::default())?;
        device.cmd_bind_vertex_buffers(commands, 0, &[vertices], &[0]);
        device.cmd_bind_index_buffer(commands, indices, 0, vk::IndexType::UINT32);
        let graphics = vk::PipelineBindPoint::GRAPHICS;
        for (frame, layered) in [(&faces, true), (&picture, false)] {
            frame.begin(&gpu, commands, drawing.clear);
            let window = floats(frame.size.map(|length| length as f32));
            let stage = vk::ShaderStageFlags::FRAGMENT;
            device.cmd_push_constants(commands, layout, stage, 0, &window);
            for step in drawing.steps.iter().filter(|s| s.layered == layered) {
                let pipeline = pipeline(&gpu, step, layout, frame)?;
                device.cmd_bind_pipeline(commands, graphics, pipeline);
                let sets = [sets[usize::from(step.turns)]];
                device.cmd_bind_descriptor_sets(commands, graphics, layout, 0, &sets, &[]);
                let count = step.indices.len() as u32;
                device.cmd_draw_indexed(commands, count, 1, step.indices.start, 0, 0);
            }
            device.cmd_end_render_pass(commands);
        }
        let copy = vk::BufferImageCopy::default()
            .image_subresource(vk::ImageSubresourceLayers {
                aspect_mask: vk::ImageAspectFlags::COLOR,
                layer_count: 1,
                ..Default::default()
            })
            .image_extent(picture.extent().into());
        let from = vk::ImageLayout::TRANSFER_SRC_OPTIMAL;
        if kept {
            device.cmd_copy_image_to_buffer(commands, picture.image, from, read, &[copy]);
        }
        device.end_command_buffer(commands)?;
        let buffers = [commands];
        let info = vk::SubmitInfo::default().command_buffers(&buffers);
        let queue = device.get_device_queue(0, 0);
        let frame = || {
            device.queue_submit(queue, &[info], vk::Fence::null())?;
            Ok(device.queue_wait_idle(queue)?)
        };
        then(&frame, &|| {
            std::slice::from_raw_parts(texels, bytes as usize)
        })
    }
}

/// Opens the first device.
unsafe fn open() -> Result<Gpu, Failure> {
    let entry = unsafe { ash::Entry::load()? };
    let application = vk::ApplicationInfo::default().api_version(vk::API_VERSION_1_1);
    let info = vk::InstanceCreateInfo::default().application_info(&application);
    let instance = unsafe { entry.create_instance(&info, None)? };
    let physical = *unsafe { instance.enumerate_physical_devices()? }
        .first()
        .ok_or("no Vulkan device")?;
    let properties = unsafe { instance.get_physical_device_properties(physical) };
    eprintln!("{:?}", properties.device_name_as_c_str()?);
    let priorities = [1.0];
    let queues = [vk::DeviceQueueCreateInfo::default().queue_priorities(&priorities)];
    let features = vk::PhysicalDeviceFeatures::default().geometry_shader(true);
    let extensions = [ash::ext::line_rasterization::NAME.as_ptr()];
    let mut lines = vk::PhysicalDeviceLineRasterizationFeaturesEXT::default().bresenham_lines(true);
    let info = vk::DeviceCreateInfo::default()
        .queue_create_infos(&queues)
        .enabled_extension_names(&extensions)
        .enabled_features(&features)
        .push_next(&mut lines);
    Ok(Gpu {
        device: unsafe { instance.create_device(physical, &info, None)? },
        memory: unsafe { instance.get_physical_device_memory_properties(physical) },
        _entry: entry,
    })
}

/// What a pass draws to.
struct Frame {
    size: [u32; 2],
    image: vk::Image,
    pass: vk::RenderPass,
    framebuffer: vk::Framebuffer,
}

impl Frame {
    /// Colour and depth of some layers; the colours are then in a layout.
    unsafe fn new(
        gpu: &Gpu,
        size: [u32; 2],
        layers: u32,
        after: vk::ImageLayout,
    ) -> Result<Frame, Failure> {
        let usage = vk::ImageUsageFlags::COLOR_ATTACHMENT
            | vk::ImageUsageFlags::TRANSFER_SRC
            | vk::ImageUsageFlags::SAMPLED;
        let aspect = vk::ImageAspectFlags::COLOR;
        let shape = (size, layers);
        let (image, color) = unsafe { gpu.target(COLOR, usage, aspect, shape)? };
        let usage = vk::ImageUsageFlags::DEPTH_STENCIL_ATTACHMENT;
        let aspect = vk::ImageAspectFlags::DEPTH | vk::ImageAspectFlags::STENCIL;
        let (_, depth) = unsafe { gpu.target(DEPTH, usage, aspect, shape)? };
        let attachment = |format, layout| {
            vk::AttachmentDescription::default()
                .format(format)
                .samples(vk::SampleCountFlags::TYPE_1)
                .load_op(vk::AttachmentLoadOp::CLEAR)
                .store_op(vk::AttachmentStoreOp::STORE)
                .stencil_load_op(vk::AttachmentLoadOp::CLEAR)
                .final_layout(layout)
        };
        let tested = vk::ImageLayout::DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
        let attachments = [attachment(COLOR, after), attachment(DEPTH, tested)];
        let colors = [vk::AttachmentReference {
            attachment: 0,
            layout: vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL,
        }];
        let tested = vk::AttachmentReference {
            attachment: 1,
            layout: tested,
        };
        let subpasses = [vk::SubpassDescription::default()
            .color_attachments(&colors)
            .depth_stencil_attachment(&tested)];
        // What comes after waits for all of the pass.
        let dependencies = [vk::SubpassDependency {
            dst_subpass: vk::SUBPASS_EXTERNAL,
            src_stage_mask: vk::PipelineStageFlags::ALL_COMMANDS,
            dst_stage_mask: vk::PipelineStageFlags::ALL_COMMANDS,
            src_access_mask: vk::AccessFlags::MEMORY_WRITE,
            dst_access_mask: vk::AccessFlags::MEMORY_READ,
            ..Default::default()
        }];
        let info = vk::RenderPassCreateInfo::default()
            .attachments(&attachments)
            .subpasses(&subpasses)
            .dependencies(&dependencies);
        let pass = unsafe { gpu.device.create_render_pass(&info, None)? };
        let views = [color, depth];
        let info = vk::FramebufferCreateInfo::default()
            .render_pass(pass)
            .attachments(&views)
            .width(size[0])
            .height(size[1])
            .layers(layers);
        Ok(Frame {
            size,
            image,
            pass,
            framebuffer: unsafe { gpu.device.create_framebuffer(&info, None)? },
        })
    }

    fn extent(&self) -> vk::Extent2D {
        let [width, height] = self.size;
        vk::Extent2D { width, height }
    }

    unsafe fn begin(&self, gpu: &Gpu, commands: vk::CommandBuffer, float32: [f32; 4]) {
        let depth_stencil = vk::ClearDepthStencilValue {
            depth: 1.0,
            stencil: 0,
        };
        let color = vk::ClearColorValue { float32 };
        let clears = [vk::ClearValue { color }, vk::ClearValue { depth_stencil }];
        let info = vk::RenderPassBeginInfo::default()
            .render_pass(self.pass)
            .framebuffer(self.framebuffer)
            .render_area(self.extent().into())
            .clear_values(&clears);
        let inline = vk::SubpassContents::INLINE;
        unsafe { gpu.device.cmd_begin_render_pass(commands, &info, inline) };
    }
}

unsafe fn pipeline(
    gpu: &Gpu,
    step: &Step,
    layout: vk::PipelineLayout,
    frame: &Frame,
) -> Result<vk::Pipeline, Failure> {
    const MAIN: &CStr = c"main";
    let mut stages = Vec::new();
    let shaders = [
        (vk::ShaderStageFlags::VERTEX, Some(step.vertex)),
        (vk::ShaderStageFlags::GEOMETRY, step.geometry),
        (vk::ShaderStageFlags::FRAGMENT, step.fragment),
    ];
    for (stage, bytes) in shaders {
        if let Some(bytes) = bytes {
            let module = unsafe { gpu.shader(bytes)? };
            stages.push(
                vk::PipelineShaderStageCreateInfo::default()
                    .stage(stage)
                    .module(module)
                    .name(MAIN),
            );
        }
    }
    let buffers = [vk::VertexInputBindingDescription {
        stride: 24,
        ..Default::default()
    }];
    let attributes = [0, 1].map(|location| vk::VertexInputAttributeDescription {
        location,
        binding: 0,
        format: vk::Format::R32G32B32_SFLOAT,
        offset: 12 * location,
    });
    let fetched = vk::PipelineVertexInputStateCreateInfo::default()
        .vertex_binding_descriptions(&buffers)
        .vertex_attribute_descriptions(&attributes);
    let assembly = vk::PipelineInputAssemblyStateCreateInfo::default().topology(step.topology);
    // Clip space has y up, the window down.
    let [width, height] = frame.size.map(|length| length as f32);
    let viewports = [vk::Viewport {
        x: 0.0,
        y: height,
        width,
        height: -height,
        min_depth: 0.0,
        max_depth: 1.0,
    }];
    let scissors = [frame.extent().into()];
    let seen = vk::PipelineViewportStateCreateInfo::default()
        .viewports(&viewports)
        .scissors(&scissors);
    // Thin lines follow the diamond-exit rule, as they do in girih unless it is told otherwise.
    let mut lines = vk::PipelineRasterizationLineStateCreateInfoEXT::default()
        .line_rasterization_mode(vk::LineRasterizationModeEXT::BRESENHAM);
    let raster = vk::PipelineRasterizationStateCreateInfo::default()
        .cull_mode(step.cull)
        .front_face(vk::FrontFace::COUNTER_CLOCKWISE)
        .line_width(1.0)
        .push_next(&mut lines);
    let samples = vk::PipelineMultisampleStateCreateInfo::default()
        .rasterization_samples(vk::SampleCountFlags::TYPE_1);
    let (volume, lit) = (step.tests == Tests::Volume, step.tests == Tests::Lit);
    // Seen surfaces inside of a volume have one side of it behind them.
    let counts = |behind| {
        vk::StencilOpState::default()
            .compare_op(match lit {
                true => vk::CompareOp::EQUAL,
                false => vk::CompareOp::ALWAYS,
            })
            .depth_fail_op(match volume {
                true => behind,
                false => vk::StencilOp::KEEP,
            })
            .compare_mask(0xff)
            .write_mask(0xff)
    };
    let tests = vk::PipelineDepthStencilStateCreateInfo::default()
        .depth_test_enable(true)
        .depth_write_enable(step.tests == Tests::Nearest)
        .depth_compare_op(match lit {
            true => vk::CompareOp::EQUAL,
            false => vk::CompareOp::LESS,
        })
        .stencil_test_enable(volume || lit)
        .front(counts(vk::StencilOp::DECREMENT_AND_WRAP))
        .back(counts(vk::StencilOp::INCREMENT_AND_WRAP));
    let written = match step.fragment {
        Some(_) => vk::ColorComponentFlags::RGBA,
        None => vk::ColorComponentFlags::empty(),
    };
    let targets = [vk::PipelineColorBlendAttachmentState::default().color_write_mask(written)];
    let blending = vk::PipelineColorBlendStateCreateInfo::default().attachments(&targets);
    let info = vk::GraphicsPipelineCreateInfo::default()
        .stages(&stages)
        .vertex_input_state(&fetched)
        .input_assembly_state(&assembly)
        .viewport_state(&seen)
        .rasterization_state(&raster)
        .multisample_state(&samples)
        .depth_stencil_state(&tests)
        .color_blend_state(&blending)
        .layout(layout)
        .render_pass(frame.pass);
    let cache = vk::PipelineCache::null();
    let made = unsafe {
        gpu.device
            .create_graphics_pipelines(cache, &[info], None)
            .map_err(|(_, error)| error)?
    };
    Ok(made[0])
}
