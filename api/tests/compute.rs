//! Compute shaders through the interface: what dispatches write, and what they are told.
#![allow(clippy::unwrap_used)]

use girih::*;

struct Rig {
    device: Device,
    queue: Queue,
}

impl Rig {
    fn new(threads: usize) -> Rig {
        let mut chips = Instance::new().physical_devices();
        let gpu = chips.find(|gpu| gpu.features().compute).unwrap();
        let device = gpu
            .create_device(&DeviceDescriptor {
                threads: Some(threads),
                ..DeviceDescriptor::default()
            })
            .unwrap();
        Rig {
            queue: device.queue(),
            device,
        }
    }

    fn pipeline(&self, text: &str) -> ComputePipeline {
        let module = ShaderModuleDescriptor::wgsl(text);
        let module = self.device.create_shader_module(&module).unwrap();
        self.device
            .create_compute_pipeline(&ComputePipelineDescriptor::new(&module))
            .unwrap()
    }

    fn words(&self, words: &[u32], usage: BufferUsages) -> Buffer {
        let contents: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.device
            .create_buffer_init(&BufferInitDescriptor {
                label: None,
                contents: &contents,
                usage,
            })
            .unwrap()
    }

    fn set(&self, pipeline: &ComputePipeline, entries: &[(u32, Descriptor)]) -> DescriptorSet {
        self.device
            .create_descriptor_set(&DescriptorSetDescriptor {
                label: None,
                layout: pipeline.set_layout(0).unwrap(),
                entries,
            })
            .unwrap()
    }

    /// Records a compute pass and runs it.
    fn run(&self, record: impl FnOnce(&mut CommandBuffer)) -> Result<(), SubmitError> {
        let mut commands = self.device.create_command_buffer(None);
        let pass = ComputePass::default();
        commands.begin_compute_pass(&pass).unwrap();
        record(&mut commands);
        commands.end_pass().unwrap();
        self.queue.submit(&[&commands], &[])
    }
}

fn read(buffer: &Buffer) -> Vec<u32> {
    let mut bytes = vec![0; buffer.size() as usize];
    buffer.read(0, &mut bytes).unwrap();
    let words = bytes.as_chunks().0.iter();
    words.map(|word| u32::from_le_bytes(*word)).collect()
}

/// Sums of groups of 256 by halves, then by one group: barriers between passes, push constants, numbers of groups.
const SUMS: &str = "
    @group(0) @binding(0) var<storage, read> numbers: array<u32>;
    @group(0) @binding(1) var<storage, read_write> sums: array<u32>;
    var<immediate> count: u32;
    var<workgroup> parts: array<u32, 256>;
    @compute @workgroup_size(256)
    fn sum(@builtin(local_invocation_index) i: u32, @builtin(workgroup_id) group: vec3u,
           @builtin(num_workgroups) groups: vec3u) {
        let at = group.x * 256u + i;
        if (at < count) { parts[i] = numbers[at]; }
        workgroupBarrier();
        for (var step = 128u; step > 0u; step /= 2u) {
            if (i < step) { parts[i] += parts[i + step]; }
            workgroupBarrier();
        }
        if (i == 0u) { sums[group.x] = parts[0]; sums[groups.x] = groups.x; }
    }";

#[test]
fn passes_see_what_passes_before_wrote() {
    for threads in [1, 2, 7] {
        let rig = Rig::new(threads);
        let pipeline = rig.pipeline(SUMS);
        let numbers: Vec<u32> = (0..10_000).map(|n| n * 3).collect();
        let storage = BufferUsages::STORAGE;
        let from = rig.words(&numbers, storage);
        let (parts, total) = (rig.words(&[0; 64], storage), rig.words(&[0; 4], storage));
        let first = rig.set(&pipeline, &[(0, (&from).into()), (1, (&parts).into())]);
        let second = rig.set(&pipeline, &[(0, (&parts).into()), (1, (&total).into())]);
        rig.run(|commands| {
            commands.bind_compute_pipeline(&pipeline).unwrap();
            commands.bind_descriptor_set(0, &first, &[]).unwrap();
            commands
                .push_constants(0, &10_000_u32.to_le_bytes())
                .unwrap();
            commands.dispatch([40, 1, 1]).unwrap();
            commands.bind_descriptor_set(0, &second, &[]).unwrap();
            commands.push_constants(0, &40_u32.to_le_bytes()).unwrap();
            commands.dispatch([1, 1, 1]).unwrap();
        })
        .unwrap();
        assert_eq!(read(&parts)[40], 40);
        let sum: u32 = numbers.iter().sum();
        assert_eq!(read(&total), [sum, 1, 0, 0], "{threads} threads");
    }
}

