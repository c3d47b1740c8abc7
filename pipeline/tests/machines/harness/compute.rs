//! Workgroups on a chip: code, descriptors and a command stream in memory, beside the same workgroups run directly.

use isa::MemoryBlock;
use pipeline::codegen::Binary;
use pipeline::ir::Function;
use pipeline::layout::MAX_PUSH_CONSTANT_BYTES;
use pipeline::targets::{
    ComputeBindings, ComputeParts, Dispatch, DrawConstants, PowerOn, UserData,
};
use silicon::{Addr, SimdLevel};

use super::start::Start;
use super::texels::{Plain, Texels};
use super::{Machine, Outcome};
use crate::direct::{LIMIT, World};

/// Bytes of memory of the chip.
const MEMORY_BYTES: u64 = 64 << 20;

/// How workgroups are run.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    pub seed: u64,
    pub groups: [u32; 3],
    /// The number of groups lies in memory.
    pub indirect: bool,
    /// Threads of the chip.
    pub threads: usize,
    /// Vector instructions of the host; none picks the best.
    pub level: Option<SimdLevel>,
}

impl dyn Machine + '_ {
    /// What differs between workgroups run directly and on the chip.
    pub fn in_groups(&self, function: &Function, binary: &Binary, run: Run) -> Result<(), String> {
        let chip = self.target().chip;
        let world = self.given(function, World::random(function, run.seed));
        let texels = Texels::random(self, function, run.seed);
        let (start, left) = self.dispatch(function, binary, (&world, &texels), run)?;

        let mut world = world.with(Plain {
            machine: self,
            texels: &texels,
        });
        world.run_groups(&self.computed(function), run.groups);
        let wanted = Outcome::direct(self, function, world);
        let found = Outcome {
            buffers: start.buffers(&left),
            ..Outcome::default()
        };
        wanted.compare(&found)?;
        for (at, bytes) in start.images(&left) {
            if let Some(difference) = texels.difference(chip, at, &bytes) {
                return Err(difference);
            }
        }
        Ok(())
    }

    /// Runs workgroups in a world without textures; the buffers that they leave.
    pub fn groups_leave(
        &self,
        function: &Function,
        binary: &Binary,
        world: &World,
        run: Run,
    ) -> Result<Vec<Vec<Vec<u32>>>, String> {
        let texels = Texels::random(self, function, run.seed);
        let (start, left) = self.dispatch(function, binary, (world, &texels), run)?;
        Ok(start.buffers(&left))
    }

    /// Runs workgroups on the chip: what they started with, and the memory that they leave.
    fn dispatch(
        &self,
        function: &Function,
        binary: &Binary,
        (world, texels): (&World, &Texels),
        run: Run,
    ) -> Result<(Start, Vec<MemoryBlock>), String> {
        let target = self.target();
        let chip = target.chip;
        let mut start = Start::real(chip, function, world, texels);
        let stage = chip.compute()?;

        let mut data = UserData::default();
        for (group, set) in start.sets.clone().iter().enumerate() {
            data.sets[group] = start.range(set).address;
        }
        let mut scratch = Vec::new();
        if binary.scratch_bytes > 0 {
            let bytes = chip.scratch_bytes(binary.scratch_bytes);
            let at = start.range(&vec![0xdead_beef; bytes as usize / 4]).address;
            chip.scratch_descriptor(at, binary.scratch_bytes, &mut scratch);
        }
        let mut push: Vec<u8> = world.push.iter().flat_map(|w| w.to_le_bytes()).collect();
        push.resize(MAX_PUSH_CONSTANT_BYTES as usize, 0);
        let constants = chip.constants(&push, &scratch, DrawConstants::default());
        data.push_constants = Addr(start.place(&constants));
        let count = start.range(&run.groups).address;
        let code = start.range(&binary.words).address;

        let mut words = Vec::new();
        chip.begin(&mut words);
        let parts = ComputeParts {
            shader: (binary, code),
            scratch: &scratch,
        };
        stage.pipeline(&parts, &mut words);
        let dispatch = match run.indirect {
            true => Dispatch::Indirect(count),
            false => Dispatch::Direct(run.groups),
        };
        let bound = ComputeBindings {
            shader: binary,
            data: &data,
            count,
        };
        // Blocks lie at multiples of more than any chip asks for.
        let mut put = |bytes: &[u8], _| Ok(Addr(start.place(bytes)));
        stage
            .dispatch(dispatch, &bound, &mut put, &mut words)
            .map_err(|error| error.to_string())?;
        chip.end(&mut words);
        let stream = start.range(&words);

        let mut gpu = (target.power_on)(&PowerOn {
            memory_bytes: MEMORY_BYTES,
            threads: Some(run.threads),
            simd: run.level,
            wave_cost: LIMIT,
            fine_depth: false,
            // The other form of data share accesses runs, too.
            strict: !run.indirect,
        });
        start.load(gpu.memory());
        let end = Addr(stream.address.0 + stream.bytes);
        gpu.execute(stream.address..end)
            .map_err(|trap| trap.to_string())?;
        let left = start.blocks(gpu.memory());
        Ok((start, left))
    }
}
