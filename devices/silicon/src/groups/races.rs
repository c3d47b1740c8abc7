//! Races in the memory of a group, which a strict run reports: two members of the group use a byte between two barriers,
//! one of them writes it, and not both by atomic operations.

/// What a member does with bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Reads.
    Read,
    /// Writes.
    Write,
    /// Reads and writes by an atomic operation.
    Atomic,
}

/// Members that have used a byte since the last barrier: a bit each.
#[derive(Clone, Copy, Debug, Default)]
struct Used {
    read: u32,
    written: u32,
    changed: u32,
}

/// The accesses of a group since its last barrier.
#[derive(Clone, Debug)]
pub struct Races {
    bytes: Vec<Used>,
    /// Number of the member that runs.
    member: u8,
    /// What members are called, and the memory.
    names: [&'static str; 2],
    /// The first race, in words.
    pub found: Option<String>,
}

impl Races {
    /// No accesses to a memory of this many words. `names` are what members are called, `wave`, and the memory.
    pub fn new(words: usize, names: [&'static str; 2]) -> Races {
        Races {
            bytes: vec![Used::default(); 4 * words],
            member: 0,
            names,
            found: None,
        }
    }

    /// All members have met at a barrier.
    pub fn meet(&mut self) {
        self.bytes.fill(Used::default());
    }

    /// Member `member` of 32 runs.
    pub fn run(&mut self, member: u8) {
        self.member = member;
    }

    /// The member uses `size` bytes.
    pub fn note(&mut self, at: usize, size: usize, kind: Kind) {
        let bit = 1u32 << (self.member & 31);
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
            let verbs = ["read", "written", "changed"];
            for (members, done) in against.into_iter().zip(verbs) {
                let others = members & !bit;
                if others != 0 && self.found.is_none() {
                    let [who, memory] = self.names;
                    self.found = Some(format!(
                        "{who} {} {verb} byte {at:#x} of {memory}, which {who} {} has {done} since the last barrier",
                        self.member,
                        others.trailing_zeros(),
                    ));
                }
            }
        }
    }
}
