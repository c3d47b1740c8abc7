//! Dispatches and their rules: everything bound fits the pipeline.

use wgpu_types::BufferUsages;

use crate::buffer::Buffer;
use crate::command::CommandBuffer;
use crate::compute::ComputePipeline;
use crate::error::{Label, rules};
use crate::recorded::{BoundSet, Command};
use crate::validate::sets::{self, TooSmall};

/// Bytes of the arguments of a dispatch: groups along x, y and z.
const ARGUMENTS: u64 = 12;

rules! {
    /// A dispatch that cannot be recorded.
    pub enum DispatchError {
        /// Dispatches are recorded inside a compute pass.
        "dispatch-pass", "a dispatch is recorded outside of a compute pass; call `begin_compute_pass` before"
        => NoPass;
        /// A compute pipeline is bound.
        "dispatch-pipeline", "no compute pipeline is bound; call `bind_compute_pipeline` before"
        => NoPipeline;
        /// Every set of the pipeline's layout is bound.
        "dispatch-set", "{pipeline} needs descriptor set {index} of {layout}; none is bound"
        => NoSet { pipeline: Label, index: u32, layout: Label };
        /// A bound set has the layout that the pipeline asks for.
        "dispatch-set-layout", "{set} at {index} has {found}, but {pipeline} needs {layout}"
        => SetLayout { pipeline: Label, index: u32, set: Label, found: Label, layout: Label };
        /// A bound buffer holds what the shader takes of it: the whole type, with one element of a run-time array.
        "dispatch-set-size", "{set} at {index} binds {bytes} bytes of {buffer} to binding {binding}, but `{name}` of {pipeline} takes {wanted}"
        => SetSize { pipeline: Label, set: Label, buffer: Label, index: u32, binding: u32, name: String, bytes: u64, wanted: u64 };
        /// There are no more groups along an axis than the device takes.
        "dispatch-groups", "a dispatch of {x} x {y} x {z} groups; the device takes up to {limit} along an axis"
        => Groups { x: u32, y: u32, z: u32, limit: u32 };
        /// A buffer with arguments has the usage.
        "dispatch-indirect-usage", "arguments of a dispatch are read from {buffer}, which lacks the usage INDIRECT"
        => IndirectUsage { buffer: Label };
        /// Arguments are whole words.
        "dispatch-indirect-align", "arguments of a dispatch are read at byte {offset} of {buffer}; offsets must be multiples of 4"
        => IndirectAlign { buffer: Label, offset: u64 };
        /// Arguments lie within their buffer.
        "dispatch-indirect-range", "a dispatch takes {bytes} bytes of arguments at byte {offset} of {buffer}, which has {size} bytes"
        => IndirectRange { buffer: Label, offset: u64, bytes: u64, size: u64 };
    }
}

impl DispatchError {
    /// A bound buffer of a set is too small.
    pub(crate) fn too_small(pipeline: &ComputePipeline, found: TooSmall) -> DispatchError {
        DispatchError::SetSize {
            pipeline: pipeline.label().clone(),
            set: found.set,
            buffer: found.buffer,
            index: found.need.group,
            binding: found.need.binding,
            name: found.need.name,
            bytes: found.bytes,
            wanted: found.need.bytes,
        }
    }
}

impl CommandBuffer {
    /// Runs the groups of the compute pipeline: as many along x, y and z; with none along an axis nothing runs. Each
    /// axis has up to [`Limits::workgroup`](crate::Limits::workgroup)`.count`.
    ///
    /// Errors: [`DispatchError`] for what is not bound or does not fit, and for too many groups.
    pub fn dispatch(&mut self, groups: [u32; 3]) -> Result<(), DispatchError> {
        self.check_dispatch()?;
        let limit = self.device.limits().workgroup.count;
        if groups.iter().any(|count| *count > limit) {
            let [x, y, z] = groups;
            return Err(DispatchError::Groups { x, y, z, limit });
        }
        self.push(Command::Dispatch(groups));
        Ok(())
    }

    /// Runs groups, as [`CommandBuffer::dispatch`], with their numbers from three words of a buffer at byte `offset`, a
    /// multiple of 4. They are read when the command runs.
    ///
    /// Errors: as [`CommandBuffer::dispatch`], and [`DispatchError::IndirectUsage`], [`DispatchError::IndirectAlign`],
    /// [`DispatchError::IndirectRange`].
    pub fn dispatch_indirect(
        &mut self,
        arguments: &Buffer,
        offset: u64,
    ) -> Result<(), DispatchError> {
        self.check_dispatch()?;
        let buffer = arguments.label().clone();
        if !arguments.usage().contains(BufferUsages::INDIRECT) {
            return Err(DispatchError::IndirectUsage { buffer });
        }
        if !offset.is_multiple_of(4) {
            return Err(DispatchError::IndirectAlign { buffer, offset });
        }
        let (bytes, size) = (ARGUMENTS, arguments.size());
        if offset.checked_add(bytes).is_none_or(|end| end > size) {
            return Err(DispatchError::IndirectRange {
                buffer,
                offset,
                bytes,
                size,
            });
        }
        self.push(Command::DispatchIndirect {
            arguments: arguments.clone(),
            offset,
        });
        Ok(())
    }

    fn check_dispatch(&mut self) -> Result<(), DispatchError> {
        if self.recording.compute.is_none() {
            return Err(DispatchError::NoPass);
        }
        let Some(pipeline) = &self.recording.compute_pipeline else {
            return Err(DispatchError::NoPipeline);
        };
        for (index, layout) in (0..).zip(pipeline.layout().sets()) {
            let Some(BoundSet { set, .. }) = self.recording.sets.get(&index) else {
                if layout.inner.entries.is_empty() {
                    continue;
                }
                return Err(DispatchError::NoSet {
                    pipeline: pipeline.label().clone(),
                    index,
                    layout: layout.label().clone(),
                });
            };
            if !set.layout().is_compatible(layout) {
                return Err(DispatchError::SetLayout {
                    pipeline: pipeline.label().clone(),
                    index,
                    set: set.label().clone(),
                    found: set.layout().label().clone(),
                    layout: layout.label().clone(),
                });
            }
        }
        if self.recording.unchecked_sizes {
            let needs = &pipeline.inner.buffers;
            sets::sizes(needs, |index| self.recording.sets.get(&index))
                .map_err(|found| DispatchError::too_small(pipeline, *found))?;
            self.recording.unchecked_sizes = false;
        }
        Ok(())
    }
}
