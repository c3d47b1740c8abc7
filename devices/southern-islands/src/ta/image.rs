//! Image accesses: MIMG through a T# and, when sampling, a S#. [SI 8.2]

mod gather;
mod shaped;
mod stores;

use gather::gather_all;
use shaped::Shaped;
use stores::store;
pub(crate) use stores::store_all;

use std::ops::Range;

use lanes::{Fault, LANES, Row, Wave};
use silicon::SimdLevel;
use silicon::texture::sample::{
    self, Lanes, Lod as Detail, Out, Plain, Repeats, Request, Sampling,
};

use super::MemoryUnit;
use super::resource::{Image, Number, Registers};
use super::{Stores, outside};
use crate::descriptor::dim;
use crate::isa::image::{ImageSem, Lod, Raw, Sampled};
use crate::isa::memory::Atomic;
use crate::isa::operand::EXEC;
use crate::isa::words::Mimg;
use crate::sqc::quad;
use silicon::fragment::interpolate::lanes as lanes_of;

const ZERO: Lanes = [0; LANES];

/// Runs one image instruction.
pub fn run(inst: &Mimg, wave: &mut Wave, unit: &mut MemoryUnit) -> Result<(), Fault> {
    // What batches sampled before is not what comes right before the next one.
    unit.scratch.forget();
    let exec = wave.mask(u16::from(EXEC));
    let sem = inst.op.sem();
    let at = u16::from(inst.srsrc) * 4;
    let registers = descriptors(inst);
    if let ImageSem::Sample(_) | ImageSem::Gather(_) = sem
        && !inst.r128
        && let Some(found) = unit.descriptors.bound(registers, &wave.scalars)
    {
        look_up(inst, found, exec, wave, unit);
        return Ok(());
    }
    let high = if inst.r128 {
        short_half(wave, at)
    } else {
        quad(wave, at + 4)
    };
    let image = unit
        .descriptors
        .image([quad(wave, at), high], &unit.memory)
        .map_err(|error| Fault::Illegal {
            reason: error.to_string(),
        })?;
    let Some(image) = image else {
        // Unbound: loads give zeros, stores are dropped.
        if !matches!(sem, ImageSem::Store { .. }) {
            write(inst, sem, exec, &[ZERO; 4], wave);
        }
        return Ok(());
    };
    match sem {
        ImageSem::Sample(_) | ImageSem::Gather(_) | ImageSem::GetLod => {
            let found = [image, sampler(inst, wave, unit)];
            if !inst.r128 {
                unit.descriptors.bind(registers, &wave.scalars, found);
            }
            look_up(inst, found, exec, wave, unit);
        }
        _ => access(inst, sem, image, exec, wave, unit)?,
    }
    Ok(())
}

/// Samples, gathers, or finds levels of detail.
fn look_up(inst: &Mimg, found: [Number; 2], exec: u64, wave: &mut Wave, unit: &mut MemoryUnit) {
    match inst.op.sem() {
        ImageSem::Sample(sampled) => filter(inst, sampled, found, exec, wave, unit),
        sem => gather::query(inst, sem, found, exec, wave, unit),
    }
}

/// How many lanes are in a mask, mostly all: not every host has a popcount.
#[inline(always)]
fn lanes_in(exec: u64) -> u64 {
    match exec {
        u64::MAX => LANES as u64,
        _ => some_lanes_in(exec),
    }
}

/// A call, so that a whole mask is not counted as well.
#[inline(never)]
fn some_lanes_in(exec: u64) -> u64 {
    exec.count_ones().into()
}

/// Where an instruction has its descriptors.
fn descriptors(inst: &Mimg) -> Registers {
    Registers {
        image: usize::from(inst.srsrc) * 4,
        sampler: usize::from(inst.ssamp) * 4,
        unnormalized: inst.unorm,
    }
}

/// The wave may read any texel of an image.
fn watch(image: Number, unit: &mut MemoryUnit) {
    let image = unit.descriptors.numbered(image);
    if unit.logs.watches(&image.bytes) {
        unit.logs.load(image.site(), image.bytes.clone());
    }
}

