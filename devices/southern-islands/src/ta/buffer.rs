//! Buffer accesses: MUBUF and MTBUF through a V#. [SI 8.1]

mod batch;
mod rows;
mod words;

pub use batch::{is_plain_load, load_all};

use lanes::{Fault, LANES, Wave};
use silicon::texture::format::Read;
use silicon::texture::sample::Lanes;
use silicon::texture::texel::{self, Reading};
use silicon::{Format, Memory};

use self::rows::Rows;
use self::words::Words;
use super::MemoryUnit;
use super::{Stores, outside as fault};
use crate::descriptor::{BufferResource, dst_sel};
use crate::formats;
use crate::isa::memory::{Access, Atomic, BufferSem};
use crate::isa::operand::{self, EXEC, M0};
use crate::isa::words::{Mtbuf, Mubuf};
use crate::sqc::buffer_resource;
use silicon::fragment::interpolate::lanes as lanes_of;

/// The fields that both encodings have.
struct Operands {
    vaddr: usize,
    vdata: usize,
    srsrc: u16,
    soffset: u8,
    offset: u32,
    idxen: bool,
    offen: bool,
    addr64: bool,
    glc: bool,
    tfe: bool,
    lds: bool,
}

macro_rules! operands {
    ($inst:expr, $lds:expr) => {
        Operands {
            vaddr: usize::from($inst.vaddr),
            vdata: usize::from($inst.vdata),
            srsrc: u16::from($inst.srsrc) * 4,
            soffset: $inst.soffset,
            offset: u32::from($inst.offset),
            idxen: $inst.idxen,
            offen: $inst.offen,
            addr64: $inst.addr64,
            glc: $inst.glc,
            tfe: $inst.tfe,
            lds: $lds,
        }
    };
}

impl Operands {
    fn untyped(inst: &Mubuf) -> Operands {
        operands!(inst, inst.lds)
    }

    /// Accesses are told apart by where the buffer begins and by the registers and the offset of the instruction: what lies
    /// half a buffer apart does not become one range.
    fn site(&self, buffer: &BufferResource) -> u32 {
        let instruction = self.vaddr | self.vdata << 8 | (self.offset as usize) << 16;
        buffer.base_address as u32 ^ instruction as u32
    }
}

/// Where every lane's element lies, and which lanes have one.
struct ElementAddresses {
    address: [u64; LANES],
    /// Bytes between `address` and the end of the range that a dword access may touch; for per-dword checks.
    room: [u64; LANES],
    /// Enabled lanes whose element is inside.
    inside: u64,
}

/// Runs a MUBUF instruction: the format is the descriptor's.
pub fn untyped(inst: &Mubuf, wave: &mut Wave, unit: &mut MemoryUnit) -> Result<(), Fault> {
    let ops = Operands::untyped(inst);
    let buffer = buffer_resource(wave, ops.srsrc);
    let selectors = [
        buffer.dst_sel_x,
        buffer.dst_sel_y,
        buffer.dst_sel_z,
        buffer.dst_sel_w,
    ];
    let format = (buffer.data_format, buffer.num_format, selectors);
    run(inst.op.sem(), &ops, buffer, format, wave, unit)
}

/// Runs a MTBUF instruction: the format is the instruction's, components are not reordered and missing ones are zero.
pub fn typed(inst: &Mtbuf, wave: &mut Wave, unit: &mut MemoryUnit) -> Result<(), Fault> {
    let ops = operands!(inst, false);
    let mut buffer = buffer_resource(wave, ops.srsrc);
    // A descriptor without a format is unbound whatever the instruction says. [SI 8.1.4]
    let bound = buffer.data_format != 0;
    let format = formats::from_codes(inst.dfmt, inst.nfmt);
    let channels = format.map_or(0, |(format, _)| format.channels().len()) as u8;
    let selectors = [0, 1, 2, 3].map(|c| match c < channels {
        true => dst_sel::X + c,
        false => dst_sel::ZERO,
    });
    if bound {
        buffer.data_format = inst.dfmt;
    }
    let format = (buffer.data_format, inst.nfmt, selectors);
    run(inst.op.sem(), &ops, buffer, format, wave, unit)
}

type ElementFormat = (u8, u8, [u8; 4]);

