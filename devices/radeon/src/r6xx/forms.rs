//! Other forms of a program, for some of its waves: the same instructions with what is known of those waves.

use std::sync::{Arc, Mutex, PoisonError};

use lanes::{DefaultEngine, Liveness, Program, ProgramError, Wave};
use silicon::fragment::output::Packing;

use super::waves::LoadedProgram;

/// A form of a program.
#[derive(Debug)]
pub struct Form {
    /// The form, prepared.
    pub program: LoadedProgram,
    /// Scalars that it might read before it writes them, for all that is known, and has for itself.
    cleared: Vec<u16>,
}

impl Form {
    /// From steps as they were lifted from a byte address, for waves that have so many scalars or more. `improve` is what
    /// is done with any program of the chip.
    pub fn new(
        (chip, address): (&'static str, u64),
        engine: &DefaultEngine,
        mut program: Program,
        scalars: usize,
        improve: fn(&mut Program),
    ) -> Result<Form, ProgramError> {
        let given = program.scalars;
        improve(&mut program);
        let live = Liveness::new(&program);
        program.scalars = program.scalars.max(scalars as u16);
        Ok(Form {
            program: LoadedProgram::new(chip, address, engine, &program)?,
            cleared: live.live_in().filter(|at| *at >= given).collect(),
        })
    }

    /// Makes waves, which start, equal in scalars that only this form has.
    #[inline]
    pub fn start(&self, waves: &mut [Wave]) -> &LoadedProgram {
        if !self.cleared.is_empty() {
            for wave in waves {
                for at in &self.cleared {
                    wave.scalars[usize::from(*at)] = 0;
                }
            }
        }
        &self.program
    }
}

/// What was found for a way of packing.
type Found<F> = (Vec<Packing>, Option<Arc<F>>);

/// Forms of a program by how targets may be packed.
#[derive(Debug)]
pub struct PackedForms<F>(Mutex<Vec<Found<F>>>);

impl<F> Default for PackedForms<F> {
    fn default() -> PackedForms<F> {
        PackedForms(Mutex::default())
    }
}

impl<F> PackedForms<F> {
    /// The form where targets may be packed so, if there is one; made when it is first asked for.
    pub fn get<E>(
        &self,
        packings: Vec<Packing>,
        make: impl FnOnce(&[Packing]) -> Option<Result<F, E>>,
    ) -> Result<Option<Arc<F>>, E> {
        let mut forms = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, form)) = forms.iter().find(|(of, _)| *of == packings) {
            return Ok(form.clone());
        }
        let form = make(&packings).transpose()?.map(Arc::new);
        forms.push((packings, form.clone()));
        Ok(form)
    }
}