/// Samples: results go from texels straight into the registers of the components enabled in DMASK.
fn filter(
    inst: &Mimg,
    sampled: Sampled,
    [image, sampler]: [Number; 2],
    exec: u64,
    wave: &mut Wave,
    unit: &mut MemoryUnit,
) {
    let Some(registers) = destination(inst, inst.dmask) else {
        return;
    };
    watch(image, unit);
    let (image, sampler) = unit.descriptors.pair(image, sampler);
    wave.charge(sample::cost(&image.texture, sampler));
    unit.texels += lanes_in(exec) * sample::texels(&image.texture, sampler);
    let (memory, scratch) = (&unit.memory, &mut unit.scratch);
    let mut begin =
        |request: &Request| scratch.begin(unit.level, memory, &image.texture, sampler, request);
    let sampling = if image.kind == dim::D2 && !inst.da && is_plain(sampled) {
        begin(&plain(inst, sampled, exec, wave))
    } else {
        any(inst, sampled, image, exec, wave, begin)
    };
    let (out, status) = components(inst, &mut wave.rows[registers]);
    sampling.finish(scratch, out);
    if let Some(status) = status {
        // Everything is resident.
        lanes_of(exec).for_each(|lane| status[lane] = 0);
    }
}

/// The registers of the components that DMASK enables, and what follows them.
fn components<'a>(inst: &Mimg, registers: &'a mut [Row]) -> (Out<'a>, Option<&'a mut Lanes>) {
    let mut rows = registers.iter_mut().map(|row| &mut row.0);
    let mut out = [None, None, None, None];
    for (c, out) in out.iter_mut().enumerate() {
        if inst.dmask >> c & 1 == 1 {
            *out = rows.next();
        }
    }
    (out, rows.next())
}

/// Samples, gathers or loads for several waves at once; says whether it did. Otherwise nothing is done. Of `places`, see
/// [`sample_all`].
pub(crate) fn run_all(
    inst: &Mimg,
    registers: &mut [Wave],
    places: (u16, bool),
    unit: &mut MemoryUnit,
) -> bool {
    sample_all(inst, registers, places, unit)
        || gather_all(inst, registers, places, unit)
        || load_all(inst, registers, unit)
}

/// Samples for several waves at once; says whether it did. Otherwise nothing is done. `same` address registers are what they
/// were at the sample before, and those of the next sample may be these.
fn sample_all(
    inst: &Mimg,
    registers: &mut [Wave],
    (same, later): (u16, bool),
    unit: &mut MemoryUnit,
) -> bool {
    let (ImageSem::Sample(sampled), false, Some(rows)) = (
        inst.op.sem(),
        inst.r128 || inst.tfe,
        destination(inst, inst.dmask),
    ) else {
        return false;
    };
    let Some([image, sampler]) = bound_all(inst, registers, unit) else {
        return false;
    };
    let (image, sampler) = unit.descriptors.pair(image, sampler);
    let mut waves = [Plain::NONE; sample::MAX_WAVES];
    let operands = Shaped::new(inst, sampled, image.kind);
    for (plain, wave) in waves.iter_mut().zip(&*registers) {
        *plain = operands.of(wave);
    }
    let Some(waves) = waves.get(..registers.len()) else {
        return false;
    };
    let (texture, scratch) = (&image.texture, &mut unit.scratch);
    let memory = &unit.memory;
    let before = operands.count <= same;
    let repeats = Repeats { before, later };
    let sampling = scratch.begin_all(unit.level, memory, texture, sampler, waves, repeats);
    let Some(sampling) = sampling else {
        return false;
    };
    let mut outs = [const { [None, None, None, None] }; sample::MAX_WAVES];
    let count = registers.len();
    let (cost, texels) = (
        sample::cost(texture, sampler),
        sample::texels(texture, sampler),
    );
    for (out, wave) in outs.iter_mut().zip(registers) {
        wave.charge(cost);
        unit.texels += lanes_in(wave.mask(u16::from(EXEC))) * texels;
        (*out, _) = components(inst, &mut wave.rows[rows.clone()]);
    }
    sampling.finish_all(scratch, &mut outs[..count]);
    true
}

