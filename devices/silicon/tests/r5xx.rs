//! The surface and texture formats of R5xx, as its manual lists them, and the rows of the table that are the same bits.
//! [`r5xx_formats.csv`: name, kind, code, bits, layout, range, ...]

use silicon::Format;
use silicon::texture::format::{Codec, Kind, Layout};

const LIST: &str = include_str!("r5xx_formats.csv");

/// What stands for a format: unsigned first, then signed where it has both, or the sRGB encoding.
#[rustfmt::skip]
const FORMATS: [(&str, &[Format]); 26] = [
    ("C_8",          &[Format::R8Unorm, Format::R8Snorm]),
    ("C2_4",         &[Format::G4R4Unorm]),
    ("C_3_3_2",      &[Format::R3G3B2Unorm]),
    ("C_16",         &[Format::R16Unorm, Format::R16Snorm]),
    ("C_16_FP",      &[Format::R16Float]),
    ("C2_8",         &[Format::R8G8Unorm, Format::R8G8Snorm]),
    ("C_5_6_5",      &[Format::B5G6R5Unorm]),
    ("C_6_5_5",      &[Format::R6G5B5Unorm, Format::R6G5B5Snorm]),
    ("C4_4",         &[Format::A4B4G4R4Unorm]),
    ("C_1_5_5_5",    &[Format::A1R5G5B5Unorm]),
    ("C4_8",         &[Format::R8G8B8A8Unorm, Format::R8G8B8A8Snorm]),
    ("C4_8_GAMMA",   &[Format::R8G8B8A8Srgb]),
    ("C_11_11_10",   &[Format::B11G11R10Unorm, Format::B11G11R10Snorm]),
    ("C_10_11_11",   &[Format::B10G11R11Unorm, Format::B10G11R11Snorm]),
    ("C_2_10_10_10", &[Format::A2B10G10R10Unorm, Format::A2B10G10R10Snorm]),
    ("C2_16",        &[Format::R16G16Unorm, Format::R16G16Snorm]),
    ("C2_16_FP",     &[Format::R16G16Float]),
    ("C_32_FP",      &[Format::R32Float]),
    // Alpha, V, Y and U are components like others.
    ("C_AVYU",       &[Format::R8G8B8A8Unorm]),
    ("C_VYUY",       &[Format::G8B8G8R8Unorm]),
    ("C_YVYU",       &[Format::B8G8R8G8Unorm]),
    ("C4_16",        &[Format::R16G16B16A16Unorm, Format::R16G16B16A16Snorm]),
    ("C4_16_FP",     &[Format::R16G16B16A16Float]),
    ("C2_32_FP",     &[Format::R32G32Float]),
    ("C4_32_FP",     &[Format::R32G32B32A32Float]),
    // Luminance, whatever the swizzle.
    ("TX_FMT_Y8",    &[Format::R8Unorm]),
];

/// Textures whose bits the list describes in words.
#[rustfmt::skip]
const WORDED: [(&str, Format); 5] = [
    ("TX_FMT_ATI1N",     Format::Bc4RUnorm),
    ("TX_FMT_ATI2N",     Format::Bc5RgUnorm),
    ("TX_FMT_1",         Format::R1Unorm),
    ("TX_FMT_1_REVERSE", Format::R1ReversedUnorm),
    ("TX_FMT_24_8",      Format::S8UintD24Unorm),
];

/// Formats of which the manual does not say where their bits lie, or what they mean.
const UNKNOWN: [&str; 8] = [
    "C_16_MPEG",
    "C2_16_MPEG",
    "TX_FMT_16_MPEG",
    "TX_FMT_16_16_MPEG",
    "TX_FMT_W24_FP",
    "TX_FMT_10",
    "TX_FMT_10_10",
    "TX_FMT_10_10_10_10",
];

/// Low and high bit of each channel, lowest first.
fn channels(layout: &str) -> Vec<(u32, u32)> {
    let bits = layout.split(' ').filter_map(|text| {
        let (_, range) = text.split_once('[')?;
        let range = range.strip_suffix(']')?;
        let (high, low) = range.split_once(':').unwrap_or((range, range));
        Some((low.parse().ok()?, high.parse().ok()?))
    });
    let mut found: Vec<(u32, u32)> = bits.collect();
    found.sort_unstable();
    found
}

fn check(name: &str, columns: &[&str], formats: &[Format]) {
    let (bits, layout, range) = (columns[3], columns[4], columns[5]);
    assert_eq!(formats.len() > 1, range.contains("signed"), "{name}");
    for (n, format) in formats.iter().enumerate() {
        assert_eq!(bits, (8 * format.size_bytes()).to_string(), "{name}");
        let pair = match format.row().layout {
            Layout::Block { codec, .. } => Some(codec),
            _ => None,
        };
        match pair {
            // Luminance is green; the lower of the two is the left texel's.
            Some(Codec::PairGreenFirst) => assert!(layout.ends_with("Y0[7:0]"), "{name}"),
            Some(Codec::PairGreenLast) => assert!(layout.contains("Y0[15:8]"), "{name}"),
            _ => {
                let mut at = 0;
                let ours = format.channels().iter().map(|channel| {
                    let low = at;
                    at += u32::from(channel.bits);
                    (low, at - 1)
                });
                assert_eq!(ours.collect::<Vec<_>>(), channels(layout), "{name}");
            }
        }
        let kind = match (layout.contains("S10E5") || layout.contains("S23E8"), n) {
            (true, _) => Kind::Float,
            (_, 0) => Kind::Unorm,
            _ => Kind::Snorm,
        };
        let kinds = format.channels().iter();
        assert!(
            kinds.map(|channel| channel.kind).all(|k| k == kind),
            "{name}"
        );
        assert_eq!(format.is_srgb(), name.ends_with("GAMMA"), "{name}");
    }
}

#[test]
fn every_format_of_the_list_has_a_row() {
    let mut met = Vec::new();
    for line in LIST.lines().skip(1) {
        let columns: Vec<&str> = line.split(',').collect();
        let (name, kind) = (columns[0], columns[1]);
        if !matches!(kind, "surface" | "tx") || name.starts_with("reserved") {
            continue;
        }
        // A texture says in its last column which surface it is.
        let surface = columns
            .last()
            .and_then(|note| note.strip_prefix("surface "));
        let found = FORMATS
            .iter()
            .find(|(own, _)| Some(*own) == surface || *own == name);
        if let Some((own, formats)) = found {
            check(name, &columns, formats);
            met.push(*own);
        } else if let Some((own, _)) = WORDED.iter().find(|(own, _)| *own == name) {
            met.push(own);
        } else {
            let unknown = UNKNOWN.iter().find(|own| **own == name);
            met.push(unknown.unwrap_or_else(|| panic!("{name} has no row")));
        }
    }
    let all = FORMATS.iter().map(|(name, _)| name);
    for name in all
        .chain(WORDED.iter().map(|(name, _)| name))
        .chain(&UNKNOWN)
    {
        assert!(met.contains(name), "{name} is not in the list");
    }
}