/// What the elements of a buffer are; none when it is unbound.
fn element((data, num, _): ElementFormat) -> Result<Option<(Format, Option<Reading>)>, Fault> {
    match (data, formats::from_codes(data, num)) {
        (0, _) => Ok(None),
        (_, Some(format)) => Ok(Some(format)),
        _ => Err(Fault::Illegal {
            reason: format!("a buffer of data format {data} with number format {num}"),
        }),
    }
}

fn run(
    sem: BufferSem,
    ops: &Operands,
    buffer: BufferResource,
    format: ElementFormat,
    wave: &mut Wave,
    unit: &mut MemoryUnit,
) -> Result<(), Fault> {
    if !(unit.private && buffer.swizzle_enable) {
        return reach(sem, ops, buffer, format, wave, unit);
    }
    let log = unit.logs.current.take();
    let done = reach(sem, ops, buffer, format, wave, unit);
    unit.logs.current = log;
    done
}

/// Loads and stores, the latter to memory or to a log.
fn reach(
    sem: BufferSem,
    ops: &Operands,
    buffer: BufferResource,
    format: ElementFormat,
    wave: &mut Wave,
    unit: &mut MemoryUnit,
) -> Result<(), Fault> {
    let exec = wave.mask(u16::from(EXEC));
    let registers = usize::from(sem.registers());
    let bytes = match sem {
        BufferSem::Invalidate => return Ok(()),
        BufferSem::LoadFormat(_) | BufferSem::StoreFormat(_) => {
            element(format)?.map_or(0, |(format, _)| format.size_bytes())
        }
        BufferSem::Load(access) | BufferSem::Store(access) => access.bytes(),
        BufferSem::Atomic { size, .. } => u32::from(size),
    };
    let unbound = buffer.data_format == 0 && !ops.addr64;
    let site = ops.site(&buffer);
    let fits = ops.vdata + registers <= wave.rows.len().min(256);
    let loads = matches!(sem, BufferSem::Load(_) | BufferSem::LoadFormat(_));
    let simple = loads && !unbound && fits && !unit.strict && !ops.tfe && !ops.lds;
    if simple && load_rows(sem, ops, &buffer, format, bytes, wave, unit) {
        return Ok(());
    }
    if loads && !unbound && bytes > 0 && unit.logs.watches_loads() {
        let places = places(sem, ops, &buffer, bytes, exec, wave, false)?;
        let mut addresses = lanes_of(places.inside).map(|lane| places.address[lane]);
        if let Some(first) = addresses.next() {
            let (low, high) = addresses.fold((first, first), |(low, high), at| {
                (low.min(at), high.max(at))
            });
            unit.logs.load(site, low..high.saturating_add(bytes.into()));
        }
    }
    let simple = !loads && !unbound && fits && !unit.strict && !ops.tfe && !ops.lds;
    if simple && matches!(sem, BufferSem::Store(Access::B32)) && !unit.logs.is_on() {
        let soffset = scalar_offset(ops, wave);
        if let Some(words) = Words::new(ops, &buffer, soffset, &unit.memory) {
            words.store(ops, exec, wave, &unit.memory);
            return Ok(());
        }
    }
    if simple && store_rows(sem, ops, &buffer, bytes, wave, unit) {
        return Ok(());
    }
    let mut places = match unbound || bytes == 0 {
        true => ElementAddresses {
            address: [0; LANES],
            room: [0; LANES],
            inside: 0,
        },
        false => places(sem, ops, &buffer, bytes, exec, wave, unit.strict)?,
    };
    if !fits {
        // A destination outside the file: the access has no effect. [SI 3.6]
        return Ok(());
    }
    match sem {
        BufferSem::LoadFormat(count) => load_format(
            usize::from(count),
            ops,
            format,
            bytes,
            exec,
            &places,
            wave,
            unit,
        )?,
        BufferSem::StoreFormat(count) => store_format(
            usize::from(count),
            ops,
            format,
            bytes,
            &places,
            wave,
            &mut unit.logs.stores(site, &unit.memory),
        )?,
        BufferSem::Load(access) => load(access, ops, exec, &places, wave, &unit.memory)?,
        BufferSem::Store(access) => store(
            access,
            ops,
            &places,
            wave,
            &mut unit.logs.stores(site, &unit.memory),
        )?,
        BufferSem::Atomic { op, size } => {
            // A returning access gives zero to lanes outside.
            places.inside &= exec;
            read_modify_write(
                op,
                size,
                ops,
                exec,
                &places,
                wave,
                &mut unit.logs.stores(site, &unit.memory),
            )?;
        }
        BufferSem::Invalidate => {}
    }
    if ops.tfe {
        // Everything is resident.
        if let Some(row) = wave.rows.get_mut(ops.vdata + registers) {
            lanes_of(exec).for_each(|lane| row.0[lane] = 0);
        }
    }
    if ops.lds && matches!(sem, BufferSem::Load(_) | BufferSem::LoadFormat(_)) {
        to_lds(ops, exec, wave, unit.local_share());
    }
    Ok(())
}

