//! A corridor and two hundred tilted squares of one texture, far ones first, so that every fragment is shaded.

use super::kit::{Drawing, begin, camera, filled, floats, nearer, set, shader};
use super::kit::{texture, uniform, uniforms};
use crate::math::Mat4;
use crate::mesh::Numbers;
use crate::{Failure, Frame, Picture, Scene};
use girih::*;

pub(super) const BILINEAR: Scene = Scene {
    name: "tex_bilinear",
    about: "corridor and 200 squares, bilinear, nearest level",
    needs: &[],
    load: |device| load(device, MipmapFilterMode::Nearest, 1),
};

pub(super) const TRILINEAR: Scene = Scene {
    name: "tex_trilinear_mip",
    about: "the same, trilinear",
    needs: &[],
    load: |device| load(device, MipmapFilterMode::Linear, 1),
};

pub(super) const ANISOTROPIC: Scene = Scene {
    name: "aniso16",
    about: "the same, up to 16 times anisotropic",
    needs: &[],
    load: |device| load(device, MipmapFilterMode::Linear, 16),
};

struct Textured {
    pipeline: GraphicsPipeline,
    set: DescriptorSet,
    corners: Buffer,
    count: u32,
}

/// Position and texture coordinate.
type Corner = [f32; 5];

fn quad(corners: [[f32; 3]; 4], [u, v]: [f32; 2]) -> [Corner; 4] {
    let coordinates = [[0.0, 0.0], [u, 0.0], [u, v], [0.0, v]];
    std::array::from_fn(|i| {
        let ([x, y, z], [u, v]) = (corners[i], coordinates[i]);
        [x, y, z, u, v]
    })
}

fn quads() -> Vec<[Corner; 4]> {
    let (x, y, near, far) = (6.0, 3.5, -0.5, -120.0);
    let plane = |[ax, ay]: [f32; 2], [bx, by]: [f32; 2], across| {
        let corners = [[ax, ay, near], [bx, by, near], [bx, by, far], [ax, ay, far]];
        quad(corners, [across, 40.0])
    };
    let mut quads = vec![
        plane([-x, -y], [x, -y], 3.0),
        plane([-x, y], [x, y], 3.0),
        plane([-x, -y], [-x, y], 2.0),
        plane([x, -y], [x, y], 2.0),
    ];
    let mut numbers = Numbers(7);
    for i in 0..200 {
        let z = -3.5 - i as f32 * 0.17;
        let (x, y) = (numbers.between(-4.5, 4.5), numbers.between(-2.4, 2.4));
        let axis = [1.0, 1.0, 0.5].map(|most| numbers.between(-most, most));
        let angle = numbers.between(-1.3, 1.3);
        let place = Mat4::translation(x, y, z) * Mat4::rotation(axis, angle);
        let half = numbers.between(0.8, 1.7);
        let repeats = numbers.between(0.5, 2.0);
        let corners = [[-half, -half], [half, -half], [half, half], [-half, half]];
        quads.push(quad(
            corners.map(|[x, y]| place.transform([x, y, 0.0])),
            [repeats; 2],
        ));
    }
    let depth = |quad: &[Corner; 4]| quad.iter().map(|corner| corner[2]).sum::<f32>() / 4.0;
    quads.sort_by(|a, b| depth(a).total_cmp(&depth(b)));
    quads
}

/// Texels across and down level 0.
const SIZE: u32 = 1024;

/// Level 0: squares, rings and noise, each in a channel of its own.
fn pattern() -> Vec<u8> {
    let noise = |x: u32, y: u32| {
        let mut hash = x.wrapping_mul(0x9E37_79B1) ^ y.wrapping_mul(0x85EB_CA77);
        hash ^= hash >> 15;
        hash = hash.wrapping_mul(0x2C1B_3C6D);
        hash ^= hash >> 12;
        hash & 63
    };
    let mut texels = Vec::with_capacity((SIZE * SIZE * 4) as usize);
    for y in 0..SIZE {
        for x in 0..SIZE {
            let pick = |which: u32, zero: u32, one: u32| if which & 1 == 0 { zero } else { one };
            let [dx, dy] = [x, y].map(|c| (c % 256).abs_diff(128));
            let noise = noise(x / 2, y / 2);
            let coarse = pick((x / 64) ^ (y / 64), 60, 190);
            let ring = pick((dx * dx + dy * dy) / 700, 40, 170);
            let fine = pick((x / 8) ^ (y / 8), 70, 150);
            texels.extend([coarse, ring, fine].map(|c| (c + noise) as u8));
            texels.push(255);
        }
    }
    texels
}

