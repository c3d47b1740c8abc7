//! The matrix: names that say which cell is meant, and pictures that are what the plans say.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use girih::{DeviceDescriptor, Instance};
use scenes::matrix::Drawing;
use scenes::matrix::cells::{cells, plan::noise};

#[test]
fn every_cell_has_a_name_of_its_own() {
    let cells = cells();
    let names: BTreeSet<&str> = cells.iter().map(|cell| cell.name.as_str()).collect();
    assert_eq!(names.len(), cells.len());
    for family in [
        "texture/",
        "target/",
        "depth/",
        "primitive/",
        "vertex/",
        "draw/",
        "arithmetic/",
        "transfer/",
        "cause/",
    ] {
        assert!(
            names.iter().any(|name| name.starts_with(family)),
            "{family}"
        );
    }
}

/// Columns 96 to 191 of the picture show the second layer, whose texels follow those of the first.
#[test]
fn layers_of_an_array_hold_their_own_texels() {
    let cells = cells();
    let cell = cells
        .iter()
        .find(|cell| cell.name == "texture/array/rgba8unorm/nearest")
        .unwrap();
    let texels = noise(1, 2 * 256 * 256 * 4);
    for gpu in Instance::new()
        .physical_devices()
        .filter(|gpu| gpu.features().integers)
    {
        let device = gpu.create_device(&DeviceDescriptor::default()).unwrap();
        let mut drawing = Drawing::new(&device, cell).unwrap();
        drawing.draw().unwrap();
        let picture = drawing.picture().unwrap();
        for [x, y] in [[10, 20], [100, 20], [150, 300]] {
            let texel = |pixel: f64| ((2.0 * pixel / 512.0 * 0.7 + 0.1) * 256.0) as usize % 256;
            let (column, row) = (texel(x as f64 + 0.5), texel(512.0 - (y as f64 + 0.5)));
            let at = ((x / 96 * 256 + row) * 256 + column) * 4;
            assert_eq!(
                picture[(y * 512 + x) * 4..][..4],
                texels[at..at + 4],
                "{} at {x}, {y}",
                gpu.name()
            );
        }
    }
}

#[test]
fn draws_read_and_written_texels_are_done() {
    let cells = cells();
    for name in [
        "draw/16 draws/offsets changed",
        "vertex/indexed",
        "transfer/rgba8unorm/written",
    ] {
        let cell = cells.iter().find(|cell| cell.name == name).unwrap();
        for gpu in Instance::new()
            .physical_devices()
            .filter(|gpu| gpu.features().integers)
        {
            let device = gpu.create_device(&DeviceDescriptor::default()).unwrap();
            let mut drawing = Drawing::new(&device, cell).unwrap();
            drawing.draw().unwrap();
            let picture = drawing.picture().unwrap();
            let first = &picture[..4];
            assert!(
                picture.chunks(4).any(|texel| texel != first),
                "{name} on {}",
                gpu.name()
            );
        }
    }
}