fn scalar_offset(ops: &Operands, wave: &Wave) -> u32 {
    match u16::from(ops.soffset) {
        code if operand::is_scalar_register(code) => wave.scalars[usize::from(code)],
        code => operand::inline_value(code).unwrap_or(0),
    }
}

/// Runs a load of whole rows, where it is one; says whether it was.
fn load_rows(
    sem: BufferSem,
    ops: &Operands,
    buffer: &BufferResource,
    format: ElementFormat,
    bytes: u32,
    wave: &mut Wave,
    unit: &mut MemoryUnit,
) -> bool {
    let exec = wave.mask(u16::from(EXEC));
    let soffset = scalar_offset(ops, wave);
    let Some(rows) = Rows::new(ops, buffer, soffset, bytes, &unit.memory) else {
        return false;
    };
    let mut at = [0; LANES];
    let Some(inside) = rows.offsets(unit.level, ops, exec, wave, &mut at) else {
        return false;
    };
    tell(ops.site(buffer), (&rows, &at), exec & inside, unit);
    if is_words(sem) && exec & inside == u64::MAX {
        load_whole(sem, ops, (&rows, &at), wave, &unit.memory);
        return true;
    }
    let mut words = [[0; LANES]; 4];
    rows.read(&unit.memory, &at, words.each_mut());
    match sem {
        BufferSem::Load(access) => {
            for (i, words) in words
                .iter_mut()
                .enumerate()
                .take(usize::from(access.registers()))
            {
                match access {
                    Access::I8 => words
                        .iter_mut()
                        .for_each(|word| *word = i32::from(*word as i8) as u32),
                    Access::I16 => words
                        .iter_mut()
                        .for_each(|word| *word = i32::from(*word as i16) as u32),
                    _ => {}
                }
                rows::merge(
                    unit.level,
                    exec,
                    inside,
                    words,
                    &mut wave.rows[ops.vdata + i].0,
                );
            }
        }
        BufferSem::LoadFormat(count) => convert(
            usize::from(count),
            ops,
            format,
            &words,
            [exec, inside],
            wave,
            unit,
        ),
        _ => return false,
    }
    true
}

/// The group loads elements of some lanes: its log hears of it, where loads are watched.
fn tell(site: u32, (rows, at): (&Rows, &Lanes), lanes: u64, unit: &mut MemoryUnit) {
    if unit.logs.watches_loads()
        && let Some(bytes) = rows.reached(unit.level, lanes, at)
    {
        unit.logs.load(site, bytes);
    }
}

/// Whether it loads whole words, those that a row takes at once.
fn is_words(sem: BufferSem) -> bool {
    matches!(
        sem,
        BufferSem::Load(Access::B32 | Access::B64 | Access::B128)
    )
}

/// Loads words at offsets that all lanes have, to rows that are there.
fn load_whole(
    sem: BufferSem,
    ops: &Operands,
    (rows, at): (&Rows, &Lanes),
    wave: &mut Wave,
    memory: &Memory,
) {
    let mut unused = [[0; LANES]; 3];
    let [b, c, d] = &mut unused;
    let to = match &mut wave.rows[ops.vdata..][..usize::from(sem.registers())] {
        [x, y, z, w] => [&mut x.0, &mut y.0, &mut z.0, &mut w.0],
        [x, y, ..] => [&mut x.0, &mut y.0, b, c],
        [x] => [&mut x.0, b, c, d],
        [] => return,
    };
    rows.read(memory, at, to);
}

