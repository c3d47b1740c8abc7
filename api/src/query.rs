//! Queries: samples that pass, what the stages of the pipeline did, and the device's clock. [VULKAN Queries]
//!
//! Answers are written to video memory by the device while commands run, and read or copied from there.

use std::ops::Range;
use std::sync::Arc;

use wgpu_types::BufferUsages;

use pipeline::names::Name;

use crate::MemoryError;
use crate::buffer::Buffer;
use crate::command::{CommandBuffer, CommandError, check_buffer};
use crate::device::{Device, Queue};
use crate::error::{Label, rules};
use crate::memory::Allocation;
use crate::recorded::{Active, Command, QueryCommand};

pub(crate) mod set;

pub use pipeline::query::{QueryKind, QueryValue, Statistics, StreamCounts};
pub use set::QuerySet;

/// Most queries of one set.
pub const MOST_QUERIES: u32 = 4096;

rules! {
    /// A query that cannot be made, asked or read.
    pub enum QueryError {
        /// A set has at least one query and at most 4096.
        "query-count", "{label} would have {count} queries; a set has 1 to {most}"
        => Count { label: Label, count: u32, most: u32 };
        /// The device counts what is asked for.
        "query-feature", "{label} asks for {kind}, which the device does not count", kind = kind.name()
        => Feature { label: Label, kind: QueryKind };
        /// The set fits into the free video memory.
        "query-memory", "{label}: {source}"
        => Memory { label: Label, source: MemoryError };
        /// Queries are ones that their set has.
        "query-range", "queries {first}..{end} are not within {label} of {count}"
        => Range { label: Label, first: u32, end: u32, count: u32 };
        /// Samples and statistics are counted between two points, the clock is read at one.
        "query-kind", "{label} asks for {kind}, which {command} does not do", kind = kind.name()
        => Kind { label: Label, kind: QueryKind, command: &'static str };
        /// One query of a kind is active at a time.
        "query-active", "query {active} of {label} is already counting {kind}", kind = kind.name()
        => Active { label: Label, kind: QueryKind, active: u32 };
        /// A query that ends has begun in the same command buffer.
        "query-begun", "query {index} of {label} has not begun"
        => NotBegun { label: Label, index: u32 };
        /// A query ends in the pass in which it began, or outside of passes if it began there.
        "query-pass", "query {index} of {label} began {begun} and ends elsewhere"
        => Pass { label: Label, index: u32, begun: &'static str };
        /// Answers are copied to whole, aligned numbers of a buffer with usage QUERY_RESOLVE that holds them.
        "query-copy", "{source}"
        => Copy { source: CommandError };
        /// Queries are reset and copied outside of passes.
        "query-outside-pass", "{command}"
        => Recording { command: CommandError };
        /// A set belongs to the device of the command buffer or queue.
        "query-device", "{label} was made for another device"
        => Device { label: Label };
    }
}

/// Describes a set of queries of one kind, for [`Device::create_query_set`]. The default is one occlusion query that tells
/// whether any sample passed.
#[derive(Clone, Copy, Debug)]
pub struct QuerySetDescriptor<'a> {
    /// Name in messages.
    pub label: Option<&'a str>,
    /// What each query counts.
    pub kind: QueryKind,
    /// Number of queries, 1 to [`MOST_QUERIES`].
    pub count: u32,
    /// Whether occlusion queries count samples; otherwise their answer is 1 when any passed.
    pub precise: bool,
}

impl Default for QuerySetDescriptor<'_> {
    fn default() -> Self {
        QuerySetDescriptor {
            label: None,
            kind: QueryKind::Occlusion,
            count: 1,
            precise: false,
        }
    }
}

/// How answers are copied to a buffer, for [`CommandBuffer::copy_queries`].
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/examples/setup.rs")); }
/// # use girih::*;
/// # let (device, queue) = setup::device()?;
/// # let buffer = setup::buffer(&device, 32, BufferUsages::QUERY_RESOLVE)?;
/// # let set = device.create_query_set(&QuerySetDescriptor {
/// #     label: None, kind: QueryKind::Timestamp, count: 2, precise: false,
/// # })?;
/// let mut commands = device.create_command_buffer(None);
/// commands.write_timestamp(&set, 0)?;
/// let to = QueryCopy { buffer: &buffer, offset: 0, availability: true };
/// commands.copy_queries(&set, 0..2, &to)?;
/// queue.submit(&[&commands], &[])?;
///
/// let mut bytes = [0; 32];
/// buffer.read(0, &mut bytes)?;
/// let numbers: Vec<u64> = bytes.as_chunks().0.iter().map(|n| u64::from_le_bytes(*n)).collect();
/// assert_eq!(numbers[1..], [1, 0, 0]); // there is a first answer, and no second
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct QueryCopy<'a> {
    /// The buffer, with usage QUERY_RESOLVE.
    pub buffer: &'a Buffer,
    /// First byte, a multiple of 8.
    pub offset: u64,
    /// Whether a number follows each answer: 1 when there is one. Answers that are not there are zeros.
    pub availability: bool,
}