fn picture(device: &Device) -> Result<ImageView, Failure> {
    let image = device.create_image(&ImageDescriptor {
        label: Some("texture"),
        dimension: TextureDimension::D2,
        size: Extent3d {
            width: SIZE,
            height: SIZE,
            depth_or_array_layers: 1,
        },
        levels: SIZE.ilog2() + 1,
        samples: 1,
        format: TextureFormat::Rgba8Unorm,
        usage: TextureUsages::TEXTURE_BINDING | TextureUsages::COPY_DST,
        placement: None,
    })?;
    crate::levels::upload(device, &image, pattern())?;
    Ok(device.create_image_view(&image, &ImageViewDescriptor::default())?)
}

fn load(
    device: &Device,
    mipmap_filter: MipmapFilterMode,
    anisotropy_clamp: u16,
) -> Result<Box<dyn Picture>, Failure> {
    let camera = camera([0.0; 3], [0.15, -0.1, -1.0], 65.0, 0.1, 200.0);
    let uniforms = uniforms(device, &floats(&camera))?;
    let sampler = device.create_sampler(&SamplerDescriptor {
        label: Some("texture"),
        address_mode_u: AddressMode::Repeat,
        address_mode_v: AddressMode::Repeat,
        mag_filter: FilterMode::Linear,
        min_filter: FilterMode::Linear,
        mipmap_filter,
        anisotropy_clamp,
        ..SamplerDescriptor::default()
    })?;
    let sampled = texture(TextureSampleType::Float { filterable: true });
    let filtering = BindingType::Sampler(SamplerBindingType::Filtering);
    let fragment = ShaderStages::FRAGMENT;
    let (layout, set) = set(
        device,
        &[
            (ShaderStages::VERTEX_FRAGMENT, uniform(), (&uniforms).into()),
            (fragment, sampled, (&picture(device)?).into()),
            (fragment, filtering, (&sampler).into()),
        ],
    )?;
    let shader = shader(
        device,
        "textured",
        include_str!("../../assets/shaders/benchmark/tex.wgsl"),
    )?;
    let quads = quads();
    let corners = quads
        .iter()
        .flat_map(|quad| [0, 1, 2, 0, 2, 3].map(|i| quad[i]));
    let corners: Vec<Corner> = corners.collect();
    Ok(Box::new(Textured {
        pipeline: Drawing {
            sets: &[&layout],
            buffers: &[VertexBufferLayout {
                stride: 20,
                step: VertexStepMode::Vertex,
                attributes: &vertex_attributes![0 => Float32x3, 1 => Float32x2],
            }],
            depth: Some(nearer()),
            ..Drawing::new("textured", &shader)
        }
        .pipeline(device)?,
        set,
        count: corners.len() as u32,
        corners: filled(
            device,
            "corners",
            BufferUsages::VERTEX,
            corners.as_flattened(),
        )?,
    }))
}

impl Picture for Textured {
    fn draw(&mut self, frame: &mut Frame<'_>) -> Result<(), Failure> {
        begin(frame, "corridor", [0.0; 3], true)?;
        let commands = &mut *frame.commands;
        commands.bind_pipeline(&self.pipeline)?;
        commands.bind_descriptor_set(0, &self.set, &[])?;
        commands.bind_vertex_buffer(0, &self.corners, 0)?;
        commands.draw(0..self.count, 0..1)?;
        commands.end_pass()?;
        Ok(())
    }
}
