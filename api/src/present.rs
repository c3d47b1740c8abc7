//! Frames in a window, through the host's own window surface.

use std::num::NonZeroU32;

use image::RgbaImage;
use raw_window_handle::{HasDisplayHandle, HasWindowHandle};

/// A frame that cannot be shown.
#[derive(Debug, thiserror::Error)]
#[error("the window cannot show a frame: {0}")]
pub struct PresentError(String);

impl From<softbuffer::SoftBufferError> for PresentError {
    fn from(error: softbuffer::SoftBufferError) -> PresentError {
        PresentError(error.to_string())
    }
}

/// The pixels of a window.
///
/// ```no_run
/// # use girih::present::{PresentError, Surface};
/// # use raw_window_handle::{HasDisplayHandle, HasWindowHandle};
/// fn show<W>(window: W, picture: &image::RgbaImage) -> Result<(), PresentError>
/// where
///     W: HasDisplayHandle + HasWindowHandle + Clone,
/// {
///     Surface::new(window)?.present(picture)
/// }
/// ```
pub struct Surface<W: HasDisplayHandle + HasWindowHandle + Clone> {
    surface: softbuffer::Surface<W, W>,
    /// Keeps the connection to the window system.
    _context: softbuffer::Context<W>,
}

impl<W: HasDisplayHandle + HasWindowHandle + Clone> Surface<W> {
    /// The surface of a window.
    ///
    /// Errors: [`PresentError`] with the window system's words.
    pub fn new(window: W) -> Result<Surface<W>, PresentError> {
        let context = softbuffer::Context::new(window.clone())?;
        let surface = softbuffer::Surface::new(&context, window)?;
        Ok(Surface {
            surface,
            _context: context,
        })
    }

    /// Shows a picture whose bytes are sRGB-encoded, one texel a pixel, at the top left corner; alpha does not count. A
    /// picture without pixels shows nothing.
    ///
    /// Errors: [`PresentError`] with the window system's words.
    pub fn present(&mut self, picture: &RgbaImage) -> Result<(), PresentError> {
        let (Some(width), Some(height)) = (
            NonZeroU32::new(picture.width()),
            NonZeroU32::new(picture.height()),
        ) else {
            return Ok(());
        };
        self.surface.resize(width, height)?;
        let mut pixels = self.surface.buffer_mut()?;
        to_window(picture, &mut pixels);
        pixels.present()?;
        Ok(())
    }
}

/// The words of a window that shows a picture: red, green and blue below eight zeros. For windows of the caller's.
pub fn to_window(picture: &RgbaImage, pixels: &mut [u32]) {
    // A loop that becomes vectors.
    for (pixel, texel) in pixels.iter_mut().zip(picture.as_raw().as_chunks::<4>().0) {
        *pixel = u32::from_be_bytes(*texel) >> 8;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn alpha_does_not_count() {
        let texels = vec![1, 2, 3, 4, 255, 0, 128, 255];
        let picture = RgbaImage::from_raw(2, 1, texels).unwrap();
        let mut pixels = [7; 3];
        to_window(&picture, &mut pixels);
        assert_eq!(pixels, [0x01_0203, 0xff_0080, 7]);
    }
}