/// The device's clock, and the host's at the same time. [VULKAN Calibrated Timestamps]
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    /// Cycles since power-on, as time stamps count them: one for each instruction of a wave. They are the same in
    /// every run.
    pub cycles: u64,
    /// The host's clock, which differs from run to run. `wasm32-unknown-unknown` has none.
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    pub host: std::time::Instant,
}

impl QuerySet {
    fn check(&self, range: &Range<u32>) -> Result<(), QueryError> {
        if range.start < range.end && range.end <= self.count() {
            return Ok(());
        }
        Err(QueryError::Range {
            label: self.label().clone(),
            first: range.start,
            end: range.end,
            count: self.count(),
        })
    }
}

impl Device {
    /// Makes a set of queries. None of them has an answer yet.
    ///
    /// Errors: [`QueryError::Count`], [`QueryError::Memory`].
    pub fn create_query_set(&self, desc: &QuerySetDescriptor<'_>) -> Result<QuerySet, QueryError> {
        let label = self.label_of("query set", desc.label);
        if !(1..=MOST_QUERIES).contains(&desc.count) {
            return Err(QueryError::Count {
                label,
                count: desc.count,
                most: MOST_QUERIES,
            });
        }
        let features = self.features();
        let counted = match desc.kind {
            QueryKind::Occlusion => true,
            QueryKind::Statistics => features.statistics,
            QueryKind::StreamOutput => features.stream_output,
            QueryKind::Timestamp => features.timestamps,
        };
        if !counted {
            let kind = desc.kind;
            return Err(QueryError::Feature { label, kind });
        }
        let stride = self.shared.driver.target.chip.query_bytes(desc.kind);
        match Allocation::new(&self.shared, stride * u64::from(desc.count), 256) {
            Ok(allocation) => Ok(QuerySet {
                inner: Arc::new(set::Inner {
                    label,
                    kind: desc.kind,
                    count: desc.count,
                    precise: desc.precise,
                    stride,
                    allocation,
                }),
            }),
            Err(source) => Err(QueryError::Memory { label, source }),
        }
    }
}

impl Queue {
    /// The answers of some queries, as far as there are.
    ///
    /// Errors: [`QueryError::Range`] for an empty range or one beyond the set, [`QueryError::Device`].
    pub fn read_queries(
        &self,
        set: &QuerySet,
        range: Range<u32>,
    ) -> Result<Vec<Option<QueryValue>>, QueryError> {
        set.check(&range)?;
        if !self.shared.owns(&set.inner.allocation.shared) {
            return Err(QueryError::Device {
                label: set.label().clone(),
            });
        }
        Ok(range.map(|index| set.value(index)).collect())
    }

    /// The clocks of device and host. Two readings with work between them say how long a cycle took.
    pub fn clock(&self) -> Clock {
        Clock {
            cycles: self.shared.machine().cycles(),
            #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
            host: std::time::Instant::now(),
        }
    }
}

impl CommandBuffer {
    /// Begins to count for a query, inside a pass or outside of passes. One query of each kind counts at a time.
    ///
    /// Errors: [`QueryError::Range`], [`Device`](QueryError::Device), [`Kind`](QueryError::Kind) for time stamps,
    /// [`Active`](QueryError::Active).
    pub fn begin_query(&mut self, set: &QuerySet, index: u32) -> Result<(), QueryError> {
        self.check_query(
            "begin_query",
            set,
            index,
            set.kind() != QueryKind::Timestamp,
        )?;
        let active = &self.recording.queries;
        if let Some(active) = active.iter().find(|active| active.set.kind() == set.kind()) {
            return Err(QueryError::Active {
                label: active.set.label().clone(),
                kind: set.kind(),
                active: active.index,
            });
        }
        let pass = self.recording.pass_number();
        self.recording.queries.push(Active {
            set: set.clone(),
            index,
            pass,
        });
        self.push(Command::Query(QueryCommand::Begin(set.clone(), index)));
        Ok(())
    }

