//! Queries: what a chip counts while it draws.

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QueryKind {
    /// Samples that pass depth and stencil.
    Occlusion,
    /// What the stages of the pipeline did.
    Statistics,
    /// Primitives of stream output.
    StreamOutput,
    /// The clock.
    Timestamp,
}

/// What the stages of the pipeline did between two points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Vertices that draws asked for, after those used twice were joined.
    pub input_vertices: u64,
    /// Primitives made of them.
    pub input_primitives: u64,
    /// Invocations of vertex shaders.
    pub vertex_invocations: u64,
    /// Invocations of geometry shaders.
    pub geometry_invocations: u64,
    /// Primitives that geometry shaders emitted.
    pub geometry_primitives: u64,
    /// Primitives that came to clipping.
    pub clipping_invocations: u64,
    /// Primitives that clipping left, before culling.
    pub clipping_primitives: u64,
    /// Invocations of fragment shaders, helpers not counted.
    pub fragment_invocations: u64,
    /// Invocations of compute shaders.
    pub compute_invocations: u64,
}

impl Statistics {
    /// The counts in the order of the fields.
    pub fn counts(&self) -> [u64; 9] {
        [
            self.input_vertices,
            self.input_primitives,
            self.vertex_invocations,
            self.geometry_invocations,
            self.geometry_primitives,
            self.clipping_invocations,
            self.clipping_primitives,
            self.fragment_invocations,
            self.compute_invocations,
        ]
    }
}

/// Primitives of stream output between two points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StreamCounts {
    /// Those that were written to the buffers.
    pub written: u64,
    /// Those that would have been, had the buffers had room for all.
    pub needed: u64,
}

/// What a query found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueryValue {
    /// Samples that passed.
    Occlusion(u64),
    /// Counts.
    Statistics(Statistics),
    /// Primitives.
    StreamOutput(StreamCounts),
    /// Cycles of the device.
    Timestamp(u64),
}

impl QueryKind {
    /// 64-bit numbers of a result.
    pub fn values(self) -> usize {
        match self {
            QueryKind::Occlusion | QueryKind::Timestamp => 1,
            QueryKind::StreamOutput => 2,
            QueryKind::Statistics => 9,
        }
    }
}

impl QueryValue {
    /// As numbers, in the order of the fields.
    pub fn numbers(&self) -> Vec<u64> {
        match self {
            QueryValue::Occlusion(n) | QueryValue::Timestamp(n) => vec![*n],
            QueryValue::StreamOutput(counts) => vec![counts.written, counts.needed],
            QueryValue::Statistics(statistics) => statistics.counts().to_vec(),
        }
    }
}
