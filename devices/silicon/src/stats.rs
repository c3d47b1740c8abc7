//! Counters of a device. Each thread counts for itself, a draw adds up at its end. Queries read some of them.

/// Declares the counters: a field each, and what goes over all of them.
macro_rules! counters {
    ($($(#[$doc:meta])+ $name:ident,)+) => {
        /// What the device did. No counter depends on the number of threads or on the vector level.
        ///
        /// Waves and what follows from their packing, bytes and tiles say how a draw was done, so they may differ from
        /// one version to the next; the others belong to the picture.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct Stats {
            $($(#[$doc])+ pub $name: u64,)+
        }

        impl Stats {
            /// Every counter by its name.
            pub fn list(&self) -> impl Iterator<Item = (&'static str, u64)> {
                [$((stringify!($name), self.$name),)+].into_iter()
            }

            fn each(self, other: Stats, join: impl Fn(u64, u64) -> u64) -> Stats {
                Stats {
                    $($name: join(self.$name, other.$name),)+
                }
            }
        }
    };
}

counters! {
    /// Draws.
    draws,
    /// Vertices fetched by vertex waves.
    vertices,
    /// Primitives before clipping and culling.
    primitives,
    /// Primitives that came to clipping.
    clipping_invocations,
    /// Primitives that clipping left, before culling.
    clipped_primitives,
    /// Vertex shader invocations.
    vertex_lanes,
    /// Geometry shader invocations.
    geometry_lanes,
    /// Primitives that geometry shaders emitted.
    geometry_primitives,
    /// Primitives that were written to the buffers of a stream.
    stream_primitives,
    /// Primitives that would have been, had there been room for all.
    stream_primitives_needed,
    /// Fragment shader invocations, helper lanes not counted. Lanes that a test rejects before the shader are none.
    fragment_lanes,
    /// Compute shader invocations.
    compute_lanes,
    /// Samples that passed depth and stencil.
    samples_passed,
    /// Instructions of all waves.
    instructions,
    /// Waves of vertices.
    vertex_waves,
    /// Waves of geometry shader invocations.
    geometry_waves,
    /// Waves of fragments.
    fragment_waves,
    /// Waves of groups.
    compute_waves,
    /// Texels that samples, gathers and loads of textures may read: active lanes times the texels of the widest
    /// footprint that texture and sampler allow.
    texels,
    /// Bytes read from colour surfaces, by texels or whole tiles.
    color_bytes_read,
    /// Bytes written to colour surfaces.
    color_bytes_written,
    /// Bytes read from depth and stencil surfaces.
    depth_bytes_read,
    /// Bytes written to depth and stencil surfaces.
    depth_bytes_written,
    /// Bins that were shaded, once for each batch of primitives.
    bins,
    /// Primitives in the lists of all bins.
    bin_entries,
    /// Tiles of 8x8 pixels that primitives cover or touch, once for each primitive.
    tiles,
    /// Samples of such tiles that Hi-Z rejected without a read of depths.
    tiles_rejected,
}

impl Stats {
    /// The sum of both.
    pub fn plus(self, other: Stats) -> Stats {
        self.each(other, |a, b| a + b)
    }

    /// What happened since an earlier reading.
    pub fn since(self, before: Stats) -> Stats {
        self.each(before, |a, b| a - b)
    }

    /// Waves of all stages.
    pub fn waves(&self) -> u64 {
        self.vertex_waves + self.geometry_waves + self.fragment_waves + self.compute_waves
    }

    /// The same with the work of another reading: all but what the stages count for queries.
    pub fn with_work_of(self, other: Stats) -> Stats {
        Stats {
            vertices: self.vertices,
            primitives: self.primitives,
            clipping_invocations: self.clipping_invocations,
            clipped_primitives: self.clipped_primitives,
            vertex_lanes: self.vertex_lanes,
            geometry_lanes: self.geometry_lanes,
            geometry_primitives: self.geometry_primitives,
            stream_primitives: self.stream_primitives,
            stream_primitives_needed: self.stream_primitives_needed,
            fragment_lanes: self.fragment_lanes,
            compute_lanes: self.compute_lanes,
            samples_passed: self.samples_passed,
            ..other
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_counter_is_added_and_taken_off() {
        let one = Stats {
            draws: 3,
            tiles_rejected: 4,
            ..Stats::default()
        };
        let both = one.plus(one);
        assert_eq!((both.draws, both.tiles_rejected), (6, 8));
        assert_eq!(both.since(one), one);
        assert_eq!(both.list().map(|(_, count)| count).sum::<u64>(), 14);
        assert!(both.list().any(|found| found == ("tiles_rejected", 8)));
    }

    #[test]
    fn a_resolve_is_work_that_no_query_sees() {
        let before = Stats {
            fragment_lanes: 5,
            bins: 1,
            ..Stats::default()
        };
        let after = Stats {
            fragment_lanes: 69,
            fragment_waves: 1,
            bins: 2,
            ..before
        };
        let counted = before.with_work_of(after);
        assert_eq!((counted.fragment_lanes, counted.bins), (5, 2));
        assert_eq!(counted.waves(), 1);
    }
}
