//! The same triangle soups through a Vulkan driver: coverage and colours, pixel by pixel.
//!
//! Not run with the other tests: it needs a driver. What was found, and why pixels differ, is in `docs/vulkan.md`.
//!
//! ```text
//! apt-get install libvulkan1 mesa-vulkan-drivers
//! cargo build --release --manifest-path api/tests/vulkan/Cargo.toml
//! VK_DRIVER_FILES=/usr/share/vulkan/icd.d/lvp_icd.x86_64.json \
//!     GIRIH_VULKAN=$PWD/api/tests/vulkan/target/release/girih-vulkan cargo test -p girih --test vulkan -- --ignored --nocapture
//! ```

#![allow(clippy::unwrap_used)]

mod harness;

use std::path::PathBuf;
use std::process::Command;

use girih::*;
use harness::{Harness, Setup};

/// Geometry shaders in GLSL, through the driver, beside the scenes of those in WGSL: how many of all pixels are within 1 of
/// 255. 999 of 1000 have to be; on a chip that rounds corners to 1/16 of a pixel, 98 of 100.
#[test]
#[ignore = "needs a Vulkan driver"]
fn geometry_shaders_agree_with_a_vulkan_driver() {
    const SIZE: [u32; 2] = [320, 240];
    const FRAME: u32 = 40;
    let program = std::env::var_os("GIRIH_VULKAN").expect("GIRIH_VULKAN names the program");
    let program = PathBuf::from(program).with_file_name("girih-vulkan-geometry");
    let chips = Instance::new().physical_devices();
    let mut apart = Vec::new();
    for gpu in chips.filter(|gpu| gpu.features().geometry) {
        let harness = Harness::on(&gpu, None);
        let least = match gpu.name() {
            "r5xx" => 0.98,
            _ => 0.999,
        };
        for name in [
            "exploded",
            "normals",
            "wireframe",
            "billboards",
            "grass",
            "shadow-volumes",
            "reflections",
        ] {
            let scene = scenes::scene(name).unwrap();
            if !scene.suits(&gpu) {
                continue;
            }
            let canvas = scenes::Canvas::new(&harness.device, SIZE[0], SIZE[1]).unwrap();
            let mut picture = (scene.load)(&harness.device).unwrap();
            canvas.draw(picture.as_mut(), FRAME).unwrap();
            let own = canvas.picture().unwrap();
            let name_of = format!("girih-vulkan-{}-{name}", std::process::id());
            let path = std::env::temp_dir().join(name_of);
            let status = Command::new(&program)
                .arg(name)
                .args([SIZE[0], SIZE[1], FRAME].map(|number| number.to_string()))
                .arg(&path)
                .status();
            assert!(status.unwrap().success(), "{}", program.display());
            let others = std::fs::read(&path).unwrap();
            std::fs::remove_file(&path).unwrap();
            let mut counts = [0; 3];
            assert_eq!(own.as_raw().len(), others.len());
            for (a, b) in own.as_raw().chunks(4).zip(others.chunks(4)) {
                let most = a.iter().zip(b).map(|(a, b)| a.abs_diff(*b)).max();
                counts[usize::from(most.unwrap_or(0).min(2))] += 1;
            }
            let [equal, near, other] = counts;
            println!(
                "{} {name}: {equal} equal, {near} by 1, {other} by more",
                gpu.name()
            );
            let all = f64::from(SIZE[0] * SIZE[1]);
            if f64::from(equal + near) < least * all {
                apart.push(format!("{} {name}", gpu.name()));
            }
        }
    }
    assert!(apart.is_empty(), "{apart:?}");
}

const WIDTH: u32 = 640;
const HEIGHT: u32 = 480;
/// Texels of the texture across and down.
const SIDE: u32 = 128;

/// Positions as they are; the attribute goes to the fragment shader.
const VERTEX: &str = "
    @group(0) @binding(0) var texels: texture_2d<f32>;
    @group(0) @binding(1) var linear: sampler;
    struct Out { @builtin(position) position: vec4f, @location(0) value: vec4f }
    @vertex fn vertex(@location(0) position: vec4f, @location(1) value: vec4f) -> Out {
        return Out(position, value);
    }
