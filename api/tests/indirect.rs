//! Draws whose arguments are in buffers.

#![allow(clippy::unwrap_used)]

mod harness;

use girih::*;
use harness::*;

/// A column of pixels for every vertex that is drawn: its number, instance and draw.
const COLUMNS: &str = "enable draw_index;
    struct Out {
        @builtin(position) place: vec4f,
        @location(0) @interpolate(flat) what: vec3u,
    }
    @vertex fn vertex(
        @builtin(vertex_index) v: u32,
        @builtin(instance_index) n: u32,
        @builtin(draw_index) d: u32,
    ) -> Out {
        let place = vec4f((f32(v) + 0.5) / 4.0 - 1.0, 1.0 - (f32(n) + 0.5) / 4.0, 0.5, 1.0);
        return Out(place, vec3u(v, n, d) + 1u);
    }
    @fragment fn fragment(@location(0) @interpolate(flat) what: vec3u) -> @location(0) vec4u {
        return vec4u(what, 1u);
    }";

fn setup() -> Setup<'static> {
    Setup {
        targets: vec![TextureFormat::Rgba8Uint.into()],
        ..Setup::topology(PrimitiveTopology::PointList)
    }
}

fn devices() -> impl Iterator<Item = PhysicalDevice> {
    let all = Instance::new().physical_devices();
    all.filter(|gpu| gpu.info().limits.indirect_draws)
}

fn buffer(harness: &Harness, words: &[u32], usage: BufferUsages) -> Buffer {
    let bytes: &[u8] = bytemuck::cast_slice(words);
    let buffer = harness.device.create_buffer(&BufferDescriptor {
        label: Some("arguments"),
        size: bytes.len() as u64,
        usage,
        placement: None,
    });
    let buffer = buffer.unwrap();
    buffer.write(0, bytes).unwrap();
    buffer
}

#[test]
fn vertices_and_instances_come_from_the_buffer() {
    for gpu in devices() {
        let harness = Harness::on(&gpu, None);
        let setup = setup();
        let pipeline = harness.pipeline(&setup, COLUMNS);
        // Two draws of 24 bytes; the words between are none of theirs. One without instances, one without vertices.
        let words = [
            [7, 7, 7, 7, 7, 7],
            [3, 2, 1, 4, 7, 7],
            [2, 1, 6, 0, 7, 7],
            [8, 0, 0, 0, 7, 7],
            [0, 8, 0, 0, 7, 7],
        ];
        let arguments = buffer(&harness, words.as_flattened(), BufferUsages::INDIRECT);
        let bytes = harness.record(&setup, |commands| {
            commands.bind_pipeline(&pipeline).unwrap();
            commands.draw_indirect(&arguments, 24, 4, 24).unwrap();
            commands.draw_indirect(&arguments, 120, 0, 0).unwrap();
        });
        assert_eq!(
            shape(&bytes[0], 8),
            "......##\n........\n........\n........\n.###....\n.###....\n........\n........\n"
        );
        // Vertex, instance and draw, all counted from 1.
        assert_eq!(&bytes[0][4 * (4 * 8 + 3)..][..3], [4, 5, 1]);
        assert_eq!(&bytes[0][4 * 6..][..3], [7, 1, 2]);
        let direct = harness.record(&setup, |commands| {
            commands.bind_pipeline(&pipeline).unwrap();
            commands.draw(1..4, 4..6).unwrap();
            commands.draw(6..8, 0..1).unwrap();
        });
        assert_eq!(shape(&bytes[0], 8), shape(&direct[0], 8));
    }
}

#[test]
fn indices_come_from_where_the_buffer_says() {
    for gpu in devices() {
        for format in [IndexFormat::Uint16, IndexFormat::Uint32] {
            let harness = Harness::on(&gpu, None);
            let setup = setup();
            let pipeline = harness.pipeline(&setup, COLUMNS);
            // Eight indices, 5, 3, 1, 6, 0, 0, 0, 0, of which the first two are not in the bound range.
            let list: &[u32] = match format {
                IndexFormat::Uint16 => &[3 << 16 | 5, 6 << 16 | 1, 0, 0],
                IndexFormat::Uint32 => &[5, 3, 1, 6, 0, 0, 0, 0],
            };
            let indices = buffer(&harness, list, BufferUsages::INDEX);
            let arguments = buffer(
                &harness,
                &[2, 1, 0, 1, 2, 2, 1, 1, u32::MAX, 4],
                BufferUsages::INDIRECT,
            );
            let bytes = harness.record(&setup, |commands| {
                commands.bind_pipeline(&pipeline).unwrap();
                let offset = 2 * format.byte_size() as u64;
                commands
                    .bind_index_buffer(&indices, offset, format)
                    .unwrap();
                commands
                    .draw_indexed_indirect(&arguments, 0, 2, 20)
                    .unwrap();
            });
            // 1 and 6 with 1 added; 6 and 0 with 1 taken away, of which the last is nowhere.
            assert_eq!(
                shape(&bytes[0], 8),
                "........\n........\n..#....#\n........\n.....#..\n........\n........\n........\n",
                "{format:?}"
            );
        }
    }
}

