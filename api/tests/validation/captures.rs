//! Rules of captures: folders that are not what they should be, captures that no device executes.

use std::path::PathBuf;

use girih::*;

use crate::{Fixture, breaks, extent, image};

const COLOR: TextureFormat = TextureFormat::Rgba8Unorm;

/// A folder with an index and a file of eight bytes.
fn folder(name: &str, index: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join("rules")
        .join(name);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("capture.json"), index).unwrap();
    std::fs::write(folder.join("eight.bin"), [7; 8]).unwrap();
    folder
}

/// An index of the fixture's device with these steps, and what follows them.
pub fn index(t: &Fixture, steps: &str, rest: &str) -> String {
    format!(
        r#"{{ "format": "girih-capture", "version": 1, "device": "{}", "memory_bytes": 1048576,
              "steps": [{steps}]{rest} }}"#,
        t.gpu().name()
    )
}

pub fn load(name: &str, index: &str) -> Result<Capture, CaptureError> {
    Capture::load(&folder(name, index))
}

/// A capture of the fixture's device.
pub fn captured(t: &Fixture, steps: Vec<Step>, picture: Option<CapturedPicture>) -> Capture {
    Capture {
        device: t.gpu().name().to_owned(),
        memory_bytes: 1 << 20,
        steps,
        picture,
    }
}

pub fn replay(t: &Fixture, capture: &Capture) -> Result<(), CaptureError> {
    let desc = DeviceDescriptor::default();
    t.gpu().replay(capture, &desc).map(drop)
}

pub fn surface(format: TextureFormat, address: u64, pitch: u64) -> Option<CapturedPicture> {
    Some(CapturedPicture::Surface {
        address,
        format,
        width: 4,
        height: 2,
        pitch,
    })
}

/// Executes steps and shows a surface that is right.
pub fn steps(t: &Fixture, steps: Vec<Step>) -> Result<(), CaptureError> {
    replay(t, &captured(t, steps, surface(COLOR, 0, 16)))
}

fn shows(t: &Fixture, picture: Option<CapturedPicture>) -> Result<(), CaptureError> {
    replay(t, &captured(t, Vec::new(), picture))
}

