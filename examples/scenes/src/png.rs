//! Pictures in PNG files.

use std::path::Path;

use image::{ImageFormat, RgbaImage};

use crate::Failure;

/// An error where a path does not end in `.png`, so that nobody draws for nothing.
pub fn check(path: &Path) -> Result<(), Failure> {
    let extension = path.extension().unwrap_or_default();
    if extension.eq_ignore_ascii_case("png") {
        return Ok(());
    }
    Err(format!(
        "{}: pictures are written as PNG, to a name in .png",
        path.display()
    )
    .into())
}

/// Writes a picture; nothing where [`check`] has an error.
pub fn save(picture: &RgbaImage, path: &Path) -> Result<(), Failure> {
    check(path)?;
    picture
        .save_with_format(path, ImageFormat::Png)
        .map_err(|error| format!("{}: {error}", path.display()).into())
}
