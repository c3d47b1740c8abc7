//! What Rogue's groups reach outside a wave: planes, textures, memory.

use std::ops::Range;

use lanes::{Batch, Fault, LaneOp, PortFault, Ports, Src, Wave};
use pipeline::codegen::Binary;
use pipeline::ir::{Dim, Function, ResourceKind};
use rogue::isa::backend::{Bypass, LodMode};
use rogue::lift::{ACTIVE, COVERED, Lifted, Port, SampleOf};
use silicon::Memory;

use super::{ALL, planes};
use crate::direct::World;
use crate::harness::Outcome;
use crate::harness::access::{Kind, TextureAccess};

/// The ports of a wave.
pub struct Side<'a> {
    pub function: &'a Function,
    pub binary: &'a Binary,
    pub lifted: &'a Lifted,
    pub memory: &'a Memory,
    pub world: World,
    pub outcome: Outcome,
}

fn value(wave: &Wave, source: Src, lane: usize) -> u32 {
    match source {
        Src::Row(row) => wave.rows[usize::from(row)].0[lane],
        other => wave.uniform(other),
    }
}

fn active(wave: &Wave) -> Vec<usize> {
    let mask = wave.mask(ACTIVE);
    ALL.filter(|lane| mask >> lane & 1 == 1).collect()
}

impl Ports for Side<'_> {
    fn call(&mut self, ports: Range<u32>, batch: Batch<'_>) -> Result<(), PortFault> {
        batch.each(ports, |port, wave| self.perform(port, wave))
    }
}

impl Side<'_> {
    fn perform(&mut self, port: u32, wave: &mut Wave) -> Result<(), Fault> {
        if self.lifted.serve(port, wave, self.memory)? {
            return Ok(());
        }
        match &self.lifted.ports[port as usize] {
            Port::Iterate(iterate) => {
                for n in 0..iterate.count {
                    let row = planes(self, iterate.coefficient + 4 * n);
                    for lane in active(wave) {
                        wave.rows[usize::from(iterate.first + n)].0[lane] = row.0[lane];
                    }
                }
                Ok(())
            }
            Port::Sample(sample) => self.sample(sample, wave),
            other => panic!("{other:?}"),
        }
    }

    fn sample(&mut self, of: &SampleOf, wave: &mut Wave) -> Result<(), Fault> {
        let find = |list: &[pipeline::codegen::Bound], slot: u16| {
            let found = list.iter().find(|bound| bound.slot == u32::from(slot));
            found.map(|bound| [bound.resource, bound.element])
        };
        let slots = &self.binary.slots;
        let texture = find(&slots.resources, of.texture).unwrap();
        let sampler = find(&slots.samplers, of.sampler);
        let resource = &self.function.interface.resources[texture[0] as usize];
        let (ResourceKind::Texture { shape, .. } | ResourceKind::StorageTexture { shape, .. }) =
            resource.kind
        else {
            panic!("resource {} is no texture", texture[0]);
        };
        let dims = shape.coordinates();
        assert_eq!(dims, usize::from(of.sample.dimensions));
        let flags = of.sample.flags;
        let covered = wave.mask(COVERED);
        for lane in active(wave) {
            let at = |source: Src| value(wave, source, lane);
            let lookup = of.lookup.map_or(0, at);
            let channel = u32::from(of.sample.channels) - 1;
            let kind = match (flags.wrt, flags.integer, of.sample.bypass, of.sample.lod) {
                (true, ..) => Kind::Store,
                (_, true, ..) => Kind::Load,
                (_, _, Bypass::DATA, _) => Kind::Gather(channel as u8),
                (.., LodMode::NORMAL) => Kind::Sample,
                (.., LodMode::BIAS) => Kind::SampleBias,
                (.., LodMode::REPLACE) => Kind::SampleLevel,
                (.., LodMode::GRADIENT) => Kind::SampleGradient,
            };
            let named = matches!(kind, Kind::Load | Kind::Store);
            let mut access = TextureAccess::new(kind, texture, sampler.filter(|_| !named));
            access.place = of.coordinates[..dims]
                .iter()
                .map(|&source| at(source))
                .collect();
            if let Some(layer) = of.layer.map(at) {
                let float = |most: u32| LaneOp::U32ToF32.eval([layer.min(most), 0, 0]);
                match shape.dim {
                    _ if named => access.place.push(layer),
                    Dim::Cube => {
                        let z = access.place[2];
                        access.place[2] = LaneOp::FMad.eval([float(2047), 8f32.to_bits(), z]);
                    }
                    _ => access.place.push(float(u32::MAX)),
                }
            }
            access.reference = of.reference.map(at);
            match kind {
                Kind::Store => {
                    access.data = of.data.unwrap().map(at).to_vec();
                    if covered >> lane & 1 == 1 {
                        self.outcome.stores.push((lane, access.hash()));
                    }
                    continue;
                }
                Kind::Load if shape.multisampled => {
                    access.place.push(lookup >> 16 & 7);
                    access.lod = Some(0);
                }
                Kind::Gather(_) => {}
                _ => access.lod = of.lod.map(at),
            }
            if let Some(gradients) = of.gradients {
                for along in 0..2 {
                    access
                        .slopes
                        .extend(gradients[..dims].iter().map(|pair| at(pair[along])));
                }
            }
            if flags.soo {
                let signed =
                    |low: u32, bits: u32| (lookup << (32 - low - bits)) as i32 >> (32 - bits);
                access.offset = [signed(0, 6), signed(6, 6), signed(12, 4)].map(|by| 2 * by);
            }
            for n in 0..u32::from(of.count) {
                let word = match kind {
                    // Result i of a gather is tap [2, 3, 1, 0][i].
                    Kind::Gather(_) => {
                        let channels = u32::from(of.sample.channels);
                        let tap = [3, 2, 0, 1][(n / channels) as usize];
                        if n % channels == channel {
                            access.component(tap)
                        } else {
                            0
                        }
                    }
                    _ => access.component(n),
                };
                wave.rows[usize::from(of.first) + n as usize].0[lane] = word;
            }
        }
        Ok(())
    }
}
