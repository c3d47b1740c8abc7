//! ITRSMP: iteration of coordinates and a sample with them. [Rogue 10.2]

use lanes::Src;

use super::LiftError;
use super::flow::Lifter;
use super::port::{Port, SampleOf};
use crate::isa::backend::{Bypass, LoadCache, LodMode, Sample, SampleFlags};
use crate::isa::control::{Itrsmp, Sched};

impl Lifter<'_> {
    pub(super) fn iterate_and_sample(&mut self, itrsmp: &Itrsmp) -> Result<(), LiftError> {
        let ditr = &itrsmp.iteration;
        let dimensions = u16::from(itrsmp.dimensions);
        let count = dimensions + u16::from(itrsmp.proj);
        let rows = self.iterate_to_rows(ditr, count)?;
        let mut coordinates = [Src::Const(0); 3];
        for (n, coordinate) in coordinates[..usize::from(dimensions)]
            .iter_mut()
            .enumerate()
        {
            *coordinate = Src::Row(rows + n as u16);
        }
        if itrsmp.proj {
            let q = Src::Row(rows + dimensions);
            self.project(&mut coordinates[..usize::from(dimensions)], q);
        }
        let channels = u16::from(itrsmp.channels);
        let first = self.rows(channels);
        let base = self.bases.shared;
        self.call(Port::Sample(SampleOf {
            sample: Sample {
                dimensions: itrsmp.dimensions,
                drc: ditr.drc,
                channels: itrsmp.channels,
                lod: LodMode::NORMAL,
                bypass: Bypass::NONE,
                cache: LoadCache::NORMAL,
                slc: 0,
                flags: SampleFlags {
                    fcnorm: itrsmp.fcnorm,
                    nncoords: itrsmp.nncoords,
                    comparison: itrsmp.comparison,
                    schedswap: ditr.sched == Sched::SWAP,
                    ..SampleFlags::default()
                },
            },
            texture: u16::from(itrsmp.texture) + base,
            sampler: u16::from(itrsmp.sampler) + base,
            coordinates,
            layer: None,
            reference: None,
            lod: None,
            gradients: None,
            address: None,
            lookup: None,
            data: None,
            first,
            count: channels,
        }));
        let values: Vec<Src> = (first..first + channels).map(Src::Row).collect();
        self.store_results(ditr.destination, &values, ditr.f16)
    }
}
