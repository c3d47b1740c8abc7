//! Whatever numbers a shader gives a colour target, the texel is what the table of formats packs, on every device, in whole
//! tiles and in tiles with holes.

#![allow(clippy::unwrap_used)]

mod harness;

use ::pipeline::format::texture_format;
use girih::*;
use harness::*;
use silicon::texture::format::Class;

/// Pixels across and down.
const SIDE: u32 = 32;

/// Pseudo-random bits.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 32) as u32
    }

    fn fraction(&mut self) -> f32 {
        self.bits() as f32 / 4_294_967_296.0
    }

    /// Floats around the ends of what formats hold, half ways between what they hold, and what is no number.
    fn float(&mut self) -> f32 {
        let x = self.fraction();
        match self.bits() % 16 {
            0 => f32::NAN,
            1 => -f32::NAN,
            2 => f32::INFINITY,
            3 => f32::NEG_INFINITY,
            4 => -0.0,
            5 => 1e-41,
            6 => -1e-41,
            7 => 65504.0 * (1.0 + x * 0.001),
            8 => 65024.0 * (1.0 + x * 0.02),
            9 => -2.0 * x,
            10 => 3.0 * x,
            11 => f32::from_bits(self.bits()),
            12 => 3e-7 * x,
            13 => ((self.bits() % 511) as f32 + 0.5) / 255.0,
            14 => ((self.bits() % 2047) as f32 + 0.5) / 1023.0,
            _ => x,
        }
    }

    fn integer(&mut self) -> u32 {
        let bits = self.bits();
        match self.bits() % 4 {
            0 => bits,
            1 => bits >> 16,
            2 => (bits as i32 >> 20) as u32,
            _ => bits >> 23,
        }
    }
}

/// Draws one value for each pixel, or leaves every third one out.
fn draw(
    harness: &Harness,
    format: TextureFormat,
    ty: &str,
    values: &[[u32; 4]],
    holes: bool,
) -> Vec<u8> {
    let buffer = BufferDescriptor {
        label: None,
        size: 16 * u64::from(SIDE * SIDE),
        usage: BufferUsages::UNIFORM,
        placement: None,
    };
    let buffer = harness.device.create_buffer(&buffer).unwrap();
    buffer.write(0, bytemuck::cast_slice(values)).unwrap();
    let entry = BindGroupLayoutEntry {
        binding: 0,
        visibility: ShaderStages::FRAGMENT,
        ty: BindingType::Buffer {
            ty: BufferBindingType::Uniform,
            has_dynamic_offset: false,
            min_binding_size: None,
        },
        count: None,
    };
    let layout = DescriptorSetLayoutDescriptor {
        label: None,
        entries: &[entry],
    };
    let layout = harness
        .device
        .create_descriptor_set_layout(&layout)
        .unwrap();
    let set = DescriptorSetDescriptor {
        label: None,
        layout: &layout,
        entries: &[(0, Descriptor::from(&buffer))],
    };
    let set = harness.device.create_descriptor_set(&set).unwrap();
    let hole = match holes {
        true => "if (u32(p.x) + u32(p.y)) % 3u == 1u { discard; }",
        false => "",
    };
    let wgsl = format!(
        "{EVERYWHERE}
         @group(0) @binding(0) var<uniform> values: array<vec4u, {}>;
         @fragment fn fragment(@builtin(position) p: vec4f) -> @location(0) {ty} {{
             {hole}
             return bitcast<{ty}>(values[u32(p.y) * {SIDE}u + u32(p.x)]);
         }}",
        SIDE * SIDE
    );
    let setup = Setup {
        size: [SIDE, SIDE],
        sets: vec![&layout],
        ..Setup::format(format)
    };
    let pipeline = harness.pipeline(&setup, &wgsl);
    let mut texels = harness.record(&setup, |commands| {
        commands.bind_pipeline(&pipeline).unwrap();
        commands.bind_descriptor_set(0, &set, &[]).unwrap();
        commands.draw(0..3, 0..1).unwrap();
    });
    texels.remove(0)
}

