//! Compute shaders to pipelines: [`LinkedCompute`] is lowered, [`CompiledCompute`] is machine code for a chip.

use silicon::Addr;

use crate::codegen::{Binary, Options};
use crate::compile::{PipelineError, StageSource, image_ops};
use crate::driver::Driver;
use crate::error::Location;
use crate::ir::{Builtin, Function, ImageOp, Interface, Op, Stage};
use crate::layout::PipelineLayout;
use crate::targets::{ComputeParts, Target};
use crate::upload::{Allocate, Result, put_code, put_scratch};

/// A compute shader that is not yet compiled for a chip.
#[derive(Clone, Debug)]
pub struct LinkedCompute {
    function: Function,
}

/// A compiled compute pipeline.
#[derive(Clone, Debug)]
pub struct CompiledCompute {
    binary: Binary,
    /// The shader reads the number of workgroups.
    pub(crate) counts: bool,
    /// What sets the pipeline, once its code is in memory.
    pub(crate) words: Vec<u32>,
    /// Descriptor of the scratch memory, where the shader needs some.
    pub(crate) scratch: Vec<u32>,
    /// Where the code lies, once it is in memory.
    code: Addr,
}

impl LinkedCompute {
    /// Lowers the shader.
    pub fn link(source: &StageSource<'_>) -> Result<LinkedCompute, PipelineError> {
        let function = source.lower(Stage::Compute)?;
        Ok(LinkedCompute { function })
    }

    /// What it takes and gives.
    pub fn interface(&self) -> &Interface {
        &self.function.interface
    }

    /// What it does with textures; their resources are those of its interface.
    pub fn image_ops(&self) -> impl Iterator<Item = &ImageOp> {
        image_ops(&self.function)
    }

    /// Compiles it; descriptors lie where `layout` says.
    pub fn compile(
        self,
        target: &Target,
        layout: &PipelineLayout,
    ) -> Result<CompiledCompute, PipelineError> {
        let options = Options {
            layout: Some(layout.clone()),
            ..Options::default()
        };
        let compiled = (target.compile)(&self.function, &options);
        let binary = compiled.map_err(|source| PipelineError::Compile {
            stage: Stage::Compute,
            source,
        })?;
        let count = |op: &Op| matches!(op, Op::Builtin(Builtin::WorkgroupCount(_)));
        Ok(CompiledCompute {
            binary,
            counts: self.function.insts().any(|inst| count(&inst.op)),
            words: Vec::new(),
            scratch: Vec::new(),
            code: Addr(0),
        })
    }
}

impl CompiledCompute {
    /// The code.
    pub fn binary(&self) -> &Binary {
        &self.binary
    }

    /// Where the word of the code at an address comes from in the text. None where the code does not lie there.
    pub fn locate(&self, address: u64) -> Option<Option<Location>> {
        self.binary.locate(self.code, address)
    }

    /// Puts the code, and scratch memory beside it, into memory that `allocate` hands out.
    pub fn upload(&mut self, driver: &Driver, allocate: &mut Allocate<'_>) -> Result<()> {
        self.code = put_code(&self.binary, driver, allocate)?;
        self.scratch = put_scratch(self.binary.scratch_bytes, driver, allocate)?;
        self.words.clear();
        if let Ok(stage) = driver.target.chip.compute() {
            let parts = ComputeParts {
                shader: (&self.binary, self.code),
                scratch: &self.scratch,
            };
            stage.pipeline(&parts, &mut self.words);
        }
        Ok(())
    }
}
