//! Queries: the counters that events write to memory, and what is made of them. [PM4 "Events"]
//!
//! | Kind | Bytes of a query |
//! |---|---|
//! | occlusion | samples passed at the start, at the end; bit 63 says that it was written |
//! | statistics | eleven counters at the start, eleven at the end; when both are there, 1 and the invocations of geometry shaders that the chip does not count |
//! | stream | primitives needed and written at the start, at the end; bits 63 say that it was written |
//! | time stamp | clock, 1 when it is there |

use radeon::r6xx::packets::{self, event};
use silicon::Addr;

use crate::codegen::radeon::packets::Packets;
use crate::query::{QueryKind, QueryValue, Statistics, StreamCounts};

/// Counters of SAMPLE_PIPELINESTAT.
const COUNTERS: usize = 11;
/// Where statistics say that they are there.
const MARK: u64 = 16 * COUNTERS as u64;
/// Event indices of EVENT_WRITE: counters of passed samples, of the pipeline, of streams.
const INDEX_ZPASS: u32 = 1;
const INDEX_PIPELINESTAT: u32 = 2;
const INDEX_STREAMOUTSTATS: u32 = 3;
/// Event index of EVENT_WRITE_EOP: time stamps.
const INDEX_EOP: u32 = 5;
/// What EVENT_WRITE_EOP writes.
const DATA_WORDS: u32 = 2 << 29;
const DATA_CLOCK: u32 = 3 << 29;

/// Bytes of a query, a multiple of 8.
pub fn bytes(kind: QueryKind) -> u64 {
    match kind {
        QueryKind::Occlusion | QueryKind::Timestamp => 16,
        QueryKind::StreamOutput => 32,
        QueryKind::Statistics => 8 * (2 * COUNTERS as u64 + 1),
    }
}

impl Packets<'_> {
    fn event_write(&mut self, event: u32, index: u32, at: u64) {
        let payload = [event | index << 8, at as u32, (at >> 32) as u32];
        self.packet(packets::EVENT_WRITE, &payload);
    }

    fn end_of_pipe(&mut self, at: u64, data: u32, value: u64) {
        let high = (at >> 32) as u32 | data;
        let event = event::BOTTOM_OF_PIPE_TS | INDEX_EOP << 8;
        let payload = [event, at as u32, high, value as u32, (value >> 32) as u32];
        self.packet(packets::EVENT_WRITE_EOP, &payload);
    }

    /// Begins to count. What the query held before is given up when it ends.
    pub fn begin_query(&mut self, kind: QueryKind, Addr(at): Addr) {
        match kind {
            QueryKind::Occlusion => self.event_write(event::ZPASS_DONE, INDEX_ZPASS, at),
            QueryKind::Statistics => {
                self.event_write(event::SAMPLE_PIPELINESTAT, INDEX_PIPELINESTAT, at);
            }
            QueryKind::StreamOutput => {
                self.event_write(event::SAMPLE_STREAMOUTSTATS, INDEX_STREAMOUTSTATS, at);
            }
            QueryKind::Timestamp => {}
        }
    }

    /// Ends to count; of a time stamp, takes it.
    pub fn end_query(&mut self, kind: QueryKind, Addr(at): Addr) {
        match kind {
            QueryKind::Occlusion => self.event_write(event::ZPASS_DONE, INDEX_ZPASS, at + 8),
            QueryKind::Statistics => {
                let end = at + 8 * COUNTERS as u64;
                self.event_write(event::SAMPLE_PIPELINESTAT, INDEX_PIPELINESTAT, end);
                self.end_of_pipe(at + MARK, DATA_WORDS, 1);
            }
            QueryKind::StreamOutput => {
                self.event_write(event::SAMPLE_STREAMOUTSTATS, INDEX_STREAMOUTSTATS, at + 16);
            }
            QueryKind::Timestamp => {
                self.end_of_pipe(at, DATA_CLOCK, 0);
                self.end_of_pipe(at + 8, DATA_WORDS, 1);
            }
        }
    }
}

impl Packets<'_> {
    /// Invocations of geometry shaders to be added to statistics that have ended.
    pub fn add_invocations(&mut self, Addr(at): Addr, count: u64) {
        self.end_of_pipe(at + MARK, DATA_WORDS, 1 + count);
    }
}

/// What the bytes of a query say; nothing when it did not end.
pub fn value(kind: QueryKind, bytes: &[u8]) -> Option<QueryValue> {
    let numbers: Vec<u64> = bytes
        .chunks_exact(8)
        .map(|chunk| u64::from_le_bytes(chunk.try_into().expect("chunks have 8 bytes")))
        .collect();
    match kind {
        QueryKind::Occlusion => {
            let written = numbers.iter().all(|n| n >> 63 == 1);
            written.then(|| QueryValue::Occlusion(numbers[1].wrapping_sub(numbers[0])))
        }
        QueryKind::StreamOutput => {
            let there = numbers.iter().all(|n| n >> 63 == 1);
            there.then(|| {
                QueryValue::StreamOutput(StreamCounts {
                    written: numbers[3].wrapping_sub(numbers[1]),
                    needed: numbers[2].wrapping_sub(numbers[0]),
                })
            })
        }
        QueryKind::Timestamp => (numbers[1] == 1).then_some(QueryValue::Timestamp(numbers[0])),
        QueryKind::Statistics => {
            let uncounted = numbers[2 * COUNTERS].checked_sub(1)?;
            let count = |n: usize| numbers[COUNTERS + n].wrapping_sub(numbers[n]);
            Some(QueryValue::Statistics(Statistics {
                fragment_invocations: count(0),
                clipping_primitives: count(1),
                clipping_invocations: count(2),
                vertex_invocations: count(3),
                geometry_invocations: count(4) + uncounted,
                geometry_primitives: count(5),
                input_primitives: count(6),
                input_vertices: count(7),
                compute_invocations: count(10),
            }))
        }
    }
}
