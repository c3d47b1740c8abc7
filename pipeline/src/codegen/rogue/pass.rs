//! Attachments: what tiles start with, and where they go.

use ::rogue::pbe;
use ::rogue::regs::*;
use ::rogue::stream::job;
use silicon::texture::format::Class;
use silicon::{Addr, Format};
use wgpu_types as wgt;

use super::images;
use super::packets::{Stream, address};
use crate::encode::Encoder;
use crate::format::{Texel, texture_format};
use crate::image::ResolveMode;
use crate::state::{
    AspectAccess, Attachment, ClearAttachment, ColorTarget, DepthStencilTarget, PassTargets, Rect,
};
use crate::upload::Result;

/// Pages of the parameter buffer of a pass, at most and at least.
const PAGES: u32 = 1024;
const FEW_PAGES: u32 = 64;
const PAGE: u64 = 4096;
/// log2 of the edge of a tile.
const TILE: u32 = 5;

/// Begins a render.
pub(super) fn begin(targets: &PassTargets<'_>, out: &mut Encoder<'_>) -> Result<Option<Addr>> {
    let [columns, lines] = [targets.width, targets.height].map(|size| size.div_ceil(1 << TILE));
    let layers = layers(targets);
    let tiles = u64::from(columns * lines) * u64::from(layers);
    let mut count = PAGES;
    // What one pass has written the next does not need.
    let pages = loop {
        match out.workspace(PAGE * u64::from(count) + 4 * tiles, PAGE) {
            Ok(pages) => break pages,
            Err(_) if count > FEW_PAGES => count /= 2,
            Err(error) => return Err(error),
        }
    };
    let regions = Addr(pages.0 + PAGE * u64::from(count));
    let out = &mut Stream(&mut out.words);
    let size = CrSize {
        width: (targets.width - 1) as u16,
        height: (targets.height - 1) as u16,
    };
    let colors = targets
        .colors
        .iter()
        .flatten()
        .map(|color| color.view.samples);
    let depth = targets.depth_stencil.iter().map(|depth| depth.view.samples);
    let samples = colors.chain(depth).max().unwrap_or(1);
    let render = CrRender {
        last_layer: (layers - 1) as u16,
        samples: samples.trailing_zeros() as u8,
        ..CrRender::from_word(0)
    };
    out.set(CR_SIZE, &[size.pack(), render.pack()]);
    let ([low, high], [rlow, rhigh]) = (address(pages), address(regions));
    out.set(PM_BASE_LO, &[low, high, count, rlow, rhigh]);
    depth_stencil(targets.depth_stencil.as_ref(), out);
    let formats = formats(targets);
    let (firsts, _) = pbe::places(&formats);
    for n in 0..TARGETS {
        let target = targets.colors.get(n as usize).and_then(Option::as_ref);
        let at = n * TARGET_STRIDE;
        match target {
            Some(target) => color(target, firsts[n as usize], n, out),
            None => out.set(PBE_CONTROL0 + at, &[0]),
        }
    }
    out.job(job::BEGIN, 0, &[]);
    Ok(Some(pages))
}

fn formats(targets: &PassTargets<'_>) -> Vec<Option<Format>> {
    let format = |target: &Option<ColorTarget<Attachment<'_>>>| {
        target
            .as_ref()
            .and_then(|target| texture_format(target.view.format))
    };
    targets.colors.iter().map(format).collect()
}

/// Layers of a pass: all its attachments have as many.
fn layers(targets: &PassTargets<'_>) -> u32 {
    let colors = targets.colors.iter().flatten().map(|color| &color.view);
    let depth = targets.depth_stencil.iter().map(|depth| &depth.view);
    colors
        .chain(depth)
        .map(|view| view.layers)
        .max()
        .unwrap_or(1)
}

/// Address, layout, pitch and slice of what an attachment shows of a plane, and the bytes from layer to layer.
fn surface(view: &Attachment<'_>, plane: usize) -> ([u32; 5], u32) {
    let plane = &view.memory.planes[plane];
    let level = &plane.levels[view.level as usize];
    let surface = images::surface(view.memory, plane, level);
    let is_3d = surface.depth > 1;
    let layer = match is_3d {
        true => 0,
        false => u64::from(view.first_layer) * level.slice_bytes,
    };
    let layout = SurfaceLayout {
        memory_layout: if is_3d { 2 } else { 1 },
        samples: view.samples.trailing_zeros() as u8,
        log2_depth: surface.depth.trailing_zeros() as u8,
        log2_height: surface.height.trailing_zeros() as u8,
        log2_width: surface.pitch.trailing_zeros() as u8,
        ..SurfaceLayout::from_word(0)
    };
    let [low, high] = address(Addr(view.base.0 + level.offset + layer));
    let words = [low, high, layout.pack(), 0, view.first_layer];
    (words, level.slice_bytes as u32)
}

/// Words of the output registers of a colour.
fn words(format: Format, value: &wgt::Color) -> [u32; 4] {
    let all = [value.r, value.g, value.b, value.a];
    let values = all.map(|c| match format.class() {
        Class::Uint => c as u32,
        Class::Sint => c as i32 as u32,
        _ => (c as f32).to_bits(),
    });
    match pbe::on_chip(format).and_then(pbe::OnChip::format) {
        Some(kept) => kept.pack_words(values),
        None => values,
    }
}

