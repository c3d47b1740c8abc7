//! Constants packed into vectors: what one instruction reads lies in one vector.

use super::interface::CONSTANTS;
use super::machine::{Code, Reg, Select};
use crate::codegen::{ConstantSource, ConstantVector};

/// The vectors of constants.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    /// What their components are.
    pub vectors: Vec<ConstantVector>,
    /// Those that are read with an index: first word of the source, and vectors.
    arrays: Vec<(u32, std::ops::Range<u32>)>,
}

impl Pool {
    /// A vector with all of these, at most four, and their components.
    pub fn find(&mut self, wanted: &[ConstantSource]) -> (u32, Vec<u8>) {
        let mut list: Vec<ConstantSource> = Vec::new();
        for source in wanted {
            if !list.contains(source) {
                list.push(*source);
            }
        }
        let missing = |vector: &ConstantVector| {
            let missing = list
                .iter()
                .filter(|source| !vector.contains(&Some(**source)))
                .count();
            let free = vector
                .iter()
                .filter(|component| component.is_none())
                .count();
            (missing <= free).then_some(missing)
        };
        let vectors = self.vectors.iter().enumerate();
        let best = vectors
            .filter_map(|(at, vector)| Some((missing(vector)?, at)))
            .min();
        let at = match best {
            Some((_, at)) => at,
            None => {
                self.vectors.push([None; 4]);
                self.vectors.len() - 1
            }
        };
        for source in &list {
            let vector = &mut self.vectors[at];
            if !vector.contains(&Some(*source))
                && let Some(free) = vector.iter_mut().find(|component| component.is_none())
            {
                *free = Some(*source);
            }
        }
        let place = |source: &ConstantSource| {
            let mut components = self.vectors[at].iter();
            components
                .position(|component| *component == Some(*source))
                .unwrap_or(0) as u8
        };
        let components = wanted.iter().map(place).collect();
        (at as u32, components)
    }

    /// The vector of word `word` of an array of sources.
    pub fn indexed(
        &mut self,
        words: &std::ops::Range<u32>,
        sources: &[ConstantSource],
        word: u32,
    ) -> u32 {
        let known = self.arrays.iter().find(|(first, _)| *first == words.start);
        let first = match known {
            Some((_, vectors)) => vectors.start,
            None => {
                let first = self.vectors.len() as u32;
                let all = &sources[words.start as usize..words.end as usize];
                let vectors = all.as_chunks::<4>().0.iter();
                self.vectors.extend(vectors.map(|vector| vector.map(Some)));
                let end = self.vectors.len() as u32;
                self.arrays.push((words.start, first..end));
                first
            }
        };
        first + (word - words.start) / 4
    }

    /// A vector that holds these in these components.
    pub fn place(&mut self, wanted: &[(u8, ConstantSource)]) -> u32 {
        let fits = |vector: &ConstantVector| {
            let mut all = wanted.iter();
            all.all(|(c, source)| vector[usize::from(*c)].is_none_or(|known| known == *source))
        };
        let at = self.vectors.iter().position(fits).unwrap_or_else(|| {
            self.vectors.push([None; 4]);
            self.vectors.len() - 1
        });
        for (component, source) in wanted {
            self.vectors[at][usize::from(*component)] = Some(*source);
        }
        at as u32
    }

    /// Leaves only what code reads, and numbers the vectors anew.
    pub fn forget_unread(&mut self, code: &mut Code) {
        let mut read = vec![[false; 4]; self.vectors.len()];
        for inst in code.blocks.iter().flat_map(|block| &block.insts) {
            for arg in inst.read_args() {
                let Select::Component(component) = arg.select else {
                    continue;
                };
                let own = (arg.reg, [arg.reg; 2]);
                let regs = match (own, inst.before) {
                    ((Some(Reg::Before), _), Some(before)) => before.regs.map(Some),
                    ((_, regs), _) => regs,
                };
                for reg in regs {
                    if let Some(Reg::Constant(at)) = reg {
                        read[at as usize][usize::from(component)] = true;
                    }
                }
            }
        }
        for (_, vectors) in &self.arrays {
            let all = vectors.start as usize..vectors.end as usize;
            read[all].fill([true; 4]);
        }
        let mut numbers = Vec::new();
        let mut kept = Vec::new();
        for (vector, read) in self.vectors.iter().zip(read) {
            numbers.push(kept.len() as u32);
            if read.contains(&true) {
                kept.push(std::array::from_fn(|c| vector[c].filter(|_| read[c])));
            }
        }
        let anew = |reg: &mut Reg| {
            if let Reg::Constant(at) | Reg::Indexed(at, _) = reg {
                *at = numbers[*at as usize];
            }
        };
        for inst in code.blocks.iter_mut().flat_map(|block| &mut block.insts) {
            let with = inst.with.iter_mut().flat_map(|with| &mut with.args);
            let args = inst.args.iter_mut().chain(with).flatten();
            args.filter_map(|arg| arg.reg.as_mut()).for_each(anew);
            if let Some(before) = &mut inst.before {
                before.regs.iter_mut().for_each(anew);
            }
        }
        self.vectors = kept;
    }

    /// Whether more vectors are in use than there are.
    pub fn overflows(&self) -> bool {
        self.vectors.len() > CONSTANTS
    }
}
