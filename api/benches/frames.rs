//! Frames per second of every scene on every device, and how long its shaders take to compile.

#![allow(missing_docs, reason = "criterion's macros make undocumented items")]

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use girih::{Device, DeviceDescriptor, Instance};
use scenes::{Canvas, SCENES};

fn devices() -> Vec<Device> {
    let devices = Instance::new().physical_devices().map(|gpu| {
        gpu.create_device(&DeviceDescriptor::default())
            .expect("every device can be powered on")
    });
    devices.collect()
}

fn frames(c: &mut Criterion) {
    for device in devices() {
        let canvas = Canvas::new(&device, 1280, 720).expect("the frame fits");
        let mut group = c.benchmark_group(format!("frame/{}", device.physical_device().name()));
        group.throughput(Throughput::Elements(1)).sample_size(20);
        for scene in SCENES
            .iter()
            .filter(|scene| scene.suits(&device.physical_device()))
        {
            let mut picture = (scene.load)(&device).expect("the scene loads");
            group.bench_function(scene.name, |b| {
                b.iter(|| {
                    canvas
                        .draw(picture.as_mut(), 40)
                        .expect("the frame is drawn")
                });
            });
        }
    }
}

fn loading(c: &mut Criterion) {
    for device in devices() {
        let mut group = c.benchmark_group(format!("load/{}", device.physical_device().name()));
        group.sample_size(10);
        for scene in SCENES
            .iter()
            .filter(|scene| scene.suits(&device.physical_device()))
        {
            group.bench_function(scene.name, |b| {
                b.iter(|| (scene.load)(&device).expect("the scene loads"));
            });
        }
    }
}

criterion_group!(benches, frames, loading);
criterion_main!(benches);
