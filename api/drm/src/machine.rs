//! The chip behind the node: its addresses, submissions and resets.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

use silicon::{Addr, Gpu, Memory, Start};

use crate::buffer::Buffer;
use crate::capture::{Capture, Part};
use crate::card::{Card, Settings};
use crate::errno::{Answer, Errno};
use crate::range::{PAGE, Range};
use crate::start;

/// Where copies of streams lie that the chip does not read from buffers: below the first address that drivers get.
const STREAMS: std::ops::Range<u64> = 0x1_0000..0x80_0000;
/// The first address that drivers get.
pub(crate) const FIRST_ADDRESS: u64 = STREAMS.end;

/// A buffer that the chip sees.
struct Mapped {
    buffer: Arc<Buffer>,
    len: u64,
    offset: u64,
}

/// A chip that runs for one opened node.
pub(crate) struct Machine {
    card: &'static Card,
    settings: Settings,
    range: Arc<Range>,
    memory: Memory,
    gpu: Option<Box<dyn Gpu>>,
    /// The process that switched it on: threads do not follow a fork.
    process: u32,
    /// What the chip sees, by address.
    mapped: BTreeMap<u64, Mapped>,
    /// Submissions that failed.
    resets: u32,
    /// Submissions.
    submissions: u32,
    /// Where they are written to.
    capture: Option<Capture>,
}

impl Machine {
    pub(crate) fn new(card: &'static Card, settings: Settings) -> Answer<Machine> {
        let range = Range::reserve(card.reach)?;
        Ok(Machine {
            card,
            settings,
            memory: range.memory(),
            range,
            gpu: None,
            process: 0,
            mapped: BTreeMap::new(),
            resets: 0,
            submissions: 0,
            capture: None,
        })
    }

    /// Submissions that failed since the node was opened.
    pub(crate) fn resets(&self) -> u32 {
        self.resets
    }

    /// Shows a part of a buffer at an address; what lay there is not seen any more.
    pub(crate) fn map(&mut self, at: u64, buffer: &Arc<Buffer>, offset: u64, len: u64) -> Answer {
        let inside = offset
            .checked_add(len)
            .is_some_and(|end| end <= buffer.size());
        if !inside || at < FIRST_ADDRESS || !offset.is_multiple_of(PAGE) {
            return Err(Errno::INVALID);
        }
        self.unmap(at, len)?;
        self.range.map(at, buffer.file(), offset, len)?;
        let mapped = Mapped {
            buffer: buffer.clone(),
            len,
            offset,
        };
        self.mapped.insert(at, mapped);
        Ok(())
    }

    /// Shows nothing in a range of addresses. Mappings that reach out of it stay outside.
    pub(crate) fn unmap(&mut self, at: u64, len: u64) -> Answer {
        let end = at.checked_add(len).ok_or(Errno::INVALID)?;
        if len == 0 || !(at | len).is_multiple_of(PAGE) {
            return Err(Errno::INVALID);
        }
        let overlapping: Vec<u64> = self
            .mapped
            .range(..end)
            .filter(|(start, mapped)| *start + mapped.len > at)
            .map(|(start, _)| *start)
            .collect();
        for start in overlapping {
            let Some(mapped) = self.mapped.remove(&start) else {
                continue;
            };
            let (before, after) = (start..at, end..start + mapped.len);
            for part in [before, after] {
                if part.start < part.end {
                    let kept = Mapped {
                        buffer: mapped.buffer.clone(),
                        len: part.end - part.start,
                        offset: mapped.offset + (part.start - start),
                    };
                    self.mapped.insert(part.start, kept);
                }
            }
        }
        self.range.unmap(at, len)
    }

    /// Takes a buffer away from all of its addresses.
    pub(crate) fn forget(&mut self, buffer: &Arc<Buffer>) {
        let places: Vec<(u64, u64)> = self
            .mapped
            .iter()
            .filter(|(_, mapped)| Arc::ptr_eq(&mapped.buffer, buffer))
            .map(|(at, mapped)| (*at, mapped.len))
            .collect();
        for (at, len) in places {
            // Whole pages that were mapped before.
            let _ = self.unmap(at, len);
        }
    }

