//! One texture, one sampler, one call: drawn, and computed by the reference.

use crate::harness::{EVERYWHERE, Harness, Setup};
use ::pipeline::silicon::fragment::depth::Compare;
use ::pipeline::silicon::texture::format::Read;
use ::pipeline::silicon::texture::sample::{
    Address, Axes, Border, Dim, Filter, Lanes, Level, Lod, MipFilter, Precision, PreparedSampler,
    PreparedTexture, Request, Texture, reference, rules,
};
use ::pipeline::silicon::{Format, Memory};
use girih::*;

/// Pixels across and down.
pub const SIDE: u32 = 16;

/// A texture in both worlds.
pub struct Both {
    view: ImageView,
    plain: PreparedTexture,
    /// Its type in WGSL.
    wgsl: &'static str,
    sample_type: TextureSampleType,
    dimension: TextureViewDimension,
}

/// What a texture is.
#[derive(Clone, Copy)]
pub struct Kind {
    dim: Dim,
    size: [u32; 3],
    levels: u32,
    format: (TextureFormat, Format),
    wgsl: &'static str,
    dimension: TextureViewDimension,
}

pub const COLOR: (TextureFormat, Format) = (TextureFormat::Rgba8Unorm, Format::R8G8B8A8Unorm);
pub const FLAT: Kind = Kind {
    dim: Dim::D2,
    size: [16, 8, 1],
    levels: 5,
    format: COLOR,
    wgsl: "texture_2d<f32>",
    dimension: TextureViewDimension::D2,
};
pub const ONE_LEVEL: Kind = Kind { levels: 1, ..FLAT };
pub const LAYERS: Kind = Kind {
    size: [8, 8, 3],
    levels: 2,
    wgsl: "texture_2d_array<f32>",
    dimension: TextureViewDimension::D2Array,
    ..FLAT
};
pub const DEEP: Kind = Kind {
    dim: Dim::D3,
    size: [8, 4, 4],
    levels: 3,
    wgsl: "texture_3d<f32>",
    dimension: TextureViewDimension::D3,
    ..FLAT
};
pub const CUBE: Kind = Kind {
    dim: Dim::Cube,
    size: [8, 8, 6],
    levels: 3,
    wgsl: "texture_cube<f32>",
    dimension: TextureViewDimension::Cube,
    ..FLAT
};
pub const ROW: Kind = Kind {
    dim: Dim::D1,
    size: [16, 1, 1],
    levels: 1,
    wgsl: "texture_1d<f32>",
    dimension: TextureViewDimension::D1,
    ..FLAT
};
pub const DEPTH: Kind = Kind {
    format: (TextureFormat::Depth16Unorm, Format::D16Unorm),
    wgsl: "texture_depth_2d",
    levels: 3,
    ..FLAT
};
pub const DEPTH_CUBE: Kind = Kind {
    format: DEPTH.format,
    wgsl: "texture_depth_cube",
    levels: 3,
    ..CUBE
};
pub const INTEGERS: Kind = Kind {
    format: (TextureFormat::Rg16Sint, Format::R16G16Sint),
    wgsl: "texture_2d<i32>",
    levels: 1,
    ..FLAT
};

pub struct Bench {
    harness: Harness,
    memory: Memory,
    /// First free byte of the plain memory.
    next: u64,
    seed: u32,
}

impl Bench {
    pub fn features(&self) -> &Features {
        self.harness.device.features()
    }

