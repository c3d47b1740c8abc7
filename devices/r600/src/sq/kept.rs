//! Stages that draws were made from lately. In: a program and the registers. Out: the stage that they make, made anew only
//! as far as registers or memory have changed.

use std::sync::Arc;

use super::program::Shader;
use super::stage::{
    BoundResource, CurrentConstants, Source, Stage, StageConstants, StageRegisters, bind_resources,
    scratch,
};
use crate::registers::groups;
use crate::ta::Images;

/// Stages and resources by the registers that they were made from.
#[derive(Default)]
pub(crate) struct KeptStages {
    stages: Vec<KeptStage>,
    /// Which one goes next.
    oldest_stage: usize,
    resources: Vec<KeptResources>,
    oldest_resources: usize,
    /// Room for words of registers and for scalars.
    words: Vec<u32>,
}

/// How often what ports and constants are made from had changed.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Changes {
    resources: [u64; 2],
    constants: [u64; 3],
}

struct KeptStage {
    number: usize,
    stage: Arc<Stage>,
    at: Changes,
}

struct KeptResources {
    shader: Arc<Shader>,
    words: Vec<u32>,
    resources: Arc<[BoundResource]>,
}

impl Changes {
    fn new(at: &StageRegisters, shader: &Shader, source: Source<'_>) -> Changes {
        let registers = source.registers;
        // The table of semantics is state.
        let state = if shader.semantics {
            registers.changes()
        } else {
            0
        };
        Changes {
            resources: [registers.rebinds_of(groups::RESOURCES), state],
            constants: [
                source.stores,
                registers.rebinds_of(groups::CONSTANTS),
                registers.rebinds_of(at.buffers),
            ],
        }
    }
}

impl KeptStages {
    /// What is kept of each; the one that was made first goes when there are more.
    const MOST: usize = 32;

    /// Gives a program what the registers say, or the reason why that is not possible. A stage that equals a kept one is
    /// that one.
    pub(crate) fn get(
        &mut self,
        at: &StageRegisters,
        shader: &Arc<Shader>,
        source: Source<'_>,
        images: &mut Images,
    ) -> Result<Arc<Stage>, String> {
        let changes = Changes::new(at, shader, source);
        let same =
            |kept: &KeptStage| kept.number == at.number && Arc::ptr_eq(&kept.stage.shader, shader);
        let found = self.stages.iter().position(same);
        let kept = found.map(|n| &self.stages[n]);
        let kept = kept.filter(|kept| kept.stage.scratch.is_none());
        if let Some(kept) = kept.filter(|kept| kept.at == changes) {
            return Ok(kept.stage.clone());
        }
        let bound = kept.filter(|kept| kept.at.resources == changes.resources);
        let bound_resources = match bound {
            Some(kept) => kept.stage.bound_resources.clone(),
            None => self.resources(at, shader, source, images)?,
        };
        let current = CurrentConstants { at, source };
        current.scalars(&shader.constants, &mut self.words);
        let constants = StageConstants::new(&current, shader);
        let equal = |kept: &Stage| {
            kept.scratch.is_none()
                && Arc::ptr_eq(&kept.bound_resources, &bound_resources)
                && kept.scalars == self.words
                && kept.constants.equal(&constants)
        };
        if let Some(kept) = found.map(|n| &mut self.stages[n])
            && equal(&kept.stage)
        {
            kept.at = changes;
            return Ok(kept.stage.clone());
        }
        let stage = Arc::new(Stage {
            scalars: self.words.clone(),
            bound_resources,
            scratch: match shader.uses_scratch() {
                true => Some(scratch(at, source.registers, source.memory)?),
                false => None,
            },
            constants,
            shader: shader.clone(),
        });
        let kept = KeptStage {
            number: at.number,
            stage: stage.clone(),
            at: changes,
        };
        match found {
            Some(n) => self.stages[n] = kept,
            None => put(&mut self.stages, &mut self.oldest_stage, kept),
        }
        Ok(stage)
    }

    /// What the registers of a stage have for the ports of a program.
    fn resources(
        &mut self,
        at: &StageRegisters,
        shader: &Arc<Shader>,
        source: Source<'_>,
        images: &mut Images,
    ) -> Result<Arc<[BoundResource]>, String> {
        let Source {
            registers, memory, ..
        } = source;
        self.words.clear();
        let words = shader.bound.iter().map(|address| registers.get(*address));
        self.words.extend(words);
        let same =
            |kept: &&KeptResources| Arc::ptr_eq(&kept.shader, shader) && kept.words == self.words;
        if let Some(kept) = self.resources.iter().find(same) {
            return Ok(kept.resources.clone());
        }
        let ports = shader.ports.iter();
        let resources = ports
            .map(|port| bind_resources(at, &port.action, registers, memory, images))
            .collect::<Result<Arc<[BoundResource]>, String>>()?;
        let kept = KeptResources {
            shader: shader.clone(),
            words: self.words.clone(),
            resources: resources.clone(),
        };
        put(&mut self.resources, &mut self.oldest_resources, kept);
        Ok(resources)
    }
}

/// Keeps one more.
fn put<T>(kept: &mut Vec<T>, oldest: &mut usize, new: T) {
    if kept.len() < KeptStages::MOST {
        kept.push(new);
    } else {
        kept[*oldest] = new;
        *oldest = (*oldest + 1) % KeptStages::MOST;
    }
}