    /// Where a buffer is seen as a whole from its first byte on.
    pub(crate) fn address(&self, buffer: &Arc<Buffer>) -> Option<u64> {
        let whole = |mapped: &Mapped| {
            Arc::ptr_eq(&mapped.buffer, buffer) && mapped.offset == 0 && mapped.len == buffer.size()
        };
        let found = self.mapped.iter().find(|(_, mapped)| whole(mapped));
        found.map(|(at, _)| *at)
    }

    /// Shows a buffer at the first free place.
    pub(crate) fn place(&mut self, buffer: &Arc<Buffer>) -> Answer<u64> {
        // Surfaces start at multiples of their macro tiles, which are at most this large.
        const ALIGN: u64 = 0x1_0000;
        let mut at = FIRST_ADDRESS;
        for (start, mapped) in &self.mapped {
            if at + buffer.size() <= *start {
                break;
            }
            at = (start + mapped.len).next_multiple_of(ALIGN).max(at);
        }
        if at + buffer.size() > self.range.bytes() {
            return Err(Errno::NO_MEMORY);
        }
        self.map(at, buffer, 0, buffer.size())?;
        Ok(at)
    }

    /// Executes words that lie in buffers.
    ///
    /// Errors: ECANCELED when the chip trapped, after which it is as if it had been reset.
    pub(crate) fn execute(&mut self, at: u64, words: u64) -> Answer {
        let process = std::process::id();
        if self.process != process {
            // The threads of a chip that a parent switched on are not here.
            std::mem::forget(self.gpu.take());
            // The folder is the parent's.
            self.capture = None;
            self.process = process;
        }
        let on = Start {
            threads: self.settings.threads,
            ..Start::default()
        };
        self.submissions += 1;
        start::submitted();
        let stream = at..at + 4 * words;
        self.captured(|capture, memory, parts| capture.before(memory, parts, stream));
        let (card, memory) = (self.card, &self.memory);
        let gpu = self
            .gpu
            .get_or_insert_with(|| card.power_on(memory.clone(), on));
        let done = gpu.execute(Addr(at)..Addr(at + 4 * words));
        let Err(trap) = done else {
            self.captured(|capture, memory, parts| {
                capture.after(memory, parts);
                Ok(())
            });
            return Ok(());
        };
        let number = self.submissions;
        eprintln!("girih: {} submission {number}: {trap}", card.device);
        tracing::error!(%trap, submission = number, "a submission failed");
        self.resets += 1;
        self.gpu = None;
        Err(Errno::CANCELLED)
    }

    /// Runs what captures do around a stream, if one is asked for.
    fn captured(&mut self, run: impl FnOnce(&mut Capture, &Memory, &[Part]) -> io::Result<()>) {
        let Some(folder) = &self.settings.dump else {
            return;
        };
        let begun = match self.capture.take() {
            Some(capture) => Ok(capture),
            None => Capture::begin(folder, self.card.device),
        };
        let parts = self.mapped.iter().map(|(at, mapped)| Part {
            at: *at,
            len: mapped.len,
            file: mapped.buffer.file(),
            offset: mapped.offset,
        });
        let parts: Vec<Part> = parts.collect();
        let done = begun.and_then(|mut capture| {
            run(&mut capture, &self.memory, &parts)?;
            Ok(capture)
        });
        match done {
            Ok(capture) => self.capture = Some(capture),
            Err(error) => {
                eprintln!("girih: no capture in {}: {error}", folder.display());
                self.settings.dump = None;
            }
        }
    }

    /// Executes words that lie in no buffer.
    pub(crate) fn execute_copy(&mut self, words: &[u32]) -> Answer {
        if words.len() as u64 * 4 > STREAMS.end - STREAMS.start {
            return Err(Errno::INVALID);
        }
        self.memory
            .write_words(Addr(STREAMS.start), words)
            .map_err(|_| Errno::INVALID)?;
        self.execute(STREAMS.start, words.len() as u64)
    }
}
