//! Constants packed into vectors: what one instruction reads lies in one vector.

use super::interface::CONSTANTS;
use crate::codegen::{ConstantSource, ConstantVector};

/// The vectors of constants.
#[derive(Clone, Debug, Default)]
pub struct Pool {
    /// What their components are.
    pub vectors: Vec<ConstantVector>,
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

    /// Whether more vectors are in use than there are.
    pub fn overflows(&self) -> bool {
        self.vectors.len() > CONSTANTS
    }
}
