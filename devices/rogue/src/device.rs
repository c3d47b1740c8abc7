//! The chip as its driver sees it: control streams to both phases of renders.

mod passes;

use std::ops::Range;
use std::sync::Arc;

use lanes::DefaultEngine;
use silicon::draw::Worker;
use silicon::fragment::bins::Threads;
use silicon::fragment::surface::Cache;
use silicon::geometry::binning::Store;
use silicon::groups::Chunks;
use silicon::{Addr, Gpu, Info, Memory, MemoryError, Start, Stats, Trap};

use crate::CHIP;
use crate::cdm::{Dispatch, GroupWorker};
use crate::info::INFO;
use crate::isa::backend::Atomic;
use crate::isp::TileWorker;
use crate::layout::Surface;
use crate::regs::{Registers, counter};
use crate::render::Item;
use crate::state::{self, Sources};
use crate::stream::{Command, GroupCount, IndexList, Reader, write_ppp};
use crate::te::Sorter;
use crate::usc::Programs;
use crate::vdm::{self, Machine};
use crate::vertex::VertexWorker;
use passes::Open;

/// Streams inside each other.
const DEPTH: usize = 8;
/// Draws and clears of a render; more are drawn after a partial render.
const MOST_ITEMS: usize = 1 << 16;

/// The chip.
pub struct Rogue {
    pub(crate) memory: Memory,
    pub(crate) start: Start,
    pub(crate) threads: Arc<Threads>,
    pub(crate) engine: Arc<DefaultEngine>,
    registers: Registers,
    programs: Programs,
    surfaces: Cache<Surface>,
    vertex_workers: Vec<Worker<VertexWorker>>,
    tile_workers: Vec<TileWorker>,
    pub(crate) group_workers: Vec<GroupWorker>,
    /// What groups of dispatches store waits here.
    pub(crate) chunks: Chunks<Atomic>,
    store: Store,
    sorter: Sorter,
    open: Option<Open>,
    pub(crate) totals: Stats,
    partial_renders: u64,
}

impl Rogue {
    /// Switches a device on.
    pub fn power_on(memory: Memory, start: Start) -> Box<dyn Gpu> {
        Box::new(Rogue::new(memory, start))
    }

    /// The same, with what it counts beside [`Stats`].
    pub fn new(memory: Memory, start: Start) -> Rogue {
        let threads = start.threads.map_or_else(Threads::from_env, Threads::new);
        Rogue {
            engine: Arc::new(DefaultEngine::at(start.level)),
            registers: Registers::default(),
            programs: Programs::default(),
            surfaces: Cache::default(),
            vertex_workers: (0..threads.count())
                .map(|slot| Worker::new(VertexWorker::new(slot)))
                .collect(),
            tile_workers: (0..threads.count()).map(TileWorker::new).collect(),
            group_workers: (0..threads.count()).map(GroupWorker::new).collect(),
            threads: Arc::new(threads),
            chunks: Chunks::default(),
            store: Store::default(),
            sorter: Sorter::default(),
            open: None,
            totals: Stats::default(),
            partial_renders: 0,
            memory,
            start,
        }
    }

    /// Partial renders since power-on: how often a parameter buffer was full.
    pub fn partial_renders(&self) -> u64 {
        self.partial_renders
    }

    fn run(&mut self, stream: Range<Addr>) -> Result<(), Trap> {
        let memory = self.memory.clone();
        let Range { start, end } = stream;
        if !start.0.is_multiple_of(4) || end.0 > memory.size() {
            let reason = format!("a stream from {:#x} to {:#x}", start.0, end.0);
            return Err(Trap::new(CHIP, start.0, 0, reason));
        }
        let load = |at: u64| memory.load(at);
        let mut readers = vec![Reader::new(&load, start.0, end.0)];
        // Links that go round are no streams.
        let mut links = 0u32;
        while let Some(reader) = readers.last_mut() {
            let Some((at, word, command)) = reader.next_block()? else {
                readers.pop();
                continue;
            };
            let trap = |reason: String| Trap::new(CHIP, at, word, reason);
            match command {
                Command::Link(to) => {
                    links += 1;
                    if readers.len() >= DEPTH || links > 1 << 20 {
                        return Err(trap(format!("more than {DEPTH} streams inside each other")));
                    }
                    readers.push(Reader::new(&load, to, memory.size()));
                }
                Command::Return => {
                    readers.pop();
                }
                Command::Terminate => return Ok(()),
                other => self.command(other).map_err(|mut error| {
                    if error.address == u64::MAX {
                        (error.address, error.word) = (at, word);
                    }
                    error
                })?,
            }
        }
        Ok(())
    }

    /// Copies bytes; where none of the numbers is odd to words, on all threads.
    fn copy(&self, [from, to]: [Addr; 2], bytes: u64) -> Result<(), MemoryError> {
        if (from.0 | to.0 | bytes).is_multiple_of(4) {
            return self.threads.copy(&self.memory, [from, to], bytes);
        }
        let mut buffer = [0; 4096];
        let mut done = 0;
        while done < bytes {
            let part = &mut buffer[..(bytes - done).min(4096) as usize];
            self.memory.read(Addr(from.0.saturating_add(done)), part)?;
            self.memory.write(Addr(to.0.saturating_add(done)), part)?;
            done += part.len() as u64;
        }
        Ok(())
    }

