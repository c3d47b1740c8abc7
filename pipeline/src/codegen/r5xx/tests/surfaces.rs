//! Images, views and samplers: where texels lie and what the chip's texture unit makes of the words.

use super::*;

/// A set whose texture is at 64 and whose sampler at 128.
fn material(rig: &mut Rig, image: &Image, sampler: &SamplerState, level: u32) -> Addr {
    let shape = &image.memory.shape;
    let mut words = vec![0; 16];
    let view = ImageBinding {
        base: image.base,
        memory: &image.memory,
        format: shape.format,
        aspect: wgt::TextureAspect::All,
        dimension: wgt::TextureViewDimension::D2,
        first_level: level,
        levels: shape.levels - level,
        first_layer: 0,
        layers: 1,
    };
    R5xx.image_descriptor(&view, &mut words);
    let found = rig.driver.sampler_descriptor(sampler).unwrap();
    words.extend(found);
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    rig.put(&bytes)
}

/// Draws a texture over the target; coordinates go from `from` to `to`.
fn textured(rig: &mut Rig, set: Addr, [from, to]: [f32; 2]) -> Vec<[u8; 4]> {
    let target = rig.target(Format::Rgba8Unorm);
    let far = from + 2.0 * (to - from);
    // The upper left corner has the first coordinates.
    let corners = rig.floats(&[
        -1.0, 1.0, 0.0, 1.0, 3.0, 1.0, 0.0, 1.0, -1.0, -3.0, 0.0, 1.0,
    ]);
    let places = rig.floats(&[
        from, from, 0.0, 1.0, far, from, 0.0, 1.0, from, far, 0.0, 1.0,
    ]);
    let pipeline = rig.pipeline(["pair", "texture"], state(2, Format::Rgba8Unorm));
    rig.run(|out| {
        out.begin_pass(pass(&target, wgt::Color::BLACK, None))?;
        out.bind_pipeline(&pipeline);
        out.bind_set(0, set);
        out.bind_vertex_buffer(0, range(corners, 48));
        out.bind_vertex_buffer(1, range(places, 48));
        out.draw(&THREE)?;
        out.end_pass()
    });
    pixels(&rig.texels(&target, 0, 0))
}

fn sampler(mode: wgt::AddressMode, filter: wgt::FilterMode) -> SamplerState {
    SamplerState::from(wgt::SamplerDescriptor {
        label: (),
        address_mode_u: mode,
        address_mode_v: mode,
        address_mode_w: mode,
        mag_filter: filter,
        min_filter: filter,
        ..wgt::SamplerDescriptor::default()
    })
}

#[test]
fn texels_are_read_where_they_were_written() {
    let mut rig = Rig::new();
    let nearest = sampler(wgt::AddressMode::ClampToEdge, wgt::FilterMode::Nearest);
    for (format, order) in [
        (Format::Rgba8Unorm, [0, 1, 2, 3]),
        (Format::Bgra8Unorm, [2, 1, 0, 3]),
    ] {
        // As large as a macro tile and larger.
        let image = rig.image(shape(format, [64, 64, 1], 1));
        let texel = |x: usize, y: usize| [x as u8, y as u8, (x ^ y) as u8, 255];
        let texels: Vec<u8> = (0..64 * 64).flat_map(|n| texel(n % 64, n / 64)).collect();
        rig.upload(&image, 0, &texels);
        assert_eq!(rig.texels(&image, 0, 0), texels);
        let set = material(&mut rig, &image, &nearest, 0);
        let drawn = textured(&mut rig, set, [0.0, 1.0]);
        for (n, pixel) in drawn.iter().enumerate() {
            let stored = texel(4 * (n % 16) + 2, 4 * (n / 16) + 2);
            assert_eq!(*pixel, order.map(|c: usize| stored[c]), "{format:?} {n}");
        }
    }
}

#[test]
fn levels_follow_each_other() {
    let mut rig = Rig::new();
    let image = rig.image(shape(Format::Rgba8Unorm, [40, 20, 1], 6));
    for level in 0..6 {
        let found = &image.memory.planes[0].levels[level as usize];
        let texels = [10 * level as u8 + 5; 4].repeat((found.width * found.height) as usize);
        rig.upload(&image, level, &texels);
    }
    for level in 0..6u32 {
        let bytes = rig.texels(&image, level, 0);
        assert!(
            bytes.iter().all(|byte| *byte == 10 * level as u8 + 5),
            "{level}"
        );
    }
    let nearest = sampler(wgt::AddressMode::Repeat, wgt::FilterMode::Nearest);
    // A texel and a quarter a pixel, then five and ten.
    for (base, to, level) in [
        (0, 0.5, 0),
        (0, 2.0, 2),
        (1, 4.0, 3),
        (2, 0.25, 2),
        (5, 1.0, 5),
    ] {
        let set = material(&mut rig, &image, &nearest, base);
        let drawn = textured(&mut rig, set, [0.0, to]);
        assert_eq!(drawn[77][0], 10 * level + 5, "from {base} on, to {to}");
    }
    // The sampler's limits count from the view's first level.
    let mut limited = nearest.clone();
    limited.base.lod_min_clamp = 1.0;
    limited.base.lod_max_clamp = 2.0;
    for (base, to, level) in [(0, 0.25, 1), (0, 40.0, 2), (1, 0.25, 2), (1, 40.0, 3)] {
        let set = material(&mut rig, &image, &limited, base);
        let drawn = textured(&mut rig, set, [0.0, to]);
        assert_eq!(drawn[77][0], 10 * level + 5, "from {base} on, to {to}");
    }
}

