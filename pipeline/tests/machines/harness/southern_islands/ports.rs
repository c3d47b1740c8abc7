//! What Southern Islands' instructions reach outside a wave: memory, textures, parameters, exports.

use std::ops::Range;

use lanes::{Batch, Fault, LANES, PortFault, Ports, Wave};
use pipeline::codegen::direct::Resources;
use pipeline::ir::{Builtin, Dim, Function, ResourceKind};
use southern_islands::isa::image::MimgOp;
use southern_islands::isa::vector::VintrpOp;
use southern_islands::isa::words::{Exp, Mimg, Vintrp};
use southern_islands::isa::{Inst, Port, export_target};
use southern_islands::ta::MemoryUnit;

use super::{EXEC, PRIM_MASK};
use crate::direct::World;
use crate::harness::access::{Kind, TextureAccess};
use crate::harness::{Outcome, taken};

const M0: usize = 124;

/// The ports of a wave.
pub struct Side<'a> {
    pub ports: &'a [Port],
    pub memory: MemoryUnit,
    pub world: World,
    pub function: &'a Function,
    pub outcome: Outcome,
}

impl Ports for Side<'_> {
    fn call(&mut self, ports: Range<u32>, batch: Batch<'_>) -> Result<(), PortFault> {
        batch.each(ports, |port, wave| self.perform(port, wave))
    }
}

impl Side<'_> {
    fn perform(&mut self, port: u32, wave: &mut Wave) -> Result<(), Fault> {
        let Port { inst, .. } = self.ports[port as usize];
        match inst {
            Inst::Exp(inst) => self.export(inst, wave),
            Inst::Vintrp(inst) => self.interpolate(inst, wave),
            Inst::Mimg(inst) => self.image(inst, wave),
            _ => {
                self.memory.call(&inst, wave)?;
            }
        }
        Ok(())
    }
}

