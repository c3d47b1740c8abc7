//! Waves that wait for each other: batches from barrier to barrier. In: waves and where they stand. Neighbours that stand
//! at one place are a batch again behind a barrier if their uniform scalars agree. Whether two do depends on nobody else,
//! so that a group runs in the same steps beside any others.

use super::account::Account;
use super::plan::Plan;
use super::{Control, Prepared, ResumePoint, Straight, equal};
use crate::engine::{BatchStop, Resume, Stand};
use crate::wave::{Ports, Wave};

impl<S: Straight> Prepared<S> {
    /// Runs waves to their next barrier or their end: see [`crate::Engine::advance`].
    pub(crate) fn advance(
        &self,
        waves: &mut [Wave],
        stands: &mut [Resume],
        ports: &mut dyn Ports,
    ) -> Result<(), BatchStop> {
        assert_eq!(waves.len(), stands.len(), "each wave stands somewhere");
        if let Some((wave, fault)) = self.first_without_registers(waves) {
            self.advance(&mut waves[..wave], &mut stands[..wave], ports)?;
            let stop = self.stop(0, fault);
            return Err(BatchStop { wave, stop });
        }
        let mut first = 0;
        while first < waves.len() {
            let at = stands[first];
            let meeting = match at.0 {
                Stand::Start | Stand::End => None,
                Stand::Behind(step) => Some(self.varying().meeting(step)),
            };
            // Whether neighbours that stand here go on as a batch.
            let stay = |waves: &[Wave]| match meeting {
                None => true,
                Some(meeting) => meeting.is_some_and(|meeting| meeting.joins(waves)),
            };
            let mut end = first + 1;
            while stands.get(end) == Some(&at) && stay(&waves[end - 1..=end]) {
                end += 1;
            }
            let some = first..end;
            let plan = match some.len() {
                1 => self.uniform(),
                _ => self.batch_plan(at, &waves[some.clone()]),
            };
            let some = (&mut waves[some.clone()], &mut stands[some]);
            self.go_on(plan, at, first, some, ports)
                .map_err(|stopped| stopped.behind(first))?;
            first = end;
        }
        Ok(())
    }

    /// The plan for waves that stand at one place and stay with each other.
    fn batch_plan(&self, at: Resume, waves: &[Wave]) -> &Plan<S> {
        match at.0 {
            Stand::Start => self.plan(waves, equal(&self.program.per_wave, waves)),
            Stand::Behind(step) => {
                let meeting = self.uniform().meeting(step);
                match meeting.is_some_and(|meeting| meeting.joins(waves)) {
                    true => self.uniform(),
                    false => self.varying(),
                }
            }
            Stand::End => self.uniform(),
        }
    }

    /// Runs a batch, or one wave, from where it stands.
    fn go_on(
        &self,
        plan: &Plan<S>,
        at: Resume,
        first: usize,
        (waves, stands): (&mut [Wave], &mut [Resume]),
        ports: &mut dyn Ports,
    ) -> Result<(), BatchStop> {
        let place = match at.0 {
            Stand::Start => ResumePoint::START,
            Stand::Behind(step) => {
                let Some(barrier) = plan.meeting(step) else {
                    unreachable!("waves stand behind barriers of their program");
                };
                ResumePoint::block(barrier.behind as usize)
            }
            Stand::End => return Ok(()),
        };
        let control = Control {
            prepared: self,
            plan,
        };
        let account = Account::new(waves);
        control.run(place, account, first, (waves, Some(stands)), ports)
    }
}