    pub fn texture(&mut self, kind: Kind) -> Both {
        let (name, format) = kind.format;
        let dimension = match kind.dim {
            Dim::D1 => TextureDimension::D1,
            Dim::D3 => TextureDimension::D3,
            _ => TextureDimension::D2,
        };
        let [width, height, depth_or_array_layers] = kind.size;
        let image = self
            .harness
            .device
            .create_image(&ImageDescriptor {
                label: Some("texture"),
                dimension,
                size: Extent3d {
                    width,
                    height,
                    depth_or_array_layers,
                },
                levels: kind.levels,
                samples: 1,
                format: name,
                usage: TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_DST,
                placement: None,
            })
            .unwrap();
        self.harness
            .queue
            .transition(&image, ImageLayout::CopyDestination)
            .unwrap();
        let bytes = format.size_bytes();
        let mut levels = Vec::new();
        for level in 0..kind.levels {
            let deep = kind.dim == Dim::D3;
            let size = [0, 1, 2].map(|i: usize| match i == 2 && !deep {
                true => kind.size[2],
                false => (kind.size[i] >> level).max(1),
            });
            let count = size.iter().product::<u32>() * bytes;
            let texels: Vec<u8> = (0..count)
                .map(|_| {
                    self.seed = self
                        .seed
                        .wrapping_mul(1_664_525)
                        .wrapping_add(1_013_904_223);
                    (self.seed >> 24) as u8
                })
                .collect();
            let extent = Extent3d {
                width: size[0],
                height: size[1],
                depth_or_array_layers: size[2],
            };
            let at = ImageCopy::level(&image, level);
            self.harness
                .queue
                .write_image(&at, extent, &texels)
                .unwrap();
            self.memory.write(Addr(self.next), &texels).unwrap();
            let pitch = size[0] * bytes;
            levels.push(Level {
                width: size[0],
                height: size[1],
                depth: if deep { size[2] } else { 1 },
                base: self.next,
                axes: Axes::linear(size, bytes, pitch, pitch * size[1]),
            });
            self.next += u64::from(count).next_multiple_of(4);
        }
        self.harness
            .queue
            .transition(&image, ImageLayout::ShaderReadOnly)
            .unwrap();
        let view = ImageViewDescriptor {
            dimension: Some(kind.dimension),
            ..ImageViewDescriptor::default()
        };
        let layers = match kind.dim {
            Dim::D3 => 1,
            Dim::Cube => kind.size[2] / 6,
            _ => kind.size[2],
        };
        let texture = Texture {
            dim: kind.dim,
            format,
            aspect: Default::default(),
            select: [0, 1, 2, 3].map(Read::Channel),
            layers,
            samples: 1,
            min_lod: 0.0,
            levels,
        };
        let sample_type = match format {
            Format::D16Unorm => TextureSampleType::Depth,
            Format::R16G16Sint => TextureSampleType::Sint,
            _ => TextureSampleType::Float { filterable: true },
        };
        Both {
            view: self
                .harness
                .device
                .create_image_view(&image, &view)
                .unwrap(),
            plain: PreparedTexture::new(&texture).unwrap(),
            wgsl: kind.wgsl,
            sample_type,
            dimension: kind.dimension,
        }
    }

    /// Bits of every pixel, drawn.
    fn drawn(&self, texture: &Both, sampler: &SamplerDescriptor<'_>, call: &str) -> Vec<[u32; 4]> {
        let device = &self.harness.device;
        let compares = sampler.compare.is_some();
        let integers = texture.sample_type == TextureSampleType::Sint;
        let entry = |binding, ty| BindGroupLayoutEntry {
            binding,
            visibility: ShaderStages::FRAGMENT,
            ty,
            count: None,
        };
        let layout = device
            .create_descriptor_set_layout(&DescriptorSetLayoutDescriptor {
                label: Some("layout"),
                entries: &[
                    entry(
                        0,
                        BindingType::Texture {
                            sample_type: texture.sample_type,
                            view_dimension: texture.dimension,
                            multisampled: false,
                        },
                    ),
                    entry(
                        1,
                        BindingType::Sampler(match (compares, integers) {
                            (true, _) => SamplerBindingType::Comparison,
                            (_, true) => SamplerBindingType::NonFiltering,
                            _ => SamplerBindingType::Filtering,
                        }),
                    ),
                ],
            })
            .unwrap();
        let sampler = device.create_sampler(sampler).unwrap();
        let set = device
            .create_descriptor_set(&DescriptorSetDescriptor {
                label: Some("set"),
                layout: &layout,
                entries: &[
                    (0, Descriptor::from(&texture.view)),
                    (1, Descriptor::from(&sampler)),
                ],
            })
            .unwrap();
        let (out, target) = match integers {
            true => ("vec4i", TextureFormat::Rgba32Sint),
            false => ("vec4f", TextureFormat::Rgba32Float),
        };
        // Derivatives of discontinuous coordinates are not asked for: places are smooth, and exact in binary.
        let wgsl = format!(
            "{EVERYWHERE}
             @group(0) @binding(0) var t: {};
             @group(0) @binding(1) var s: {};
             @fragment fn fragment(@builtin(position) position: vec4f) -> @location(0) {out} {{
                 let p = floor(position.xy);
                 let q = vec3f({}, {}, {});
                 return {out}({call});
             }}",
            texture.wgsl,
            if compares {
                "sampler_comparison"
            } else {
                "sampler"
            },
            place(0),
            place(1),
            place(2),
        );
        let setup = Setup {
            size: [SIDE, SIDE],
            sets: vec![&layout],
            ..Setup::format(target)
        };
        let pipeline = self.harness.pipeline(&setup, &wgsl);
        let bytes = self.harness.record(&setup, |commands| {
            commands.bind_pipeline(&pipeline).unwrap();
            commands.bind_descriptor_set(0, &set, &[]).unwrap();
            commands.draw(0..3, 0..1).unwrap();
        });
        let texels = bytes[0].chunks_exact(16);
        texels.map(bytemuck::pod_read_unaligned).collect()
    }