impl Side<'_> {
    fn export(&mut self, inst: Exp, wave: &Wave) {
        let sources = [inst.vsrc0, inst.vsrc1, inst.vsrc2, inst.vsrc3];
        let target = export_target(inst.tgt).to_uppercase();
        for (c, source) in sources.into_iter().enumerate() {
            if inst.en >> c & 1 == 1 {
                let lanes = taken(&wave.rows[usize::from(source)].0, wave.mask(EXEC));
                self.outcome.outputs.insert((target.clone(), c), lanes);
            }
        }
    }

    fn interpolate(&mut self, inst: Vintrp, wave: &mut Wave) {
        let inputs = self.function.interface.inputs.len();
        let row = match usize::from(inst.attr) < inputs {
            true => self.world.input(inst.attr.into(), inst.attrchan.into()),
            false if inst.op == VintrpOp::V_INTERP_MOV_F32 => {
                self.world.builtin(Builtin::PrimitiveIndex)
            }
            false => self.world.builtin(Builtin::PointCoord(inst.attrchan)),
        };
        assert_eq!(wave.scalars[M0], PRIM_MASK, "M0 is not PRIM_MASK");
        for lane in live(wave) {
            let value = match inst.op {
                VintrpOp::V_INTERP_P1_F32 => {
                    0x7fff_0000 ^ wave.rows[usize::from(inst.vsrc)].0[lane]
                }
                _ => row.0[lane],
            };
            wave.rows[usize::from(inst.vdst)].0[lane] = value;
        }
    }

    fn image(&mut self, inst: Mimg, wave: &mut Wave) {
        for lane in live(wave) {
            let access = self.access(inst, wave, lane);
            if matches!(access.kind, Kind::Store | Kind::Atomic) {
                self.outcome.stores.push((lane, access.hash()));
            }
            let results: Vec<u32> = match access.kind {
                Kind::Store => Vec::new(),
                Kind::Atomic if !inst.glc => Vec::new(),
                Kind::Atomic => vec![access.component(0)],
                Kind::Gather(_) => (0..4).map(|i| access.component(i)).collect(),
                _ => {
                    let asked = (0..4).filter(|i| inst.dmask >> i & 1 == 1);
                    asked.map(|i| access.component(i)).collect()
                }
            };
            for (i, word) in results.into_iter().enumerate() {
                wave.rows[usize::from(inst.vdata) + i].0[lane] = word;
            }
        }
    }

    /// What an image instruction does for a lane. [SI 8.2.4]
    fn access(&self, inst: Mimg, wave: &Wave, lane: usize) -> TextureAccess {
        let words = |at: u8| [0, 1].map(|i| wave.scalars[4 * usize::from(at) + i]);
        let texture = words(inst.srsrc);
        let resource = &self.function.interface.resources[texture[0] as usize];
        let (ResourceKind::Texture { shape, .. } | ResourceKind::StorageTexture { shape, .. }) =
            resource.kind
        else {
            panic!("resource {} is no texture", texture[0]);
        };
        let dims = shape.coordinates();
        let place = dims + usize::from(shape.arrayed && shape.dim != Dim::Cube);
        let mut at = usize::from(inst.vaddr);
        let mut next = |count: usize| -> Vec<u32> {
            let words = (at..at + count).map(|row| wave.rows[row].0[lane]).collect();
            at += count;
            words
        };
        let code = inst.op.code();
        if code < 32 {
            let data = |count: usize| -> Vec<u32> {
                let rows = usize::from(inst.vdata)..usize::from(inst.vdata) + count;
                rows.map(|row| wave.rows[row].0[lane]).collect()
            };
            let (kind, levels, data) = match inst.op {
                MimgOp::IMAGE_LOAD => (Kind::Load, 0, Vec::new()),
                MimgOp::IMAGE_LOAD_MIP => (Kind::Load, 1, Vec::new()),
                MimgOp::IMAGE_STORE => (Kind::Store, 0, data(4)),
                MimgOp::IMAGE_GET_RESINFO => (Kind::Size, 1, Vec::new()),
                MimgOp::IMAGE_ATOMIC_CMPSWAP => (Kind::Atomic, 0, data(2)),
                _ => (Kind::Atomic, 0, data(1)),
            };
            let mut found = TextureAccess::new(kind, texture, None);
            if kind != Kind::Size {
                found.place = next(place + usize::from(shape.multisampled));
            }
            found.lod = next(levels).first().copied();
            if kind == Kind::Load {
                found.lod = found.lod.or(Some(0));
            }
            found.data = data;
            return found;
        }
        let kind = match (code >= 64, code & 7) {
            (true, _) => Kind::Gather(inst.dmask.trailing_zeros() as u8),
            (_, 0 | 1) => Kind::Sample,
            (_, 2 | 3) => Kind::SampleGradient,
            (_, 4) => Kind::SampleLevel,
            (_, 5 | 6) => Kind::SampleBias,
            (_, 7) => Kind::SampleZero,
            _ => panic!("{}", inst.op.name()),
        };
        let mut found = TextureAccess::new(kind, texture, Some(words(inst.ssamp)));
        if code >> 4 & 1 == 1 {
            let word = next(1)[0];
            found.offset = [0, 1, 2].map(|i| 2 * ((word << (26 - 8 * i)) as i32 >> 26));
        }
        if kind == Kind::SampleBias {
            found.lod = Some(next(1)[0]);
        }
        if code >> 3 & 1 == 1 {
            found.reference = Some(next(1)[0]);
        }
        match (kind, shape.dim) {
            // Of the place on the face.
            (Kind::SampleGradient, Dim::Cube) => _ = next(4),
            (Kind::SampleGradient, _) => found.slopes = next(2 * dims),
            _ => {}
        }
        found.place = next(place);
        if kind == Kind::SampleLevel {
            found.lod = Some(next(1)[0]);
        }
        if code < 64 && matches!(code & 7, 1 | 3 | 6) {
            found.least = Some(next(1)[0]);
        }
        found
    }
}

fn live(wave: &Wave) -> impl Iterator<Item = usize> + use<> {
    let exec = wave.mask(EXEC);
    (0..LANES).filter(move |lane| exec >> lane & 1 == 1)
}