/// Runs stores and atomic operations of whole rows of words, or logs them, where they are such; says whether they were.
fn store_rows(
    sem: BufferSem,
    ops: &Operands,
    buffer: &BufferResource,
    bytes: u32,
    wave: &mut Wave,
    unit: &mut MemoryUnit,
) -> bool {
    let mut stores = (unit.logs).stores(ops.site(buffer), &unit.memory);
    let words = match sem {
        BufferSem::Store(Access::B32 | Access::B64 | Access::B128) => true,
        BufferSem::Atomic { op, size: 4 } => !stores.waits() || !ops.glc && !op.has_second(),
        _ => false,
    };
    if !words {
        return false;
    }
    let soffset = scalar_offset(ops, wave);
    let Some(rows) = Rows::new(ops, buffer, soffset, bytes, &unit.memory) else {
        return false;
    };
    let exec = wave.mask(u16::from(EXEC));
    let mut at = [0; LANES];
    let Some(inside) = rows.offsets(unit.level, ops, exec, wave, &mut at) else {
        return false;
    };
    let (lanes, place) = (exec & inside, (rows.base(), &at));
    let row = |n: usize| &wave.rows[ops.vdata + n].0;
    match sem {
        BufferSem::Store(Access::B32) => stores.words(place, lanes, [row(0)]),
        BufferSem::Store(Access::B64) => stores.words(place, lanes, [row(0), row(1)]),
        BufferSem::Store(Access::B128) => {
            stores.words(place, lanes, [row(0), row(1), row(2), row(3)])
        }
        BufferSem::Atomic { op, .. } if stores.waits() => stores.changes(place, lanes, op, row(0)),
        BufferSem::Atomic { op, .. } => {
            // The new value comes first, the comparator after it. [SI 8.1.8]
            let data = [row(0), row(usize::from(op.has_second()))];
            let Some(before) = stores.exchange(place, lanes, op, data) else {
                return false;
            };
            if ops.glc {
                let row = &mut wave.rows[ops.vdata].0;
                rows::merge(unit.level, exec, inside, &before, row);
            }
            true
        }
        _ => false,
    }
}

/// Addresses of all enabled lanes. [SI 8.1.5]
fn places(
    sem: BufferSem,
    ops: &Operands,
    buffer: &BufferResource,
    bytes: u32,
    exec: u64,
    wave: &Wave,
    strict: bool,
) -> Result<ElementAddresses, Fault> {
    let soffset = scalar_offset(ops, wave);
    let mut places = ElementAddresses {
        address: [0; LANES],
        room: [0; LANES],
        inside: 0,
    };
    let align = u64::from(bytes.min(4)).next_power_of_two();
    let align = if bytes == 3 { 1 } else { align };
    let aligned = |lane, address: u64| match strict && address & (align - 1) != 0 {
        true => Err(fault(lane, address)),
        false => Ok(address & !(align - 1)),
    };
    if ops.addr64 {
        for lane in lanes_of(exec) {
            let low = u64::from(wave.rows[ops.vaddr].0[lane]);
            let high = u64::from(wave.rows[(ops.vaddr + 1) & 255].0[lane]);
            let address = buffer.base_address.wrapping_add(low | high << 32);
            let address = address
                .wrapping_add(u64::from(ops.offset))
                .wrapping_add(u64::from(soffset));
            places.address[lane] = aligned(lane, address)?;
            places.room[lane] = u64::MAX;
        }
        places.inside = exec;
        return Ok(places);
    }
    let base = buffer.base_address + u64::from(soffset);
    let stride = u64::from(buffer.stride);
    let records = u64::from(buffer.num_records);
    // DWORDX2 and X4 are checked per dword, everything else as a whole. [SI 8.1.5.1]
    let whole = match sem {
        BufferSem::Load(_) | BufferSem::Store(_) => u64::from(bytes.min(4)),
        _ => u64::from(bytes),
    };
    let offset_at = ops.vaddr + usize::from(ops.idxen);
    for lane in lanes_of(exec) {
        let mut index = if ops.idxen {
            wave.rows[ops.vaddr].0[lane]
        } else {
            0
        };
        if buffer.add_tid_enable {
            index = index.wrapping_add(lane as u32);
        }
        let register = if ops.offen {
            wave.rows[offset_at & 255].0[lane]
        } else {
            0
        };
        // The sum is not wrapped, so that an offset near 2^32 cannot come back into the buffer.
        let offset = u64::from(register) + u64::from(ops.offset);
        let at = match buffer.swizzle_enable {
            true => swizzled(buffer, u64::from(index), offset),
            false => u64::from(index) * stride + offset,
        };
        let (inside, room) = match buffer.stride {
            0 => {
                let limit = records.saturating_sub(u64::from(soffset));
                (at + whole <= limit, limit.saturating_sub(at))
            }
            _ => {
                let out_of_range = (ops.idxen || buffer.add_tid_enable) && offset >= stride;
                (u64::from(index) < records && !out_of_range, u64::MAX)
            }
        };
        if inside {
            places.address[lane] = aligned(lane, base + at)?;
            places.room[lane] = room;
            places.inside |= 1 << lane;
        }
    }
    Ok(places)
}