#[test]
fn borders_have_their_color() {
    let mut rig = Rig::new();
    for format in [Format::Rgba8Unorm, Format::Bgra8Unorm] {
        let image = rig.image(shape(format, [8, 8, 1], 1));
        rig.upload(&image, 0, &[255; 256]);
        let mut border = sampler(wgt::AddressMode::ClampToBorder, wgt::FilterMode::Nearest);
        border.border_color = Some([0.2, 0.4, 0.6, 0.8].map(f32::to_bits));
        let set = material(&mut rig, &image, &border, 0);
        let drawn = textured(&mut rig, set, [0.5, 1.5]);
        assert_eq!((drawn[0], drawn[255]), ([255; 4], [51, 102, 153, 204]));
    }
}

#[test]
fn planes_of_depth_and_stencil_share_words() {
    let mut rig = Rig::new();
    let image = rig.target(Format::Depth24PlusStencil8);
    assert_eq!(image.memory.planes.len(), 2);
    let depths: Vec<u8> = (0..256u32)
        .flat_map(|n| (n * 65793).to_le_bytes())
        .collect();
    rig.upload(&image, 0, &depths);
    assert_eq!(rig.texels(&image, 0, 0), depths);
    assert_eq!(rig.texels(&image, 0, 1), [0; 256]);
    let word = rig.driver.memory.load(image.base.0 + 4).unwrap();
    assert_eq!(word, 65793 << 8);
}

#[test]
fn faces_and_slices_are_where_the_chip_looks_for_them() {
    let cube = R5xx.image_memory(&shape(Format::Rgba8Unorm, [32, 32, 6], 3));
    let levels = &cube.unwrap().planes[0].levels;
    assert_eq!(levels[0].slices, 6);
    assert_eq!(levels[1].offset, 6 * 32 * 32 * 4);
    let mut volume = shape(Format::R8Unorm, [16, 16, 8], 4);
    volume.dimension = wgt::TextureDimension::D3;
    let slices: Vec<u32> = R5xx.image_memory(&volume).unwrap().planes[0]
        .levels
        .iter()
        .map(|level| level.slices)
        .collect();
    assert_eq!(slices, [8, 4, 2, 1]);
    volume.size.depth_or_array_layers = 6;
    let error = R5xx.image_memory(&volume).unwrap_err().to_string();
    assert!(error.contains("TXDEPTH is a logarithm"), "{error}");
    let array = shape(Format::Rgba8Unorm, [32, 16, 6], 1);
    let error = R5xx.image_memory(&array).unwrap_err().to_string();
    assert!(error.starts_with("6 layers of 32 by 16"), "{error}");
}

#[test]
fn memory_is_filled_and_copied() {
    let mut rig = Rig::new();
    let at = rig.take(1 << 17);
    rig.run(|out| {
        // Begins and ends within rows.
        out.fill(Addr(at.0 + 1020), 3 * 8192 + 8, &7u32.to_le_bytes())?;
        out.copy(Addr(at.0 + 1021), Addr(at.0 + 60003), 5);
        out.fill(Addr(at.0 + 65536), 48, &[1, 2, 3, 4, 5, 6, 7, 8])
    });
    let memory = &rig.driver.memory;
    let word = |offset: u64| memory.load(at.0 + offset).unwrap();
    assert_eq!([1016, 1020, 9000, 25600, 25604].map(word), [0, 7, 7, 7, 0]);
    let end = 1020 + 3 * 8192 + 8;
    let filled = (0..60000).step_by(4).filter(|offset| word(*offset) == 7);
    assert_eq!((filled.count(), word(end)), ((3 * 8192 + 8) / 4, 0));
    assert_eq!(word(60004), 0x0007_0000);
    assert_eq!(
        [0, 4, 40, 44, 48].map(|n| word(65536 + n)),
        [0x0403_0201, 0x0807_0605, 0x0403_0201, 0x0807_0605, 0,]
    );
}
