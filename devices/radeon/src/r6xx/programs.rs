//! A cache of prepared programs, keyed by address, registers, modes and the words in memory.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

/// Cache capacity; a full cache is dropped whole.
const MOST: usize = 512;

/// Programs by key: addresses, registers and modes; the words are compared.
#[derive(Debug)]
pub struct Programs<K, S> {
    kept: HashMap<K, Arc<S>>,
}

impl<K, S> Default for Programs<K, S> {
    fn default() -> Programs<K, S> {
        Programs {
            kept: HashMap::new(),
        }
    }
}

impl<K: Eq + Hash, S> Programs<K, S> {
    /// The cached program of a key if it is `unchanged`, else a new one.
    pub fn get<E>(
        &mut self,
        key: K,
        unchanged: impl FnOnce(&S) -> bool,
        load: impl FnOnce() -> Result<S, E>,
    ) -> Result<Arc<S>, E> {
        if let Some(kept) = self.kept.get(&key)
            && unchanged(kept)
        {
            return Ok(kept.clone());
        }
        let program = Arc::new(load()?);
        if self.kept.len() >= MOST {
            self.kept.clear();
        }
        self.kept.insert(key, program.clone());
        Ok(program)
    }
}
