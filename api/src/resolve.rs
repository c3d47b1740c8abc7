//! Resolves at the end of passes that the chip does not do: by the driver, between streams.

use pipeline::image::{Part, Region};
use pipeline::silicon::MemoryError;

use crate::device::Shared;
use crate::image::ImageView;
use crate::recorded::PassResolve;

/// Resolves in software, whatever the aspect and the way.
pub(crate) fn on_host(shared: &Shared, resolve: &PassResolve) -> Result<(), MemoryError> {
    let view_format = resolve.from.format();
    let format = view_format.aspect_specific_format(resolve.aspect);
    let (Some(format), Some(plane)) = (
        format.and_then(pipeline::format::texture_format),
        resolve.from.image().inner.memory.plane(resolve.aspect),
    ) else {
        debug_assert!(false, "checked when the pass began");
        return Ok(());
    };
    (resolve.from.slices().zip(resolve.to.slices())).try_for_each(|(from_slice, to_slice)| {
        let from = whole(&resolve.from, plane, from_slice);
        let to = whole(&resolve.to, plane, to_slice);
        let sides = [part(&resolve.from, &from), part(&resolve.to, &to)];
        pipeline::image::resolve(&shared.driver, format, resolve.mode, sides)
    })
}

/// All that a view of one level shows of a slice.
fn whole(view: &ImageView, plane: usize, slice: u32) -> Region {
    let (size, range) = (view.size(), view.subresources());
    Region {
        plane,
        level: range.level,
        x: 0..size.width,
        y: 0..size.height,
        slices: slice..slice + 1,
    }
}

fn part<'a>(view: &'a ImageView, region: &'a Region) -> Part<'a> {
    let image = &view.image().inner;
    Part {
        base: image.base,
        image: &image.memory,
        region,
        sample: 0,
    }
}
