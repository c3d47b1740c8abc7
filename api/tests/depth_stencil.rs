//! Draws over each other with random tests of depth, depth bounds and stencil, early and late, against the rules applied pixel by
//! pixel.

#![allow(clippy::unwrap_used)]

mod harness;

use girih::*;
use harness::*;

const SIZE: [u32; 2] = [40, 24];
const PIXELS: usize = (SIZE[0] * SIZE[1]) as usize;
const DRAWS: usize = 14;

const COMPARE: [CompareFunction; 8] = [
    CompareFunction::Never,
    CompareFunction::Less,
    CompareFunction::Equal,
    CompareFunction::LessEqual,
    CompareFunction::Greater,
    CompareFunction::NotEqual,
    CompareFunction::GreaterEqual,
    CompareFunction::Always,
];

const OPERATIONS: [StencilOperation; 8] = [
    StencilOperation::Keep,
    StencilOperation::Zero,
    StencilOperation::Replace,
    StencilOperation::Invert,
    StencilOperation::IncrementClamp,
    StencilOperation::DecrementClamp,
    StencilOperation::IncrementWrap,
    StencilOperation::DecrementWrap,
];

struct Random(u64);

impl Random {
    fn below(&mut self, most: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as u32 % most
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u32) as usize]
    }

    fn mask(&mut self) -> u32 {
        if self.below(2) == 0 {
            0xff
        } else {
            self.below(256)
        }
    }

    fn face(&mut self) -> StencilFaceState {
        StencilFaceState {
            compare: self.of(&COMPARE),
            fail_op: self.of(&OPERATIONS),
            depth_fail_op: self.of(&OPERATIONS),
            pass_op: self.of(&OPERATIONS),
        }
    }
}

/// One draw: a triangle of one depth and colour.
struct Triangle {
    state: DepthStencilState,
    bounds: Option<[f32; 2]>,
    reference: u32,
    depth: f32,
    front: bool,
    wgsl: String,
}

impl Triangle {
    fn new(
        random: &mut Random,
        harness: &Harness,
        format: TextureFormat,
        number: usize,
    ) -> Triangle {
        let (has_depth, has_stencil) = (format.has_depth_aspect(), format.has_stencil_aspect());
        let mut places = [[-1.0, -1.0], [3.0, -1.0], [-1.0, 3.0f32]];
        if number.is_multiple_of(4) {
            let turn = random.below(3) as usize;
            places.swap(turn, 2);
        } else {
            let reach = random.of(&[1.0, 3.0]);
            places = places
                .map(|place| place.map(|_| reach * (random.below(2001) as f32 / 1000.0 - 1.0)));
        }
        let [a, b, c] = places.map(|place| place.map(f64::from));
        let area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
        let depth = random.of(&[0.0, 0.25, 0.5, 0.500_000_1, 0.75, 1.0]);
        let late = match random.below(3) {
            0 => "if (u32(p.x) ^ u32(p.y)) % 3u == 0u { discard; }",
            _ => "",
        };
        let bounded = has_depth && harness.device.features().depth_bounds && random.below(4) == 0;
        let stencil = StencilState {
            front: random.face(),
            back: random.face(),
            read_mask: random.mask(),
            write_mask: random.mask(),
        };
        Triangle {
            state: DepthStencilState {
                format,
                depth_write_enabled: has_depth.then(|| random.below(2) == 0),
                depth_compare: has_depth.then(|| random.of(&COMPARE)),
                stencil: if has_stencil {
                    stencil
                } else {
                    StencilState::default()
                },
                bias: DepthBiasState::default(),
            },
            bounds: bounded.then_some([0.25, 0.8]),
            // Only eight bits count.
            reference: random.below(512),
            depth,
            front: area > 0.0,
            wgsl: format!(
                "const PLACES = array(vec2f{:?}, vec2f{:?}, vec2f{:?});
                 @vertex fn vertex(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {{
                     return vec4f(PLACES[i], {depth:?}, 1.0);
                 }}
                 @fragment fn fragment(@builtin(position) p: vec4f) -> @location(0) u32 {{
                     {late}
                     return {}u;
                 }}",
                (places[0][0], places[0][1]),
                (places[1][0], places[1][1]),
                (places[2][0], places[2][1]),
                number + 1
            ),
        }
    }

    fn setup(&self) -> Setup<'static> {
        let mut setup = Setup {
            size: SIZE,
            ..Setup::format(TextureFormat::R8Uint)
        };
        setup.depth = Some(self.state.clone());
        setup.raster.depth_bounds = self.bounds;
        setup
    }
}

