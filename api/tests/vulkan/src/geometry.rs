//! Draws a scene of geometry shaders of `girih` through a Vulkan driver: the same meshes, GLSL for WGSL.
//!
//!     girih-vulkan-geometry SCENE WIDTH HEIGHT FRAME PICTURE

// The same files as in `scenes`, which this program does not depend on: it would bring all of girih.
#[path = "../../../../examples/scenes/src/math.rs"]
#[allow(dead_code)]
mod math;
#[path = "../../../../examples/scenes/src/mesh.rs"]
#[allow(dead_code)]
mod mesh;
#[path = "../../../../examples/scenes/src/geometry/shapes.rs"]
mod shapes;

use std::error::Error;
use std::ffi::CStr;

use ash::vk;
use mesh::{Mesh, sphere};

type Failure = Box<dyn Error>;

/// Format of the picture, as scenes have it.
const COLOR: vk::Format = vk::Format::R8G8B8A8_SRGB;
const DEPTH: vk::Format = vk::Format::D32_SFLOAT;

macro_rules! words {
    ($name:literal) => {
        include_bytes!(concat!("../shaders/", $name, ".spv"))
    };
}

/// A pipeline that draws the mesh.
struct Step {
    vertex: &'static [u8],
    geometry: Option<&'static [u8]>,
    fragment: &'static [u8],
    topology: vk::PrimitiveTopology,
    cull: vk::CullModeFlags,
}

const TRIANGLES: vk::PrimitiveTopology = vk::PrimitiveTopology::TRIANGLE_LIST;
const POINTS: vk::PrimitiveTopology = vk::PrimitiveTopology::POINT_LIST;

fn step(
    topology: vk::PrimitiveTopology,
    vertex: &'static [u8],
    geometry: &'static [u8],
    fragment: &'static [u8],
) -> Step {
    Step {
        vertex,
        geometry: Some(geometry),
        fragment,
        topology,
        cull: vk::CullModeFlags::NONE,
    }
}

fn scene(name: &str) -> Option<(Mesh, Vec<Step>)> {
    let (corner, turned) = (words!("corner.vert"), words!("turned.vert"));
    Some(match name {
        "exploded" => {
            let step = step(
                TRIANGLES,
                corner,
                words!("exploded.geom"),
                words!("flat.frag"),
            );
            (sphere(28, 16), vec![step])
        }
        "normals" => {
            let solid = Step {
                vertex: words!("solid.vert"),
                geometry: None,
                fragment: words!("normals.frag"),
                topology: TRIANGLES,
                cull: vk::CullModeFlags::BACK,
            };
            let lines = step(
                TRIANGLES,
                turned,
                words!("normals.geom"),
                words!("smooth.frag"),
            );
            (sphere(24, 12), vec![solid, lines])
        }
        "wireframe" => {
            let (vertex, fragment) = (words!("clipped.vert"), words!("wireframe.frag"));
            let step = step(TRIANGLES, vertex, words!("wireframe.geom"), fragment);
            (sphere(20, 12), vec![step])
        }
        "billboards" => {
            let fragment = words!("billboards.frag");
            let step = step(POINTS, corner, words!("billboards.geom"), fragment);
            (shapes::spiral(), vec![step])
        }
        "grass" => {
            let step = step(POINTS, corner, words!("grass.geom"), words!("smooth.frag"));
            (shapes::meadow(), vec![step])
        }
        _ => return None,
    })
}

fn main() -> Result<(), Failure> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [name, width, height, frame, picture] = words.as_slice() else {
        return Err("usage: girih-vulkan-geometry SCENE WIDTH HEIGHT FRAME PICTURE".into());
    };
    let (mesh, steps) = scene(name).ok_or("there is no such scene")?;
    let size = [width.parse()?, height.parse()?];
    // SAFETY: the driver is that of the system; every call keeps the rules of Vulkan, and all objects live until the end.
    let bytes = unsafe { draw(&mesh, &steps, size, frame.parse()?)? };
    Ok(std::fs::write(picture, bytes)?)
}