/// The image and the sampler that all waves have bound, where nobody has to know who reads the image.
fn bound_all(inst: &Mimg, registers: &[Wave], unit: &mut MemoryUnit) -> Option<[Number; 2]> {
    let found = descriptors(inst);
    let first = registers.first()?;
    let [image, sampler] = match unit.descriptors.bound(found, &first.scalars) {
        Some(bound) => bound,
        // The registers held another one: a program with many images loads each in turn.
        None => {
            let at = u16::from(inst.srsrc) * 4;
            let words = [quad(first, at), quad(first, at + 4)];
            let image = unit.descriptors.image(words, &unit.memory).ok()??;
            let both = [image, sampler(inst, first, unit)];
            unit.descriptors.bind(found, &first.scalars, both);
            both
        }
    };
    let bound = |wave: &Wave| unit.descriptors.bound(found, &wave.scalars);
    let watched = unit.logs.watches(&unit.descriptors.numbered(image).bytes);
    let all = !watched && registers.iter().all(|wave| bound(wave).is_some());
    all.then_some([image, sampler])
}

/// Whether an instruction takes no more than a reference and coordinates.
fn is_plain(sampled: Sampled) -> bool {
    let Sampled {
        lod, clamp, offset, ..
    } = sampled;
    matches!(lod, Lod::Implicit | Lod::Zero) && !clamp && !offset
}

/// What [`Operands::sample`] gives for such an instruction and an image of two coordinates.
fn plain<'a>(inst: &Mimg, sampled: Sampled, exec: u64, wave: &'a Wave) -> Request<'a> {
    let row = |n: u8| &wave.rows[usize::from(inst.vaddr.wrapping_add(n))].0;
    let first = u8::from(sampled.compare);
    Request {
        exec,
        coords: [row(first), row(first + 1), &ZERO],
        layer: None,
        lod: match sampled.lod {
            Lod::Zero => Detail::Zero,
            _ => Detail::Implicit,
        },
        lod_clamp: None,
        reference: sampled.compare.then(|| row(0)),
        offsets: None,
    }
}

/// Begins a sample with any operands. Not inlined, as room for those that are computed is large.
#[inline(never)]
fn any<'a>(
    inst: &Mimg,
    sampled: Sampled,
    image: &Image,
    exec: u64,
    wave: &Wave,
    mut begin: impl FnMut(&Request) -> Sampling<'a>,
) -> Sampling<'a> {
    let mut computed = Computed::default();
    let operands = Operands::new(inst, wave).sample(image, sampled, &mut computed);
    begin(&operands.request(exec, sampled.lod))
}

/// Accesses by texel number.
fn access(
    inst: &Mimg,
    sem: ImageSem,
    image: Number,
    exec: u64,
    wave: &mut Wave,
    unit: &mut MemoryUnit,
) -> Result<(), Fault> {
    let image = unit.descriptors.numbered(image);
    wave.charge(image.texture.access_cost());
    let numbered = sample::Numbered::new(unit.level, &unit.memory, &image.texture);
    let operands = Operands::new(inst, wave);
    let mut faces = None;
    match sem {
        ImageSem::Load { mip, raw } => {
            let access = operands.texels(image, exec, mip, &mut faces);
            unit.texels += lanes_in(exec);
            if unit.logs.watches(&image.bytes) {
                let mut addresses = [0; LANES];
                let inside = numbered.addresses(&access, &mut addresses);
                let mut places = lanes_of(inside).map(|lane| addresses[lane]);
                if let Some(first) = places.next() {
                    let (low, high) = places.fold((first, first), |(low, high), at| {
                        (low.min(at), high.max(at))
                    });
                    let end = high + u64::from(image.format.size_bytes());
                    unit.logs.load(image.site(), low..end);
                }
            }
            if raw == Raw::Converted {
                let loading = numbered.begin(&mut unit.scratch, &access);
                finish_load(inst, image, loading, &mut unit.scratch, wave);
                return Ok(());
            }
            let mut out = [ZERO; 4];
            numbered.load_words(&access, &mut out);
            if raw == Raw::Signed {
                extend(image.format.size_bytes(), &mut out[0]);
            }
            write(inst, sem, exec, &out, wave);
        }
        ImageSem::Store { mip, raw } => {
            let mut stores = unit.logs.stores(image.site(), &unit.memory);
            store(inst, (mip, raw), (image, &numbered), wave, &mut stores);
        }
        ImageSem::Atomic(op) => {
            let access = operands.texels(image, exec, false, &mut faces);
            let mut addresses = [0; LANES];
            let inside = numbered.addresses(&access, &mut addresses);
            let stores = &mut unit.logs.stores(image.site(), &unit.memory);
            return atomic(op, inst, image, (inside, &addresses), wave, stores);
        }
        _ => {
            let mips = operands.row(0);
            let mut out = [ZERO; 4];
            for lane in lanes_of(exec) {
                let size = image
                    .sizes
                    .get(mips[lane] as usize)
                    .copied()
                    .unwrap_or([0; 3]);
                let info = [size[0], size[1], size[2], image.sizes.len() as u32];
                (0..4).for_each(|c| out[c][lane] = info[c]);
            }
            write(inst, sem, exec, &out, wave);
        }
    }
    Ok(())
}

