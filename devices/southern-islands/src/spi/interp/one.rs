//! V_INTERP in waves of one primitive, as arithmetic. In: a lifted program. Out: the same program with multiply-adds in
//! their place, and the words of the primitive's block that its waves hold in scalars. So engines keep sums in registers
//! of the host, and waves need no port for them.

use lanes::{LaneOp, Program, Src, Step, Wave};
use radeon::r6xx::forms::Form;

use super::{Kind, Step as Interp};
use crate::isa::operand::M0;
use crate::isa::{Inst, Port};

/// A program for waves of one primitive, whose PRIM_MASK is 0.
pub(crate) struct OfOne {
    pub(crate) form: Form,
    pub(crate) numbers: BlockScalars,
}

/// What the first waves of a thread hold already.
#[derive(Default)]
pub(crate) struct Given {
    words: Vec<u32>,
    /// How many waves.
    count: usize,
}

impl Given {
    /// Forgets it.
    pub(crate) fn clear(&mut self) {
        self.count = 0;
    }
}

/// Words of a block that lie in scalars, one after the other.
pub(crate) struct BlockScalars {
    first: usize,
    /// Which words, in ascending order.
    words: Vec<u16>,
}

impl BlockScalars {
    fn of(&self, word: u16) -> Option<Src> {
        let at = self.words.binary_search(&word).ok()?;
        Some(Src::Scalar((self.first + at) as u16))
    }

    /// Gives waves the words of their primitive's block; false if the block has not all of them.
    pub(crate) fn give(&self, block: &[u32], waves: &mut [Wave], given: &mut Given) -> bool {
        let BlockScalars { first, words } = self;
        if words
            .last()
            .is_some_and(|last| usize::from(*last) >= block.len())
        {
            return false;
        }
        let number = |word: &u16| block[usize::from(*word)];
        let numbers = words.iter().map(number);
        if !numbers.clone().eq(given.words.iter().copied()) {
            given.words.clear();
            given.words.extend(numbers);
            given.count = 0;
        }
        let have = given.count.min(waves.len());
        for wave in &mut waves[have..] {
            wave.scalars[*first..][..words.len()].copy_from_slice(&given.words);
        }
        given.count = given.count.max(waves.len());
        true
    }
}

/// The program with arithmetic instead of ports, for waves that start with PRIM_MASK at 0 in a scalar, and its own scalars
/// from `first` on. `None` if it interpolates nothing, or not for certain with M0 at 0.
pub(crate) fn arithmetic(
    program: &Program,
    ports: &[Port],
    [prim_mask, first]: [u16; 2],
) -> Option<(Program, BlockScalars)> {
    let steps = interpolations(program, ports, prim_mask)?;
    let mut words: Vec<u16> = steps.iter().flatten().flat_map(Interp::words).collect();
    words.sort_unstable();
    words.dedup();
    let numbers = BlockScalars {
        first: first.into(),
        words,
    };
    let mut program = program.clone();
    program.scalars = first + numbers.words.len() as u16;
    for step in &mut program.steps {
        if let Step::Port { port } = *step
            && let Some(interp) = &steps[port as usize]
        {
            *step = interp.arithmetic(&numbers)?;
        }
    }
    Some((program, numbers))
}

/// The V_INTERPs among the ports that are reached, if there are some, and M0 is 0 at all of them where PRIM_MASK is.
fn interpolations(
    program: &Program,
    ports: &[Port],
    prim_mask: u16,
) -> Option<Vec<Option<Interp>>> {
    let last = usize::from(program.rows.saturating_sub(1));
    let mut steps = vec![None; ports.len()];
    for (step, port) in steps.iter_mut().zip(ports) {
        if let Inst::Vintrp(inst) = &port.inst {
            *step = Some(Interp::new(inst, last)).filter(|step| step.kind != Kind::Nothing);
        }
    }
    if steps.iter().all(Option::is_none) {
        return None;
    }
    let mut start = vec![None; program.scalars.into()];
    *start.get_mut(usize::from(prim_mask))? = Some(0);
    let mut at_zero = vec![true; ports.len()];
    let visited = program.visit_known(start, |port, known, _| {
        // Bit 31 means nothing.
        let zero = known[usize::from(M0)].is_some_and(|m0| m0 << 1 == 0);
        at_zero[port as usize] = zero;
    });
    let certain = steps
        .iter()
        .zip(&at_zero)
        .all(|(step, zero)| *zero || step.is_none());
    (visited && certain).then_some(steps)
}

impl Interp {
    /// Words of a block that it reads.
    fn words(&self) -> impl Iterator<Item = u16> {
        let slope = (self.kind == Kind::First).then_some(self.word + 4);
        std::iter::once(self.word).chain(slope)
    }

    /// The same on scalars. Which NaN the sum of [`Kind::First`] is cannot be told from what follows.
    fn arithmetic(&self, numbers: &BlockScalars) -> Option<Step> {
        let word = numbers.of(self.word)?;
        let weight = Src::Row(self.weight);
        let (op, src) = match self.kind {
            Kind::Nothing => return None,
            Kind::Move => (LaneOp::Mov, [word, Src::Const(0), Src::Const(0)]),
            Kind::First => (LaneOp::FMad, [numbers.of(self.word + 4)?, weight, word]),
            Kind::Second => (LaneOp::FMad, [word, weight, Src::Row(self.target)]),
        };
        let dst = self.target;
        Some(Step::Alu { op, dst, src })
    }
}
