//! Captures of submissions: `docs/captures.md` has the format.
//!
//! In: the buffers that the chip sees, around each stream. Out: a folder with what the host wrote between streams, page by
//! page, and the streams. The index is whole after each submission, so a program may end in any way. Addresses are the
//! chip's, after relocation.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{Result, Write};
use std::ops::Range;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::os::unix::fs::FileExt;
use std::path::Path;

use silicon::{Addr, Memory};

use crate::range::PAGE;

/// What video memory is a multiple of.
const MEMORY_UNIT: u64 = 1 << 20;
/// The page of zeros in the file of pages.
const ZEROS: u64 = 0;

/// A part of the chip's memory and the file that is mapped there.
pub(crate) struct Part<'a> {
    pub(crate) at: u64,
    pub(crate) len: u64,
    /// Where the part starts in its file.
    pub(crate) file: BorrowedFd<'a>,
    pub(crate) offset: u64,
}

impl Part<'_> {
    /// Addresses of pages that the file has. Others are zero, and reading them would make them.
    fn pages(&self) -> Vec<u64> {
        let end = self.offset + self.len;
        let seek = |from: u64, whence| {
            // SAFETY: a descriptor of ours, whose place nobody uses.
            let found = unsafe { libc::lseek(self.file.as_raw_fd(), from as i64, whence) };
            u64::try_from(found).ok()
        };
        let (mut pages, mut from) = (Vec::new(), self.offset);
        while let Some(data) = seek(from, libc::SEEK_DATA).filter(|data| *data < end) {
            let hole = seek(data, libc::SEEK_HOLE).unwrap_or(end).min(end);
            let first = data - data % PAGE;
            pages.extend(
                (first..hole)
                    .step_by(PAGE as usize)
                    .map(|page| page - self.offset + self.at),
            );
            from = hole.next_multiple_of(PAGE);
        }
        pages
    }
}

type Page = [u8; PAGE as usize];

/// A folder that is being written.
pub(crate) struct Capture {
    index: File,
    pages: File,
    /// Pages in their file.
    count: u64,
    /// Where the index goes on.
    end: u64,
    /// There are steps.
    begun: bool,
    device: &'static str,
    /// Bytes of memory that the steps need.
    memory: u64,
    /// What memory holds for who executes the steps, by page; the others are zero.
    known: BTreeMap<u64, Box<Page>>,
}

impl Capture {
    /// Begins in a folder, or below it where another node has begun there.
    pub(crate) fn begin(folder: &Path, device: &'static str) -> Result<Capture> {
        let make = |folder: &Path| {
            let mut options = OpenOptions::new();
            options
                .write(true)
                .create_new(true)
                .open(folder.join("capture.json"))
        };
        let mut place = folder.to_owned();
        fs::create_dir_all(&place)?;
        let mut begun = make(&place);
        for n in 1.. {
            match &begun {
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                _ => break,
            }
            place = folder.join(n.to_string());
            fs::create_dir_all(&place)?;
            begun = make(&place);
        }
        let mut capture = Capture {
            index: begun?,
            pages: File::create(place.join("pages.bin"))?,
            count: 0,
            end: 0,
            begun: false,
            device,
            memory: MEMORY_UNIT,
            known: BTreeMap::new(),
        };
        capture.page(&[0; PAGE as usize])?;
        let head = "{\n  \"format\": \"girih-capture\",\n  \"version\": 1,\n  \"steps\": [";
        capture.index.write_all_at(head.as_bytes(), 0)?;
        capture.end = head.len() as u64;
        Ok(capture)
    }

    /// Adds a page to the file of pages.
    fn page(&mut self, page: &Page) -> Result<u64> {
        self.pages.write_all(page)?;
        self.count += 1;
        Ok(self.count - 1)
    }

    /// Before a stream: what differs from what is known was written by the host.
    pub(crate) fn before(
        &mut self,
        memory: &Memory,
        parts: &[Part],
        stream: Range<u64>,
    ) -> Result<()> {
        let mut steps: Vec<(u64, Vec<u64>)> = Vec::new();
        for (at, page) in self.changed(memory, parts, &stream) {
            let number = match &page {
                Some(page) => self.page(page)?,
                None => ZEROS,
            };
            match steps.last_mut() {
                Some((first, pages)) if *first + PAGE * pages.len() as u64 == at => {
                    pages.push(number)
                }
                _ => steps.push((at, vec![number])),
            }
            self.keep(at, page);
        }
        let pages = steps.iter().map(|(address, pages)| {
            format!("{{ \"pages\": {{ \"address\": {address}, \"pages\": {pages:?} }} }}")
        });
        let mut steps: Vec<String> = pages.collect();
        let (address, words) = (stream.start, (stream.end - stream.start) / 4);
        steps.push(format!(
            "{{ \"execute\": {{ \"address\": {address}, \"words\": {words} }} }}"
        ));
        let ends = parts.iter().map(|part| part.at + part.len);
        let end = ends.fold(stream.end, u64::max);
        self.memory = self.memory.max(end.next_multiple_of(MEMORY_UNIT));
        self.write(&steps.join(",\n    "))
    }

    /// After it: what differs was written by the chip, and will be again.
    pub(crate) fn after(&mut self, memory: &Memory, parts: &[Part]) {
        for (at, page) in self.changed(memory, parts, &(0..0)) {
            self.keep(at, page);
        }
    }

    fn keep(&mut self, at: u64, page: Option<Box<Page>>) {
        match page {
            Some(page) => self.known.insert(at, page),
            None => self.known.remove(&at),
        };
    }

    /// Pages that are not as they are known, in the order of their addresses; none for one that is zero.
    fn changed(
        &self,
        memory: &Memory,
        parts: &[Part],
        stream: &Range<u64>,
    ) -> Vec<(u64, Option<Box<Page>>)> {
        let first = stream.start - stream.start % PAGE;
        let mut pages: Vec<u64> = (first..stream.end).step_by(PAGE as usize).collect();
        pages.extend(parts.iter().flat_map(Part::pages));
        // Pages that were there and are not any more.
        let gone = |part: &Part| {
            self.known
                .range(part.at..part.at + part.len)
                .map(|(at, _)| *at)
        };
        pages.extend(parts.iter().flat_map(gone));
        pages.sort_unstable();
        pages.dedup();
        let mut changed = Vec::new();
        let mut page: Box<Page> = Box::new([0; PAGE as usize]);
        for at in pages {
            if memory.read(Addr(at), &mut *page).is_err() {
                continue;
            }
            // The host may have written the next stream while the chip ran the one before.
            let streamed = (first..stream.end).contains(&at);
            match self.known.get(&at) {
                _ if streamed => changed.push((at, Some(page.clone()))),
                Some(known) if *known == page => {}
                None if *page == [0; PAGE as usize] => {}
                Some(_) if *page == [0; PAGE as usize] => changed.push((at, None)),
                _ => changed.push((at, Some(page.clone()))),
            }
        }
        changed
    }

    /// Adds steps to the index, which is whole before and after.
    fn write(&mut self, steps: &str) -> Result<()> {
        let comma = if self.begun { "," } else { "" };
        let text = format!("{comma}\n    {steps}");
        let (device, memory) = (self.device, self.memory);
        let tail = format!(
            "\n  ],\n  \"device\": \"{device}\",\n  \"memory_bytes\": {memory},\n  \"picture\": \"target\"\n}}\n"
        );
        let all = format!("{text}{tail}");
        self.index.write_all_at(all.as_bytes(), self.end)?;
        self.end += text.len() as u64;
        self.begun = true;
        Ok(())
    }
}
