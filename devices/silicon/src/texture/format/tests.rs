use super::*;

#[test]
fn sizes() {
    for (format, bytes, components) in [
        (Format::R8Unorm, 1, 1),
        (Format::R8G8B8A8Srgb, 4, 4),
        (Format::B5G6R5Unorm, 2, 3),
        (Format::B10G11R11Float, 4, 3),
        (Format::E5B9G9R9Float, 4, 3),
        (Format::R32G32B32Float, 12, 3),
        (Format::D24UnormS8Uint, 4, 2),
        (Format::D32FloatS8Uint, 8, 2),
        (Format::Bc1RgbaUnorm, 8, 4),
        (Format::Astc12x12Srgb, 16, 4),
        (Format::R3G3B2Unorm, 1, 3),
        (Format::R16G16B16Float, 6, 3),
        (Format::S8UintD24Unorm, 4, 2),
        (Format::R1Unorm, 1, 1),
        (Format::G8B8G8R8Unorm, 4, 3),
    ] {
        assert_eq!(format.size_bytes(), bytes, "{format:?}");
        assert_eq!(format.components(), components, "{format:?}");
    }
    assert_eq!(Format::Bc7RgbaUnorm.image_bytes(5, 9), 2 * 3 * 16);
}

#[test]
fn names_are_unique_and_found() {
    for &format in Format::ALL {
        assert_eq!(Format::from_name(format.name()), Some(format));
    }
    assert_eq!(Format::from_name("R8"), None);
}

#[test]
fn properties_follow_from_the_row() {
    assert!(Format::R8G8B8A8Srgb.is_blendable());
    assert!(!Format::R8G8B8A8Uint.is_blendable());
    assert!(!Format::D32Float.is_renderable());
    assert!(!Format::Bc1RgbaUnorm.is_renderable());
    assert!(!Format::R32Uint.is_filterable());
    assert!(Format::D24UnormS8Uint.has_depth() && Format::D24UnormS8Uint.has_stencil());
    assert_eq!(Format::S8Uint.class(), Class::Uint);
    assert_eq!(Format::Bc4RSnorm.class(), Class::Snorm);
    assert_eq!(Format::S8UintD24Unorm.class(), Class::Unorm);
    assert_eq!(
        Format::R8G8B8A8Unorm.with_srgb(true),
        Some(Format::R8G8B8A8Srgb)
    );
    assert_eq!(Format::R32Float.with_srgb(true), None);
    assert_eq!(Format::D32Float.with_srgb(false), Some(Format::D32Float));
}
