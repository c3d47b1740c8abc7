//! Finds what the host wrote: video memory is compared, page by page, with what it held after the last stream.

use std::collections::BTreeMap;
use std::ops::Range;

use pipeline::silicon::{Addr, Memory};

use super::Step;

/// Bytes that are compared and kept at once.
pub(super) const PAGE: usize = 4096;

/// Keeps the steps of a device that is being captured.
pub(crate) struct Recorder {
    memory: Memory,
    /// What memory held when it was last looked at, by page; the others are zero.
    pages: BTreeMap<u64, Box<[u8]>>,
    steps: Vec<Step>,
}

impl Recorder {
    /// Begins with memory of zeros, so that what is not zero is the first step.
    pub(crate) fn new(memory: &Memory) -> Recorder {
        Recorder {
            memory: memory.clone(),
            pages: BTreeMap::new(),
            steps: Vec::new(),
        }
    }

    /// Before a stream: what changed was written by the host.
    pub(crate) fn before(&mut self, stream: &Range<Addr>) {
        self.host_wrote();
        self.steps.push(Step::Execute {
            address: stream.start.0,
            words: (stream.end.0 - stream.start.0) / 4,
        });
    }

    /// After a stream: what changed was written by the chip.
    pub(crate) fn after(&mut self) {
        self.compare(|_, _| {});
    }

    /// The steps.
    pub(crate) fn end(mut self) -> Vec<Step> {
        self.host_wrote();
        self.steps
    }

    fn host_wrote(&mut self) {
        let mut steps = std::mem::take(&mut self.steps);
        // Pages that follow each other are one step.
        let first = steps.len();
        self.compare(|at, page| match steps[first..].last_mut() {
            Some(Step::Write { address, bytes }) if *address + bytes.len() as u64 == at => {
                bytes.extend_from_slice(page);
            }
            _ => steps.push(Step::Write {
                address: at,
                bytes: page.to_vec(),
            }),
        });
        self.steps = steps;
    }

    /// Tells each page that differs from what was there, and keeps it.
    fn compare(&mut self, mut changed: impl FnMut(u64, &[u8])) {
        let zeros = [0; PAGE];
        let mut page = [0; PAGE];
        for at in (0..self.memory.size()).step_by(PAGE) {
            let page = &mut page[..PAGE.min((self.memory.size() - at) as usize)];
            self.memory
                .read(Addr(at), page)
                .expect("the page lies within video memory");
            let before = self
                .pages
                .get(&at)
                .map_or(&zeros[..page.len()], |page| page);
            if before != page {
                changed(at, page);
                self.pages.insert(at, (&*page).into());
            }
        }
    }
}