    /// Ends to count for a query, where it began: its answer is there when the device gets here.
    ///
    /// Errors: [`QueryError::Range`], [`Device`](QueryError::Device), [`Kind`](QueryError::Kind) for time stamps,
    /// [`NotBegun`](QueryError::NotBegun), [`Pass`](QueryError::Pass).
    pub fn end_query(&mut self, set: &QuerySet, index: u32) -> Result<(), QueryError> {
        self.check_query("end_query", set, index, set.kind() != QueryKind::Timestamp)?;
        let active = &self.recording.queries;
        let is_it =
            |active: &Active| Arc::ptr_eq(&active.set.inner, &set.inner) && active.index == index;
        let label = || set.label().clone();
        let Some(at) = active.iter().position(is_it) else {
            return Err(QueryError::NotBegun {
                label: label(),
                index,
            });
        };
        if active[at].pass != self.recording.pass_number() {
            return Err(QueryError::Pass {
                label: label(),
                index,
                begun: match active[at].pass {
                    Some(_) => "inside a pass",
                    None => "outside of passes",
                },
            });
        }
        self.recording.queries.remove(at);
        self.push(Command::Query(QueryCommand::End(set.clone(), index)));
        Ok(())
    }

    /// Reads the device's clock, in cycles, when everything recorded before is done. See [`Clock::cycles`].
    ///
    /// Errors: [`QueryError::Range`], [`Device`](QueryError::Device), [`Kind`](QueryError::Kind) for other queries.
    pub fn write_timestamp(&mut self, set: &QuerySet, index: u32) -> Result<(), QueryError> {
        self.check_query(
            "write_timestamp",
            set,
            index,
            set.kind() == QueryKind::Timestamp,
        )?;
        self.push(Command::Query(QueryCommand::End(set.clone(), index)));
        Ok(())
    }

    /// Takes the answers of some queries away, outside of passes.
    ///
    /// Errors: [`QueryError::Range`], [`Device`](QueryError::Device), [`Recording`](QueryError::Recording).
    pub fn reset_queries(&mut self, set: &QuerySet, range: Range<u32>) -> Result<(), QueryError> {
        self.outside_queries("reset_queries", set, &range)?;
        self.push(Command::Query(QueryCommand::Reset(set.clone(), range)));
        Ok(())
    }

    /// Copies answers to a buffer as 64-bit numbers, those of a query one after the other: one for samples and time
    /// stamps, the nine of [`Statistics::counts`] for statistics, primitives written and needed of stream output, then the availability if asked for.
    ///
    /// Errors: as [`CommandBuffer::reset_queries`], and [`QueryError::Copy`].
    pub fn copy_queries(
        &mut self,
        set: &QuerySet,
        range: Range<u32>,
        to: &QueryCopy<'_>,
    ) -> Result<(), QueryError> {
        let command = "copy_queries";
        self.outside_queries(command, set, &range)?;
        let numbers = set.kind().values() as u64 + u64::from(to.availability);
        let bytes = 8 * numbers * range.len() as u64;
        let usage = BufferUsages::QUERY_RESOLVE;
        check_buffer(command, to.buffer, usage, to.offset, bytes, 8)
            .map_err(|source| QueryError::Copy { source })?;
        self.push(Command::Query(QueryCommand::Copy {
            set: set.clone(),
            range,
            to: (to.buffer.clone(), to.offset),
            availability: to.availability,
        }));
        Ok(())
    }

    fn check_query(
        &self,
        command: &'static str,
        set: &QuerySet,
        index: u32,
        kind_fits: bool,
    ) -> Result<(), QueryError> {
        set.check(&(index..index.saturating_add(1)))?;
        self.check_set(set)?;
        if !kind_fits {
            return Err(QueryError::Kind {
                label: set.label().clone(),
                kind: set.kind(),
                command,
            });
        }
        Ok(())
    }

    fn check_set(&self, set: &QuerySet) -> Result<(), QueryError> {
        if self.device.shared.owns(&set.inner.allocation.shared) {
            return Ok(());
        }
        Err(QueryError::Device {
            label: set.label().clone(),
        })
    }

    fn outside_queries(
        &self,
        command: &'static str,
        set: &QuerySet,
        range: &Range<u32>,
    ) -> Result<(), QueryError> {
        self.outside_pass(command)
            .map_err(|command| QueryError::Recording { command })?;
        self.check_set(set)?;
        set.check(range)
    }
}
