//! Other forms of a program, for some of its waves: the same instructions with what is known of those waves.

use std::sync::{Arc, Mutex, PoisonError};

use lanes::{DefaultEngine, Liveness, Program, Wave};
use silicon::Trap;
use silicon::fragment::output::Packing;
use silicon::fragment::scan::PixelStage;

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
    /// From steps as they were lifted, for waves that may run `own` as well: they have its scalars at least. `improve` is
    /// what is done with any program of the chip.
    pub fn new(
        engine: &DefaultEngine,
        own: &LoadedProgram,
        mut program: Program,
        improve: fn(&mut Program),
    ) -> Result<Form, Trap> {
        let given = program.scalars;
        improve(&mut program);
        let live = Liveness::new(&program);
        program.scalars = program.scalars.max(own.scalars as u16);
        Ok(Form {
            program: own.with_steps(engine, &program)?,
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

/// Steps that pack exports.
#[derive(Debug)]
pub struct PackingSteps<E> {
    /// The program.
    pub program: Program,
    /// How targets are packed: those of which some were asked for.
    pub packings: Vec<Packing>,
    /// What each port exports.
    pub exports: Vec<E>,
}

/// A form whose waves export texels.
#[derive(Debug)]
pub struct PackedExports<E> {
    /// The form.
    pub form: Form,
    packings: Vec<Packing>,
    /// What each port exports.
    pub exports: Vec<E>,
}

/// What was found for a way of packing.
type Found<E> = (Vec<Packing>, Option<Arc<PackedExports<E>>>);

/// Forms of a program by how targets may be packed.
#[derive(Debug)]
pub struct PackedForms<E>(Mutex<Vec<Found<E>>>);

impl<E> Default for PackedForms<E> {
    fn default() -> PackedForms<E> {
        PackedForms(Mutex::default())
    }
}

impl<E> PackedForms<E> {
    /// The form where targets may be packed so, if `steps` are found for one; made when it is first asked for. Its waves
    /// may run `own` as well.
    pub fn get(
        &self,
        (engine, own, improve): (&DefaultEngine, &LoadedProgram, fn(&mut Program)),
        packings: Vec<Packing>,
        steps: impl FnOnce(&[Packing]) -> Option<PackingSteps<E>>,
    ) -> Result<Option<Arc<PackedExports<E>>>, Trap> {
        let mut forms = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, form)) = forms.iter().find(|(of, _)| *of == packings) {
            return Ok(form.clone());
        }
        let form = steps(&packings).map(|steps| {
            Ok(Arc::new(PackedExports {
                form: Form::new(engine, own, steps.program, improve)?,
                packings: steps.packings,
                exports: steps.exports,
            }))
        });
        let form = form.transpose()?;
        forms.push((packings, form.clone()));
        Ok(form)
    }
}

/// A pixel shader that may have forms with packed exports.
pub trait Packs {
    /// What a port exports.
    type Export;

    /// Its form where targets may be packed so, if it has one.
    fn packed_form(
        &self,
        packings: Vec<Packing>,
    ) -> Result<Option<Arc<PackedExports<Self::Export>>>, Trap>;

    /// Has waves of whole tiles run a form.
    fn take_packed(&mut self, form: Arc<PackedExports<Self::Export>>);
}

/// Lets the pixel shader of a stage pack what it exports.
pub fn pack<S: Packs>(stage: &mut PixelStage<S>) -> Result<(), Trap> {
    let packings = stage.packings();
    let Some(shader) = stage.shader.as_ref().filter(|_| !packings.is_empty()) else {
        return Ok(());
    };
    if let Some(form) = shader.packed_form(packings)? {
        stage.take_packed(&form.packings);
        stage.each_shader(|shader| shader.take_packed(form.clone()));
    }
    Ok(())
}