";

/// A level of detail as the driver makes it: half the logarithm of the square of the longer step, by a logarithm that is
/// a straight line between powers of two.
const DRIVERS_LEVEL: &str = "
    fn level(at: vec2f) -> f32 {
        let across = dpdxCoarse(at) * 128.0;
        let down = dpdyCoarse(at) * 128.0;
        let square = max(dot(across, across), dot(down, down));
        let bits = bitcast<u32>(square);
        let exponent = f32(i32(bits >> 23u) - 127);
        let rest = bitcast<f32>(bits & 0x7fffffu | 0x3f800000u) - 1.0;
        return 0.5 * (exponent + rest);
    }
";

const SAMPLE: &str = "@fragment fn fragment(in: Out) -> @location(0) vec4f {
    return textureSample(texels, linear, in.value.xy);
}";

const SAMPLE_LEVEL: &str = "@fragment fn fragment(in: Out) -> @location(0) vec4f {
    return textureSampleLevel(texels, linear, in.value.xy, level(in.value.xy));
}";

struct Soup {
    name: &'static str,
    fragment: &'static str,
    /// Functions and a fragment shader that take the place of `fragment`, here and in the driver.
    instead: [Option<[&'static str; 2]>; 2],
    /// Position and value of each corner.
    vertices: Vec<[f32; 8]>,
    levels: u32,
    filtered: bool,
    blended: bool,
    /// How far the bytes of a pixel may be apart.
    allowed: usize,
}

impl Soup {
    /// The shaders of girih (0) or of the driver (1).
    fn shaders(&self, side: usize) -> String {
        let [functions, fragment] = self.instead[side].unwrap_or(["", self.fragment]);
        format!("{VERTEX}{functions}{fragment}")
    }
}

/// Whole numbers below a limit, always the same.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 40) % u64::from(limit)) as u32
    }

    /// Between two numbers, in steps of a 65536th of the way.
    fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.below(65536) as f32 / 65536.0
    }
}

/// Triangles of all sizes, some beyond the edges, each corner at a distance of its own.
fn triangles(
    count: u32,
    seed: u64,
    size: [f32; 2],
    mut value: impl FnMut(&mut Numbers, u32, [f32; 2]) -> [f32; 4],
) -> Vec<[f32; 8]> {
    let mut numbers = Numbers(seed);
    let mut corners = Vec::new();
    for triangle in 0..count {
        let middle = [numbers.between(-1.1, 1.1), numbers.between(-1.1, 1.1)];
        let reach = numbers.between(size[0], size[1]);
        for _ in 0..3 {
            let at: [f32; 2] = std::array::from_fn(|i| middle[i] + numbers.between(-reach, reach));
            let w = numbers.between(1.0, 3.0);
            let [a, b, c, d] = value(&mut numbers, triangle, at);
            corners.push([at[0] * w, at[1] * w, 0.5 * w, w, a, b, c, d]);
        }
    }
    corners
}

