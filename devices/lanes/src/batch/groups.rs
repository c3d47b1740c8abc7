//! Waves that wait for each other: batches from barrier to barrier. In: waves and where they stand. A batch that parts
//! runs wave by wave up to the barrier, and is a batch again behind it if its uniform scalars agree.

use super::plan::Plan;
use super::{Control, Prepared, ResumePoint, Straight};
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
        let Some(at) = stands.first().copied() else {
            return Ok(());
        };
        let plan = match stands.iter().all(|stand| *stand == at) {
            true => self.batch_plan(at, waves),
            false => None,
        };
        match plan {
            Some(plan) => self.go_on(plan, at, 0, (waves, stands), ports),
            None => {
                for n in 0..waves.len() {
                    let (wave, stand) = (&mut waves[n..=n], &mut stands[n..=n]);
                    self.go_on(self.uniform(), stand[0], n, (wave, stand), ports)
                        .map_err(|stopped| BatchStop { wave: n, ..stopped })?;
                }
                Ok(())
            }
        }
    }

    /// The plan for waves that stand at one place, if they are a batch.
    fn batch_plan(&self, at: Resume, waves: &[Wave]) -> Option<&Plan<S>> {
        match at.0 {
            Stand::Start => Some(self.plan(waves)),
            Stand::Behind(step) => {
                let joins = |plan: &&Plan<S>| {
                    let meeting = plan.barriers.iter().find(|barrier| barrier.step == step);
                    meeting.is_some_and(|meeting| meeting.joins(waves))
                };
                Some(self.uniform())
                    .filter(joins)
                    .or_else(|| Some(self.varying()).filter(joins))
            }
            Stand::End => Some(self.uniform()),
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
                let barrier = plan.barriers.iter().find(|barrier| barrier.step == step);
                let Some(barrier) = barrier else {
                    unreachable!("waves stand behind barriers of their program");
                };
                ResumePoint::block(barrier.block as usize)
            }
            Stand::End => return Ok(()),
        };
        let control = Control {
            prepared: self,
            plan,
        };
        control.run(place, first, (waves, Some(stands)), ports)
    }
}