/// Arguments are read when the command runs: what an earlier command wrote counts.
#[test]
fn arguments_may_be_written_just_before() {
    for gpu in devices() {
        let harness = Harness::on(&gpu, None);
        let setup = setup();
        let pipeline = harness.pipeline(&setup, COLUMNS);
        let arguments = buffer(
            &harness,
            &[0; 4],
            BufferUsages::INDIRECT | BufferUsages::COPY_DST,
        );
        let target = harness.attachment(TextureFormat::Rgba8Uint, [8, 8], 1);
        let mut commands = harness.device.create_command_buffer(None);
        let words: [u32; 4] = [2, 3, 4, 1];
        let bytes: &[u8] = bytemuck::cast_slice(&words);
        commands.update_buffer(&arguments, 0, bytes).unwrap();
        let (old, new) = (ImageLayout::Undefined, ImageLayout::ColorAttachment);
        commands.transition(target.image(), old, new).unwrap();
        let color = ColorAttachment {
            view: &target,
            resolve: None,
            load: LoadOp::Clear(Color::TRANSPARENT),
            store: StoreOp::Store,
        };
        let pass = RenderPass {
            label: None,
            colors: &[Some(color)],
            depth_stencil: None,
        };
        commands.begin_pass(&pass).unwrap();
        commands.bind_pipeline(&pipeline).unwrap();
        commands.draw_indirect(&arguments, 0, 1, 0).unwrap();
        commands.end_pass().unwrap();
        harness.queue.submit(&[&commands], &[]).unwrap();
        let text = shape(&harness.read(&target), 8);
        assert_eq!(text.matches('#').count(), 6, "{text}");
    }
}

/// Whatever is in the buffer, the device survives or says what is wrong.
#[test]
fn wild_arguments_are_zeros_or_a_lost_device() {
    for gpu in devices() {
        let harness = Harness::on(&gpu, None);
        let setup = setup();
        let pipeline = harness.pipeline(&setup, COLUMNS);
        let indices = buffer(&harness, &[1, 2], BufferUsages::INDEX);
        let wild = [2, 1, u32::MAX, 3, 0];
        let arguments = buffer(&harness, &wild, BufferUsages::INDIRECT);
        let bytes = harness.record(&setup, |commands| {
            commands.bind_pipeline(&pipeline).unwrap();
            commands
                .bind_index_buffer(&indices, 0, IndexFormat::Uint32)
                .unwrap();
            commands.draw_indexed_indirect(&arguments, 0, 1, 0).unwrap();
        });
        // Two indices that are not there are zeros, and 3 is added.
        assert!(shape(&bytes[0], 8).starts_with("...#....\n"));

        let many = buffer(&harness, &[u32::MAX, 1, 0, 0, 0], BufferUsages::INDIRECT);
        let target = harness.attachment(TextureFormat::Rgba8Uint, [8, 8], 1);
        let mut commands = harness.device.create_command_buffer(None);
        let (old, new) = (ImageLayout::Undefined, ImageLayout::ColorAttachment);
        commands.transition(target.image(), old, new).unwrap();
        let color = ColorAttachment {
            view: &target,
            resolve: None,
            load: LoadOp::Load,
            store: StoreOp::Store,
        };
        let pass = RenderPass {
            label: None,
            colors: &[Some(color)],
            depth_stencil: None,
        };
        commands.begin_pass(&pass).unwrap();
        commands.bind_pipeline(&pipeline).unwrap();
        commands
            .bind_index_buffer(&indices, 0, IndexFormat::Uint32)
            .unwrap();
        commands.draw_indexed_indirect(&many, 0, 1, 0).unwrap();
        commands.end_pass().unwrap();
        let error = harness.queue.submit(&[&commands], &[]).unwrap_err();
        assert_eq!(error.rule(), "device-lost");
        let text = error.to_string();
        assert!(text.contains("ask for 4294967295 vertices"), "{text}");
    }
}
