//! Rules of scaled copies, clears and queries.

use girih::*;

use crate::recording::open;
use crate::{Fixture, breaks, extent};

const COLOR: TextureFormat = TextureFormat::Rgba8Unorm;
const COPIED: TextureUsages = TextureUsages::COPY_SRC.union(TextureUsages::COPY_DST);

pub fn blit(
    t: &Fixture,
    from: &Image,
    to: &Image,
    change: impl FnOnce(&mut ImageBlit<'_>),
) -> Result<(), BlitError> {
    let mut source = ImageBlit::level(from, 0);
    change(&mut source);
    let target = ImageBlit::level(to, 0);
    t.commands()
        .blit_image(&source, &target, FilterMode::Nearest)
}

pub fn copied(t: &Fixture, format: TextureFormat) -> Image {
    t.image(format, COPIED)
}

pub fn clear(t: &Fixture, image: &Image, range: Subresources) -> Result<(), ClearError> {
    t.commands().clear_color_image(image, range, Color::RED)
}

pub fn queries(t: &Fixture, kind: QueryKind, count: u32) -> Result<QuerySet, QueryError> {
    t.device.create_query_set(&QuerySetDescriptor {
        label: Some("queries"),
        kind,
        count,
        precise: true,
    })
}

pub fn occlusion(t: &Fixture) -> QuerySet {
    queries(t, QueryKind::Occlusion, 2).unwrap()
}

breaks! {
    blit_usage "blit-usage" = |t| {
        let from = t.image(COLOR, TextureUsages::TEXTURE_BINDING);
        blit(t, &from, &copied(t, COLOR), |_| {})
    };
    blit_capability "blit-capability" = |t| {
        blit(t, &copied(t, COLOR), &copied(t, TextureFormat::Bc1RgbaUnorm), |_| {})
    };
    blit_region "blit-region" = |t| blit(t, &copied(t, COLOR), &copied(t, COLOR), |from| from.corners[1].x = 0);
    blit_aspect "blit-aspect" = |t| {
        let format = TextureFormat::Depth32FloatStencil8;
        blit(t, &copied(t, format), &copied(t, format), |_| {})
    };
    blit_layers "blit-layers" = |t| {
        let to = t.device.create_image(&ImageDescriptor {
            size: extent(16, 16, 2),
            ..crate::image(COLOR, COPIED)
        }).unwrap();
        blit(t, &copied(t, COLOR), &to, |_| {})
    };
    blit_format "blit-format" = |t| blit(t, &copied(t, COLOR), &copied(t, TextureFormat::R8Uint), |_| {});
    blit_filter "blit-filter" = |t| {
        let (from, to) = (copied(t, TextureFormat::R8Uint), copied(t, TextureFormat::R8Uint));
        t.commands().blit_image(&ImageBlit::level(&from, 0), &ImageBlit::level(&to, 0), FilterMode::Linear)
    };
    blit_overlap "blit-overlap" = |t| {
        let image = copied(t, COLOR);
        blit(t, &image, &image, |_| {})
    };
    blit_samples "blit-samples" = |t| {
        let from = t.device.create_image(&ImageDescriptor {
            samples: 4,
            ..crate::image(COLOR, COPIED | TextureUsages::RENDER_ATTACHMENT)
        }).unwrap();
        blit(t, &from, &copied(t, COLOR), |_| {})
    };
    copy_resolve "copy-resolve" = |t| {
        let (from, to) = (copied(t, COLOR), copied(t, COLOR));
        let [from, to] = [&from, &to].map(|image| ImageCopy::level(image, 0));
        t.commands().resolve_image(&from, &to, extent(16, 16, 1), ResolveMode::Average)
    };
    blit_outside_pass "blit-outside-pass" = |t| {
        let (from, to) = (copied(t, COLOR), copied(t, COLOR));
        open(t).blit_image(&ImageBlit::level(&from, 0), &ImageBlit::level(&to, 0), FilterMode::Nearest)
    };
    blit_levels "blit-levels" = |t| {
        t.commands().generate_levels(&copied(t, COLOR), ImageLayout::General, ImageLayout::General)
    };

    clear_usage "clear-usage" = |t| {
        let image = t.image(COLOR, TextureUsages::TEXTURE_BINDING);
        clear(t, &image, image.subresources())
    };
    clear_format "clear-format" = |t| {
        let image = copied(t, TextureFormat::Bc1RgbaUnorm);
        clear(t, &image, image.subresources())
    };
    clear_subresources "clear-subresources" = |t| {
        let image = copied(t, COLOR);
        clear(t, &image, Subresources { level: 1, ..image.subresources() })
    };
    clear_depth "clear-depth" = |t| {
        let image = copied(t, TextureFormat::Depth32Float);
        t.commands().clear_depth_stencil_image(&image, image.subresources(), Some(f32::NAN), None)
    };
    clear_attachment "clear-attachment" = |t| open(t).clear_attachments(&[ClearAttachment::Depth(0.5)], &[]);
    clear_rect "clear-rect" = |t| {
        let rect = Rect { x: 15, y: 0, width: 2, height: 1 };
        open(t).clear_attachments(&[ClearAttachment::Color { index: 0, value: Color::RED }], &[rect])
    };
    clear_recording "clear-recording" = |t| t.commands().clear_attachments(&[], &[]);
    command_update_bytes "command-update-bytes" = |t| {
        let buffer = t.buffer(1 << 17, BufferUsages::COPY_DST);
        t.commands().update_buffer(&buffer, 0, &vec![0; 65540])
    };

    query_count "query-count" = |t| queries(t, QueryKind::Occlusion, 0);
    query_memory "query-memory" = |t| {
        let _taken: Vec<Heap> = [16 << 20, 1 << 20, 64 << 10]
            .into_iter()
            .flat_map(|bytes| std::iter::from_fn(move || t.device.create_heap(&HeapDescriptor { label: None, bytes }).ok()))
            .collect();
        queries(t, QueryKind::Statistics, 4096)
    };
    query_feature "query-feature" = |_t| {
        let few = &Fixture::with(|features| !features.timestamps);
        queries(few, QueryKind::Timestamp, 1)
    };
    query_range "query-range" = |t| t.queue.read_queries(&occlusion(t), 1..3);
    query_kind "query-kind" = |t| t.commands().write_timestamp(&occlusion(t), 0);
    query_active "query-active" = |t| {
        let (set, mut commands) = (occlusion(t), open(t));
        commands.begin_query(&set, 0).unwrap();
        commands.begin_query(&set, 1)
    };
    query_begun "query-begun" = |t| open(t).end_query(&occlusion(t), 0);
    query_pass "query-pass" = |t| {
        let (set, mut commands) = (occlusion(t), open(t));
        commands.begin_query(&set, 0).unwrap();
        commands.end_pass().unwrap();
        commands.end_query(&set, 0)
    };
    query_copy "query-copy" = |t| {
        let buffer = t.buffer(8, BufferUsages::QUERY_RESOLVE);
        let to = QueryCopy { buffer: &buffer, offset: 0, availability: true };
        t.commands().copy_queries(&occlusion(t), 0..1, &to)
    };
    query_outside_pass "query-outside-pass" = |t| open(t).reset_queries(&occlusion(t), 0..1);
    query_device "query-device" = |t| Fixture::new().commands().begin_query(&occlusion(t), 0);
    submit_open_query "submit-open-query" = |t| {
        let (set, mut commands) = (occlusion(t), t.commands());
        commands.begin_query(&set, 0).unwrap();
        t.queue.submit(&[&commands], &[])
    };
}
