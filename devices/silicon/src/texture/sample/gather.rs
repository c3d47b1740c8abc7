//! Gathers 64 lanes at a time: the same bits as [`super::reference::gather`].

use super::room::{Bound, Room};
use super::rows::{clamped_references, slices};
use super::stages::{self, AxisRule};
use super::wave::{Wave, borders};
use super::{Dim, Filter, LANES, Lanes, Lod, MipFilter, Request, reference};
use crate::texture::format::{Class, Read};
use host::SimdLevel;

/// Gathers component `component` at a SIMD level. 2D textures at mip level 0 use rows, others the reference.
pub(super) fn gather(
    level: SimdLevel,
    room: &mut Room,
    bound: Bound,
    request: &Request,
    component: usize,
    out: &mut [Lanes; 4],
) {
    let Bound {
        memory,
        texture,
        sampler,
    } = bound;
    let s = &sampler.sampler;
    let mipped = s.mip != MipFilter::None && !matches!(request.lod, Lod::Zero);
    if mipped || texture.dim != Dim::D2 {
        reference::gather(memory, texture, sampler, request, component, out);
        return;
    }
    let compared = request.reference.is_some();
    let one = match compared {
        true => Class::Float,
        false => texture.class,
    };
    let source = match texture.outputs[component & 3] {
        Read::Channel(_) if compared => usize::from(texture.reads_second()),
        Read::Channel(c) => c as usize,
        constant => {
            let value = if constant == Read::One { one.one() } else { 0 };
            for out in out {
                stages::merge(level, request.exec, &[value; LANES], out);
            }
            return;
        }
    };
    let mut needed = [false; 4];
    needed[source] = true;
    room.blocks.start();
    let wave = Wave {
        level,
        memory,
        texture,
        sampler,
        exec: request.exec,
        filter: Filter::Linear,
        slice: slices(level, texture, request),
        offsets: request.offsets,
        reference: clamped_references(level, texture, request),
        needed,
        borders: borders(texture, sampler),
        border: texture.border(s.border),
        grid: None,
    };
    room.levels.fill(texture, &[0; LANES], Some(0));
    for axis in 0..2 {
        let rule = AxisRule {
            mode: s.address[axis],
            linear: true,
            blends: true,
            weight_bits: 0,
            unnormalized: s.unnormalized,
        };
        let offsets = request.offsets.map(|rows| rows[axis]);
        let (size_f, size) = (&room.levels.size_f[axis], &room.levels.size[axis]);
        let numbers = &mut room.axes[axis];
        stages::gather_axis(
            level,
            rule,
            request.coords[axis],
            offsets,
            (size_f, size),
            numbers,
        );
    }
    let reader = wave.reader();
    room.look_up(reader, wave.slice.as_ref());
    room.read(reader, 0);
    wave.texels(room, source);
    // (0, 1), (1, 1), (1, 0), (0, 0)
    for (out, tap) in out.iter_mut().zip([2, 3, 1, 0]) {
        stages::merge(level, request.exec, &room.values[tap], out);
    }
}
