//! Draws with shaders that have more values than registers: some of them live in scratch memory.

#![allow(clippy::unwrap_used)]

use girih::*;
use scenes::{COLOR, Canvas, Failure, Frame, Picture};

/// Values that are alive at once.
const COUNT: usize = 560;
const WIDTH: u32 = 83;
const HEIGHT: u32 = 50;

/// Statements that make `sum` from `seed`. Each value follows from the one before, and they are summed from the last to
/// the first, so that all of them must be kept.
fn crowded() -> String {
    crowd_of(COUNT)
}

fn crowd_of(count: usize) -> String {
    let mut text = "let x0 = seed;\n".to_owned();
    for i in 1..count {
        let last = i - 1;
        text += &format!("let x{i} = (x{last} ^ (x{last} >> 7u)) * 1664525u + 1013904223u;\n");
    }
    text += "var sum = 0u;\n";
    for i in (0..count).rev() {
        text += &format!("sum = (sum ^ x{i}) * 31u;\n");
    }
    text
}

/// The same on the host.
fn sum(seed: u32) -> u32 {
    sum_of(COUNT, seed)
}

fn sum_of(count: usize, seed: u32) -> u32 {
    let mut values = vec![seed];
    for i in 1..count {
        let last: u32 = values[i - 1];
        values.push(
            (last ^ last >> 7)
                .wrapping_mul(1_664_525)
                .wrapping_add(1_013_904_223),
        );
    }
    let values = values.iter().rev();
    values.fold(0, |sum, x| (sum ^ x).wrapping_mul(31))
}

fn shader(vertex: &str, fragment: &str) -> String {
    format!(
        "struct Push {{ start: u32, shift: u32 }}
        var<immediate> push: Push;
        struct Corner {{ @builtin(position) position: vec4f, @location(0) @interpolate(flat) sum: u32 }}
        @vertex fn vertex(@builtin(vertex_index) index: u32) -> Corner {{
            let seed = index + push.start;
            {vertex}
            let corner = vec2f(f32(index & 1u), f32(index >> 1u)) * 4.0 - 1.0;
            return Corner(vec4f(corner, 0.0, 1.0), sum);
        }}
        @fragment fn fragment(corner: Corner) -> @location(0) vec4f {{
            let seed = u32(corner.position.x) + 256u * u32(corner.position.y) + corner.sum;
            {fragment}
            let bits = sum >> push.shift;
            return vec4f(f32(bits & 1u), f32(bits >> 1u & 1u), f32(bits >> 2u & 1u), 1.0);
        }}"
    )
}

/// What a stage makes of its seed.
type OnHost = fn(u32) -> u32;

/// Pipelines drawn one over the other in one pass.
struct Crowd(Vec<GraphicsPipeline>);

impl Crowd {
    fn new(device: &Device, shaders: &[String]) -> Crowd {
        let layout = device
            .create_pipeline_layout(&PipelineLayoutDescriptor {
                label: Some("crowd"),
                sets: &[],
                push_constant_bytes: 8,
            })
            .unwrap();
        let pipeline = |text: &String| {
            let module = device
                .create_shader_module(&ShaderModuleDescriptor {
                    label: Some("crowd"),
                    source: ShaderSource::Wgsl(text.into()),
                })
                .unwrap();
            let stage = ShaderStage {
                module: &module,
                entry: None,
                constants: &[],
            };
            let desc = GraphicsPipelineDescriptor {
                label: Some("crowd"),
                layout: Some(&layout),
                vertex: stage,
                buffers: &[],
                geometry: None,
                stream: None,
                fragment: Some(stage),
                targets: &[Some(COLOR.into())],
                primitive: PrimitiveState::default(),
                depth_stencil: None,
                multisample: MultisampleState::default(),
                raster: RasterState::default(),
            };
            device.create_graphics_pipeline(&desc).unwrap()
        };
        Crowd(shaders.iter().map(pipeline).collect())
    }
}

impl Picture for Crowd {
    fn draw(&mut self, frame: &mut Frame<'_>) -> Result<(), Failure> {
        frame.commands.begin_pass(&RenderPass {
            label: Some("crowd"),
            colors: &[Some(ColorAttachment {
                view: frame.color,
                resolve: None,
                load: LoadOp::Clear(Color::BLACK),
                store: StoreOp::Store,
            })],
            depth_stencil: None,
        })?;
        for (n, pipeline) in self.0.iter().enumerate() {
            frame.commands.bind_pipeline(pipeline)?;
            if n == 0 {
                let push = [5, frame.number];
                let push: Vec<u8> = push
                    .iter()
                    .flat_map(|word: &u32| word.to_le_bytes())
                    .collect();
                frame.commands.push_constants(0, &push)?;
            }
            frame.commands.draw(0..3, 0..1)?;
        }
        frame.commands.end_pass()?;
        Ok(())
    }
}

/// A long array that every pixel fills and reads at places of its own.
const LONG: &str = "
    var long: array<u32, 700>;
    for (var i = 0u; i < 700u; i++) { long[i] = (seed + i) * 2654435761u; }
    long[seed % 700u] ^= seed;
    var sum = 0u;
    for (var i = 0u; i < 700u; i += 13u) { sum = (sum ^ long[(i + seed) % 700u]) * 31u; }
";

/// The same on the host.
fn sum_of_long(seed: u32) -> u32 {
    let mut long: Vec<u32> = (0..700)
        .map(|i| seed.wrapping_add(i).wrapping_mul(2_654_435_761))
        .collect();
    long[seed as usize % 700] ^= seed;
    (0..700).step_by(13).fold(0, |sum: u32, i: u32| {
        (sum ^ long[seed.wrapping_add(i) as usize % 700]).wrapping_mul(31)
    })
}

