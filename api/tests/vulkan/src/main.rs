//! Draws through a Vulkan driver, for comparison with girih: a triangle soup that a folder describes, or cells of the matrix
//! of `girih bench`.

mod matrix;
#[path = "../../../cli/src/measure.rs"]
mod measure;
mod soup;

// The same files as in `scenes`, which this program does not depend on: it would bring all of girih.
#[path = "../../../../examples/scenes/src/matrix/cells/mod.rs"]
#[allow(dead_code)]
mod cells;
#[path = "../../../../examples/scenes/src/math.rs"]
#[allow(dead_code)]
mod math;
#[path = "../../../../examples/scenes/src/mesh.rs"]
#[allow(dead_code)]
mod mesh;

use std::error::Error;
use std::path::Path;

type Failure = Box<dyn Error>;

fn main() -> Result<(), Failure> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words
        .iter()
        .map(String::as_str)
        .collect::<Vec<&str>>()
        .as_slice()
    {
        ["--matrix", frames, picture] => matrix::serve(frames.parse()?, Path::new(picture)),
        [folder] => soup::draw(Path::new(folder)),
        _ => Err("usage: girih-vulkan FOLDER | girih-vulkan --matrix FRAMES PICTURE".into()),
    }
}

/// The first Vulkan device, with those of the features that it has.
fn open(
    wanted: wgpu::Features,
    limits: wgpu::Limits,
) -> Result<(wgpu::Device, wgpu::Queue), Failure> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor {
        backends: wgpu::Backends::VULKAN,
        ..wgpu::InstanceDescriptor::new_without_display_handle()
    });
    let adapter =
        pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default()))?;
    eprintln!(
        "{}, {}",
        adapter.get_info().name,
        adapter.get_info().driver_info
    );
    Ok(pollster::block_on(adapter.request_device(
        &wgpu::DeviceDescriptor {
            required_features: wanted & adapter.features(),
            required_limits: limits.or_worse_values_from(&adapter.limits()),
            ..wgpu::DeviceDescriptor::default()
        },
    ))?)
}