/// What a pixel holds.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Pixel {
    color: u8,
    depth: f64,
    stencil: u32,
}

fn holds<T: PartialOrd>(compare: CompareFunction, new: T, old: T) -> bool {
    match compare {
        CompareFunction::Never => false,
        CompareFunction::Less => new < old,
        CompareFunction::Equal => new == old,
        CompareFunction::LessEqual => new <= old,
        CompareFunction::Greater => new > old,
        CompareFunction::NotEqual => new != old,
        CompareFunction::GreaterEqual => new >= old,
        CompareFunction::Always => true,
    }
}

/// The nearest depth that a format holds.
fn stored(format: TextureFormat, depth: f32) -> f64 {
    let steps = match format {
        TextureFormat::Depth16Unorm => 65535.0,
        TextureFormat::Depth24PlusStencil8 => 16_777_215.0,
        _ => return depth.into(),
    };
    (f64::from(depth) * steps).round_ties_even() / steps
}

impl Pixel {
    /// A covered pixel after a draw.
    fn drawn(self, triangle: &Triangle, number: usize) -> Pixel {
        let mut pixel = self;
        let state = &triangle.state;
        if let Some([low, high]) = triangle.bounds
            && !(f64::from(low)..=f64::from(high)).contains(&self.depth)
        {
            return pixel;
        }
        let StencilState {
            front,
            back,
            read_mask,
            write_mask,
        } = state.stencil;
        let face = if triangle.front { front } else { back };
        let (old, reference) = (self.stencil, triangle.reference & 0xff);
        let equal = !state.format.has_stencil_aspect()
            || holds(face.compare, reference & read_mask, old & read_mask);
        let depth = stored(state.format, triangle.depth);
        let near = state
            .depth_compare
            .is_none_or(|compare| holds(compare, depth, self.depth));
        let operation = match (equal, near) {
            (false, _) => face.fail_op,
            (true, false) => face.depth_fail_op,
            (true, true) => face.pass_op,
        };
        let new = match operation {
            StencilOperation::Keep => old,
            StencilOperation::Zero => 0,
            StencilOperation::Replace => reference,
            StencilOperation::Invert => !old,
            StencilOperation::IncrementClamp => (old + 1).min(255),
            StencilOperation::DecrementClamp => old.saturating_sub(1),
            StencilOperation::IncrementWrap => old + 1,
            StencilOperation::DecrementWrap => old.wrapping_sub(1),
        };
        if state.format.has_stencil_aspect() {
            pixel.stencil = (old & !write_mask | new & write_mask) & 0xff;
        }
        if equal && near {
            pixel.color = number as u8 + 1;
            if state.depth_write_enabled == Some(true) {
                pixel.depth = depth;
            }
        }
        pixel
    }
}

