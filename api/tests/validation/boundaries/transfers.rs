//! Numbers of copies, clears, queries and submissions.

use girih::*;

use super::bounds;
use crate::recording::{COLOR, COPIED, host_copy, multisampled, open};
use crate::transfers::{clear, copied, occlusion, queries};
use crate::{Fixture, extent};

/// An image of 16 by 16 texels, 3 levels and 4 layers.
fn layered(t: &Fixture) -> Image {
    let desc = ImageDescriptor {
        size: extent(16, 16, 4),
        levels: 3,
        ..crate::image(COLOR, COPIED)
    };
    t.device.create_image(&desc).unwrap()
}

fn subresources([level, levels, layer, layers]: [u32; 4]) -> Subresources {
    Subresources {
        level,
        levels,
        layer,
        layers,
    }
}

/// A box in a level of an image in layout General, read by the host.
fn boxed(
    t: &Fixture,
    image: &Image,
    level: u32,
    [origin, size]: [[u32; 3]; 2],
) -> Result<Vec<u8>, CopyError> {
    t.queue.transition(image, ImageLayout::General).unwrap();
    let [x, y, z] = origin;
    let from = ImageCopy {
        origin: Origin3d { x, y, z },
        ..ImageCopy::level(image, level)
    };
    t.queue.read_image(&from, extent(size[0], size[1], size[2]))
}

/// A copy of 16 by 16 texels to layers 0 and 1, from a buffer.
fn upload(t: &Fixture, bytes: u64, from: (u64, Option<u64>, Option<u64>)) -> Result<(), CopyError> {
    let buffer = t.buffer(bytes, BufferUsages::COPY_SRC);
    let from = BufferCopy {
        buffer: &buffer,
        offset: from.0,
        bytes_per_row: from.1,
        rows_per_slice: from.2,
    };
    let image = layered(t);
    t.commands()
        .copy_buffer_to_image(&from, &ImageCopy::level(&image, 0), extent(16, 16, 2))
}

/// A scaled copy from a box to all of another image.
fn scaled(t: &Fixture, level: u32, corners: [[u32; 3]; 2]) -> Result<(), BlitError> {
    let (from, to) = (layered(t), copied(t, COLOR));
    let from = ImageBlit {
        corners: corners.map(|[x, y, z]| Origin3d { x, y, z }),
        ..ImageBlit::level(&from, level)
    };
    t.commands()
        .blit_image(&from, &ImageBlit::level(&to, 0), FilterMode::Nearest)
}

/// A scaled copy between layers of one level of an image.
fn between(t: &Fixture, layers: [u32; 2]) -> Result<(), BlitError> {
    let image = layered(t);
    let [from, to] = layers.map(|layer| {
        let mut blit = ImageBlit::level(&image, 0);
        blit.corners[0].z = layer;
        blit.corners[1].z = layer + 1;
        blit
    });
    t.commands().blit_image(&from, &to, FilterMode::Nearest)
}

fn answers(t: &Fixture, bytes: u64, offset: u64) -> Result<(), QueryError> {
    let buffer = t.buffer(bytes, BufferUsages::QUERY_RESOLVE);
    let to = QueryCopy {
        buffer: &buffer,
        offset,
        availability: true,
    };
    t.commands().copy_queries(&occlusion(t), 0..2, &to)
}