/// Elements of `index_stride` consecutive records lie next to each other. [SI 8.1.5.2]
fn swizzled(buffer: &BufferResource, index: u64, offset: u64) -> u64 {
    let records = 8u64 << buffer.index_stride;
    let element = 2u64 << buffer.element_size;
    let (im, il) = (index / records, index % records);
    let (om, ol) = (offset / element, offset % element);
    (im * u64::from(buffer.stride) + om * element) * records + il * element + ol
}

/// Reads `bytes` bytes (1 to 16) at an address aligned as [`places`] does.
fn read_words(memory: &Memory, lane: usize, address: u64, bytes: u32) -> Result<[u32; 4], Fault> {
    let mut words = [0; 4];
    let count = bytes.div_ceil(4) as usize;
    for (i, word) in words.iter_mut().enumerate().take(count) {
        let at = address + 4 * i as u64;
        *word = memory.load(at).ok_or(fault(lane, at))?;
    }
    if bytes < 4 {
        words[0] = words[0] >> (8 * (address & 3)) & (u32::MAX >> (32 - 8 * bytes));
    }
    Ok(words)
}

fn write_words(
    stores: &mut Stores<'_, Atomic>,
    lane: usize,
    address: u64,
    bytes: u32,
    words: [u32; 4],
) -> Result<(), Fault> {
    if bytes >= 4 {
        for (i, word) in words.iter().enumerate().take((bytes / 4) as usize) {
            let at = address + 4 * i as u64;
            stores.store(at, *word).ok_or(fault(lane, at))?;
        }
        return Ok(());
    }
    let shift = 8 * (address & 3);
    let mask = (u32::MAX >> (32 - 8 * bytes)) << shift;
    // Neighbouring bytes may belong to another wave.
    let merged = stores.merge(address, mask, words[0] << shift);
    merged.ok_or(fault(lane, address))
}

#[expect(
    clippy::too_many_arguments,
    reason = "one call site; a struct would only rename them"
)]
fn load_format(
    count: usize,
    ops: &Operands,
    format: ElementFormat,
    bytes: u32,
    exec: u64,
    places: &ElementAddresses,
    wave: &mut Wave,
    unit: &MemoryUnit,
) -> Result<(), Fault> {
    let mut words: [Lanes; 4] = [[0; LANES]; 4];
    for lane in lanes_of(places.inside) {
        let element = read_words(&unit.memory, lane, places.address[lane], bytes)?;
        for (row, word) in words.iter_mut().zip(element) {
            row[lane] = word;
        }
    }
    convert(
        count,
        ops,
        format,
        &words,
        [exec, places.inside],
        wave,
        unit,
    );
    Ok(())
}

/// Brings elements of a format to registers. Outside the buffer everything is zero, constants included.
fn convert(
    count: usize,
    ops: &Operands,
    (data, num, selectors): ElementFormat,
    words: &[Lanes; 4],
    [exec, inside]: [u64; 2],
    wave: &mut Wave,
    unit: &MemoryUnit,
) {
    let mut values: [Lanes; 4] = [[0; LANES]; 4];
    let mut one = 0;
    let mut reads = [Read::Zero; 4];
    if let Some((format, reading)) = formats::from_codes(data, num) {
        texel::unpack_row_as(unit.level, format, reading, words, &mut values);
        one = reading.map_or(format.class(), Reading::class).one();
        reads = selectors.map(|selector| formats::selected(format, selector));
    }
    for (i, read) in reads.iter().enumerate().take(count) {
        let value = match read {
            Read::Zero => &[0; LANES],
            Read::One => &[one; LANES],
            Read::Channel(c) => &values[usize::from(*c)],
        };
        rows::merge(
            unit.level,
            exec,
            inside,
            value,
            &mut wave.rows[ops.vdata + i].0,
        );
    }
}