#[test]
fn numbers_of_groups_come_from_memory() {
    let rig = Rig::new(2);
    let pipeline = rig.pipeline(
        "@group(0) @binding(0) var<storage, read_write> seen: array<u32>;
         @compute @workgroup_size(4, 2)
         fn mark(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
             seen[id.y * 16u + id.x] = groups.x * 100u + groups.y * 10u + groups.z;
         }",
    );
    let seen = rig.words(&[7; 64], BufferUsages::STORAGE);
    let arguments = rig.words(&[9, 3, 1, 1], BufferUsages::INDIRECT);
    let set = rig.set(&pipeline, &[(0, (&seen).into())]);
    rig.run(|commands| {
        commands.bind_compute_pipeline(&pipeline).unwrap();
        commands.bind_descriptor_set(0, &set, &[]).unwrap();
        commands.dispatch_indirect(&arguments, 4).unwrap();
    })
    .unwrap();
    for (at, word) in read(&seen).into_iter().enumerate() {
        let inside = at % 16 < 12 && at / 16 < 2;
        assert_eq!(word, if inside { 311 } else { 7 }, "{at}");
    }
}

/// Storage textures, written by one dispatch and read by the next; accesses outside do nothing and give zeros.
#[test]
fn storage_textures_and_bounds() {
    let rig = Rig::new(2);
    let image = rig
        .device
        .create_image(&ImageDescriptor {
            size: Extent3d {
                width: 20,
                height: 12,
                depth_or_array_layers: 1,
            },
            format: TextureFormat::Rgba8Unorm,
            usage: TextureUsages::STORAGE_BINDING
                | TextureUsages::TEXTURE_BINDING
                | TextureUsages::COPY_SRC,
            ..ImageDescriptor::default()
        })
        .unwrap();
    rig.queue.transition(&image, ImageLayout::General).unwrap();
    let desc = ImageViewDescriptor::default();
    let view = rig.device.create_image_view(&image, &desc).unwrap();
    let paint = rig.pipeline(
        "@group(0) @binding(0) var picture: texture_storage_2d<rgba8unorm, write>;
         @compute @workgroup_size(8, 8) fn paint(@builtin(global_invocation_id) id: vec3u) {
             textureStore(picture, id.xy, vec4f(vec2f(id.xy) / 255.0, 0.0, 1.0));
         }",
    );
    let count = rig.pipeline(
        "@group(0) @binding(0) var picture: texture_2d<f32>;
         @group(0) @binding(1) var<storage, read_write> counts: array<atomic<u32>, 4>;
         @compute @workgroup_size(8, 8) fn count(@builtin(global_invocation_id) id: vec3u) {
             let size = textureDimensions(picture);
             if (all(id.xy < size)) {
                 let red = u32(textureLoad(picture, id.xy, 0).r * 255.0 + 0.5);
                 atomicAdd(&counts[red & 3u], 1u);
             }
         }",
    );
    let counts = rig.words(&[0; 4], BufferUsages::STORAGE);
    let painted = rig.set(&paint, &[(0, (&view).into())]);
    let counted = rig.set(&count, &[(0, (&view).into()), (1, (&counts).into())]);
    rig.run(|commands| {
        commands.bind_compute_pipeline(&paint).unwrap();
        commands.bind_descriptor_set(0, &painted, &[]).unwrap();
        commands.dispatch([3, 2, 1]).unwrap();
        commands.bind_compute_pipeline(&count).unwrap();
        commands.bind_descriptor_set(0, &counted, &[]).unwrap();
        commands.dispatch([3, 2, 1]).unwrap();
    })
    .unwrap();
    assert_eq!(read(&counts), [60; 4]);
    let picture = rig.queue.read_picture(&image).unwrap();
    assert_eq!(picture.get_pixel(19, 11).0, [19, 11, 0, 255]);
}