    /// The same by the reference.
    fn expected(
        &self,
        texture: &Both,
        sampler: &SamplerDescriptor<'_>,
        what: &What,
    ) -> Vec<[u32; 4]> {
        let mut pixels = vec![[0; 4]; (SIDE * SIDE) as usize];
        let sampler = PreparedSampler::new(
            plain_sampler(sampler),
            Precision {
                weight_bits: 8,
                lod_bits: 8,
            },
        );
        for tile in 0..4 {
            let corner = [tile % 2 * 8, tile / 2 * 8];
            // A wave of sixteen quads.
            let pixel = |lane: usize| {
                let (quad, lane) = (lane as u32 / 4, lane as u32 % 4);
                [
                    corner[0] + quad % 4 * 2 + lane % 2,
                    corner[1] + quad / 4 * 2 + lane / 2,
                ]
            };
            let row = |value: &dyn Fn([f32; 3]) -> f32| -> Lanes {
                std::array::from_fn(|lane| value(coordinates(pixel(lane))).to_bits())
            };
            let coords = what.coords.map(|f| row(&f));
            let layer = what.layer.map(|f| row(&f));
            let value = what.value.map(|f| row(&f));
            let reference_row = what.reference.map(|f| row(&f));
            let gradients = what.gradients.map(|all| all.map(|x| [x.to_bits(); 64]));
            let offsets = what.offsets.map(|all| [rules::pack_offsets(all); 64]);
            let lod = match (&what.lod, &value, &gradients) {
                (How::Implicit, ..) => Lod::Implicit,
                (How::Zero, ..) => Lod::Zero,
                (How::Bias, Some(value), _) => Lod::Bias(value),
                (How::Level, Some(value), _) => Lod::Explicit(value),
                (How::Gradient, _, Some([ax, ay, az, bx, by, bz])) => Lod::Gradient {
                    dx: [ax, ay, az],
                    dy: [bx, by, bz],
                },
                _ => panic!("the level of detail lacks its numbers"),
            };
            let [x, y, z] = &coords;
            let request = Request {
                exec: !0,
                coords: [x, y, z],
                layer: layer.as_ref(),
                lod,
                lod_clamp: None,
                reference: reference_row.as_ref(),
                offsets: offsets.as_ref(),
            };
            let mut out = [[0; 64]; 4];
            let (memory, plain) = (&self.memory, &texture.plain);
            match what.gather {
                None => reference::sample(memory, plain, &sampler, &request, &mut out),
                Some(component) => {
                    reference::gather(memory, plain, &sampler, &request, component, &mut out);
                }
            }
            for lane in 0..64 {
                let [x, y] = pixel(lane);
                pixels[(y * SIDE + x) as usize] = out.map(|row| row[lane]);
            }
        }
        pixels
    }

    pub fn check(
        &self,
        name: &str,
        texture: &Both,
        sampler: &SamplerDescriptor<'_>,
        call: &str,
        what: &What,
    ) {
        let drawn = self.drawn(texture, sampler, call);
        let expected = self.expected(texture, sampler, what);
        // A comparison gives one number.
        let components = if what.reference.is_some() && what.gather.is_none() {
            1
        } else {
            4
        };
        for (at, (drawn, expected)) in drawn.iter().zip(&expected).enumerate() {
            assert_eq!(
                drawn[..components],
                expected[..components],
                "{name}: pixel {}, {} of {call}: {:?}, not {:?}",
                at as u32 % SIDE,
                at as u32 / SIDE,
                drawn.map(f32::from_bits),
                expected.map(f32::from_bits)
            );
        }
        let flat = drawn.iter().all(|texel| texel == &drawn[0]);
        assert!(!flat, "{name}: one colour everywhere says nothing");
    }
}

/// Factors of `p.x`, `p.y` and 1 in the three coordinates of a pixel; multiples of 1/64, so that nothing is rounded.
pub const PLACES: [[f32; 3]; 3] = [
    [0.140_625, -0.031_25, -0.312_5],
    [0.046_875, 0.109_375, -0.343_75],
    [0.015_625, 0.078_125, 0.031_25],
];

pub fn place(i: usize) -> String {
    let [x, y, one] = PLACES[i];
    format!("p.x * {x:?} + p.y * {y:?} + {one:?}")
}

pub fn coordinates([x, y]: [u32; 2]) -> [f32; 3] {
    PLACES.map(|[a, b, one]| x as f32 * a + y as f32 * b + one)
}

pub type Row = fn([f32; 3]) -> f32;

