//! What each capability of a format means, drawn, stored or copied.

use ::pipeline::format::texture_format;
use ::pipeline::silicon::Format;
use ::pipeline::silicon::texture::block;
use ::pipeline::silicon::texture::format::{Class, Read};
use girih::*;

use crate::harness::{EVERYWHERE, Harness, Setup};

/// Texels across and down; every block but the largest fits often.
pub const SIDE: u32 = 120;
/// Pixels that are looked at.
pub const SEEN: u32 = 8;

pub const COPIED: TextureUsages = TextureUsages::COPY_SRC.union(TextureUsages::COPY_DST);

/// The aspects of a format, each with the format that shaders and copies see.
pub fn aspects(format: TextureFormat) -> Vec<(TextureAspect, TextureFormat)> {
    let aspects: &[TextureAspect] = match format {
        TextureFormat::NV12 | TextureFormat::P010 => {
            &[TextureAspect::Plane0, TextureAspect::Plane1]
        }
        _ if format.is_combined_depth_stencil_format() => {
            &[TextureAspect::DepthOnly, TextureAspect::StencilOnly]
        }
        _ => &[TextureAspect::All],
    };
    let one = |aspect: &TextureAspect| (*aspect, format.aspect_specific_format(*aspect).unwrap());
    aspects.iter().map(one).collect()
}

/// Bytes that are no NaN or infinity in any format of floats.
pub fn noise(format: Format, count: u32) -> Vec<u8> {
    let mask = match format.class() {
        Class::Float if !format.is_block() => 0x1f,
        _ => 0xff,
    };
    let mut seed = 12345u32;
    let mut next = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 24) as u8 & mask
    };
    (0..count).map(|_| next()).collect()
}

/// A number of a class in WGSL and as register bits: a quarter, or a whole number.
pub fn quarter(class: Class) -> (&'static str, [u32; 4]) {
    match class {
        Class::Uint => ("vec4u(1u, 2u, 3u, 1u)", [1, 2, 3, 1]),
        Class::Sint => ("vec4i(1, -2, 3, 1)", [1, -2i32 as u32, 3, 1]),
        _ => (
            "vec4f(0.25, 0.125, 0.0625, 0.5)",
            [0.25f32, 0.125, 0.0625, 0.5].map(f32::to_bits),
        ),
    }
}

/// The letter of a class in WGSL types, and a wide format that keeps its numbers.
pub fn wide(class: Class) -> (&'static str, TextureFormat) {
    match class {
        Class::Uint => ("u", TextureFormat::Rgba32Uint),
        Class::Sint => ("i", TextureFormat::Rgba32Sint),
        _ => ("f", TextureFormat::Rgba32Float),
    }
}

pub struct Bench {
    pub harness: Harness,
    pub gpu: PhysicalDevice,
}