#[test]
fn invocations_are_counted_and_time_passes() {
    let rig = Rig::new(2);
    let pipeline = rig.pipeline("@compute @workgroup_size(30) fn idle() {}");
    let queries = |kind, count| {
        let desc = QuerySetDescriptor {
            kind,
            count,
            ..QuerySetDescriptor::default()
        };
        rig.device.create_query_set(&desc).unwrap()
    };
    let statistics = queries(QueryKind::Statistics, 1);
    let times = queries(QueryKind::Timestamp, 2);
    rig.run(|commands| {
        commands.bind_compute_pipeline(&pipeline).unwrap();
        commands.write_timestamp(&times, 0).unwrap();
        commands.begin_query(&statistics, 0).unwrap();
        commands.dispatch([5, 2, 1]).unwrap();
        commands.end_query(&statistics, 0).unwrap();
        commands.write_timestamp(&times, 1).unwrap();
    })
    .unwrap();
    let answer = rig.queue.read_queries(&statistics, 0..1).unwrap();
    let expected = Statistics {
        compute_invocations: 300,
        ..Statistics::default()
    };
    assert_eq!(answer, [Some(QueryValue::Statistics(expected))]);
    let answers = rig.queue.read_queries(&times, 0..2).unwrap();
    let [
        Some(QueryValue::Timestamp(before)),
        Some(QueryValue::Timestamp(after)),
    ] = answers[..]
    else {
        panic!("{answers:?}");
    };
    assert!(after > before);
}

#[test]
fn an_endless_loop_loses_the_device_with_its_group() {
    let rig = Rig::new(2);
    let pipeline = rig.pipeline(
        "@group(0) @binding(0) var<storage, read_write> words: array<u32>;
         @compute @workgroup_size(64) fn stuck(@builtin(workgroup_id) group: vec3u) {
             var n = 1u;
             while (group.x == 3u && n != 0u) { n = (n + 2u) | 1u; }
             words[group.x] = n;
         }",
    );
    let words = rig.words(&[0; 8], BufferUsages::STORAGE);
    let set = rig.set(&pipeline, &[(0, (&words).into())]);
    let error = rig.run(|commands| {
        commands.bind_compute_pipeline(&pipeline).unwrap();
        commands.bind_descriptor_set(0, &set, &[]).unwrap();
        commands.dispatch([8, 1, 1]).unwrap();
    });
    let error = error.expect_err("it never ends").to_string();
    assert!(error.contains("group 3, 0, 0, wave 0"), "{error}");
    assert!(error.contains("compute"), "{error}");
}

/// Loads outside of a buffer give zero and stores there do nothing, in dispatches whose buffers lie beside each other.
#[test]
fn nothing_outside_of_a_buffer_is_reached() {
    let rig = Rig::new(2);
    let pipeline = rig.pipeline(
        "@group(0) @binding(0) var<storage, read> numbers: array<u32>;
         @group(0) @binding(1) var<storage, read_write> results: array<u32>;
         @compute @workgroup_size(64) fn copy(@builtin(global_invocation_id) id: vec3u) {
             results[id.x] = numbers[id.x * 3u] + 1u;
         }",
    );
    let storage = BufferUsages::STORAGE;
    let numbers: Vec<u32> = (100..164).collect();
    let (from, to) = (rig.words(&numbers, storage), rig.words(&[7; 64], storage));
    let after = rig.words(&[9; 64], storage);
    let set = rig.set(&pipeline, &[(0, (&from).into()), (1, (&to).into())]);
    rig.run(|commands| {
        commands.bind_compute_pipeline(&pipeline).unwrap();
        commands.bind_descriptor_set(0, &set, &[]).unwrap();
        commands.dispatch([5, 1, 1]).unwrap();
    })
    .unwrap();
    let expected: Vec<u32> = (0..64)
        .map(|n| if n < 22 { 101 + 3 * n } else { 1 })
        .collect();
    assert_eq!(read(&to), expected);
    assert_eq!(read(&from), numbers);
    assert_eq!(read(&after), [9; 64]);
}