/// The image that all waves have in the same registers.
fn image_of_all(inst: &Mimg, waves: &[Wave], unit: &mut MemoryUnit) -> Option<Number> {
    let (first, others) = waves.split_first()?;
    let at = u16::from(inst.srsrc) * 4;
    let scalars = usize::from(at)..usize::from(at) + 8;
    let words =
        |wave: &Wave| -> Option<[u32; 8]> { wave.scalars.get(scalars.clone())?.try_into().ok() };
    let same = words(first)?;
    if inst.r128 || others.iter().any(|wave| words(wave) != Some(same)) {
        return None;
    }
    let found = [quad(first, at), quad(first, at + 4)];
    unit.descriptors.image(found, &unit.memory).ok()?
}

/// Loads for several waves at once; says whether it did. Otherwise nothing is done.
fn load_all(inst: &Mimg, registers: &mut [Wave], unit: &mut MemoryUnit) -> bool {
    let ImageSem::Load {
        mip,
        raw: Raw::Converted,
    } = inst.op.sem()
    else {
        return false;
    };
    let Some(number) = image_of_all(inst, registers, unit) else {
        return false;
    };
    let image = unit.descriptors.numbered(number);
    if unit.logs.watches(&image.bytes) {
        // Each group says what it loads.
        return false;
    }
    let numbered = sample::Numbered::new(unit.level, &unit.memory, &image.texture);
    let key = unit.descriptors.key(number);
    let plain = !inst.tfe && image.sample_bits.is_none();
    let to = destination(inst, inst.dmask).filter(|_| plain);
    // Only groups that store nothing that others load say what they read.
    let keeps =
        image.kind == dim::D2 && !inst.da && unit.logs.current.is_some() && unit.lines.load(key);
    let cost = image.texture.access_cost();
    for wave in registers {
        wave.charge(cost);
        let exec = wave.mask(u16::from(EXEC));
        unit.texels += lanes_in(exec);
        if let (true, Some(to)) = (keeps, &to) {
            let lines = (&mut unit.lines, key);
            if load_lines(inst, (&numbered, lines), mip, (to, wave)) {
                continue;
            }
        }
        let mut faces = None;
        let access = Operands::new(inst, wave).texels(image, exec, mip, &mut faces);
        if let Some(to) = &to
            && let Some(found) = numbered.texels(&access)
        {
            let (mut out, _) = components(inst, &mut wave.rows[to.clone()]);
            numbered.components((exec, found), &mut out);
            continue;
        }
        let loading = numbered.begin(&mut unit.scratch, &access);
        finish_load(inst, image, loading, &mut unit.scratch, wave);
    }
    true
}