/// A number that targets hold as the table says: Rogue packs a NaN as its own, with the sign it had.
fn number(harness: &Harness, number: f32) -> u32 {
    match number.is_nan() && harness.is_deferred() {
        true => (number.to_bits() & 0x8000_0000) | 0x7fc0_0000,
        false => number.to_bits(),
    }
}

#[test]
fn texels_are_what_the_table_packs() {
    for harness in Harness::each() {
        let gpu = harness.device.physical_device();
        let mut met = 0;
        for format in gpu.formats() {
            if !gpu.format_capabilities(format).renderable {
                continue;
            }
            met += 1;
            let row = texture_format(format).unwrap();
            let ty = match row.class() {
                Class::Uint => "vec4u",
                Class::Sint => "vec4i",
                _ => "vec4f",
            };
            let mut random = Random(met);
            let values: Vec<[u32; 4]> = (0..SIDE * SIDE)
                .map(|_| {
                    [(); 4].map(|()| match row.class().is_integer() {
                        true => random.integer(),
                        false => number(&harness, random.float()),
                    })
                })
                .collect();
            let size = row.size_bytes() as usize;
            for holes in [false, true] {
                let texels = draw(&harness, format, ty, &values, holes);
                for (n, (texel, value)) in texels.chunks(size).zip(&values).enumerate() {
                    let [x, y] = [n as u32 % SIDE, n as u32 / SIDE];
                    let hole = holes && (x + y) % 3 == 1;
                    let mut expected = [0; 16];
                    row.pack(if hole { [0; 4] } else { *value }, &mut expected);
                    assert_eq!(
                        texel,
                        &expected[..size],
                        "{format:?} {x},{y} of {:?}",
                        value.map(f32::from_bits)
                    );
                }
            }
        }
        assert!(met > 30, "{met} formats");
    }
}

/// A triangle over everything, and a fragment shader that gives location n the colour n+1 in steps of 20.
fn everything(locations: &[u32]) -> String {
    let (mut members, mut values) = (String::new(), Vec::new());
    for &n in locations {
        members += &format!("@location({n}) c{n}: vec4f, ");
        values.push(format!("vec4f({}.0 / 255.0)", 20 * (n % 10 + 1)));
    }
    format!(
        "@vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {{
            return vec4f(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.5, 1.0);
        }}
        struct Colors {{ {members} }}
        @fragment fn fs() -> Colors {{ return Colors({}); }}",
        values.join(", ")
    )
}

/// What a shader gives locations without a target goes nowhere.
#[test]
fn outputs_without_a_target_are_dropped() {
    for harness in Harness::each() {
        for targets in 1..=3_u32 {
            for extra in targets..8 {
                let locations: Vec<u32> = (0..targets).chain([extra]).collect();
                let setup = Setup {
                    targets: vec![TextureFormat::Rgba8Unorm.into(); targets as usize],
                    ..Setup::default()
                };
                let drawn = harness.draw(&setup, &everything(&locations), 3);
                for (n, bytes) in drawn.iter().enumerate() {
                    let wanted = 20 * (n as u8 + 1);
                    assert!(
                        bytes.iter().all(|byte| *byte == wanted),
                        "{targets} {extra} {n}"
                    );
                }
            }
        }
    }
}

/// Locations that no target of the device could have are refused.
#[test]
fn outputs_beyond_the_device_are_refused() {
    for harness in Harness::each() {
        for location in [8, 9, 15, 16, 25, 64] {
            let shader = everything(&[0, location]);
            let error = harness.try_pipeline(&Setup::default(), &shader);
            let Err(GraphicsPipelineError::Shader { source, .. }) = error else {
                panic!("{location}: {error:?}");
            };
            assert_eq!(source.rule(), "shader-location");
            assert_eq!(source.location().map(|at| at.line), Some(4), "{source}");
        }
    }
}