breaks! {
    begun_twice "capture-begun" = |t| {
        t.device.begin_capture().unwrap();
        t.device.begin_capture()
    };
    never_begun "capture-open" = |t| t.device.end_capture(None);
    several_samples "capture-picture" = |t| {
        let usage = TextureUsages::RENDER_ATTACHMENT;
        let desc = ImageDescriptor { samples: 4, ..image(COLOR, usage) };
        let image = t.device.create_image(&desc).unwrap();
        t.device.begin_capture().unwrap();
        t.device.end_capture(Some(&image))
    };
    no_file "capture-file" = |t| {
        let _ = t;
        Capture::load(&PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("nowhere"))
    };
    another_version "capture-version" = |t| {
        load("version", &index(t, "", "").replace("\"version\": 1", "\"version\": 2"))
    };
    another_field "capture-index" = |t| load("field", &index(t, "", r#", "colour": 1"#));
    no_such_device "capture-device-name" = |t| {
        load("device", &index(t, "", "").replace(t.gpu().name(), "abacus"))
    };
    a_path "capture-file-name" = |t| {
        load("path", &index(t, r#"{ "write": { "address": 0, "file": "../eight.bin" } }"#, ""))
    };
    a_short_file "capture-file-size" = |t| {
        let write = r#"{ "write": { "address": 0, "file": "eight.bin", "offset": 4, "bytes": 5 } }"#;
        load("short", &index(t, write, ""))
    };
    no_such_format "capture-format" = |t| {
        let picture = r#", "picture": { "surface": { "address": 0, "format": "rgba9unorm", "width": 4,
                           "height": 2, "pitch": 16 } }"#;
        load("format", &index(t, "", picture))
    };
    another_device "capture-device" = |t| {
        replay(t, &Capture { device: "abacus".into(), ..captured(t, Vec::new(), surface(COLOR, 0, 16)) })
    };
    no_memory "capture-power" = |t| {
        replay(t, &Capture { memory_bytes: 4, ..captured(t, Vec::new(), surface(COLOR, 0, 16)) })
    };
    write_outside "capture-write" = |t| {
        steps(t, vec![Step::Write { address: (1 << 20) - 4, bytes: vec![1; 8] }])
    };
    stream_outside "capture-stream" = |t| {
        steps(t, vec![Step::Execute { address: (1 << 20) - 4, words: 2 }])
    };
    no_packets "capture-trap" = |t| {
        let words = [!0_u8; 8].to_vec();
        steps(t, vec![Step::Write { address: 4096, bytes: words }, Step::Execute { address: 4096, words: 2 }])
    };
    no_target "capture-target" = |t| shows(t, Some(CapturedPicture::Target));
    no_picture "capture-no-picture" = |t| shows(t, None);
    image_of_no_size "capture-image" = |t| {
        shows(t, Some(CapturedPicture::Image {
            address: 0,
            format: COLOR,
            width: 0,
            height: 1,
            layers: 1,
            levels: 1,
            usage: TextureUsages::COPY_SRC,
        }))
    };
    rows_overlap "capture-surface" = |t| shows(t, surface(COLOR, 0, 15));
    surface_outside "capture-place" = |t| shows(t, surface(COLOR, (1 << 20) - 31, 16));
}

/// What has several ways to be wrong.
#[test]
fn every_way() {
    let t = &Fixture::new();
    let rule = |result: Result<Capture, CaptureError>| result.err().map(|error| error.rule());
    let loads = |name: &str, index: &str| rule(load(name, index));
    assert_eq!(loads("json", "{"), Some("capture-index"));
    assert_eq!(loads("nothing", "{}"), Some("capture-version"));
    assert_eq!(loads("list", "[]"), Some("capture-version"));
    let step = |step: &str| loads("steps", &index(t, step, ""));
    let page = r#"{ "pages": { "address": 0, "pages": [18446744073709551615] } }"#;
    assert_eq!(step(page), Some("capture-file"));
    let file = |file: &str| format!(r#"{{ "write": {{ "address": 0, "file": "{file}" }} }}"#);
    for name in ["", ".", "..", "/etc/passwd", "a/b", "a\\\\b"] {
        assert_eq!(step(&file(name)), Some("capture-file-name"), "{name}");
    }
    assert_eq!(step(&file("none.bin")), Some("capture-file"));
    let offset = r#"{ "write": { "address": 0, "file": "eight.bin", "offset": 9 } }"#;
    assert_eq!(step(offset), Some("capture-file-size"));
    assert_eq!(step(r#"{ "wait": {} }"#), Some("capture-index"));
    let usage = r#", "picture": { "image": { "address": 0, "format": "rgba8unorm", "width": 4, "height": 2,
                     "usage": ["TEXTURE"] } }"#;
    assert_eq!(loads("usage", &index(t, "", usage)), Some("capture-index"));
    let integers = usage
        .replace("TEXTURE", "COPY_SRC")
        .replace("unorm", "uint");
    assert_eq!(
        loads("uint", &index(t, "", &integers)),
        Some("capture-format")
    );

    let rule = |result: Result<(), CaptureError>| result.err().map(|error| error.rule());
    let done = shows(t, surface(TextureFormat::Rgba8Uint, 0, 16));
    assert_eq!(rule(done), Some("capture-format"));
    // An image whose bytes nobody has.
    let done = shows(
        t,
        Some(CapturedPicture::Image {
            address: 0,
            format: TextureFormat::Rgba32Float,
            width: 8192,
            height: 8192,
            layers: 64,
            levels: 1,
            usage: TextureUsages::TEXTURE_BINDING,
        }),
    );
    assert_eq!(rule(done), Some("capture-place"));
}

#[test]
fn a_picture_belongs_to_its_device() {
    let (t, other) = (Fixture::new(), Fixture::new());
    let usage = TextureUsages::COPY_SRC;
    let flat = |format| image(format, usage);
    let deep = ImageDescriptor {
        dimension: TextureDimension::D3,
        size: extent(4, 4, 4),
        ..flat(COLOR)
    };
    t.device.begin_capture().unwrap();
    let reason = |image: Image| match t.device.end_capture(Some(&image)) {
        Err(CaptureError::Picture { reason, .. }) => reason,
        other => panic!("{other:?}"),
    };
    let image = |t: &Fixture, desc: &ImageDescriptor<'_>| t.device.create_image(desc).unwrap();
    let of_other = reason(image(&other, &flat(COLOR)));
    assert_eq!(of_other, "it was made for another device");
    assert_eq!(reason(image(&t, &deep)), "it is not 2D");
    let integers = reason(image(&t, &flat(TextureFormat::Rgba8Uint)));
    assert_eq!(integers, "its format has no picture");
    assert!(t.device.end_capture(None).is_ok());
}