/// Loads from registers to others, from lines that are kept; says whether it did.
fn load_lines(
    inst: &Mimg,
    (numbered, (lines, key)): (&sample::Numbered, (&mut sample::Lines, u32)),
    mip: bool,
    (to, wave): (&Range<usize>, &mut Wave),
) -> bool {
    let (first, count) = (usize::from(inst.vaddr), 2 + usize::from(mip));
    let exec = wave.mask(u16::from(EXEC));
    // Results may go to the registers of numbers.
    let copies: [Row; 3];
    let numbers = first..first + count;
    if numbers.end > wave.rows.len() {
        return false;
    }
    let (from, to) = match to.start < numbers.end && numbers.start < to.end {
        true => {
            copies = [0, 1, count - 1].map(|n| wave.rows[first + n]);
            (&copies[..count], &mut wave.rows[to.clone()])
        }
        false => match apart(&mut wave.rows, numbers, to.clone()) {
            Some(rows) => rows,
            None => return false,
        },
    };
    let access = sample::Access {
        exec,
        x: &from[0].0,
        y: &from[1].0,
        slice: None,
        level: from.get(2).map(|row| &row.0),
        sample: None,
    };
    let (mut out, _) = components(inst, to);
    lines.rows(numbered, key, &access, &mut out)
}

/// Two ranges of registers that have none in common.
fn apart(rows: &mut [Row], a: Range<usize>, b: Range<usize>) -> Option<(&[Row], &mut [Row])> {
    if a.end <= b.start {
        let (low, high) = rows.split_at_mut_checked(b.start)?;
        let to = high.get_mut(..b.len())?;
        return Some((low.get(a)?, to));
    }
    let (low, high) = rows.split_at_mut_checked(a.start)?;
    Some((high.get(..a.len())?, low.get_mut(b)?))
}

/// Brings texels that were read to the registers of the components in DMASK.
fn finish_load(
    inst: &Mimg,
    image: &Image,
    loading: sample::Loading,
    scratch: &mut sample::Scratch,
    wave: &mut Wave,
) {
    let Some(registers) = destination(inst, inst.dmask) else {
        return;
    };
    let exec = wave.mask(u16::from(EXEC));
    let first = registers.start;
    let (rows, status) = components(inst, &mut wave.rows[registers]);
    loading.finish(scratch, &image.texture, rows);
    if let Some(status) = status {
        // Everything is resident.
        lanes_of(exec).for_each(|lane| status[lane] = 0);
    }
    if let Some(bits) = image.sample_bits
        && inst.dmask & 1 != 0
    {
        let row = &mut wave.rows[first].0;
        lanes_of(exec).for_each(|lane| row[lane] = spread_samples(row[lane], bits));
    }
}

/// Four bits for each of 2 samples of one bit, or 4 of two.
fn spread_samples(byte: u32, bits: u32) -> u32 {
    let color = |sample: u32| byte >> (bits * sample) & ((1 << bits) - 1);
    (0..2 * bits)
        .map(|sample| color(sample) << (4 * sample))
        .sum()
}

/// What R128 leaves out: one slice, rows as wide as the image.
fn short_half(wave: &Wave, at: u16) -> u128 {
    let low = crate::descriptor::ImageResource::from_word(quad(wave, at));
    crate::descriptor::ImageResourceHigh {
        pitch: low.width,
        ..crate::descriptor::ImageResourceHigh::from_word(0)
    }
    .pack()
}

fn sampler(inst: &Mimg, wave: &Wave, unit: &mut MemoryUnit) -> Number {
    let word = quad(wave, u16::from(inst.ssamp) * 4);
    unit.descriptors
        .sampler(word, inst.unorm, &unit.memory, unit.border_colors)
}

/// Registers of the components in `mask` and of the status of TFE, if all are in the file. [SI 3.6]
fn destination(inst: &Mimg, mask: u8) -> Option<Range<usize>> {
    let first = usize::from(inst.vdata);
    let end = first + mask.count_ones() as usize + usize::from(inst.tfe);
    (end <= 256).then_some(first..end)
}