fn soups() -> Vec<Soup> {
    // One colour each: who is in front is the later one, so a pixel tells which triangles cover it.
    let id = |_: &mut Numbers, n: u32, _: [f32; 2]| {
        let n = n + 1;
        [n % 32, n / 32 % 32, n / 1024, 32].map(|c| c as f32 / 32.0)
    };
    let uv = |scale: f32| {
        move |_: &mut Numbers, _: u32, at: [f32; 2]| {
            [at[0] * scale + 0.3, at[1] * scale + 0.7, 0.0, 1.0]
        }
    };
    let color = |numbers: &mut Numbers, _: u32, _: [f32; 2]| {
        std::array::from_fn(|i| numbers.between(if i == 3 { 0.2 } else { 0.0 }, 1.0))
    };
    vec![
        Soup {
            name: "coverage, small",
            fragment: "@fragment fn fragment(in: Out) -> @location(0) vec4f { return in.value; }",
            instead: [None, None],
            vertices: triangles(4000, 1, [0.002, 0.06], id),
            levels: 1,
            filtered: false,
            blended: false,
            allowed: 1,
        },
        Soup {
            name: "coverage, large",
            fragment: "@fragment fn fragment(in: Out) -> @location(0) vec4f { return in.value; }",
            instead: [None, None],
            vertices: triangles(400, 2, [0.1, 1.5], id),
            levels: 1,
            filtered: false,
            blended: false,
            allowed: 1,
        },
        Soup {
            name: "bilinear",
            fragment: "@fragment fn fragment(in: Out) -> @location(0) vec4f { return textureSample(texels, linear, in.value.xy); }",
            instead: [None, None],
            vertices: triangles(60, 3, [0.3, 1.5], uv(0.6)),
            levels: 1,
            filtered: false,
            blended: false,
            allowed: 1,
        },
        Soup {
            name: "trilinear",
            fragment: "@fragment fn fragment(in: Out) -> @location(0) vec4f { return textureSampleLevel(texels, linear, in.value.xy, in.value.z); }",
            instead: [None, None],
            vertices: triangles(60, 4, [0.3, 1.5], |numbers, _, at| {
                [
                    at[0] * 0.9 + 0.3,
                    at[1] * 0.9 + 0.7,
                    numbers.between(0.0, 6.0),
                    1.0,
                ]
            }),
            levels: 8,
            filtered: true,
            blended: false,
            allowed: 1,
        },
        Soup {
            name: "derived levels",
            fragment: SAMPLE,
            instead: [None, None],
            vertices: triangles(60, 4, [0.3, 1.5], uv(7.0)),
            levels: 8,
            filtered: true,
            blended: false,
            // The driver's logarithm is up to 0.086 off, the level half of that.
            allowed: 4,
        },
        // That it is the logarithm and nothing else: the same soup with the driver's logarithm here.
        Soup {
            name: "driver's levels",
            fragment: SAMPLE,
            instead: [Some([DRIVERS_LEVEL, SAMPLE_LEVEL]), None],
            vertices: triangles(60, 4, [0.3, 1.5], uv(7.0)),
            levels: 8,
            filtered: true,
            blended: false,
            allowed: 1,
        },
        Soup {
            name: "blending",
            fragment: "@fragment fn fragment(in: Out) -> @location(0) vec4f { return in.value; }",
            instead: [None, None],
            vertices: triangles(12, 5, [0.3, 1.2], color),
            levels: 1,
            filtered: false,
            blended: true,
            allowed: 1,
        },
        Soup {
            name: "blending, deep",
            fragment: "@fragment fn fragment(in: Out) -> @location(0) vec4f { return in.value; }",
            instead: [None, None],
            vertices: triangles(200, 6, [0.3, 1.2], color),
            levels: 1,
            filtered: false,
            blended: true,
            // Every layer rounds, which is a difference of one where the sides disagree, and keeps 0.8 of what was
            // different before at the most: 5 in the end if all layers went wrong the same way.
            allowed: 3,
        },
    ]
}

/// All levels: smooth hills of three wavelengths, each level the mean of the one above.
fn texels(levels: u32) -> Vec<Vec<u8>> {
    let hill = |n: u32, period: u32| {
        let at = n % period;
        (at.min(period - at) * 510 / period) as u8
    };
    let first = (0..SIDE * SIDE).flat_map(|i| {
        let (x, y) = (i % SIDE, i / SIDE);
        [hill(x, 64), hill(y, 32), hill(x + y, 16), 255]
    });
    let mut all: Vec<Vec<u8>> = vec![first.collect()];
    for level in 1..levels {
        let above = &all[level as usize - 1];
        let side = (SIDE >> level) as usize;
        let texel = |i: usize| {
            let (x, y, c) = (i / 4 % side, i / 4 / side, i % 4);
            let at = |dx: usize, dy: usize| {
                u32::from(above[((2 * y + dy) * 2 * side + 2 * x + dx) * 4 + c])
            };
            ((at(0, 0) + at(1, 0) + at(0, 1) + at(1, 1) + 2) / 4) as u8
        };
        all.push((0..side * side * 4).map(texel).collect());
    }
    all
}