/// Where the level of detail comes from.
pub enum How {
    Implicit,
    Zero,
    Bias,
    Level,
    Gradient,
}

/// What the call in the shader does, for the reference.
pub struct What {
    pub coords: [Row; 3],
    pub layer: Option<Row>,
    pub lod: How,
    pub value: Option<Row>,
    pub gradients: Option<[f32; 6]>,
    pub reference: Option<Row>,
    pub offsets: Option<[i32; 3]>,
    pub gather: Option<usize>,
}

pub const X: Row = |q| q[0];
pub const Y: Row = |q| q[1];
pub const Z: Row = |q| q[2];

impl Default for What {
    fn default() -> What {
        What {
            coords: [X, Y, Z],
            layer: None,
            lod: How::Implicit,
            value: None,
            gradients: None,
            reference: None,
            offsets: None,
            gather: None,
        }
    }
}

pub fn plain_sampler(
    desc: &SamplerDescriptor<'_>,
) -> ::pipeline::silicon::texture::sample::Sampler {
    let address = |mode| match mode {
        AddressMode::ClampToEdge => Address::ClampToEdge,
        AddressMode::Repeat => Address::Repeat,
        AddressMode::MirrorRepeat => Address::Mirror,
        AddressMode::ClampToBorder => Address::Border,
    };
    let filter = |mode| match mode {
        FilterMode::Nearest => Filter::Nearest,
        FilterMode::Linear => Filter::Linear,
    };
    let modes = [
        desc.address_mode_u,
        desc.address_mode_v,
        desc.address_mode_w,
    ];
    ::pipeline::silicon::texture::sample::Sampler {
        address: modes.map(address),
        mag: filter(desc.mag_filter),
        min: filter(desc.min_filter),
        slices: None,
        mip: match desc.mipmap_filter {
            _ if desc.unnormalized => MipFilter::None,
            MipmapFilterMode::Nearest => MipFilter::Nearest,
            MipmapFilterMode::Linear => MipFilter::Linear,
        },
        lod_bias: desc.lod_bias,
        lod_min: desc.lod_min_clamp,
        lod_max: desc.lod_max_clamp,
        border: match desc.border_color {
            None | Some(BorderColor::TransparentBlack) => Border::TransparentBlack,
            Some(BorderColor::OpaqueBlack) => Border::OpaqueBlack,
            Some(BorderColor::OpaqueWhite) => Border::OpaqueWhite,
            Some(BorderColor::Float(color)) => Border::Custom(color.map(f32::to_bits)),
            Some(BorderColor::Integer(color)) => Border::Custom(color),
        },
        compare: match desc.compare {
            None | Some(CompareFunction::Never) => Compare::Never,
            Some(CompareFunction::Less) => Compare::Less,
            Some(CompareFunction::Equal) => Compare::Equal,
            Some(CompareFunction::LessEqual) => Compare::LessEqual,
            Some(CompareFunction::Greater) => Compare::Greater,
            Some(CompareFunction::NotEqual) => Compare::NotEqual,
            Some(CompareFunction::GreaterEqual) => Compare::GreaterEqual,
            Some(CompareFunction::Always) => Compare::Always,
        },
        unnormalized: desc.unnormalized,
        anisotropy: u32::from(desc.anisotropy_clamp),
        reduction: desc.reduction,
        seamless: desc.seamless_cubes,
    }
}

pub const LINEAR: SamplerDescriptor<'static> = SamplerDescriptor {
    label: None,
    address_mode_u: AddressMode::Repeat,
    address_mode_v: AddressMode::Repeat,
    address_mode_w: AddressMode::Repeat,
    mag_filter: FilterMode::Linear,
    min_filter: FilterMode::Linear,
    mipmap_filter: MipmapFilterMode::Nearest,
    lod_min_clamp: 0.0,
    lod_max_clamp: 32.0,
    lod_bias: 0.0,
    compare: None,
    anisotropy_clamp: 1,
    border_color: None,
    reduction: Reduction::Average,
    unnormalized: false,
    seamless_cubes: true,
};
pub const TRILINEAR: SamplerDescriptor<'static> = SamplerDescriptor {
    mipmap_filter: MipmapFilterMode::Linear,
    ..LINEAR
};
pub const NEAREST: SamplerDescriptor<'static> = SamplerDescriptor {
    mag_filter: FilterMode::Nearest,
    min_filter: FilterMode::Nearest,
    ..LINEAR
};

/// On every device.
pub fn benches() -> impl Iterator<Item = Bench> {
    Harness::each().map(|harness| Bench {
        harness,
        memory: Memory::new(1 << 16),
        next: 0,
        seed: 1,
    })
}

pub const SAMPLE: &str = "textureSample(t, s, q.xy)";
