//! What the drivers of R600 and its successors share: register values that follow from state, where both chips have the
//! same words. Differences are parameters; R5xx numbers and lays out all of this otherwise.

pub mod codes;
pub mod commands;
pub mod constants;
pub mod images;
pub mod known;
pub mod pass;
pub mod queries;
pub mod samples;
pub mod state;
pub mod streams;

use silicon::Addr;

use known::Known;

use super::packets::{Packets, Space};
use crate::query::{QueryKind, QueryValue};
use crate::targets::Transfers;

/// A chip of the family.
pub trait Family {
    /// Registers that packets write.
    const SPACES: &'static [Space];

    /// Appends packets to words.
    fn packets(out: &mut Vec<u32>) -> Packets<'_> {
        let spaces = Self::SPACES;
        Packets { out, spaces }
    }
}

impl<T: Family> Transfers for T {
    fn query_bytes(&self, kind: QueryKind) -> u64 {
        queries::bytes(kind)
    }

    fn begin_query(&self, kind: QueryKind, at: Addr, out: &mut Vec<u32>) {
        T::packets(out).begin_query(kind, at);
    }

    fn add_invocations(&self, at: Addr, count: u64, out: &mut Vec<u32>) {
        T::packets(out).add_invocations(at, count);
    }

    fn end_query(&self, kind: QueryKind, at: Addr, out: &mut Vec<u32>) {
        T::packets(out).end_query(kind, at);
    }

    fn query_value(&self, kind: QueryKind, bytes: &[u8]) -> Option<QueryValue> {
        queries::value(kind, bytes)
    }

    fn fill(&self, at: Addr, bytes: u64, word: u32, out: &mut Vec<u32>) {
        T::packets(out).fill(at, bytes, word);
    }

    fn copy(&self, from: Addr, to: Addr, bytes: u64, out: &mut Vec<u32>) {
        T::packets(out).copy(from, to, bytes);
    }

    fn end(&self, out: &mut Vec<u32>) {
        T::packets(out).flush();
    }

    fn keep_changes(&self, known: &mut Known, words: &mut Vec<u32>, first: usize) {
        known.keep_changes(T::SPACES, words, first);
    }
}