bounds! {
    buffer_range "command-buffer-range" = |t, range: [u64; 2]| {
        t.commands().fill_buffer(&t.buffer(16, BufferUsages::COPY_DST), range[0]..range[1], 0)
    };
    accepts [[0, 16], [12, 16]]; refuses [[0, 20], [16, 16], [4, 4], [8, 4], [16, 20], [0, u64::MAX - 3]];

    buffer_align "command-buffer-align" = |t, range: [u64; 2]| {
        t.commands().fill_buffer(&t.buffer(16, BufferUsages::COPY_DST), range[0]..range[1], 0)
    };
    accepts [[0, 4], [4, 12]]; refuses [[0, 2], [2, 6], [1, 5], [0, 15]];

    vertex_buffer_align "command-buffer-align" = |t, offset| {
        open(t).bind_vertex_buffer(0, &t.buffer(16, BufferUsages::VERTEX), offset)
    };
    accepts [0, 4, 12]; refuses [1, 2, 6];

    vertex_buffer_range "command-buffer-range" = |t, offset| {
        open(t).bind_vertex_buffer(0, &t.buffer(16, BufferUsages::VERTEX), offset)
    };
    accepts [0, 12]; refuses [16, 20, u64::MAX - 3];

    index_buffer_align "command-buffer-align" = |t, place: (u64, IndexFormat)| {
        open(t).bind_index_buffer(&t.buffer(16, BufferUsages::INDEX), place.0, place.1)
    };
    accepts [(0, IndexFormat::Uint16), (2, IndexFormat::Uint16), (4, IndexFormat::Uint32)];
    refuses [(1, IndexFormat::Uint16), (2, IndexFormat::Uint32), (3, IndexFormat::Uint32)];

    update_bytes "command-update-bytes" = |t, bytes: usize| {
        t.commands().update_buffer(&t.buffer(1 << 17, BufferUsages::COPY_DST), 0, &vec![0; bytes])
    };
    accepts [4, 65536]; refuses [65537, 65540];

    command_subresources "command-subresources" = |t, range| t.commands().transition_range(
        &layered(t), subresources(range), ImageLayout::Undefined, ImageLayout::General,
    );
    accepts [[0, 3, 0, 4], [2, 1, 3, 1]];
    refuses [[0, 4, 0, 4], [0, 3, 0, 5], [3, 1, 0, 1], [0, 1, 4, 1], [0, 0, 0, 1], [0, 1, 0, 0], [1, u32::MAX, 0, 1]];

    clear_subresources "clear-subresources" = |t, range| clear(t, &layered(t), subresources(range));
    accepts [[0, 3, 0, 4], [2, 1, 3, 1]];
    refuses [[0, 4, 0, 4], [0, 3, 0, 5], [3, 1, 0, 1], [0, 1, 4, 1], [0, 0, 0, 1], [0, 1, 0, 0], [0, 1, 1, u32::MAX]];

    clear_depth "clear-depth" = |t, value| {
        let image = copied(t, TextureFormat::Depth32Float);
        t.commands().clear_depth_stencil_image(&image, image.subresources(), Some(value), None)
    };
    accepts [0.0, 1.0]; refuses [1.0_f32.next_up(), -f32::MIN_POSITIVE, f32::NAN];

    clear_rect "clear-rect" = |t, rect: [u32; 4]| {
        let [x, y, width, height] = rect;
        let red = ClearAttachment::Color { index: 0, value: Color::RED };
        open(t).clear_attachments(&[red], &[Rect { x, y, width, height }])
    };
    accepts [[0, 0, 16, 16], [15, 15, 1, 1]];
    refuses [[0, 0, 17, 16], [0, 0, 16, 17], [16, 0, 1, 1], [0, 0, 0, 1], [0, 0, 1, 0], [u32::MAX, 0, 2, 1]];

    clear_attachment "clear-attachment" = |t, index| {
        open(t).clear_attachments(&[ClearAttachment::Color { index, value: Color::RED }], &[])
    };
    accepts [0]; refuses [1, u32::MAX];

    copy_region "copy-region" = |t, case: (u32, [[u32; 3]; 2])| boxed(t, &layered(t), case.0, case.1);
    accepts [(0, [[0, 0, 0], [16, 16, 4]]), (0, [[15, 15, 3], [1, 1, 1]]), (2, [[0, 0, 0], [4, 4, 4]])];
    refuses [
        (0, [[0, 0, 0], [17, 1, 1]]), (0, [[0, 0, 0], [1, 17, 1]]), (0, [[0, 0, 0], [1, 1, 5]]), (0, [[16, 0, 0], [1, 1, 1]]),
        (0, [[0, 0, 4], [1, 1, 1]]), (0, [[0, 0, 0], [0, 1, 1]]), (0, [[0, 0, 0], [1, 0, 1]]), (0, [[0, 0, 0], [1, 1, 0]]),
        (2, [[0, 0, 0], [5, 4, 1]]), (3, [[0, 0, 0], [1, 1, 1]]), (0, [[u32::MAX, 0, 0], [1, 1, 1]]),
    ];

    copy_blocks "copy-blocks" = |t, place| {
        boxed(t, &copied(t, TextureFormat::Bc1RgbaUnorm), 0, place)
    };
    accepts [[[0, 0, 0], [4, 4, 1]], [[12, 8, 0], [4, 8, 1]]];
    refuses [[[0, 0, 0], [3, 4, 1]], [[0, 0, 0], [4, 5, 1]], [[1, 0, 0], [4, 4, 1]], [[0, 2, 0], [4, 4, 1]]];

    copy_samples "copy-samples" = |t, several: bool| {
        let image = if several { multisampled(t).image().clone() } else { copied(t, COLOR) };
        host_copy(t, &image, 0, extent(16, 16, 1))
    };
    accepts [false]; refuses [true];

    copy_bytes "copy-bytes" = |t, case: (u64, u64)| upload(t, case.0, (case.1, None, None));
    accepts [(2048, 0), (2052, 4)]; refuses [(2047, 0), (2048, 1), (2048, u64::MAX)];

    copy_bytes_of_rows "copy-bytes" = |t, bytes| upload(t, bytes, (0, Some(80), Some(20)));
    accepts [80 * 20 + 15 * 80 + 64]; refuses [80 * 20 + 15 * 80 + 63];

    copy_bytes_of_the_host "copy-bytes" = |t, bytes: usize| {
        let image = copied(t, COLOR);
        t.queue.transition(&image, ImageLayout::General).unwrap();
        t.queue.write_image(&ImageCopy::level(&image, 0), extent(16, 16, 1), &vec![0; bytes])
    };
    accepts [1024, 1025]; refuses [1023, 0];

    copy_pitch "copy-pitch" = |t, pitch| upload(t, 1 << 16, (0, Some(pitch), None));
    accepts [64, 65]; refuses [0, 63];

    copy_slice_pitch "copy-pitch" = |t, pitch| upload(t, 1 << 16, (0, None, Some(pitch)));
    accepts [16, 17]; refuses [0, 15];

    blit_region "blit-region" = |t, case: (u32, [[u32; 3]; 2])| scaled(t, case.0, case.1);
    accepts [(0, [[0, 0, 0], [16, 16, 1]]), (0, [[16, 16, 3], [15, 15, 4]]), (2, [[0, 0, 0], [4, 4, 1]])];
    refuses [
        (0, [[0, 0, 0], [17, 16, 1]]), (0, [[0, 0, 0], [16, 17, 1]]), (0, [[0, 0, 4], [16, 16, 5]]), (0, [[3, 0, 0], [3, 1, 1]]),
        (0, [[0, 3, 0], [1, 3, 1]]), (0, [[0, 0, 1], [1, 1, 1]]), (2, [[0, 0, 0], [5, 4, 1]]), (3, [[0, 0, 0], [1, 1, 1]]),
    ];

    blit_layers "blit-layers" = |t, layers: u32| scaled(t, 0, [[0, 0, 0], [16, 16, layers]]);
    accepts [1]; refuses [2, 4];

    blit_samples "blit-samples" = |t, several: bool| {
        let from = if several { multisampled(t).image().clone() } else { copied(t, COLOR) };
        let to = copied(t, COLOR);
        t.commands().blit_image(&ImageBlit::level(&from, 0), &ImageBlit::level(&to, 0), FilterMode::Nearest)
    };
    accepts [false]; refuses [true];

    blit_overlap "blit-overlap" = |t, layers| between(t, layers);
    accepts [[0, 1], [3, 2]]; refuses [[0, 0], [3, 3]];

    blit_levels "blit-levels" = |t, levels| {
        let image = t.device.create_image(&ImageDescriptor { levels, ..crate::image(COLOR, COPIED) }).unwrap();
        t.commands().generate_levels(&image, ImageLayout::General, ImageLayout::General)
    };
    accepts [2, 5]; refuses [1];

    query_count "query-count" = |t, count| queries(t, QueryKind::Occlusion, count);
    accepts [1, 4096]; refuses [0, 4097, u32::MAX];

    query_range "query-range" = |t, range: [u32; 2]| t.queue.read_queries(&occlusion(t), range[0]..range[1]);
    accepts [[0, 2], [1, 2]]; refuses [[0, 3], [2, 3], [1, 1], [0, u32::MAX]];

    query_index "query-range" = |t, index| {
        let (set, mut commands) = (occlusion(t), open(t));
        commands.begin_query(&set, index)
    };
    accepts [0, 1]; refuses [2, u32::MAX];

    query_active "query-active" = |t, kinds: [QueryKind; 2]| {
        let [one, other] = kinds.map(|kind| queries(t, kind, 1).unwrap());
        let mut commands = open(t);
        commands.begin_query(&one, 0).unwrap();
        commands.begin_query(&other, 0)
    };
    accepts [[QueryKind::Occlusion, QueryKind::Statistics]]; refuses [[QueryKind::Occlusion; 2]];

    query_begun "query-begun" = |t, index| {
        let (set, mut commands) = (occlusion(t), open(t));
        commands.begin_query(&set, 1).unwrap();
        commands.end_query(&set, index)
    };
    accepts [1]; refuses [0];

    query_pass "query-pass" = |t, passes: u32| {
        let (set, mut commands) = (occlusion(t), open(t));
        commands.begin_query(&set, 0).unwrap();
        for _ in 0..passes {
            commands.end_pass().unwrap();
            let target = t.target();
            commands.begin_pass(&RenderPass { colors: &[Some((&target).into())], ..RenderPass::default() }).unwrap();
        }
        commands.end_query(&set, 0)
    };
    accepts [0]; refuses [1, 2];

    query_copy "query-copy" = |t, case: (u64, u64)| answers(t, case.0, case.1);
    accepts [(32, 0), (40, 8)]; refuses [(31, 0), (32, 8), (40, 4), (40, 1)];

    submit_fence "submit-fence" = |t, values: [u64; 2]| {
        let fence = t.device.create_fence(Some("fence"), 7);
        t.queue.submit(&[&t.commands()], &[(&fence, values[0]), (&fence, values[1])])
    };
    accepts [[8, 9], [8, u64::MAX]]; refuses [[7, 8], [6, 8], [8, 8], [9, 8]];
}
