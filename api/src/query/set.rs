//! Sets of queries in video memory.

use std::ops::Range;
use std::sync::Arc;

use crate::error::Label;
use crate::memory::Allocation;
use crate::{Addr, QueryKind, QueryValue};

/// A set of queries in video memory. A query that was never asked, or was reset, has no answer.
///
/// ```
/// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/examples/setup.rs")); }
/// # use girih::*;
/// # let (device, queue) = setup::device()?;
/// # let (_, view) = setup::image(&device, TextureFormat::Rgba8Unorm, 1)?;
/// # let blue = setup::blue(&view); // clears to blue
/// # let pipeline = setup::pipeline(&device, setup::FILL, &[], |_| ())?;
/// let set = device.create_query_set(&QuerySetDescriptor {
///     label: Some("visible pixels"),
///     kind: QueryKind::Occlusion,
///     count: 2,
///     precise: true,
/// })?;
/// let mut commands = device.create_command_buffer(None);
/// commands.begin_pass(&RenderPass { colors: &[Some(blue)], ..RenderPass::default() })?;
/// commands.bind_pipeline(&pipeline)?;
/// commands.begin_query(&set, 0)?;
/// commands.draw(0..3, 0..1)?;
/// commands.end_query(&set, 0)?;
/// commands.end_pass()?;
/// queue.submit(&[&commands], &[])?;
/// assert_eq!(queue.read_queries(&set, 0..2)?, [Some(QueryValue::Occlusion(16 * 16)), None]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct QuerySet {
    pub(super) inner: Arc<Inner>,
}

#[derive(Debug)]
pub(super) struct Inner {
    pub(super) label: Label,
    pub(super) kind: QueryKind,
    pub(super) count: u32,
    pub(super) precise: bool,
    /// Bytes of one query.
    pub(super) stride: u64,
    pub(super) allocation: Allocation,
}

impl QuerySet {
    /// Name in messages.
    pub fn label(&self) -> &Label {
        &self.inner.label
    }

    /// What its queries count.
    pub fn kind(&self) -> QueryKind {
        self.inner.kind
    }

    /// Number of queries.
    pub fn count(&self) -> u32 {
        self.inner.count
    }

    pub(crate) fn at(&self, index: u32) -> Addr {
        Addr(self.inner.allocation.address.0 + u64::from(index) * self.inner.stride)
    }

    /// Address and bytes of some queries.
    pub(crate) fn bytes(&self, range: &Range<u32>) -> (Addr, u64) {
        let bytes = self.inner.stride * range.len() as u64;
        (self.at(range.start), bytes)
    }

    pub(super) fn value(&self, index: u32) -> Option<QueryValue> {
        let inner = &self.inner;
        let shared = &inner.allocation.shared;
        let mut bytes = vec![0; inner.stride as usize];
        let read = shared.driver.memory.read(self.at(index), &mut bytes);
        read.expect("a query set lies within video memory");
        let value = shared.driver.target.chip.query_value(inner.kind, &bytes)?;
        Some(match value {
            QueryValue::Occlusion(n) if !inner.precise => QueryValue::Occlusion(n.min(1)),
            value => value,
        })
    }

    /// Numbers as a copy writes them.
    pub(crate) fn numbers(&self, range: Range<u32>, availability: bool) -> Vec<u64> {
        let values = self.kind().values();
        let mut numbers = Vec::new();
        for index in range {
            let value = self.value(index);
            numbers.extend(value.map_or(vec![0; values], |value| value.numbers()));
            if availability {
                numbers.push(value.is_some().into());
            }
        }
        numbers
    }
}
