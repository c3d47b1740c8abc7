//! Compute shaders through the interface: what dispatches write, and what they are told.
#![allow(clippy::unwrap_used)]

use girih::*;

struct Rig {
    name: String,
    device: Device,
    queue: Queue,
}

impl Rig {
    /// A device of every chip with the stage.
    fn all(threads: usize) -> impl Iterator<Item = Rig> {
        let chips = Instance::new().physical_devices();
        chips
            .filter(|gpu| gpu.features().compute)
            .map(move |gpu| Rig::new(&gpu, threads))
    }

    fn new(gpu: &PhysicalDevice, threads: usize) -> Rig {
        Rig::with(gpu, threads, None)
    }

    fn with(gpu: &PhysicalDevice, threads: usize, simd: Option<Simd>) -> Rig {
        let device = gpu
            .create_device(&DeviceDescriptor {
                threads: Some(threads),
                simd,
                ..DeviceDescriptor::default()
            })
            .unwrap();
        Rig {
            name: gpu.name().to_owned(),
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
    for rig in [1, 2, 7].into_iter().flat_map(Rig::all) {
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
        assert_eq!(read(&total), [sum, 1, 0, 0], "{}", rig.name);
    }
}

#[test]
fn numbers_of_groups_come_from_memory() {
    for rig in Rig::all(2) {
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
}

/// Storage textures, written by one dispatch and read by the next; accesses outside do nothing and give zeros.
#[test]
fn storage_textures_and_bounds() {
    for rig in Rig::all(2) {
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
}

#[test]
fn invocations_are_counted_and_time_passes() {
    for rig in Rig::all(2) {
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
}

#[test]
fn an_endless_loop_loses_the_device_with_its_group() {
    for rig in Rig::all(2) {
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
        let places = ["wave", "task"].map(|what| format!("group 3, 0, 0, {what} 0"));
        assert!(places.iter().any(|place| error.contains(place)), "{error}");
        assert!(error.contains("compute"), "{error}");
    }
}

/// Loads outside of a buffer give zero and stores there do nothing, in dispatches whose buffers lie beside each other.
#[test]
fn nothing_outside_of_a_buffer_is_reached() {
    for rig in Rig::all(2) {
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
}

/// The bytes of buffers that a shader leaves, on devices with so many threads and every vector level of the host: the same.
fn same_everywhere(text: &str, buffers: &[Vec<u32>], groups: [u32; 3]) {
    let mut runs = Vec::new();
    for gpu in Instance::new()
        .physical_devices()
        .filter(|gpu| gpu.features().compute)
    {
        let levels = [None]
            .into_iter()
            .chain(Simd::available().into_iter().map(Some));
        let mut first: Option<Vec<Vec<u32>>> = None;
        for (simd, threads) in levels.flat_map(|level| [1, 2, 7].map(|threads| (level, threads))) {
            let rig = Rig::with(&gpu, threads, simd);
            let pipeline = rig.pipeline(text);
            let made: Vec<Buffer> = buffers
                .iter()
                .map(|words| rig.words(words, BufferUsages::STORAGE))
                .collect();
            let entries: Vec<(u32, Descriptor)> = (0..).zip(made.iter().map(Into::into)).collect();
            let set = rig.set(&pipeline, &entries);
            rig.run(|commands| {
                commands.bind_compute_pipeline(&pipeline).unwrap();
                commands.bind_descriptor_set(0, &set, &[]).unwrap();
                commands.dispatch(groups).unwrap();
            })
            .unwrap();
            let left: Vec<Vec<u32>> = made.iter().map(read).collect();
            let wanted = first.get_or_insert_with(|| left.clone());
            assert!(
                *wanted == left,
                "{} with {threads} threads, {simd:?}",
                rig.name
            );
        }
        runs.push(first);
    }
    // Chips agree, too.
    assert!(runs.windows(2).all(|pair| pair[0] == pair[1]));
}

/// In which order the waves of a group come to an atomic operation does not depend on the groups beside it, even where
/// those wait at other barriers.
#[test]
fn groups_run_in_the_same_steps_beside_others() {
    let text = "
        @group(0) @binding(0) var<storage, read_write> taken: array<u32>;
        var<workgroup> next: atomic<u32>;
        @compute @workgroup_size(128)
        fn take(@builtin(local_invocation_index) i: u32, @builtin(workgroup_id) group: vec3u) {
            var sum = 0u;
            for (var round = 0u; round <= group.x % 3u; round++) {
                let first = atomicAdd(&next, 1u);
                if ((i / 64u + group.x) % 5u == round) { sum += atomicAdd(&next, 2u); }
                sum = sum * 31u + first * 7u + atomicAdd(&next, 1u);
                workgroupBarrier();
                sum ^= atomicAdd(&next, 3u);
            }
            taken[group.x * 128u + i] = sum;
        }";
    let mut runs = Vec::new();
    for gpu in Instance::new()
        .physical_devices()
        .filter(|gpu| gpu.features().compute)
    {
        let run = |threads: usize, groups: u32| {
            let rig = Rig::with(&gpu, threads, None);
            let pipeline = rig.pipeline(text);
            let taken = rig.words(&[0; 128 * 60], BufferUsages::STORAGE);
            let set = rig.set(&pipeline, &[(0, (&taken).into())]);
            rig.run(|commands| {
                commands.bind_compute_pipeline(&pipeline).unwrap();
                commands.bind_descriptor_set(0, &set, &[]).unwrap();
                commands.dispatch([groups, 1, 1]).unwrap();
            })
            .unwrap();
            read(&taken)
        };
        let all = run(1, 60);
        for (threads, groups) in [(1, 59), (2, 60), (7, 60), (7, 7), (2, 23)] {
            let some = run(threads, groups);
            let words = 128 * groups as usize;
            assert!(
                all[..words] == some[..words],
                "{threads} threads, {groups} groups"
            );
        }
        runs.push(all);
    }
    assert!(!runs.is_empty());
}

/// Groups that change a buffer in place, read it by uniform indices, keep arrays in scratch memory, or read what groups
/// before them wrote.
#[test]
fn groups_in_place_are_those_in_order() {
    let numbers: Vec<u32> = (0..64 * 96)
        .map(|n: u32| n.wrapping_mul(2_654_435_761))
        .collect();
    let head = "@group(0) @binding(0) var<storage, read_write> words: array<u32>;
        @compute @workgroup_size(64) fn change(@builtin(local_invocation_index) i: u32,
            @builtin(workgroup_id) group: vec3u) { let at = group.x * 64u + i; ";
    for body in [
        "words[at] = words[at] * 3u + 1u;",
        // A slice of another group, before and behind.
        "words[at] = words[(at + 64u * 7u) % arrayLength(&words)] + 1u;",
        "words[at] = words[at - min(at, 64u * 5u)] ^ words[at];",
        // Slices of the buffer's halves.
        "let half = arrayLength(&words) / 2u;
         if at < half {
             let low = words[at];
             words[at] = min(low, words[at + half]);
             words[at + half] += low;
         }",
        // The same word for all, which some group stores.
        "words[at] = words[group.x * 64u] + words[(group.x / 40u) * 64u * 40u] + i;",
        // Arrays that go to memory.
        "var many: array<u32, 700>;
         for (var n = 0u; n < 40u; n++) { many[(i * 13u + n * 17u) % 700u] = words[at] + n; }
         words[at] = many[(i * 13u + 51u) % 700u] * 5u + many[words[at] % 700u];",
    ] {
        same_everywhere(
            &format!("{head}{body} }}"),
            std::slice::from_ref(&numbers),
            [96, 1, 1],
        );
    }
}

/// Groups that change a storage texture in place, and read texels of others.
#[test]
fn groups_that_change_textures_are_those_in_order() {
    for (offset, reads) in [(0, "id.xy"), (1, "(id.xy + vec2u(0u, 9u)) % vec2u(64u)")] {
        let text = format!(
            "@group(0) @binding(0) var picture: texture_storage_2d<r32uint, read_write>;
             @compute @workgroup_size(8, 8) fn change(@builtin(global_invocation_id) id: vec3u) {{
                 let before = textureLoad(picture, {reads}).x;
                 textureStore(picture, id.xy, vec4u(before * 3u + id.x + id.y * 64u + {offset}u));
             }}"
        );
        let mut seen: Option<Vec<u8>> = None;
        for rig in [1, 2, 7].into_iter().flat_map(Rig::all) {
            let desc = ImageDescriptor {
                size: Extent3d {
                    width: 64,
                    height: 64,
                    depth_or_array_layers: 1,
                },
                format: TextureFormat::R32Uint,
                usage: TextureUsages::STORAGE_BINDING
                    | TextureUsages::COPY_SRC
                    | TextureUsages::COPY_DST,
                ..ImageDescriptor::default()
            };
            let image = rig.device.create_image(&desc).unwrap();
            rig.queue.transition(&image, ImageLayout::General).unwrap();
            let texels: Vec<u8> = (0..64 * 64 * 4_u32).map(|n| (n * 7 % 251) as u8).collect();
            let copy = ImageCopy::level(&image, 0);
            rig.queue.write_image(&copy, image.size(), &texels).unwrap();
            let view = ImageViewDescriptor::default();
            let view = rig.device.create_image_view(&image, &view).unwrap();
            let pipeline = rig.pipeline(&text);
            let set = rig.set(&pipeline, &[(0, (&view).into())]);
            rig.run(|commands| {
                commands.bind_compute_pipeline(&pipeline).unwrap();
                commands.bind_descriptor_set(0, &set, &[]).unwrap();
                commands.dispatch([8, 8, 1]).unwrap();
            })
            .unwrap();
            let left = rig.queue.read_image(&copy, image.size()).unwrap();
            assert!(
                *seen.get_or_insert_with(|| left.clone()) == left,
                "{}",
                rig.name
            );
        }
    }
}