fn store_format(
    count: usize,
    ops: &Operands,
    (data, num, selectors): ElementFormat,
    bytes: u32,
    places: &ElementAddresses,
    wave: &Wave,
    stores: &mut Stores<'_, Atomic>,
) -> Result<(), Fault> {
    let Some((format, reading)) = formats::from_codes(data, num) else {
        return Ok(());
    };
    // A component takes the first register whose selector names it, zero if none does.
    let source = [0u8, 1, 2, 3]
        .map(|c| (0..count).find(|i| formats::selected(format, selectors[*i]) == Read::Channel(c)));
    for lane in lanes_of(places.inside) {
        let values = source.map(|s| s.map_or(0, |i| wave.rows[ops.vdata + i].0[lane]));
        write_words(
            stores,
            lane,
            places.address[lane],
            bytes,
            format.pack_words_as(reading, values),
        )?;
    }
    Ok(())
}

fn load(
    access: Access,
    ops: &Operands,
    exec: u64,
    places: &ElementAddresses,
    wave: &mut Wave,
    memory: &Memory,
) -> Result<(), Fault> {
    for lane in lanes_of(exec) {
        for i in 0..u64::from(access.registers()) {
            let inside = places.inside >> lane & 1 == 1
                && places.room[lane] >= 4 * i + u64::from(access.bytes().min(4));
            let value = match inside {
                true => read_words(
                    memory,
                    lane,
                    places.address[lane] + 4 * i,
                    access.bytes().min(4),
                )?[0],
                false => 0,
            };
            wave.rows[ops.vdata + i as usize].0[lane] = match access {
                Access::I8 => i32::from(value as i8) as u32,
                Access::I16 => i32::from(value as i16) as u32,
                _ => value,
            };
        }
    }
    Ok(())
}

fn store(
    access: Access,
    ops: &Operands,
    places: &ElementAddresses,
    wave: &Wave,
    stores: &mut Stores<'_, Atomic>,
) -> Result<(), Fault> {
    let bytes = access.bytes().min(4);
    for lane in lanes_of(places.inside) {
        for i in 0..u64::from(access.registers()) {
            if places.room[lane] >= 4 * i + u64::from(bytes) {
                let value = wave.rows[ops.vdata + i as usize].0[lane];
                write_words(
                    stores,
                    lane,
                    places.address[lane] + 4 * i,
                    bytes,
                    [value, 0, 0, 0],
                )?;
            }
        }
    }
    Ok(())
}

fn read_modify_write(
    op: Atomic,
    size: u8,
    ops: &Operands,
    exec: u64,
    places: &ElementAddresses,
    wave: &mut Wave,
    stores: &mut Stores<'_, Atomic>,
) -> Result<(), Fault> {
    let wide = size == 8;
    let step = usize::from(size / 4);
    for lane in lanes_of(exec) {
        let get = |at: usize| {
            let low = u64::from(wave.rows[at & 255].0[lane]);
            if wide {
                low | u64::from(wave.rows[(at + 1) & 255].0[lane]) << 32
            } else {
                low
            }
        };
        // The new value comes first, the comparator after it. [SI 8.1.8]
        let (data, second) = (get(ops.vdata), get(ops.vdata + step));
        let old = match places.inside >> lane & 1 {
            0 => 0,
            _ => {
                let changed = stores.atomic(places.address[lane], op, size, [data, second]);
                changed.map_err(|address| fault(lane, address))?
            }
        };
        if ops.glc {
            wave.rows[ops.vdata].0[lane] = old as u32;
            if wide {
                wave.rows[(ops.vdata + 1) & 255].0[lane] = (old >> 32) as u32;
            }
        }
    }
    Ok(())
}

/// The loaded dword goes to the data share, one after the other by lane. [SI 8.1.7]
fn to_lds(ops: &Operands, exec: u64, wave: &Wave, lds: &mut [u32]) {
    let base = wave.scalars[usize::from(M0)] as usize & 0xffff;
    for lane in lanes_of(exec) {
        if let Some(word) = lds.get_mut(base / 4 + lane) {
            *word = wave.rows[ops.vdata].0[lane];
        }
    }
}