/// Components enabled in DMASK go to consecutive registers; gathers always give four.
fn write(inst: &Mimg, sem: ImageSem, exec: u64, out: &[Lanes; 4], wave: &mut Wave) {
    let mask = if matches!(sem, ImageSem::Gather(_)) {
        15
    } else {
        inst.dmask
    };
    let Some(registers) = destination(inst, mask) else {
        return;
    };
    let enabled = (0..4).filter(|c| mask >> c & 1 == 1).map(|c| &out[c]);
    // Everything is resident, so the status dword of TFE is zero.
    for (register, values) in registers.zip(enabled.chain(inst.tfe.then_some(&ZERO))) {
        let row = &mut wave.rows[register].0;
        match exec {
            u64::MAX => *row = *values,
            _ => lanes_of(exec).for_each(|lane| row[lane] = values[lane]),
        }
    }
}

fn extend(bytes: u32, row: &mut Lanes) {
    let shift = 32 - 8 * bytes.min(4);
    row.iter_mut()
        .for_each(|v| *v = ((*v << shift) as i32 >> shift) as u32);
}

/// Address registers of one instruction.
struct Operands<'a> {
    wave: &'a Wave,
    first: u8,
    da: bool,
}

/// Operands of a sampling instruction that are not in registers as they are.
#[derive(Default)]
struct Computed {
    /// Coordinates on the face of a cube, the face, and the layer.
    cube: Option<[Lanes; 4]>,
}

impl<'a> Operands<'a> {
    fn new(inst: &Mimg, wave: &'a Wave) -> Operands<'a> {
        Operands {
            wave,
            first: inst.vaddr,
            da: inst.da,
        }
    }

    fn row(&self, n: u8) -> &'a Lanes {
        &self.wave.rows[usize::from(self.first.wrapping_add(n))].0
    }

    /// Body of an instruction without sampler: coordinates, slice, fragment, level. Faces are computed.
    fn texels<'c>(
        &self,
        image: &Image,
        exec: u64,
        mip: bool,
        faces: &'c mut Option<Lanes>,
    ) -> sample::Access<'c>
    where
        'a: 'c,
    {
        let mut at = 0;
        let mut next = || {
            at += 1;
            self.row(at - 1)
        };
        let x = next();
        let y = if matches!(image.kind, dim::D1 | dim::D1_ARRAY) {
            &ZERO
        } else {
            next()
        };
        let mut slice = None;
        match image.kind {
            dim::D3 => slice = Some(next()),
            // face_id = 8 * slice + face. [SI 8.2.3]
            dim::CUBE => {
                let number = |id: u32| (id >> 3).wrapping_mul(6).wrapping_add(id & 7);
                slice = Some(&*faces.insert(next().map(number)));
            }
            dim::D1_ARRAY | dim::D2_ARRAY | dim::D2_MSAA_ARRAY if self.da => slice = Some(next()),
            // A slice sent to an image without slices is ignored.
            _ if self.da => _ = next(),
            _ => {}
        }
        let sample = matches!(image.kind, dim::D2_MSAA | dim::D2_MSAA_ARRAY).then(&mut next);
        let level = mip.then(&mut next);
        sample::Access {
            exec,
            x,
            y,
            slice,
            level,
            sample,
        }
    }

    /// Data of a store: components enabled in DMASK come from consecutive registers, the rest is zero.
    fn data(&self, inst: &Mimg) -> [&'a Lanes; 4] {
        let mut register = inst.vdata;
        [0, 1, 2, 3].map(|c| match inst.dmask >> c & 1 {
            0 => &ZERO,
            _ => {
                let row = &self.wave.rows[usize::from(register)].0;
                register = register.wrapping_add(1);
                row
            }
        })
    }

    /// Offset, bias, reference, derivatives, then the body with level or clamp last. [SI 8.2.3]
    ///
    /// What is not there as it is used is put into `computed`.
    fn sample<'c>(
        &self,
        image: &Image,
        sampled: Sampled,
        computed: &'c mut Computed,
    ) -> SampleOperands<'c>
    where
        'a: 'c,
    {
        let mut at = 0;
        let mut next = || {
            at += 1;
            self.row(at - 1)
        };
        let offsets = sampled.offset.then(&mut next);
        let bias = (sampled.lod == Lod::Bias).then(&mut next);
        let reference = sampled.compare.then(&mut next);
        let axes = match image.kind {
            dim::D1 | dim::D1_ARRAY => 1,
            dim::D3 => 3,
            _ => 2,
        };
        let gradient = matches!(sampled.lod, Lod::Gradient | Lod::CoarseGradient).then(|| {
            let mut three = || [0, 1, 2].map(|axis| if axis < axes { next() } else { &ZERO });
            [three(), three()]
        });
        let mut coords = [0, 1, 2].map(|axis| if axis < axes { next() } else { &ZERO });
        let mut layer = None;
        match image.kind {
            dim::CUBE => {
                let [x, y, _] = coords;
                let split = computed.cube.insert([ZERO; 4]);
                // Shaders give face coordinates in 1 to 2. [SI 8.2.3]
                sample::split_faces(SimdLevel::current(), 1.0, [x, y, next()], split);
                let [x, y, face, slice] = &*split;
                coords = [x, y, face];
                layer = Some(slice);
            }
            dim::D1_ARRAY | dim::D2_ARRAY if self.da => layer = Some(next()),
            _ if self.da => _ = next(),
            _ => {}
        }
        let explicit = (sampled.lod == Lod::Explicit).then(&mut next);
        let clamp = sampled.clamp.then(&mut next);
        SampleOperands {
            coords,
            layer,
            offsets,
            reference,
            level: bias.or(explicit),
            gradient,
            clamp,
        }
    }
}