/// What calls go to.
struct Gpu {
    device: ash::Device,
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
        [width, height]: [u32; 2],
    ) -> Result<(vk::Image, vk::ImageView), Failure> {
        let info = vk::ImageCreateInfo::default()
            .image_type(vk::ImageType::TYPE_2D)
            .format(format)
            .extent(vk::Extent3D {
                width,
                height,
                depth: 1,
            })
            .mip_levels(1)
            .array_layers(1)
            .samples(vk::SampleCountFlags::TYPE_1)
            .usage(usage);
        unsafe {
            let image = self.device.create_image(&info, None)?;
            let needs = self.device.get_image_memory_requirements(image);
            let memory = self.memory(needs, vk::MemoryPropertyFlags::empty())?;
            self.device.bind_image_memory(image, memory, 0)?;
            let info = vk::ImageViewCreateInfo::default()
                .image(image)
                .view_type(vk::ImageViewType::TYPE_2D)
                .format(format)
                .subresource_range(vk::ImageSubresourceRange {
                    aspect_mask: aspect,
                    level_count: 1,
                    layer_count: 1,
                    ..Default::default()
                });
            Ok((image, self.device.create_image_view(&info, None)?))
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

unsafe fn draw(
    mesh: &Mesh,
    steps: &[Step],
    size: [u32; 2],
    frame: u32,
) -> Result<Vec<u8>, Failure> {
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
    let info = vk::DeviceCreateInfo::default()
        .queue_create_infos(&queues)
        .enabled_features(&features);
    let gpu = Gpu {
        device: unsafe { instance.create_device(physical, &info, None)? },
        memory: unsafe { instance.get_physical_device_memory_properties(physical) },
    };
    let device = &gpu.device;
    let aspect = size[0] as f32 / size[1] as f32;
    let uniforms = shapes::uniforms(aspect, frame, shapes::turns_at(frame));
    let bytes = u64::from(size[0]) * u64::from(size[1]) * 4;
    unsafe {
        let corners = floats(mesh.corners.iter().flatten().flatten().copied());
        let (vertices, _) = gpu.buffer(vk::BufferUsageFlags::VERTEX_BUFFER, &corners)?;
        let numbers = mesh.indices.iter().flat_map(|index| index.to_le_bytes());
        let numbers: Vec<u8> = numbers.collect();
        let (indices, _) = gpu.buffer(vk::BufferUsageFlags::INDEX_BUFFER, &numbers)?;
        let uniforms = floats(uniforms);
        let (scene, _) = gpu.buffer(vk::BufferUsageFlags::UNIFORM_BUFFER, &uniforms)?;
        let (read, texels) =
            gpu.buffer(vk::BufferUsageFlags::TRANSFER_DST, &vec![0; bytes as usize])?;
        let usage = vk::ImageUsageFlags::COLOR_ATTACHMENT | vk::ImageUsageFlags::TRANSFER_SRC;
        let (image, color) = gpu.target(COLOR, usage, vk::ImageAspectFlags::COLOR, size)?;
        let usage = vk::ImageUsageFlags::DEPTH_STENCIL_ATTACHMENT;
        let (_, depth) = gpu.target(DEPTH, usage, vk::ImageAspectFlags::DEPTH, size)?;

        let stages = vk::ShaderStageFlags::VERTEX
            | vk::ShaderStageFlags::GEOMETRY
            | vk::ShaderStageFlags::FRAGMENT;
        let bindings = [vk::DescriptorSetLayoutBinding::default()
            .descriptor_type(vk::DescriptorType::UNIFORM_BUFFER)
            .descriptor_count(1)
            .stage_flags(stages)];
        let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
        let layouts = [device.create_descriptor_set_layout(&info, None)?];
        let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&layouts);
        let layout = device.create_pipeline_layout(&info, None)?;
        let sizes = [vk::DescriptorPoolSize {
            ty: vk::DescriptorType::UNIFORM_BUFFER,
            descriptor_count: 1,
        }];
        let info = vk::DescriptorPoolCreateInfo::default()
            .max_sets(1)
            .pool_sizes(&sizes);
        let pool = device.create_descriptor_pool(&info, None)?;
        let info = vk::DescriptorSetAllocateInfo::default()
            .descriptor_pool(pool)
            .set_layouts(&layouts);
        let sets = device.allocate_descriptor_sets(&info)?;
        let ranges = [vk::DescriptorBufferInfo {
            buffer: scene,
            offset: 0,
            range: vk::WHOLE_SIZE,
        }];
        let write = vk::WriteDescriptorSet::default()
            .dst_set(sets[0])
            .descriptor_type(vk::DescriptorType::UNIFORM_BUFFER)
            .buffer_info(&ranges);
        device.update_descriptor_sets(&[write], &[]);

        let attachment = |format, layout| {
            vk::AttachmentDescription::default()
                .format(format)
                .samples(vk::SampleCountFlags::TYPE_1)
                .load_op(vk::AttachmentLoadOp::CLEAR)
                .store_op(vk::AttachmentStoreOp::STORE)
                .final_layout(layout)
        };
        let attachments = [
            attachment(COLOR, vk::ImageLayout::TRANSFER_SRC_OPTIMAL),
            attachment(DEPTH, vk::ImageLayout::DEPTH_STENCIL_ATTACHMENT_OPTIMAL),
        ];
        let colors = [vk::AttachmentReference {
            attachment: 0,
            layout: vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL,
        }];
        let tested = vk::AttachmentReference {
            attachment: 1,
            layout: vk::ImageLayout::DEPTH_STENCIL_ATTACHMENT_OPTIMAL,
        };
        let subpasses = [vk::SubpassDescription::default()
            .color_attachments(&colors)
            .depth_stencil_attachment(&tested)];
        let info = vk::RenderPassCreateInfo::default()
            .attachments(&attachments)
            .subpasses(&subpasses);
        let pass = device.create_render_pass(&info, None)?;
        let views = [color, depth];
        let info = vk::FramebufferCreateInfo::default()
            .render_pass(pass)
            .attachments(&views)
            .width(size[0])
            .height(size[1])
            .layers(1);
        let framebuffer = device.create_framebuffer(&info, None)?;

        let pool = device.create_command_pool(&vk::CommandPoolCreateInfo::default(), None)?;
        let info = vk::CommandBufferAllocateInfo::default()
            .command_pool(pool)
            .command_buffer_count(1);
        let commands = device.allocate_command_buffers(&info)?[0];
        device.begin_command_buffer(commands, &vk::CommandBufferBeginInfo::default())?;
        let extent = vk::Extent2D {
            width: size[0],
            height: size[1],
        };
        let clears = [
            vk::ClearValue {
                color: vk::ClearColorValue {
                    float32: [0.02, 0.025, 0.04, 1.0],
                },
            },
            vk::ClearValue {
                depth_stencil: vk::ClearDepthStencilValue {
                    depth: 1.0,
                    stencil: 0,
                },
            },
        ];
        let info = vk::RenderPassBeginInfo::default()
            .render_pass(pass)
            .framebuffer(framebuffer)
            .render_area(extent.into())
            .clear_values(&clears);
        device.cmd_begin_render_pass(commands, &info, vk::SubpassContents::INLINE);
        let graphics = vk::PipelineBindPoint::GRAPHICS;
        device.cmd_bind_descriptor_sets(commands, graphics, layout, 0, &sets, &[]);
        device.cmd_bind_vertex_buffers(commands, 0, &[vertices], &[0]);
        device.cmd_bind_index_buffer(commands, indices, 0, vk::IndexType::UINT32);
        for step in steps {
            let pipeline = pipeline(&gpu, step, (layout, pass), extent)?;
            device.cmd_bind_pipeline(commands, graphics, pipeline);
            device.cmd_draw_indexed(commands, mesh.indices.len() as u32, 1, 0, 0, 0);
        }
        device.cmd_end_render_pass(commands);
        let copy = vk::BufferImageCopy::default()
            .image_subresource(vk::ImageSubresourceLayers {
                aspect_mask: vk::ImageAspectFlags::COLOR,
                layer_count: 1,
                ..Default::default()
            })
            .image_extent(extent.into());
        let from = vk::ImageLayout::TRANSFER_SRC_OPTIMAL;
        device.cmd_copy_image_to_buffer(commands, image, from, read, &[copy]);
        device.end_command_buffer(commands)?;
        let buffers = [commands];
        let info = vk::SubmitInfo::default().command_buffers(&buffers);
        let queue = device.get_device_queue(0, 0);
        device.queue_submit(queue, &[info], vk::Fence::null())?;
        device.queue_wait_idle(queue)?;
        Ok(std::slice::from_raw_parts(texels, bytes as usize).to_vec())
    }
}

unsafe fn pipeline(
    gpu: &Gpu,
    step: &Step,
    (layout, pass): (vk::PipelineLayout, vk::RenderPass),
    extent: vk::Extent2D,
) -> Result<vk::Pipeline, Failure> {
    const MAIN: &CStr = c"main";
    let mut stages = Vec::new();
    let shaders = [
        (vk::ShaderStageFlags::VERTEX, Some(step.vertex)),
        (vk::ShaderStageFlags::GEOMETRY, step.geometry),
        (vk::ShaderStageFlags::FRAGMENT, Some(step.fragment)),
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
    let viewports = [vk::Viewport {
        x: 0.0,
        y: extent.height as f32,
        width: extent.width as f32,
        height: -(extent.height as f32),
        min_depth: 0.0,
        max_depth: 1.0,
    }];
    let scissors = [extent.into()];
    let seen = vk::PipelineViewportStateCreateInfo::default()
        .viewports(&viewports)
        .scissors(&scissors);
    let raster = vk::PipelineRasterizationStateCreateInfo::default()
        .cull_mode(step.cull)
        .front_face(vk::FrontFace::COUNTER_CLOCKWISE)
        .line_width(1.0);
    let samples = vk::PipelineMultisampleStateCreateInfo::default()
        .rasterization_samples(vk::SampleCountFlags::TYPE_1);
    let tests = vk::PipelineDepthStencilStateCreateInfo::default()
        .depth_test_enable(true)
        .depth_write_enable(true)
        .depth_compare_op(vk::CompareOp::LESS);
    let targets = [vk::PipelineColorBlendAttachmentState::default()
        .color_write_mask(vk::ColorComponentFlags::RGBA)];
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
        .render_pass(pass);
    let cache = vk::PipelineCache::null();
    let made = unsafe {
        gpu.device
            .create_graphics_pipelines(cache, &[info], None)
            .map_err(|(_, error)| error)?
    };
    Ok(made[0])
}
