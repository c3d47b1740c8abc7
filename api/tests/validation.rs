//! Breaks every rule of the interface once, and goes to the edge of every one that has a number.

#![allow(clippy::unwrap_used, clippy::new_without_default, missing_docs)]

#[path = "validation/boundaries.rs"]
mod boundaries;
#[path = "validation/captures.rs"]
mod captures;
#[path = "validation/compute.rs"]
mod compute;
#[path = "validation/foreign.rs"]
mod foreign;
#[path = "validation/lost.rs"]
mod lost;
#[path = "validation/messages.rs"]
mod messages;
#[path = "validation/objects.rs"]
mod objects;
#[path = "validation/pipelines.rs"]
mod pipelines;
#[path = "validation/recording.rs"]
mod recording;
#[path = "validation/sets.rs"]
mod sets;
#[path = "validation/streams.rs"]
mod streams;
#[path = "validation/transfers.rs"]
mod transfers;

use girih::*;

/// Declares one test per rule: an expression that must fail by breaking it.
macro_rules! breaks {
    ($($(#[$meta:meta])* $test:ident $rule:literal = |$t:ident| $call:expr;)*) => {
        $(
            #[test]
            $(#[$meta])*
            fn $test() {
                let $t = &crate::Fixture::new();
                let error = $call.map(drop).expect_err(concat!($rule, " was not broken"));
                assert_eq!(error.rule(), $rule, "{error}");
                let text = error.to_string();
                assert!(!text.is_empty() && !text.ends_with('.'), "{text}");
            }
        )*

        /// Rules that are broken here.
        pub const BROKEN: &[&str] = &[$($rule),*];
    };
}
pub(crate) use breaks;

/// A device with a few objects that keep all rules.
pub struct Fixture {
    pub device: Device,
    pub queue: Queue,
}

impl Fixture {
    pub fn new() -> Fixture {
        Fixture::with(|_| true)
    }

    /// On the first device whose features are such.
    pub fn with(suits: impl Fn(&Features) -> bool) -> Fixture {
        let mut chips = Instance::new().physical_devices();
        Fixture::on(chips.find(|gpu| suits(gpu.features())).unwrap())
    }

    pub fn on(gpu: PhysicalDevice) -> Fixture {
        let device = gpu
            .create_device(&DeviceDescriptor {
                label: Some("test"),
                memory_bytes: Some(32 << 20),
                threads: Some(1),
                ..DeviceDescriptor::default()
            })
            .unwrap();
        Fixture {
            queue: device.queue(),
            device,
        }
    }

    pub fn gpu(&self) -> PhysicalDevice {
        self.device.physical_device()
    }

    pub fn buffer(&self, size: u64, usage: BufferUsages) -> Buffer {
        let desc = buffer(size, usage);
        self.device.create_buffer(&desc).unwrap()
    }

    pub fn image(&self, format: TextureFormat, usage: TextureUsages) -> Image {
        self.device.create_image(&image(format, usage)).unwrap()
    }

    /// A view of an image of 16 by 16 texels with one level.
    pub fn view(&self, format: TextureFormat, usage: TextureUsages) -> ImageView {
        let image = self.image(format, usage);
        self.view_of(&image)
    }

    pub fn view_of(&self, image: &Image) -> ImageView {
        let desc = ImageViewDescriptor::default();
        self.device.create_image_view(image, &desc).unwrap()
    }

    pub fn target(&self) -> ImageView {
        self.view(
            TextureFormat::Rgba8Unorm,
            TextureUsages::RENDER_ATTACHMENT | TextureUsages::COPY_SRC,
        )
    }

    pub fn commands(&self) -> CommandBuffer {
        self.device.create_command_buffer(Some("test"))
    }
}

pub fn buffer(size: u64, usage: BufferUsages) -> BufferDescriptor<'static> {
    BufferDescriptor {
        label: Some("buffer"),
        size,
        usage,
        placement: None,
    }
}

pub fn image(format: TextureFormat, usage: TextureUsages) -> ImageDescriptor<'static> {
    ImageDescriptor {
        label: Some("image"),
        dimension: TextureDimension::D2,
        size: extent(16, 16, 1),
        levels: 1,
        samples: 1,
        format,
        usage,
        placement: None,
    }
}

pub fn extent(width: u32, height: u32, depth_or_array_layers: u32) -> Extent3d {
    Extent3d {
        width,
        height,
        depth_or_array_layers,
    }
}

/// Every rule has a test, and every test a rule.
#[test]
fn all_rules_are_tested() {
    let mut tested: Vec<&str> = [
        objects::BROKEN,
        sets::BROKEN,
        pipelines::BROKEN,
        compute::BROKEN,
        recording::BROKEN,
        streams::BROKEN,
        transfers::BROKEN,
        foreign::BROKEN,
        captures::BROKEN,
    ]
    .concat();
    let mut rules: Vec<&str> = girih::rules::FAMILIES
        .iter()
        .flat_map(|(_, rules)| rules.iter().map(|rule| rule.name))
        .collect();
    tested.sort_unstable();
    rules.sort_unstable();
    assert_eq!(tested, rules);
}

/// `docs/rules.md` is what the errors say. `UPDATE_GOLDEN=1` writes it.
#[test]
fn rules_are_documented() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/rules.md");
    let text = girih::rules::markdown();
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(path, &text).unwrap();
    }
    let written = std::fs::read_to_string(path).unwrap_or_default();
    assert_eq!(
        written, text,
        "docs/rules.md is stale; UPDATE_GOLDEN=1 writes it"
    );
}
