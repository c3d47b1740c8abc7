//! Numbers of captures.

use girih::*;

use super::bounds;
use crate::captures::{captured, index, load, replay, steps, surface};
use crate::image;

const COLOR: TextureFormat = TextureFormat::Rgba8Unorm;
/// Video memory of the captures.
const BYTES: u64 = 1 << 20;

/// A picture of a width in an image.
fn wide(width: u32) -> Option<CapturedPicture> {
    Some(CapturedPicture::Image {
        address: 0,
        format: COLOR,
        width,
        height: 1,
        layers: 1,
        levels: 1,
        usage: TextureUsages::COPY_SRC,
    })
}

bounds! {
    capture_samples "capture-picture" = |t, samples: u32| {
        let usage = TextureUsages::RENDER_ATTACHMENT;
        let desc = ImageDescriptor { samples, ..image(COLOR, usage) };
        let image = t.device.create_image(&desc).unwrap();
        // One that did not end goes on.
        let _ = t.device.begin_capture();
        t.device.end_capture(Some(&image))
    };
    accepts [1]; refuses [2, 4];
    capture_version "capture-version" = |t, version: u32| {
        let version = format!("\"version\": {version}");
        load(&format!("bound {}", version.len()), &index(t, "", "").replace("\"version\": 1", &version))
    };
    accepts [1]; refuses [0, 2, 11];
    capture_file_size "capture-file-size" = |t, bytes: u64| {
        let write = format!(r#"{{ "write": {{ "address": 0, "file": "eight.bin", "offset": 4, "bytes": {bytes} }} }}"#);
        load("bound size", &index(t, &write, ""))
    };
    accepts [0, 4]; refuses [5, u64::MAX];
    capture_memory "capture-power" = |t, bytes: u64| {
        let shown = captured(t, Vec::new(), surface(COLOR, 0, 16));
        replay(t, &Capture { memory_bytes: bytes, ..shown })
    };
    accepts [BYTES, BYTES + 4096]; refuses [0, BYTES - 1, u64::MAX];
    capture_write "capture-write" = |t, address: u64| {
        steps(t, vec![Step::Write { address, bytes: vec![1; 8] }])
    };
    accepts [0, BYTES - 8]; refuses [BYTES - 7, u64::MAX];
    capture_stream "capture-stream" = |t, stream: [u64; 2]| {
        let [address, words] = stream;
        let filler = 0x8000_0000_u32.to_le_bytes().repeat(2);
        let write = Step::Write { address: BYTES - 8, bytes: filler };
        steps(t, vec![write, Step::Execute { address, words }])
    };
    accepts [[BYTES - 8, 2], [BYTES, 0]]; refuses [[BYTES - 8, 3], [BYTES - 7, 1], [4, u64::MAX], [u64::MAX - 3, 1]];
    capture_image "capture-image" = |t, width: u32| replay(t, &captured(t, Vec::new(), wide(width)));
    accepts [1, t.gpu().limits().image_2d]; refuses [0, t.gpu().limits().image_2d + 1];
    capture_surface "capture-surface" = |t, pitch: u64| {
        replay(t, &captured(t, Vec::new(), surface(COLOR, 0, pitch)))
    };
    accepts [16, 17]; refuses [0, 15];
    capture_place "capture-place" = |t, place: [u64; 2]| {
        let [address, pitch] = place;
        replay(t, &captured(t, Vec::new(), surface(COLOR, address, pitch)))
    };
    accepts [[BYTES - 32, 16], [0, BYTES - 16]]; refuses [[BYTES - 31, 16], [0, BYTES - 15], [0, u64::MAX], [u64::MAX, 16]];
}
