//! Gathers 64 lanes at a time: the same bits as [`super::reference::gather`].

use std::cell::RefCell;

use super::rows::{clamped_references, slices};
use super::stages::{self, AxisRule};
use super::wave::{Wave, look_up};
use super::{
    Dim, Filter, LANES, Lanes, Lod, MipFilter, PreparedSampler, PreparedTexture, Request, reference,
};
use crate::memory::Memory;
use crate::texture::format::{Class, Read};
use host::SimdLevel;

/// Gathers component `component` at a SIMD level. 2D textures at mip level 0 use rows, others the reference.
pub fn gather(
    level: SimdLevel,
    memory: &Memory,
    texture: &PreparedTexture,
    sampler: &PreparedSampler,
    request: &Request,
    component: usize,
    out: &mut [Lanes; 4],
) {
    let s = &sampler.sampler;
    let mipped = s.mip != MipFilter::None && !matches!(request.lod, Lod::Zero);
    if mipped || texture.dim != Dim::D2 {
        reference::gather(memory, texture, sampler, request, component, out);
        return;
    }
    let recent = RefCell::default();
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
        needed: [true; 4],
        recent: &recent,
        grid: None,
    };
    let info = &texture.levels[0];
    let mut numbers = [[[0i32; LANES]; 2]; 2];
    let mut entries = [[[0; LANES]; 2]; 2];
    let divisors = [texture.block.0, texture.block.1];
    for axis in 0..2 {
        let rule = AxisRule {
            mode: s.address[axis],
            linear: true,
            blends: true,
            weight_bits: 0,
            unnormalized: s.unnormalized,
        };
        let offsets = request.offsets.map(|rows| rows[axis]);
        let size = (info.size_f[axis], info.size[axis]);
        stages::gather_axis(
            level,
            rule,
            request.coords[axis],
            offsets,
            size,
            &mut numbers[axis],
        );
        let start = [info.start[axis]; LANES];
        for (numbers, entries) in numbers[axis].iter().zip(&mut entries[axis]) {
            look_up(
                &texture.tables[axis],
                &start,
                numbers,
                divisors[axis],
                entries,
            );
        }
    }
    let (base, xor) = ([info.base; LANES], [info.xor; LANES]);
    if let Some(slice) = &wave.slice {
        let mut row = [0; LANES];
        let numbers = slice.map(|n| n as i32);
        let start = [info.start[2]; LANES];
        look_up(&texture.tables[2], &start, &numbers, 1, &mut row);
        for line in &mut entries[1] {
            stages::join(level, &row, &xor, line);
        }
    }
    let border = texture.border(s.border);
    let compared = wave.reference.is_some();
    let one = if compared {
        Class::Float
    } else {
        texture.class
    }
    .one();
    let mut offsets = [0; LANES];
    let mut words = [[0; LANES]; 4];
    let mut values = [[0; LANES]; 4];
    // (0, 1), (1, 1), (1, 0), (0, 0)
    for (out, (i, j)) in out.iter_mut().zip([(0, 1), (1, 1), (1, 0), (0, 0)]) {
        let source = match texture.outputs[component & 3] {
            Read::Channel(c) if !compared => c as usize,
            Read::Channel(_) => usize::from(texture.reads_second()),
            Read::Zero => {
                stages::merge(level, request.exec, &[0; LANES], out);
                continue;
            }
            Read::One => {
                stages::merge(level, request.exec, &[one; LANES], out);
                continue;
            }
        };
        let (x, y) = (&numbers[0][i], &numbers[1][j]);
        stages::combine(
            level,
            &entries[0][i],
            &entries[1][j],
            &base,
            &xor,
            &mut offsets,
        );
        wave.read(&offsets, x, y, &mut words);
        wave.unpack(&words, &mut values);
        let value = &mut values[source];
        stages::put_border(level, x, border[source], value);
        stages::put_border(level, y, border[source], value);
        if let Some(reference) = &wave.reference {
            stages::compare(level, s.compare, reference, value);
        }
        stages::merge(level, request.exec, value, out);
    }
}