fn drawn(soup: &Soup) -> Vec<u8> {
    let harness = Harness::new();
    let image = harness
        .device
        .create_image(&ImageDescriptor {
            label: Some("texels"),
            dimension: TextureDimension::D2,
            size: Extent3d {
                width: SIDE,
                height: SIDE,
                depth_or_array_layers: 1,
            },
            levels: soup.levels,
            samples: 1,
            format: TextureFormat::Rgba8Unorm,
            usage: TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_DST,
            placement: None,
        })
        .unwrap();
    harness
        .queue
        .transition(&image, ImageLayout::CopyDestination)
        .unwrap();
    for (level, texels) in texels(soup.levels).iter().enumerate() {
        let at = ImageCopy::level(&image, level as u32);
        let size = image.level_size(level as u32);
        harness.queue.write_image(&at, size, texels).unwrap();
    }
    harness
        .queue
        .transition(&image, ImageLayout::ShaderReadOnly)
        .unwrap();
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
    let filtering = BindingType::Sampler(SamplerBindingType::Filtering);
    let layout = harness
        .device
        .create_descriptor_set_layout(&DescriptorSetLayoutDescriptor {
            label: Some("layout"),
            entries: &[entry(0, texture), entry(1, filtering)],
        })
        .unwrap();
    let sampler = harness
        .device
        .create_sampler(&SamplerDescriptor {
            address_mode_u: AddressMode::Repeat,
            address_mode_v: AddressMode::Repeat,
            mag_filter: FilterMode::Linear,
            min_filter: FilterMode::Linear,
            mipmap_filter: match soup.filtered {
                true => MipmapFilterMode::Linear,
                false => MipmapFilterMode::Nearest,
            },
            ..SamplerDescriptor::default()
        })
        .unwrap();
    let set = harness
        .device
        .create_descriptor_set(&DescriptorSetDescriptor {
            label: Some("set"),
            layout: &layout,
            entries: &[(0, (&harness.view(&image)).into()), (1, (&sampler).into())],
        })
        .unwrap();
    let vertices = harness
        .device
        .create_buffer(&BufferDescriptor {
            label: Some("vertices"),
            size: soup.vertices.len() as u64 * 32,
            usage: BufferUsages::VERTEX,
            placement: None,
        })
        .unwrap();
    vertices
        .write(0, bytemuck::cast_slice(&soup.vertices))
        .unwrap();
    let module = harness.module(&soup.shaders(0));
    let stage = ShaderStage {
        module: &module,
        entry: None,
        constants: &[],
    };
    let mut setup = Setup {
        size: [WIDTH, HEIGHT],
        clear: Color::BLACK,
        ..Setup::default()
    };
    setup.targets[0].blend = soup.blended.then_some(BlendState::ALPHA_BLENDING);
    let attribute = |shader_location, offset| VertexAttribute {
        format: VertexFormat::Float32x4,
        offset,
        shader_location,
    };
    let pipeline_layout = PipelineLayoutDescriptor {
        label: Some("layout"),
        sets: &[&layout],
        push_constant_bytes: 0,
    };
    let pipeline = harness
        .device
        .create_graphics_pipeline(&GraphicsPipelineDescriptor {
            label: Some("soup"),
            layout: Some(
                &harness
                    .device
                    .create_pipeline_layout(&pipeline_layout)
                    .unwrap(),
            ),
            vertex: stage,
            buffers: &[VertexBufferLayout {
                stride: 32,
                step: VertexStepMode::Vertex,
                attributes: &[attribute(0, 0), attribute(1, 16)],
            }],
            geometry: None,
            stream: None,
            fragment: Some(stage),
            targets: &[Some(setup.targets[0].clone())],
            primitive: PrimitiveState::default(),
            depth_stencil: None,
            multisample: MultisampleState::default(),
            raster: RasterState::default(),
        })
        .unwrap();
    let mut bytes = harness.record(&setup, |commands| {
        commands.bind_pipeline(&pipeline).unwrap();
        commands.bind_descriptor_set(0, &set, &[]).unwrap();
        commands.bind_vertex_buffer(0, &vertices, 0).unwrap();
        commands.draw(0..soup.vertices.len() as u32, 0..1).unwrap();
    });
    bytes.remove(0)
}