    fn command(&mut self, command: Command) -> Result<(), Trap> {
        let wrong = |reason: String| Trap::new(CHIP, u64::MAX, 0, reason);
        match command {
            Command::Ppp(words) => {
                write_ppp(&words, &mut self.registers).map_err(|error| wrong(error.to_string()))?;
            }
            Command::Registers(first, words) => {
                for (number, word) in (first..).zip(words) {
                    self.registers.set(number, word);
                }
            }
            Command::Draw(list) => self.draw(&list)?,
            Command::Clear(rect, clear) => self.clear(rect, clear)?,
            Command::Begin => self.begin().map_err(wrong)?,
            Command::Kick => self.kick()?,
            Command::Fill(to, words, value) => {
                let filled = self.threads.fill(&self.memory, to, words, value);
                filled.map_err(|error| wrong(error.to_string()))?;
            }
            Command::Copy(ends, bytes) => {
                self.copy(ends, bytes)
                    .map_err(|error| wrong(error.to_string()))?;
            }
            Command::Clock(at) => {
                let clock = self.totals.instructions;
                let stored = [(0, clock as u32), (4, (clock >> 32) as u32)]
                    .map(|(offset, word)| self.memory.store(at.0 + offset, word));
                if stored.contains(&None) {
                    return Err(wrong(format!("the clock goes to {:#x}", at.0)));
                }
            }
            Command::Dispatch(count) => self.dispatch(count)?,
            Command::Link(_) | Command::Return | Command::Terminate => {}
        }
        Ok(())
    }

    fn dispatch(&mut self, count: GroupCount) -> Result<(), Trap> {
        let wrong = |reason: String| Trap::new(CHIP, u64::MAX, 0, reason);
        if self.open.is_some() {
            return Err(wrong("a dispatch inside of a render".to_owned()));
        }
        let sources = (&*self.engine, &self.memory, &mut self.programs);
        let dispatch = Dispatch::new(&self.registers, count, sources).map_err(wrong)?;
        self.run_groups(&dispatch)
    }

    fn draw(&mut self, list: &IndexList) -> Result<(), Trap> {
        let wrong = |reason: String| Trap::new(CHIP, u64::MAX, 0, reason);
        let Some(mut open) = self.open.take() else {
            return Err(wrong("a draw outside of a render".to_owned()));
        };
        let list = vdm::indirect(&self.memory, list).map_err(wrong)?;
        if list.count == 0 || list.instances == 0 {
            self.open = Some(open);
            return Ok(());
        }
        let result = self.draw_in(&list, &mut open);
        self.open = Some(open);
        result
    }

    fn draw_in(&mut self, list: &IndexList, open: &mut Open) -> Result<(), Trap> {
        let wrong = |reason: String| Trap::new(CHIP, u64::MAX, 0, reason);
        let sources = Sources {
            engine: &self.engine,
            memory: &self.memory,
            programs: &mut self.programs,
            area: open.render.area,
        };
        let (vertex, pixel) = state::decode(&self.registers, sources).map_err(wrong)?;
        if open.render.items.len() >= MOST_ITEMS {
            self.partial(open)?;
        }
        let number = open.render.items.len() as u16;
        let (stride, statistics) = (pixel.stride, pixel.statistics);
        open.render.serial |= pixel.side_effects;
        open.render.items.push(Item::Draw(Box::new(pixel)));
        let Open {
            render,
            buffer,
            kept,
        } = open;
        let render = &*render;
        let mut counts = Stats {
            draws: 1,
            ..Stats::default()
        };
        let (threads, tile_workers) = (self.threads.clone(), &mut self.tile_workers);
        let (sorter, partial_renders) = (&mut self.sorter, &mut self.partial_renders);
        let tiles = render.bins.count();
        let machine = Machine {
            threads: &self.threads,
            workers: &mut self.vertex_workers,
            store: &mut self.store,
            counts: &mut counts,
        };
        let result = vdm::draw(
            render,
            &self.registers,
            (list, &vertex),
            machine,
            |primitives| {
                sorter.sort(primitives, (number, stride), tiles, buffer, |buffer| {
                    if buffer.touched == 0 {
                        let reason = "the parameter buffer is too small for one block".to_owned();
                        return Err(wrong(reason));
                    }
                    *partial_renders += 1;
                    render.run(&threads, tile_workers, buffer, kept, true)?;
                    buffer.reset();
                    Ok(())
                })
            },
        );
        self.totals = self.totals.plus(counts);
        if let Some(at) = statistics {
            for (counter, count) in [
                (counter::VERTICES, counts.vertices),
                (counter::PRIMITIVES, counts.primitives),
                (counter::VERTEX_INVOCATIONS, counts.vertex_lanes),
                (counter::CLIPPED, counts.clipped_primitives),
                (counter::GEOMETRY_INVOCATIONS, counts.geometry_lanes),
                (counter::GEOMETRY_PRIMITIVES, counts.geometry_primitives),
                (counter::CLIPPING, counts.clipping_invocations),
            ] {
                let _ = self
                    .memory
                    .fetch64(at + 8 * counter, |before| before + count);
            }
        }
        result
    }
}

impl Gpu for Rogue {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn memory(&self) -> &Memory {
        &self.memory
    }

    fn threads(&self) -> &Arc<Threads> {
        &self.threads
    }

    fn execute(&mut self, stream: Range<Addr>) -> Result<Stats, Trap> {
        let before = self.totals;
        self.open = None;
        self.run(stream)?;
        Ok(self.totals.since(before))
    }
}
