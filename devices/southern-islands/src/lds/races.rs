//! Races in local data share, which a strict run reports: two waves of a group use a byte between two barriers, one of
//! them writes it, and not both by atomic operations.

/// What a wave does with bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Read,
    Write,
    Atomic,
}

/// Waves that have used a byte since the last barrier: a bit each.
#[derive(Clone, Copy, Debug, Default)]
struct Used {
    read: u16,
    written: u16,
    changed: u16,
}

/// The accesses of a group since its last barrier.
#[derive(Clone, Debug)]
pub struct Races {
    bytes: Vec<Used>,
    /// Number of the wave that runs.
    wave: u8,
    /// The first race, in words.
    pub(super) found: Option<String>,
}

impl Races {
    /// No accesses to a share of this many words.
    pub(crate) fn new(words: usize) -> Races {
        Races {
            bytes: vec![Used::default(); 4 * words],
            wave: 0,
            found: None,
        }
    }

    /// All waves have met at a barrier.
    pub(crate) fn meet(&mut self) {
        self.bytes.fill(Used::default());
    }

    /// Wave `wave` of 16 runs.
    pub(crate) fn run(&mut self, wave: u8) {
        self.wave = wave;
    }

    pub(super) fn note(&mut self, at: usize, size: usize, kind: Kind) {
        let bit = 1u16 << (self.wave & 15);
        for (at, used) in self.bytes.iter_mut().enumerate().skip(at).take(size) {
            let (mine, verb, against) = match kind {
                Kind::Read => (&mut used.read, "reads", [0, used.written, used.changed]),
                Kind::Write => {
                    let all = [used.read, used.written, used.changed];
                    (&mut used.written, "writes", all)
                }
                Kind::Atomic => (&mut used.changed, "changes", [used.read, used.written, 0]),
            };
            *mine |= bit;
            let names = ["read", "written", "changed"];
            for (waves, name) in against.into_iter().zip(names) {
                let others = waves & !bit;
                if others != 0 && self.found.is_none() {
                    self.found = Some(format!(
                        "wave {} {verb} byte {at:#x} of local data share, which wave {} has {name} since the last barrier",
                        self.wave,
                        others.trailing_zeros(),
                    ));
                }
            }
        }
    }
}
