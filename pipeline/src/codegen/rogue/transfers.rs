//! Fills, copies and queries, and the end of a stream.
//!
//! | Kind | Bytes of a query |
//! |---|---|
//! | occlusion | samples that passed, 1 when it ended |
//! | time stamp | clock, 1 when it is there |

use ::rogue::regs::VISIBILITY_LO;
use ::rogue::stream::{block, job};
use silicon::Addr;

use super::packets::{Stream, address};
use super::state::Rogue;
use crate::query::{QueryKind, QueryValue};
use crate::targets::Transfers;

impl Transfers for Rogue {
    fn query_bytes(&self, _: QueryKind) -> u64 {
        16
    }

    fn begin_query(&self, kind: QueryKind, at: Addr, out: &mut Vec<u32>) {
        if kind == QueryKind::Occlusion {
            self.fill(at, 16, 0, out);
            Stream(out).set(VISIBILITY_LO, &address(at));
        }
    }

    fn end_query(&self, kind: QueryKind, at: Addr, out: &mut Vec<u32>) {
        match kind {
            QueryKind::Timestamp => Stream(out).job(job::CLOCK, 0, &address(at)),
            _ => Stream(out).set(VISIBILITY_LO, &[0, 0]),
        }
        self.fill(Addr(at.0 + 8), 4, 1, out);
    }

    fn query_value(&self, kind: QueryKind, bytes: &[u8]) -> Option<QueryValue> {
        let numbers = bytes
            .as_chunks()
            .0
            .iter()
            .map(|bytes| u64::from_le_bytes(*bytes));
        let numbers: Vec<u64> = numbers.collect();
        let [value, 1] = numbers[..] else {
            return None;
        };
        Some(match kind {
            QueryKind::Timestamp => QueryValue::Timestamp(value),
            _ => QueryValue::Occlusion(value),
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