/// Operands of a sampling instruction.
struct SampleOperands<'a> {
    coords: [&'a Lanes; 3],
    layer: Option<&'a Lanes>,
    offsets: Option<&'a Lanes>,
    reference: Option<&'a Lanes>,
    /// Bias or level.
    level: Option<&'a Lanes>,
    gradient: Option<[[&'a Lanes; 3]; 2]>,
    clamp: Option<&'a Lanes>,
}

impl SampleOperands<'_> {
    fn request(&self, exec: u64, lod: Lod) -> Request<'_> {
        Request {
            exec,
            coords: self.coords,
            layer: self.layer,
            lod: match (lod, self.level, self.gradient) {
                (Lod::Bias, Some(bias), _) => Detail::Bias(bias),
                (Lod::Explicit, Some(level), _) => Detail::Explicit(level),
                (_, _, Some([dx, dy])) => Detail::Gradient { dx, dy },
                (Lod::Zero, ..) => Detail::Zero,
                _ => Detail::Implicit,
            },
            lod_clamp: self.clamp,
            reference: self.reference,
            offsets: self.offsets,
        }
    }
}

/// Texels of 32 or 64 bits only; the new value comes first, the comparator after it. [SI 8.2.4]
fn atomic(
    op: Atomic,
    inst: &Mimg,
    image: &Image,
    (inside, addresses): (u64, &[u64; LANES]),
    wave: &mut Wave,
    stores: &mut Stores<'_, Atomic>,
) -> Result<(), Fault> {
    let size = image.format.size_bytes() as u8;
    if size != 4 && size != 8 {
        return Err(Fault::Illegal {
            reason: format!("image atomic on texels of {size} bytes"),
        });
    }
    let exec = wave.mask(u16::from(EXEC));
    let step = size / 4;
    for lane in lanes_of(exec) {
        let get = |register: u8| {
            let low = u64::from(wave.rows[usize::from(register)].0[lane]);
            match size {
                8 => {
                    low | u64::from(wave.rows[usize::from(register.wrapping_add(1))].0[lane]) << 32
                }
                _ => low,
            }
        };
        let (data, second) = (get(inst.vdata), get(inst.vdata.wrapping_add(step)));
        let old = match inside >> lane & 1 {
            0 => 0,
            _ => {
                let changed = stores.atomic(addresses[lane], op, size, [data, second]);
                changed.map_err(|address| outside(lane, address))?
            }
        };
        if inst.glc {
            wave.rows[usize::from(inst.vdata)].0[lane] = old as u32;
            if size == 8 {
                wave.rows[usize::from(inst.vdata.wrapping_add(1))].0[lane] = (old >> 32) as u32;
            }
        }
    }
    Ok(())
}