/// Waves that run at once have scratch memory of their own: the picture is the same whatever the number of threads.
#[test]
fn pictures_do_not_depend_on_threads() {
    let crowded = crowded();
    for gpu in Instance::new()
        .physical_devices()
        .filter(|gpu| gpu.features().integers)
    {
        let mut pictures = Vec::new();
        for threads in [1, 2, 7] {
            let device = gpu
                .create_device(&DeviceDescriptor {
                    label: Some("scratch"),
                    memory_bytes: Some(64 << 20),
                    threads: Some(threads),
                    ..DeviceDescriptor::default()
                })
                .unwrap();
            let (width, height) = (128, 96);
            let canvas = Canvas::new(&device, width, height).unwrap();
            for (vertex, fragment, of_pixel) in [
                (LONG, crowded.as_str(), sum as OnHost),
                (&crowded, LONG, sum_of_long),
            ] {
                let of_vertex: OnHost = if vertex == LONG { sum_of_long } else { sum };
                let mut crowd = Crowd::new(&device, &[shader(vertex, fragment)]);
                canvas.draw(&mut crowd, 3).unwrap();
                let picture = canvas.picture().unwrap();
                for (x, y, pixel) in picture.enumerate_pixels() {
                    let seed = (x + 256 * y).wrapping_add(of_vertex(5));
                    let bits = of_pixel(seed) >> 3;
                    let wanted = [0, 1, 2].map(|n| 255 * (bits >> n & 1) as u8);
                    assert_eq!(pixel.0[..3], wanted, "{x}, {y}, {threads} threads");
                }
                pictures.push((threads, picture.into_raw()));
            }
        }
        for (n, (threads, picture)) in pictures.iter().enumerate() {
            assert!(picture == &pictures[n % 2].1, "{threads} threads");
        }
    }
}

#[test]
fn values_survive_in_scratch_memory() {
    let (plain, crowded) = ("let sum = seed;", crowded());
    let cases: [(&str, &str, OnHost, OnHost); 3] = [
        (plain, &crowded, |x| x, sum),
        (&crowded, plain, sum, |x| x),
        (&crowded, &crowded, sum, sum),
    ];
    for gpu in Instance::new()
        .physical_devices()
        .filter(|gpu| gpu.features().integers)
    {
        let device = gpu
            .create_device(&DeviceDescriptor {
                label: Some("scratch"),
                memory_bytes: Some(32 << 20),
                threads: Some(3),
                ..DeviceDescriptor::default()
            })
            .unwrap();
        let canvas = Canvas::new(&device, WIDTH, HEIGHT).unwrap();
        for (vertex, fragment, of_vertex, of_pixel) in cases {
            // One without scratch memory comes first, with the same push constants.
            let shaders = [shader(plain, plain), shader(vertex, fragment)];
            let mut crowd = Crowd::new(&device, &shaders);
            for (stage, text) in [(Stage::Vertex, vertex), (Stage::Fragment, fragment)] {
                let listing = crowd.0[1].listing(stage).unwrap();
                let stores = ["buffer_store_dword", "MEM_SCRATCH: WRITE", "sr112"];
                let mut stores = stores.into_iter();
                let spills = stores.any(|store| listing.contains(store));
                assert_eq!(spills, text != plain, "{} {stage:?}", gpu.name());
            }
            for shift in [0, 13, 29] {
                canvas.draw(&mut crowd, shift).unwrap();
                let picture = canvas.picture().unwrap();
                for (x, y, pixel) in picture.enumerate_pixels() {
                    let seed = (x + 256 * y).wrapping_add(of_vertex(5));
                    let bits = of_pixel(seed) >> shift;
                    let wanted = [0, 1, 2].map(|n| 255 * (bits >> n & 1) as u8);
                    assert_eq!(pixel.0[..3], wanted, "{x}, {y}, bits from {shift}");
                }
            }
        }
    }
}

/// Values that are the same in all lanes, more of them than the first 64 scalar registers hold.
#[test]
fn scalars_fill_their_registers() {
    for gpu in Instance::new()
        .physical_devices()
        .filter(|gpu| gpu.features().integers)
    {
        let device = gpu.create_device(&DeviceDescriptor::default()).unwrap();
        let canvas = Canvas::new(&device, WIDTH, HEIGHT).unwrap();
        for count in [50, 60, 70, 80] {
            let text = shader(
                "let sum = seed + scalars(push.start);",
                "let sum = seed ^ scalars(push.start + 2u);",
            );
            let body = crowd_of(count);
            let function = format!("fn scalars(seed: u32) -> u32 {{ {body} return sum; }}");
            let mut crowd = Crowd::new(&device, &[text + &function]);
            for stage in [Stage::Vertex, Stage::Fragment] {
                let listing = crowd.0[0].listing(stage).unwrap();
                let high = (64..100).any(|n| listing.contains(&format!(" s{n},")));
                let scalars = listing.contains("s_endpgm");
                assert_eq!(high, scalars && count > 60, "{count}\n{listing}");
            }
            canvas.draw(&mut crowd, 7).unwrap();
            let of_vertex = 5u32.wrapping_add(sum_of(count, 5));
            for (x, y, pixel) in canvas.picture().unwrap().enumerate_pixels() {
                let seed = (x + 256 * y).wrapping_add(of_vertex);
                let bits = (seed ^ sum_of(count, 7)) >> 7;
                let wanted = [0, 1, 2].map(|n| 255 * (bits >> n & 1) as u8);
                assert_eq!(pixel.0[..3], wanted, "{x}, {y} of {count}");
            }
        }
    }
}
