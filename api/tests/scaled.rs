//! Scaled copies of boxes wider than a wave, texel by texel against the formula of [VULKAN Image Copies With Scaling].

use girih::*;

const SOURCE: [u32; 3] = [70, 13, 4];
const TARGET: [u32; 3] = [150, 9, 3];

/// One axis of a copy: corners in the source and in the target, and texels of the source.
#[derive(Clone, Copy)]
struct Axis {
    from: [i64; 2],
    to: [i64; 2],
    size: i64,
}

impl Axis {
    /// Whether a texel of the target is written.
    fn covers(&self, i: u32) -> bool {
        let [a, b] = self.to;
        (a.min(b)..a.max(b)).contains(&i64::from(i))
    }

    /// Where the centre of a texel of the target comes from, in `1 / denominator` texels.
    fn place(&self, i: u32) -> (i64, i64) {
        let ([a, b], [c, d]) = (self.from, self.to);
        let place = 2 * a * (d - c) + (b - a) * (2 * i64::from(i) + 1 - 2 * c);
        let sign = (d - c).signum();
        (place * sign, 2 * (d - c) * sign)
    }

    fn inside(&self, i: i64) -> usize {
        i.clamp(0, self.size - 1) as usize
    }

    fn nearest(&self, i: u32) -> usize {
        let (place, denominator) = self.place(i);
        self.inside(place.div_euclid(denominator))
    }

    /// Two texels and their weights.
    fn linear(&self, i: u32) -> [(usize, f64); 2] {
        let (place, denominator) = self.place(i);
        let place = place - denominator / 2;
        let first = place.div_euclid(denominator);
        let weight = place.rem_euclid(denominator) as f64 / denominator as f64;
        [
            (self.inside(first), 1.0 - weight),
            (self.inside(first + 1), weight),
        ]
    }
}

fn index(size: [u32; 3], at: [usize; 3]) -> usize {
    (at[2] * size[1] as usize + at[1]) * size[0] as usize + at[0]
}

/// Random floats; some are no numbers.
fn floats(count: u32) -> Vec<f32> {
    let mut state = 7u32;
    let texels = (0..count).map(|_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        match state >> 26 {
            0 => f32::NAN,
            _ => (state >> 8) as f32 / 4096.0 - 2000.0,
        }
    });
    texels.collect()
}

fn image(device: &Device, size: [u32; 3]) -> Result<Image, Box<dyn std::error::Error>> {
    let [width, height, depth_or_array_layers] = size;
    let image = device.create_image(&ImageDescriptor {
        label: Some("volume"),
        dimension: TextureDimension::D3,
        size: Extent3d {
            width,
            height,
            depth_or_array_layers,
        },
        levels: 1,
        samples: 1,
        format: TextureFormat::R32Float,
        usage: TextureUsages::COPY_SRC | TextureUsages::COPY_DST,
        placement: None,
    })?;
    device.queue().transition(&image, ImageLayout::General)?;
    Ok(image)
}

#[test]
fn every_texel_is_what_the_formula_says() -> Result<(), Box<dyn std::error::Error>> {
    let cases: [[[[i64; 2]; 3]; 2]; 3] = [
        // All of both; a part, turned around along x and z; made smaller.
        [[[0, 70], [0, 13], [0, 4]], [[0, 150], [0, 9], [0, 3]]],
        [[[67, 2], [1, 12], [4, 1]], [[3, 149], [2, 9], [0, 3]]],
        [[[0, 70], [12, 0], [1, 3]], [[40, 5], [1, 5], [1, 2]]],
    ];
    for gpu in Instance::new()
        .physical_devices()
        .filter(|gpu| gpu.features().texture_arrays)
    {
        let device = gpu.create_device(&DeviceDescriptor::default())?;
        let queue = device.queue();
        let texels = floats(SOURCE.iter().product());
        let source = image(&device, SOURCE)?;
        let at = ImageCopy::level(&source, 0);
        queue.write_image(&at, source.size(), bytemuck::cast_slice(&texels))?;
        for ([from, to], filter) in cases
            .iter()
            .flat_map(|case| [FilterMode::Nearest, FilterMode::Linear].map(|how| (*case, how)))
        {
            let target = image(&device, TARGET)?;
            let before = vec![5.0f32; TARGET.iter().product::<u32>() as usize];
            let at = ImageCopy::level(&target, 0);
            queue.write_image(&at, target.size(), bytemuck::cast_slice(&before))?;
            let side = |image, axes: [[i64; 2]; 3]| ImageBlit {
                corners: [0, 1].map(|n: usize| {
                    let [x, y, z] = axes.map(|axis| axis[n] as u32);
                    Origin3d { x, y, z }
                }),
                ..ImageBlit::level(image, 0)
            };
            let mut commands = device.create_command_buffer(None);
            commands.blit_image(&side(&source, from), &side(&target, to), filter)?;
            queue.submit(&[&commands], &[])?;

            let axes = [0, 1, 2].map(|n: usize| Axis {
                from: from[n],
                to: to[n],
                size: i64::from(SOURCE[n]),
            });
            let read = queue.read_image(&at, target.size())?;
            let read: Vec<u32> = bytemuck::pod_collect_to_vec(&read);
            for z in 0..TARGET[2] {
                for y in 0..TARGET[1] {
                    for x in 0..TARGET[0] {
                        let expected = expected(&texels, axes, [x, y, z], filter);
                        let found = read[index(TARGET, [x, y, z].map(|n| n as usize))];
                        let same = match expected.is_nan() {
                            true => f32::from_bits(found).is_nan(),
                            false => found == expected.to_bits(),
                        };
                        assert!(same, "{filter:?} {x} {y} {z}: {found:#x} for {expected}");
                    }
                }
            }
        }
    }
    Ok(())
}

fn expected(texels: &[f32], axes: [Axis; 3], at: [u32; 3], filter: FilterMode) -> f32 {
    if !(0..3).all(|n| axes[n].covers(at[n])) {
        return 5.0;
    }
    if filter == FilterMode::Nearest {
        let at = [0, 1, 2].map(|n: usize| axes[n].nearest(at[n]));
        return texels[index(SOURCE, at)];
    }
    let [x, y, z] = [0, 1, 2].map(|n: usize| axes[n].linear(at[n]));
    let mut sum = 0.0;
    for (z, deep) in z {
        for (y, down) in y {
            for (x, across) in x {
                let weight = across * down * deep;
                if weight != 0.0 {
                    sum += weight * f64::from(texels[index(SOURCE, [x, y, z])]);
                }
            }
        }
    }
    sum as f32
}