fn color(target: &ColorTarget<Attachment<'_>>, first: u32, n: u32, out: &mut Stream<'_>) {
    let at = n * TARGET_STRIDE;
    let view = &target.view;
    let found = texture_format(view.format).and_then(|format| Some((format, pbe::mode(format)?)));
    let Some((format, mode)) = found else {
        debug_assert!(false, "{:?} is no color format", view.format);
        return out.set(PBE_CONTROL0 + at, &[0]);
    };
    let resolve = target.resolve.as_ref();
    let average = resolve.filter(|(_, mode)| *mode == ResolveMode::Average);
    let control = PbeControl {
        present: true,
        load: match target.load {
            wgt::LoadOp::Load => load::MEMORY,
            _ => load::CLEAR,
        },
        // What the driver resolves by itself it reads from memory.
        store: target.store == wgt::StoreOp::Store || resolve.is_some() && average.is_none(),
        resolve: average.is_some(),
        first_register: first as u8,
        packmode: mode.packmode,
        norm: mode.norm,
        gamma: mode.gamma,
        swap: mode.swap,
        ..PbeControl::from_word(0)
    };
    let clear = match &target.load {
        wgt::LoadOp::Clear(value) => words(format, value),
        _ => [0; 4],
    };
    out.set(PBE_CONTROL0 + at, &[control.pack()]);
    out.set(PBE_CLEAR0 + at, &clear);
    let (words, layer_bytes) = surface(view, 0);
    out.set(PBE_SURFACE0 + at, &words);
    out.set(PBE_LAYER_BYTES + n, &[layer_bytes]);
    if let Some((to, _)) = average {
        let (words, layer_bytes) = surface(to, 0);
        out.set(PBE_RESOLVE0 + at, &words);
        out.set(PBE_RESOLVE_LAYER_BYTES + n, &[layer_bytes]);
    }
}

fn loads<V>(access: &AspectAccess<V>) -> bool {
    match access {
        AspectAccess::ReadOnly => true,
        AspectAccess::Write { load, .. } => matches!(load, wgt::LoadOp::Load),
    }
}

fn stores<V>(access: &AspectAccess<V>) -> bool {
    match access {
        AspectAccess::ReadOnly => false,
        AspectAccess::Write { store, .. } => *store == wgt::StoreOp::Store,
    }
}

/// ISP_ZLSCTL format of depths.
fn depth_code(format: Format) -> u8 {
    match format {
        Format::D16Unorm => 2,
        Format::D24UnormX8 | Format::D24UnormS8Uint => 1,
        _ => 0,
    }
}

fn depth_stencil(target: Option<&DepthStencilTarget<Attachment<'_>>>, out: &mut Stream<'_>) {
    let Some(target) = target else {
        return out.set(ISP_ZLSCTL, &[0]);
    };
    let view = &target.view;
    let plane = |aspect| view.memory.plane(aspect);
    let depth = plane(wgt::TextureAspect::DepthOnly).filter(|_| view.format.has_depth_aspect());
    let stencil =
        plane(wgt::TextureAspect::StencilOnly).filter(|_| view.format.has_stencil_aspect());
    let code = texture_format(view.memory.shape.format).map_or(0, depth_code);
    let resolved = target.resolve.is_some();
    let control = ZlsCtl {
        store_format: code,
        load_format: code,
        z_store: depth.is_some() && (stores(&target.depth) || resolved),
        s_store: stencil.is_some() && (stores(&target.stencil) || resolved),
        store_twiddled: true,
        z_load: depth.is_some() && loads(&target.depth),
        s_load: stencil.is_some() && loads(&target.stencil),
        load_twiddled: true,
        stencil_present: stencil.is_some(),
        depth_present: depth.is_some(),
        ..ZlsCtl::from_word(0)
    };
    let clear = match (depth, target.depth.clear()) {
        (Some(plane), Some(value)) => depth_word(view, plane, value),
        _ => 0,
    };
    let value = target.stencil.clear().unwrap_or(0) & 0xff;
    out.set(ISP_ZLSCTL, &[control.pack(), clear, value]);
    if let Some(plane) = depth {
        set_surface(ISP_DEPTH, surface(view, plane), out);
    }
    if let Some(plane) = stencil {
        set_surface(ISP_STENCIL, surface(view, plane), out);
    }
}

/// A surface with its layer bytes behind it.
fn set_surface(first: u32, (words, layer_bytes): ([u32; 5], u32), out: &mut Stream<'_>) {
    out.set(first, &words);
    out.set(first + SURFACE_WORDS, &[layer_bytes]);
}

/// Bits of a depth.
fn depth_word(view: &Attachment<'_>, plane: usize, value: f32) -> u32 {
    let texel = Texel::depth(view.memory, plane, value);
    let mut word = [0; 4];
    let bytes = texel.bytes();
    let count = bytes.len().min(4);
    word[..count].copy_from_slice(&bytes[..count]);
    u32::from_le_bytes(word)
}

/// Clears a rectangle between draws.
pub(super) fn clear(
    targets: &PassTargets<'_>,
    clear: ClearAttachment,
    rect: Rect,
    out: &mut Stream<'_>,
) {
    let corner = |x: u32, y: u32| x | y << 16;
    let ends = [
        corner(rect.x, rect.y),
        corner(rect.x + rect.width, rect.y + rect.height),
    ];
    let (what, values) = match clear {
        ClearAttachment::Color { index, value } => {
            let format = formats(targets).get(index as usize).copied().flatten();
            (index, format.map_or([0; 4], |format| words(format, &value)))
        }
        ClearAttachment::Depth(value) => {
            let Some(target) = &targets.depth_stencil else {
                return;
            };
            let plane = target
                .view
                .memory
                .plane(wgt::TextureAspect::DepthOnly)
                .unwrap_or(0);
            (8, [depth_word(&target.view, plane, value), 0, 0, 0])
        }
        ClearAttachment::Stencil(value) => (9, [value & 0xff, 0, 0, 0]),
    };
    let [from, to] = ends;
    let [a, b, c, d] = values;
    out.job(job::CLEAR, what, &[from, to, a, b, c, d]);
}