fn peers(soup: &Soup, program: &str) -> Vec<u8> {
    let name = soup.name.replace([' ', ','], "");
    let folder = std::env::temp_dir().join(format!("girih-vulkan-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.join(name), bytes).unwrap();
    let Soup {
        levels,
        filtered,
        blended,
        ..
    } = soup;
    let (filtered, blended) = (u32::from(*filtered), u32::from(*blended));
    let scene = format!("{WIDTH} {HEIGHT} {SIDE} {levels} {filtered} {blended}");
    write("scene.txt", scene.as_bytes());
    write("shader.wgsl", soup.shaders(1).as_bytes());
    write("vertices.bin", bytemuck::cast_slice(&soup.vertices));
    write("texels.bin", &texels(*levels).concat());
    // Filters of 8-bit textures in floats, not in bytes.
    let shortcuts = (
        "GALLIVM_PERF",
        "no_brilinear,no_rho_approx,no_quad_lod,no_aos_sampling",
    );
    let status = Command::new(program)
        .env(shortcuts.0, shortcuts.1)
        .arg(&folder)
        .status()
        .unwrap();
    assert!(status.success(), "{program} failed");
    let picture = std::fs::read(folder.join("picture.bin")).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    picture
}

fn distance(a: &[u8], b: &[u8]) -> usize {
    let channels = a.iter().zip(b).map(|(a, b)| a.abs_diff(*b));
    usize::from(channels.max().unwrap())
}

/// Pixels that differ by more than is allowed, but have the colour of a neighbour: the other side of an edge.
fn at_edges(ours: &[u8], theirs: &[u8], allowed: usize) -> usize {
    let texel = |bytes: &[u8], at: usize| -> [u8; 4] { bytes[4 * at..][..4].try_into().unwrap() };
    let pixels = (WIDTH * HEIGHT) as usize;
    let width = WIDTH as usize;
    let other_side = |at: usize| {
        let neighbours = [
            at.wrapping_sub(width),
            at.wrapping_sub(1),
            at + 1,
            at + width,
        ];
        let mut inside = neighbours.into_iter().filter(|n| *n < pixels);
        let theirs = texel(theirs, at);
        inside.any(|n| distance(&texel(ours, n), &theirs) <= allowed + 2)
    };
    let differs = |at: &usize| distance(&texel(ours, *at), &texel(theirs, *at)) > allowed;
    (0..pixels)
        .filter(differs)
        .filter(|at| other_side(*at))
        .count()
}

#[test]
#[ignore = "needs a Vulkan driver and api/tests/vulkan; the module says how"]
fn soups_look_the_same_through_a_vulkan_driver() {
    let program =
        std::env::var("GIRIH_VULKAN").expect("GIRIH_VULKAN names the program of api/tests/vulkan");
    let program = PathBuf::from(program).canonicalize().unwrap();
    let mut failed = Vec::new();
    for soup in soups() {
        let (ours, theirs) = (drawn(&soup), peers(&soup, program.to_str().unwrap()));
        assert_eq!(ours.len(), theirs.len());
        let mut by_distance = [0u32; 256];
        for (a, b) in ours.chunks(4).zip(theirs.chunks(4)) {
            by_distance[distance(a, b)] += 1;
        }
        let pixels = WIDTH * HEIGHT;
        let covered = ours.chunks(4).filter(|texel| texel[..3] != [0; 3]).count();
        let far: u32 = by_distance[soup.allowed + 1..].iter().sum();
        let near: u32 = by_distance[1..=soup.allowed].iter().sum();
        let edges = at_edges(&ours, &theirs, soup.allowed);
        println!(
            "{:<16} {covered} of {pixels} pixels drawn; {} equal, {near} differ by 1 to {}, {far} by more, {edges} of them at edges; by distance: {:?}",
            soup.name,
            by_distance[0],
            soup.allowed,
            &by_distance[..=soup.allowed]
        );
        // One pixel of ten thousand.
        if far * 10_000 > pixels {
            failed.push(soup.name);
        }
    }
    assert_eq!(failed, Vec::<&str>::new());
}