impl Bench {
    pub fn desc(
        &self,
        format: TextureFormat,
        usage: TextureUsages,
        samples: u32,
    ) -> ImageDescriptor<'static> {
        ImageDescriptor {
            label: Some("image"),
            dimension: TextureDimension::D2,
            size: Extent3d {
                width: SIDE,
                height: SIDE,
                depth_or_array_layers: 1,
            },
            levels: 1,
            samples,
            format,
            usage,
            placement: None,
        }
    }

    pub fn try_image(
        &self,
        format: TextureFormat,
        usage: TextureUsages,
    ) -> Result<Image, ImageError> {
        self.harness
            .device
            .create_image(&self.desc(format, usage, 1))
    }

    pub fn image(&self, format: TextureFormat, usage: TextureUsages) -> Image {
        let image = self.try_image(format, usage).unwrap();
        self.harness
            .queue
            .transition(&image, ImageLayout::General)
            .unwrap();
        image
    }

    pub fn refused(&self, format: TextureFormat, usage: TextureUsages) {
        let error = self.try_image(format, usage).unwrap_err();
        assert_eq!(error.rule(), "image-format", "{format:?} as {usage:?}");
    }

    pub fn place<'a>(&self, image: &'a Image, aspect: TextureAspect) -> (ImageCopy<'a>, Extent3d) {
        let mut size = image.size();
        if aspect == TextureAspect::Plane1 {
            (size.width, size.height) = (size.width / 2, size.height / 2);
        }
        let copy = ImageCopy {
            aspect,
            ..ImageCopy::level(image, 0)
        };
        (copy, size)
    }

    /// Fills an aspect with noise and gives the values of its first texels, row by row.
    pub fn fill(
        &self,
        image: &Image,
        aspect: TextureAspect,
        format: TextureFormat,
    ) -> Vec<[u32; 4]> {
        let format = texture_format(format).unwrap();
        let (copy, size) = self.place(image, aspect);
        let (width, height) = format.block_size();
        let across = size.width.div_ceil(width);
        let count = across * size.height.div_ceil(height) * format.size_bytes();
        let bytes = noise(format, count);
        self.harness.queue.write_image(&copy, size, &bytes).unwrap();
        let value = |x: u32, y: u32| {
            let at = ((y / height * across + x / width) * format.size_bytes()) as usize;
            let element = &bytes[at..at + format.size_bytes() as usize];
            if !format.is_block() {
                return format.unpack(element);
            }
            let mut padded = [0; 16];
            padded[..element.len()].copy_from_slice(element);
            block::value(format, bytemuck::cast(padded), x % width, y % height)
        };
        (0..SEEN * SEEN)
            .map(|i| value(i % SEEN, i / SEEN))
            .collect()
    }

    pub fn set(
        &self,
        ty: BindingType,
        what: Descriptor,
        sampler: bool,
    ) -> Result<(DescriptorSetLayout, DescriptorSet), SetError> {
        let device = &self.harness.device;
        let entry = |binding, ty| BindGroupLayoutEntry {
            binding,
            visibility: ShaderStages::FRAGMENT,
            ty,
            count: None,
        };
        let mut entries = vec![entry(0, ty)];
        let mut given = vec![(0, what)];
        if sampler {
            entries.push(entry(
                1,
                BindingType::Sampler(SamplerBindingType::Filtering),
            ));
            let sampler = device.create_sampler(&SamplerDescriptor {
                mag_filter: FilterMode::Linear,
                ..SamplerDescriptor::default()
            });
            given.push((1, Descriptor::from(&sampler.unwrap())));
        }
        let layout = device
            .create_descriptor_set_layout(&DescriptorSetLayoutDescriptor {
                label: Some("layout"),
                entries: &entries,
            })
            .unwrap();
        let set = device.create_descriptor_set(&DescriptorSetDescriptor {
            label: Some("set"),
            layout: &layout,
            entries: &given,
        })?;
        Ok((layout, set))
    }

    /// Draws everywhere with a set bound; the bytes of the target.
    pub fn draw(&self, setup: &Setup<'_>, set: Option<&DescriptorSet>, fragment: &str) -> Vec<u8> {
        let wgsl = format!("{EVERYWHERE}{fragment}");
        let pipeline = self.harness.pipeline(setup, &wgsl);
        let mut bytes = self.harness.record(setup, |commands| {
            commands.bind_pipeline(&pipeline).unwrap();
            if let Some(set) = set {
                commands.bind_descriptor_set(0, set, &[]).unwrap();
            }
            commands.draw(0..3, 0..1).unwrap();
        });
        bytes.remove(0)
    }

    /// What registers hold of a value: chips without integers have no denormals either.
    pub fn held(&self, letter: &str, value: [u32; 4]) -> [u32; 4] {
        let denormal = |word: u32| word << 1 >> 24 == 0;
        value.map(
            |word| match letter == "f" && !self.gpu.features().integers {
                true if denormal(word) => 0,
                _ => word,
            },
        )
    }

    pub fn sampled(&self, format: TextureFormat, filterable: bool) {
        let image = self.image(format, TextureUsages::TEXTURE_BINDING | COPIED);
        for (aspect, seen) in aspects(format) {
            let values = self.fill(&image, aspect, seen);
            let row = texture_format(seen).unwrap();
            let (letter, target) = wide(row.class());
            let depth = seen.has_depth_aspect();
            let view = ImageViewDescriptor {
                aspect,
                ..ImageViewDescriptor::default()
            };
            let view = self
                .harness
                .device
                .create_image_view(&image, &view)
                .unwrap();
            let ty = |filterable| BindingType::Texture {
                sample_type: match letter {
                    "u" => TextureSampleType::Uint,
                    "i" => TextureSampleType::Sint,
                    _ if depth => TextureSampleType::Depth,
                    _ => TextureSampleType::Float { filterable },
                },
                view_dimension: TextureViewDimension::D2,
                multisampled: false,
            };
            let wgsl = match depth {
                true => "texture_depth_2d".to_owned(),
                false => format!("texture_2d<{letter}32>"),
            };
            let (layout, set) = self.set(ty(false), Descriptor::from(&view), false).unwrap();
            let integers = letter == "f" || self.gpu.features().integers;
            let (out, target) = match integers {
                true => (letter, target),
                false => ("f", TextureFormat::Rgba32Float),
            };
            let setup = Setup {
                sets: vec![&layout],
                ..Setup::format(target)
            };
            let text = format!(
                "@group(0) @binding(0) var t: {wgsl};
                 @fragment fn fragment(@builtin(position) p: vec4f) -> @location(0) vec4{out} {{
                     return vec4{out}(textureLoad(t, vec2i(p.xy), 0));
                 }}"
            );
            if !integers {
                // Stencil beside depth: no program reads it.
                assert!(seen == TextureFormat::Stencil8, "{format:?}");
                let wgsl = format!("{EVERYWHERE}{text}");
                let error = self.harness.try_pipeline(&setup, &wgsl).unwrap_err();
                assert_eq!(error.rule(), "pipeline-compile", "{format:?} {aspect:?}");
                continue;
            }
            let bytes = self.draw(&setup, Some(&set), &text);
            let components = if depth { 1 } else { 4 };
            for (texel, value) in bytes.chunks(16).zip(&values) {
                let got: [u32; 4] = bytemuck::pod_read_unaligned(texel);
                let wanted = self.held(letter, *value);
                assert_eq!(
                    got[..components],
                    wanted[..components],
                    "{format:?} {aspect:?}"
                );
            }
            if letter != "f" {
                continue;
            }
            if !filterable {
                let error = self
                    .set(ty(true), Descriptor::from(&view), true)
                    .unwrap_err();
                assert_eq!(error.rule(), "set-view", "{format:?}");
                continue;
            }
            // Half way between the texels of a row.
            let (layout, set) = self.set(ty(true), Descriptor::from(&view), true).unwrap();
            let setup = Setup {
                sets: vec![&layout],
                ..Setup::format(target)
            };
            let size = self.place(&image, aspect).1;
            let bytes = self.draw(
                &setup,
                Some(&set),
                &format!(
                    "@group(0) @binding(0) var t: {wgsl};
                     @group(0) @binding(1) var s: sampler;
                     @fragment fn fragment(@builtin(position) p: vec4f) -> @location(0) vec4f {{
                         let at = (p.xy + vec2f(0.5, 0.0)) / {:?};
                         return vec4f(textureSampleLevel(t, s, at, {}));
                     }}",
                    size.width as f32,
                    if depth { "0" } else { "0.0" },
                ),
            );
            for (at, texel) in bytes.chunks(16).enumerate() {
                if at as u32 % SEEN == SEEN - 1 {
                    continue;
                }
                let got: [f32; 4] = bytemuck::pod_read_unaligned(texel);
                for c in 0..components {
                    let [a, b] = [values[at][c], values[at + 1][c]].map(f32::from_bits);
                    // The coordinate is rounded, and places between texels have eight bits.
                    let bound = (a - b).abs() / 256.0 + (a.abs() + b.abs()) * 1e-6;
                    let mean = (a + b) / 2.0;
                    assert!(
                        (got[c] - mean).abs() <= bound,
                        "{format:?} {aspect:?}: {got:?} for {a} and {b}"
                    );
                }
            }
        }
    }

    /// Draws one value with a number of samples.
    pub fn rendered(&self, format: TextureFormat, samples: u32) {
        let row = texture_format(format).unwrap();
        let (wgsl, value) = quarter(row.class());
        let (letter, _) = wide(row.class());
        let setup = Setup {
            samples,
            resolve: ResolveMode::SampleZero,
            ..Setup::format(format)
        };
        let fragment =
            format!("@fragment fn fragment() -> @location(0) vec4{letter} {{ return {wgsl}; }}");
        let bytes = self.draw(&setup, None, &fragment);
        let mut texel = vec![0; row.size_bytes() as usize];
        row.pack(value, &mut texel);
        assert_eq!(bytes, texel.repeat(64), "{format:?} with {samples} samples");
    }

    pub fn blended(&self, format: TextureFormat) -> Result<(), GraphicsPipelineError> {
        let row = texture_format(format).unwrap();
        let one = BlendComponent {
            src_factor: BlendFactor::One,
            dst_factor: BlendFactor::One,
            operation: BlendOperation::Add,
        };
        let mut setup = Setup::format(format);
        setup.targets[0].blend = Some(BlendState {
            color: one,
            alpha: one,
        });
        setup.clear = Color {
            r: 0.25,
            g: 0.25,
            b: 0.25,
            a: 0.25,
        };
        let (letter, _) = wide(row.class());
        let wgsl = format!(
            "{EVERYWHERE}@fragment fn fragment() -> @location(0) vec4{letter} {{ return vec4{letter}({}); }}",
            quarter(row.class()).0
        );
        self.harness.try_pipeline(&setup, &wgsl)?;
        let fragment = wgsl.strip_prefix(EVERYWHERE).unwrap();
        let bytes = self.draw(&setup, None, fragment);
        // What was there is what the format made of the quarter.
        let mut clear = vec![0; row.size_bytes() as usize];
        row.pack([0.25f32.to_bits(); 4], &mut clear);
        let got = row.unpack(&bytes).map(f32::from_bits);
        let there = row.unpack(&clear).map(f32::from_bits);
        for c in 0..4 {
            if matches!(row.row().reads[c], Read::Channel(_)) {
                let expected = there[c] + f32::from_bits(quarter(row.class()).1[c]);
                // The sum is rounded to the format, after the old value was: a step of 2, 5 or more bits.
                let mut packed = vec![0; row.size_bytes() as usize];
                let value = std::array::from_fn(|i| if i == c { expected.to_bits() } else { 0 });
                row.pack(value, &mut packed);
                let expected = f32::from_bits(row.unpack(&packed)[c]);
                assert_eq!(got[c], expected, "{format:?} component {c}");
            }
        }
        Ok(())
    }

    pub fn stored(&self, format: TextureFormat) {
        let row = texture_format(format).unwrap();
        let image = self.image(format, TextureUsages::STORAGE_BINDING | COPIED);
        let view = self.harness.view(&image);
        let access = StorageTextureAccess::WriteOnly;
        let ty = BindingType::StorageTexture {
            access,
            format,
            view_dimension: TextureViewDimension::D2,
        };
        let (layout, set) = self.set(ty, Descriptor::from(&view), false).unwrap();
        let setup = Setup {
            sets: vec![&layout],
            ..Setup::default()
        };
        let name = format!("{format:?}").to_lowercase();
        let (wgsl, value) = quarter(row.class());
        let fragment = format!(
            "@group(0) @binding(0) var t: texture_storage_2d<{name}, write>;
             @fragment fn fragment(@builtin(position) p: vec4f) -> @location(0) vec4f {{
                 textureStore(t, vec2i(p.xy), {wgsl});
                 return vec4f(0.0);
             }}"
        );
        self.draw(&setup, Some(&set), &fragment);
        let (copy, _) = self.place(&image, TextureAspect::All);
        let size = Extent3d {
            width: SEEN,
            height: SEEN,
            depth_or_array_layers: 1,
        };
        let bytes = self.harness.queue.read_image(&copy, size).unwrap();
        let mut texel = vec![0; row.size_bytes() as usize];
        row.pack(value, &mut texel);
        assert_eq!(bytes, texel.repeat(64), "{format:?}");
    }

    pub fn atomic(&self, format: TextureFormat) {
        let usage = TextureUsages::STORAGE_BINDING | TextureUsages::STORAGE_ATOMIC | COPIED;
        let image = self.image(format, usage);
        let view = self.harness.view(&image);
        let ty = BindingType::StorageTexture {
            access: StorageTextureAccess::Atomic,
            format,
            view_dimension: TextureViewDimension::D2,
        };
        let (layout, set) = self.set(ty, Descriptor::from(&view), false).unwrap();
        let setup = Setup {
            sets: vec![&layout],
            ..Setup::default()
        };
        let name = format!("{format:?}").to_lowercase();
        let one = if name.ends_with("sint") { "1" } else { "1u" };
        let fragment = format!(
            "@group(0) @binding(0) var t: texture_storage_2d<{name}, atomic>;
             @fragment fn fragment(@builtin(position) p: vec4f) -> @location(0) vec4f {{
                 textureAtomicAdd(t, vec2i(0), {one});
                 return vec4f(0.0);
             }}"
        );
        self.draw(&setup, Some(&set), &fragment);
        let (copy, _) = self.place(&image, TextureAspect::All);
        let size = Extent3d {
            width: 1,
            height: 1,
            depth_or_array_layers: 1,
        };
        let bytes = self.harness.queue.read_image(&copy, size).unwrap();
        assert_eq!(bytes, [64, 0, 0, 0], "{format:?}");
    }

    /// Depth is tested and written, stencil replaced.
    pub fn depth_stencil(&self, format: TextureFormat, samples: u32) {
        let mut setup = Setup {
            samples,
            ..Setup::default()
        };
        let replace = StencilFaceState {
            compare: CompareFunction::Always,
            fail_op: StencilOperation::Keep,
            depth_fail_op: StencilOperation::Keep,
            pass_op: StencilOperation::Replace,
        };
        let equal = StencilFaceState {
            compare: CompareFunction::Equal,
            pass_op: StencilOperation::Keep,
            ..replace
        };
        let state = |face, compare| DepthStencilState {
            format,
            depth_write_enabled: Some(format.has_depth_aspect()),
            depth_compare: Some(match format.has_depth_aspect() {
                true => compare,
                false => CompareFunction::Always,
            }),
            stencil: match format.has_stencil_aspect() {
                true => StencilState {
                    front: face,
                    back: face,
                    read_mask: 0xff,
                    write_mask: 0xff,
                },
                false => StencilState::default(),
            },
            bias: DepthBiasState::default(),
        };
        let color = |text| {
            format!(
                "{EVERYWHERE}@fragment fn fragment() -> @location(0) vec4f {{ return vec4f({text}); }}"
            )
        };
        setup.depth = Some(state(replace, CompareFunction::Less));
        let first = self.harness.pipeline(&setup, &color("1.0, 0.0, 0.0, 0.0"));
        // Passes where the first left its depth and its stencil.
        setup.depth = Some(state(equal, CompareFunction::Equal));
        let second = self.harness.pipeline(&setup, &color("0.0, 1.0, 0.0, 0.0"));
        // Does not: the same depth is not less.
        setup.depth = Some(state(replace, CompareFunction::Less));
        let third = self.harness.pipeline(&setup, &color("0.0, 0.0, 1.0, 0.0"));
        let bytes = self.harness.record(&setup, |commands| {
            commands.set_stencil_reference(0x5a).unwrap();
            for pipeline in [&first, &second] {
                commands.bind_pipeline(pipeline).unwrap();
                commands.draw(0..3, 0..1).unwrap();
            }
            if format.has_depth_aspect() {
                commands.bind_pipeline(&third).unwrap();
                commands.draw(0..3, 0..1).unwrap();
            }
        });
        assert_eq!(
            bytes[0],
            [0, 255, 0, 0].repeat(64),
            "{format:?} with {samples} samples"
        );
    }

    /// A scaled copy from the format to a wide one and back.
    pub fn blit_from(&self, format: TextureFormat) {
        let from = self.image(format, TextureUsages::TEXTURE_BINDING | COPIED);
        for (aspect, seen) in aspects(format) {
            let values = self.fill(&from, aspect, seen);
            let row = texture_format(seen).unwrap();
            let target = match seen.is_depth_stencil_format() {
                true => format,
                false => wide(row.class()).1,
            };
            let to = self.image(target, TextureUsages::RENDER_ATTACHMENT | COPIED);
            self.blit(&from, &to, aspect).unwrap();
            let (copy, size) = self.place(
                &to,
                if target == format {
                    aspect
                } else {
                    TextureAspect::All
                },
            );
            let bytes = self.harness.queue.read_image(&copy, size).unwrap();
            let packed =
                texture_format(target.aspect_specific_format(copy.aspect).unwrap()).unwrap();
            for (at, value) in values.iter().enumerate() {
                let texel = (at as u32 / SEEN * SIDE + at as u32 % SEEN) * packed.size_bytes();
                let got = packed.unpack(&bytes[texel as usize..]);
                assert_eq!(got, *value, "{format:?} {aspect:?}");
            }
        }
    }

    pub fn blit_to(&self, format: TextureFormat) {
        let row = texture_format(format).unwrap();
        let (_, source) = wide(row.class());
        let from = self.image(source, TextureUsages::TEXTURE_BINDING | COPIED);
        let values = self.fill(&from, TextureAspect::All, source);
        let to = self.image(format, TextureUsages::RENDER_ATTACHMENT | COPIED);
        self.blit(&from, &to, TextureAspect::All).unwrap();
        let (copy, size) = self.place(&to, TextureAspect::All);
        let bytes = self.harness.queue.read_image(&copy, size).unwrap();
        let texel_bytes = row.size_bytes() as usize;
        for (at, value) in values.iter().enumerate() {
            let mut texel = vec![0; texel_bytes];
            row.pack(*value, &mut texel);
            let at = (at as u32 / SEEN * SIDE + at as u32 % SEEN) as usize * texel_bytes;
            assert_eq!(bytes[at..at + texel_bytes], texel, "{format:?}");
        }
    }

    pub fn blit(&self, from: &Image, to: &Image, aspect: TextureAspect) -> Result<(), BlitError> {
        let mut commands = self.harness.device.create_command_buffer(Some("blit"));
        let side = |image| ImageBlit {
            aspect,
            ..ImageBlit::level(image, 0)
        };
        commands.blit_image(&side(from), &side(to), FilterMode::Nearest)?;
        self.harness.queue.submit(&[&commands], &[]).unwrap();
        Ok(())
    }
}
