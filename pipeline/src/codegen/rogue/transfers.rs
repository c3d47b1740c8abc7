//! Fills, copies and queries, and the end of a stream.
//!
//! | Kind | Bytes of a query |
//! |---|---|
//! | occlusion | samples that passed, 1 when it ended |
//! | statistics | the nine of [`counter`], 1 when it ended |
//! | time stamp | clock, 1 when it is there |

use ::rogue::regs::{STATISTICS_LO, VISIBILITY_LO, counter};
use ::rogue::stream::{block, job};
use silicon::Addr;

use super::packets::{Stream, address};
use super::state::Rogue;
use crate::query::{QueryKind, QueryValue, Statistics};
use crate::targets::Transfers;

/// The register that says where draws count for a query.
fn counted_at(kind: QueryKind) -> Option<u32> {
    match kind {
        QueryKind::Occlusion => Some(VISIBILITY_LO),
        QueryKind::Statistics => Some(STATISTICS_LO),
        QueryKind::Timestamp | QueryKind::StreamOutput => None,
    }
}

impl Transfers for Rogue {
    fn query_bytes(&self, kind: QueryKind) -> u64 {
        match kind {
            QueryKind::Statistics => 8 * (counter::COUNT + 1),
            QueryKind::Occlusion | QueryKind::Timestamp | QueryKind::StreamOutput => 16,
        }
    }

    fn begin_query(&self, kind: QueryKind, at: Addr, out: &mut Vec<u32>) {
        if let Some(register) = counted_at(kind) {
            self.fill(at, self.query_bytes(kind), 0, out);
            Stream(out).set(register, &address(at));
        }
    }

    fn end_query(&self, kind: QueryKind, at: Addr, out: &mut Vec<u32>) {
        match counted_at(kind) {
            Some(register) => Stream(out).set(register, &[0, 0]),
            None => Stream(out).job(job::CLOCK, 0, &address(at)),
        }
        let end = at.0 + self.query_bytes(kind) - 8;
        self.fill(Addr(end), 4, 1, out);
    }

    fn query_value(&self, kind: QueryKind, bytes: &[u8]) -> Option<QueryValue> {
        let numbers = bytes
            .as_chunks()
            .0
            .iter()
            .map(|bytes| u64::from_le_bytes(*bytes));
        let numbers: Vec<u64> = numbers.collect();
        let (1, counts) = numbers.split_last().map(|(end, counts)| (*end, counts))? else {
            return None;
        };
        let count = |n: u64| counts.get(n as usize).copied().unwrap_or(0);
        Some(match kind {
            QueryKind::StreamOutput => return None,
            QueryKind::Timestamp => QueryValue::Timestamp(count(0)),
            QueryKind::Occlusion => QueryValue::Occlusion(count(0)),
            QueryKind::Statistics => QueryValue::Statistics(Statistics {
                input_vertices: count(counter::VERTICES),
                input_primitives: count(counter::PRIMITIVES),
                vertex_invocations: count(counter::VERTEX_INVOCATIONS),
                clipping_invocations: count(counter::CLIPPING),
                clipping_primitives: count(counter::CLIPPED),
                fragment_invocations: count(counter::PIXEL_INVOCATIONS),
                geometry_invocations: count(counter::GEOMETRY_INVOCATIONS),
                geometry_primitives: count(counter::GEOMETRY_PRIMITIVES),
                compute_invocations: count(counter::COMPUTE_INVOCATIONS),
            }),
        })
    }

    fn fill(&self, at: Addr, bytes: u64, word: u32, out: &mut Vec<u32>) {
        let ([low, high], words) = (address(at), bytes / 4);
        let payload = [low, high, words as u32, (words >> 32) as u32, word];
        Stream(out).job(job::FILL, 0, &payload);
    }

    fn copy(&self, from: Addr, to: Addr, bytes: u64, out: &mut Vec<u32>) {
        let payload = [address(from), address(to), address(Addr(bytes))];
        Stream(out).job(job::COPY, 0, payload.as_flattened());
    }

    fn end(&self, out: &mut Vec<u32>) {
        out.push(block::STREAM_TERMINATE << 29);
    }
}
