//! What moving a texel costs: host and images, images and images, scaled copies, resolves, levels. One thread; a row is
//! nanoseconds a texel of a 1280x720 image, the least of several runs.
//!
//!     cargo bench -p girih --bench transfers -- [DEVICE] [PART OF A NAME]

use std::time::{Duration, Instant};

use girih::*;

type Failure = Box<dyn std::error::Error>;

const SIZE: Extent3d = Extent3d {
    width: 1280,
    height: 720,
    depth_or_array_layers: 1,
};
const RUNS: u32 = 5;

fn main() -> Result<(), Failure> {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    let physical: Vec<PhysicalDevice> = Instance::new().physical_devices().collect();
    let is_first = |gpu: &PhysicalDevice| words.first().is_some_and(|word| word == gpu.name());
    let named = physical.iter().any(is_first);
    let part = words.get(usize::from(named)).cloned().unwrap_or_default();
    for gpu in physical.iter().filter(|gpu| !named || is_first(gpu)) {
        println!("{}: nanoseconds a texel", gpu.name());
        let device = gpu.create_device(&DeviceDescriptor {
            threads: Some(1),
            ..DeviceDescriptor::default()
        })?;
        for (name, run) in ROWS.iter().filter(|(name, _)| name.contains(&part)) {
            let time = run(&device)?;
            let texels = f64::from(SIZE.width * SIZE.height);
            println!("{name:32} {:8.2}", time.as_nanos() as f64 / texels);
        }
    }
    Ok(())
}

type Run = fn(&Device) -> Result<Duration, Failure>;

const ROWS: &[(&str, Run)] = &[
    ("read rgba8", |device| {
        read(device, TextureFormat::Rgba8Unorm)
    }),
    ("read r8", |device| read(device, TextureFormat::R8Unorm)),
    ("read rgba16f", |device| {
        read(device, TextureFormat::Rgba16Float)
    }),
    ("read rgba32f", |device| {
        read(device, TextureFormat::Rgba32Float)
    }),
    ("read depth32", |device| {
        read(device, TextureFormat::Depth32Float)
    }),
    ("write rgba8", |device| {
        write(device, TextureFormat::Rgba8Unorm)
    }),
    ("write r8", |device| write(device, TextureFormat::R8Unorm)),
    ("write rgba16f", |device| {
        write(device, TextureFormat::Rgba16Float)
    }),
    ("buffer to image", |device| {
        let (buffer, image) = (buffer(device)?, image(device, 1, 1)?);
        run(device, |commands| {
            let (from, to) = (BufferCopy::at(&buffer, 0), ImageCopy::level(&image, 0));
            Ok(commands.copy_buffer_to_image(&from, &to, SIZE)?)
        })
    }),
    ("image to buffer", |device| {
        let (buffer, image) = (buffer(device)?, image(device, 1, 1)?);
        run(device, |commands| {
            let (from, to) = (ImageCopy::level(&image, 0), BufferCopy::at(&buffer, 0));
            Ok(commands.copy_image_to_buffer(&from, &to, SIZE)?)
        })
    }),
    ("image to image", |device| {
        let [from, to] = [image(device, 1, 1)?, image(device, 1, 1)?];
        run(device, |commands| {
            let [from, to] = [&from, &to].map(|image| ImageCopy::level(image, 0));
            Ok(commands.copy_image(&from, &to, SIZE)?)
        })
    }),
    ("blit nearest", |device| blit(device, FilterMode::Nearest)),
    ("blit linear", |device| blit(device, FilterMode::Linear)),
    ("levels", |device| {
        let image = image(device, 11, 1)?;
        run(device, |commands| {
            let general = ImageLayout::General;
            Ok(commands.generate_levels(&image, general, general)?)
        })
    }),
    ("resolve 4", |device| {
        let [from, to] = [image(device, 1, 4)?, image(device, 1, 1)?];
        run(device, |commands| {
            let [from, to] = [&from, &to].map(|image| ImageCopy::level(image, 0));
            Ok(commands.resolve_image(&from, &to, SIZE, ResolveMode::Average)?)
        })
    }),
    ("frame for a window", |device| {
        let image = image(device, 1, 1)?;
        let mut pixels = vec![0; (SIZE.width * SIZE.height) as usize];
        least(|| {
            let picture = device.queue().read_picture(&image)?;
            present::to_window(&picture, &mut pixels);
            Ok(())
        })
    }),
    ("picture", |device| {
        let image = image(device, 1, 1)?;
        least(|| {
            device.queue().read_picture(&image)?;
            Ok(())
        })
    }),
];

fn least(mut run: impl FnMut() -> Result<(), Failure>) -> Result<Duration, Failure> {
    let mut least = Duration::MAX;
    for _ in 0..RUNS {
        let start = Instant::now();
        run()?;
        least = least.min(start.elapsed());
    }
    Ok(least)
}

fn run(
    device: &Device,
    record: impl Fn(&mut CommandBuffer) -> Result<(), Failure>,
) -> Result<Duration, Failure> {
    least(|| {
        let mut commands = device.create_command_buffer(None);
        record(&mut commands)?;
        Ok(device.queue().submit(&[&commands], &[])?)
    })
}

fn image(device: &Device, levels: u32, samples: u32) -> Result<Image, Failure> {
    image_of(device, TextureFormat::Rgba8Unorm, levels, samples)
}

fn image_of(
    device: &Device,
    format: TextureFormat,
    levels: u32,
    samples: u32,
) -> Result<Image, Failure> {
    let mut usage = TextureUsages::COPY_SRC | TextureUsages::COPY_DST;
    if samples > 1 {
        usage |= TextureUsages::RENDER_ATTACHMENT;
    }
    let image = device.create_image(&ImageDescriptor {
        label: Some(if samples > 1 { "samples" } else { "texels" }),
        dimension: TextureDimension::D2,
        size: SIZE,
        levels,
        samples,
        format,
        usage,
        placement: None,
    })?;
    device.queue().transition(&image, ImageLayout::General)?;
    Ok(image)
}

fn buffer(device: &Device) -> Result<Buffer, Failure> {
    Ok(device.create_buffer(&BufferDescriptor {
        label: Some("rows"),
        size: u64::from(SIZE.width * SIZE.height * 4),
        usage: BufferUsages::COPY_SRC | BufferUsages::COPY_DST,
        placement: None,
    })?)
}

fn read(device: &Device, format: TextureFormat) -> Result<Duration, Failure> {
    let image = image_of(device, format, 1, 1)?;
    least(|| {
        device
            .queue()
            .read_image(&ImageCopy::level(&image, 0), SIZE)?;
        Ok(())
    })
}

fn write(device: &Device, format: TextureFormat) -> Result<Duration, Failure> {
    let image = image_of(device, format, 1, 1)?;
    let bytes = format.block_copy_size(None).unwrap_or(4);
    let texels = vec![7; (SIZE.width * SIZE.height * bytes) as usize];
    least(|| {
        let to = ImageCopy::level(&image, 0);
        Ok(device.queue().write_image(&to, SIZE, &texels)?)
    })
}

fn blit(device: &Device, filter: FilterMode) -> Result<Duration, Failure> {
    let [from, to] = [image(device, 1, 1)?, image(device, 1, 1)?];
    run(device, |commands| {
        let [from, to] = [&from, &to].map(|image| ImageBlit::level(image, 0));
        Ok(commands.blit_image(&from, &to, filter)?)
    })
}
