//! The driver's part of the compute stage: pipelines to registers, dispatches to control streams.

use ::rogue::regs::{
    CDM_GROUP, CDM_PRIVATE_LO, CDM_SHARED, CdmGroup, PDS_CS_LOADS_LO, USC_CS_CODE_LO,
    USC_CS_CODE_WORDS, USC_CS_SHARED,
};
use ::rogue::stream::job;

use super::bindings;
use super::packets::{Stream, address};
use super::state::Rogue;
use crate::targets::{Compute, ComputeBindings, ComputeParts, Dispatch, Put};
use crate::upload::Result;

impl Compute for Rogue {
    fn pipeline(&self, parts: &ComputeParts<'_>, out: &mut Vec<u32>) {
        let (binary, at) = parts.shader;
        let out = &mut Stream(out);
        out.set(USC_CS_CODE_LO, &address(at));
        out.set(USC_CS_CODE_WORDS, &[binary.words.len() as u32]);
        for (register, value) in &binary.registers {
            out.set(*register, &[*value]);
        }
        let workgroup = binary.interface.workgroup;
        let [x, y, z] = workgroup.size.map(|size| (size - 1) as u16);
        let group = CdmGroup {
            x,
            y,
            z,
            ..CdmGroup::from_word(0)
        };
        out.set(CDM_GROUP, &[group.pack()]);
        out.set(CDM_SHARED, &[workgroup.shared_bytes]);
        let private = match *parts.scratch {
            [low, high, ..] => [low, high, binary.scratch_bytes],
            _ => [0; 3],
        };
        out.set(CDM_PRIVATE_LO, &private);
    }

    /// The data master tells shaders how many groups there are.
    fn dispatch(
        &self,
        dispatch: Dispatch,
        bound: &ComputeBindings<'_>,
        put: &mut Put<'_>,
        out: &mut Vec<u32>,
    ) -> Result<()> {
        let places = (USC_CS_SHARED, PDS_CS_LOADS_LO);
        bindings::stage((bound.shader, bound.data), places, put, out)?;
        let out = &mut Stream(out);
        match dispatch {
            Dispatch::Direct(groups) => out.job(job::DISPATCH, 0, &groups),
            Dispatch::Indirect(at) => out.job(job::DISPATCH_INDIRECT, 0, &address(at)),
        }
        Ok(())
    }
}