/// What is in the attachments after all draws; a second pass goes on after `split` of them.
fn draw(harness: &Harness, triangles: &[Triangle], split: usize) -> Vec<Pixel> {
    let format = triangles[0].state.format;
    let color = harness.attachment(TextureFormat::R8Uint, SIZE, 1);
    let tested = harness.attachment(format, SIZE, 1);
    let pipelines: Vec<_> = triangles
        .iter()
        .map(|triangle| harness.pipeline(&triangle.setup(), &triangle.wgsl))
        .collect();
    let mut commands = harness.device.create_command_buffer(None);
    for view in [&color, &tested] {
        let (old, new) = (ImageLayout::Undefined, ImageLayout::General);
        commands.transition(view.image(), old, new).unwrap();
    }
    for part in [0..split, split..triangles.len()] {
        let first = part.start == 0;
        let store = StoreOp::Store;
        let pass = RenderPass {
            label: None,
            colors: &[Some(ColorAttachment {
                view: &color,
                resolve: None,
                load: if first {
                    LoadOp::Clear(Color::TRANSPARENT)
                } else {
                    LoadOp::Load
                },
                store,
            })],
            depth_stencil: Some(DepthStencilAttachment {
                view: &tested,
                depth: AspectAccess::Write {
                    load: if first {
                        LoadOp::Clear(1.0)
                    } else {
                        LoadOp::Load
                    },
                    store,
                },
                stencil: AspectAccess::Write {
                    load: if first {
                        LoadOp::Clear(0)
                    } else {
                        LoadOp::Load
                    },
                    store,
                },
                resolve: None,
            }),
        };
        commands.begin_pass(&pass).unwrap();
        for n in part {
            commands.bind_pipeline(&pipelines[n]).unwrap();
            commands
                .set_stencil_reference(triangles[n].reference)
                .unwrap();
            commands.draw(0..3, 0..1).unwrap();
        }
        commands.end_pass().unwrap();
    }
    harness.queue.submit(&[&commands], &[]).unwrap();
    let read = |view: &ImageView, aspect| {
        let copy = ImageCopy {
            aspect,
            ..ImageCopy::level(view.image(), 0)
        };
        harness.queue.read_image(&copy, view.size()).unwrap()
    };
    let colors = read(&color, TextureAspect::All);
    let stencils = match format.has_stencil_aspect() {
        true => read(&tested, TextureAspect::StencilOnly),
        false => vec![0; PIXELS],
    };
    let depths: Vec<f64> = match (format.has_depth_aspect(), format) {
        (false, _) => vec![1.0; PIXELS],
        (_, TextureFormat::Depth16Unorm) => read(&tested, TextureAspect::DepthOnly)
            .chunks(2)
            .map(|bytes| f64::from(u16::from_le_bytes([bytes[0], bytes[1]])) / 65535.0)
            .collect(),
        _ => words(&read(&tested, TextureAspect::DepthOnly))
            .into_iter()
            .map(|word| match format {
                TextureFormat::Depth24PlusStencil8 => f64::from(word & 0xff_ffff) / 16_777_215.0,
                _ => f32::from_bits(word).into(),
            })
            .collect(),
    };
    (0..PIXELS)
        .map(|n| Pixel {
            color: colors[n],
            depth: depths[n],
            stencil: stencils[n].into(),
        })
        .collect()
}

/// Draws stacks of triangles on a device.
fn stacks(harness: &Harness) {
    let formats = [
        TextureFormat::Depth24PlusStencil8,
        TextureFormat::Depth32FloatStencil8,
        TextureFormat::Stencil8,
        TextureFormat::Depth16Unorm,
        TextureFormat::Depth32Float,
    ];
    let mut random = Random(11);
    for round in 0..40 {
        let format = formats[round % formats.len()];
        let triangles: Vec<_> = (0..DRAWS)
            .map(|number| Triangle::new(&mut random, harness, format, number))
            .collect();
        let start = Pixel {
            color: 0,
            depth: 1.0,
            stencil: 0,
        };
        let mut expected = vec![start; PIXELS];
        for (number, triangle) in triangles.iter().enumerate() {
            let untested = Setup {
                depth: None,
                ..triangle.setup()
            };
            let untested = Setup {
                raster: RasterState::default(),
                ..untested
            };
            let covered = &harness.draw(&untested, &triangle.wgsl, 3)[0];
            for (pixel, covered) in expected.iter_mut().zip(covered) {
                if *covered != 0 {
                    *pixel = pixel.drawn(triangle, number);
                }
            }
        }
        let split = random.below(DRAWS as u32) as usize;
        let found = draw(harness, &triangles, split.max(1));
        for (n, (found, expected)) in found.iter().zip(&expected).enumerate() {
            let [x, y] = [n as u32 % SIZE[0], n as u32 / SIZE[0]];
            assert_eq!(found, expected, "{format:?}, round {round}: {x},{y}");
        }
    }
}

#[test]
fn stacks_follow_the_rules() {
    std::thread::scope(|scope| {
        for harness in Harness::each() {
            scope.spawn(move || stacks(&harness));
        }
    });
}
