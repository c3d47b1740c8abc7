//! Rules of draws: everything bound fits the pipeline.

use std::ops::Range;

use pipeline::names::Name;
use wgpu_types::{IndexFormat, TextureFormat, VertexStepMode};

use crate::command::CommandBuffer;
use crate::error::{Label, counted, rules};
use crate::pipeline::GraphicsPipeline;
use crate::recorded::{BoundSet, Command, Pass};
use crate::shader::Stage;
use crate::validate::sets::{self, TooSmall};

rules! {
    /// A draw that cannot be recorded.
    pub enum DrawError {
        /// Draws are recorded inside a pass.
        "draw-pass", "a draw is recorded outside of a pass; call `begin_pass` before"
        => NoPass;
        /// A pipeline is bound.
        "draw-pipeline", "no graphics pipeline is bound; call `bind_pipeline` before"
        => NoPipeline;
        /// The attachments have the formats that the pipeline was made for.
        "draw-attachment-format", "{attachment} of {pass} {actual}, but {pipeline} was made for {expected}",
        actual = actual.as_ref().map_or("is missing".to_owned(), |format| format!("is {}", format.name())),
        expected = expected.name()
        => AttachmentFormat { pass: Label, pipeline: Label, attachment: String, actual: Option<TextureFormat>, expected: Option<TextureFormat> };
        /// The attachments have as many samples as the pipeline.
        "draw-samples", "{pass} has {actual}, but {pipeline} was made for {expected}", actual = counted(*actual, "sample")
        => Samples { pass: Label, pipeline: Label, actual: u32, expected: u32 };
        /// A pipeline that writes depth or stencil is not used where that is read only.
        "draw-read-only", "{pipeline} writes {aspect}, which is read only in {pass}"
        => ReadOnly { pass: Label, pipeline: Label, aspect: &'static str };
        /// Every set of the pipeline's layout is bound.
        "draw-set", "{pipeline} needs descriptor set {index} of {layout}; none is bound"
        => NoSet { pipeline: Label, index: u32, layout: Label };
        /// A bound set has the layout that the pipeline asks for.
        "draw-set-layout", "{set} at {index} has {found}, but {pipeline} needs {layout}"
        => SetLayout { pipeline: Label, index: u32, set: Label, found: Label, layout: Label };
        /// A bound buffer holds what the shaders take of it: the whole type, with one element of a run-time array.
        "draw-set-size", "{set} at {index} binds {bytes} bytes of {buffer} to binding {binding}, but `{name}` of the {stage} shader of {pipeline} takes {wanted}",
        stage = stage.name()
        => SetSize { pipeline: Label, set: Label, buffer: Label, index: u32, binding: u32, stage: Stage, name: String, bytes: u64, wanted: u64 };
        /// Every vertex buffer of the pipeline is bound.
        "draw-vertex-buffer", "{pipeline} reads vertex buffer {slot}; none is bound"
        => NoVertexBuffer { pipeline: Label, slot: u32 };
        /// Vertices and instances lie within the vertex buffers (indices are checked by the device: fetches outside give zero).
        "draw-vertex-range", "{what} {last} is read from {buffer}, which holds {count} elements of {stride} bytes"
        => VertexRange { what: &'static str, last: u64, buffer: Label, count: u64, stride: u32 };
        /// An index buffer is bound.
        "draw-index-buffer", "no index buffer is bound; call `bind_index_buffer` before"
        => NoIndexBuffer;
        /// Indices lie within the index buffer.
        "draw-index-range", "index {last} is read from {buffer}, which holds {count} indices"
        => IndexRange { last: u64, buffer: Label, count: u64 };
        /// The device takes arguments of draws from memory.
        "draw-indirect", "{device} takes no arguments of draws from memory"
        => NoIndirect { device: &'static str };
        /// A buffer with arguments has the usage.
        "draw-indirect-usage", "arguments of draws are read from {buffer}, which lacks the usage INDIRECT"
        => IndirectUsage { buffer: Label };
        /// Arguments, and the distances between them, are whole words; those of several draws do not overlap.
        "draw-indirect-align", "{draws} draws take {bytes} bytes of arguments each at byte {offset} of {buffer}, {stride} bytes apart; offset and distance must be multiples of 4, and the distance no less than the size"
        => IndirectAlign { buffer: Label, offset: u64, draws: u32, bytes: u64, stride: u32 };
        /// Arguments lie within their buffer.
        "draw-indirect-range", "{draws} draws take {bytes} bytes of arguments each at byte {offset} of {buffer}, {stride} bytes apart; it has {size} bytes"
        => IndirectRange { buffer: Label, offset: u64, draws: u32, bytes: u64, stride: u32, size: u64 };
        /// Ranges do not run backwards.
        "draw-range", "{what} {start}..{end} runs backwards"
        => Backwards { what: &'static str, start: u32, end: u32 };
        /// A strip is drawn with the index format that its pipeline was made for.
        "draw-strip-format", "{pipeline} was made for strips with {expected}, but the index buffer has {actual} indices",
        expected = expected.map_or("no index format".to_owned(), |format| format!("{} indices", format.name())),
        actual = actual.name()
        => StripFormat { pipeline: Label, expected: Option<IndexFormat>, actual: IndexFormat };
        /// An attachment is not read by the shaders of its own pass, but as an input attachment that shows no more than it.
        "draw-feedback", "{set} reads {image}, which is an attachment of {pass}"
        => Feedback { set: Label, image: Label, pass: Label };
    }
}

impl DrawError {
    /// A bound buffer of a set is too small.
    pub(crate) fn too_small(pipeline: &GraphicsPipeline, found: TooSmall) -> DrawError {
        DrawError::SetSize {
            pipeline: pipeline.label().clone(),
            set: found.set,
            buffer: found.buffer,
            index: found.need.group,
            binding: found.need.binding,
            stage: found.need.stage,
            name: found.need.name,
            bytes: found.bytes,
            wanted: found.need.bytes,
        }
    }
}

impl CommandBuffer {
    /// Draws vertices in order, once for each instance. Empty ranges draw nothing. [VULKAN Programmable Primitive
    /// Shading]
    ///
    /// Errors: [`DrawError`] for what is not bound, does not fit the pass, or lies beyond a vertex buffer.
    pub fn draw(&mut self, vertices: Range<u32>, instances: Range<u32>) -> Result<(), DrawError> {
        let pipeline = self.check_draw(&vertices, &instances)?;
        self.check_vertices(&pipeline, VertexStepMode::Vertex, "vertex", &vertices)?;
        self.check_vertices(&pipeline, VertexStepMode::Instance, "instance", &instances)?;
        self.push(Command::Draw {
            elements: vertices,
            instances,
            base_vertex: None,
        });
        Ok(())
    }

    /// Draws the vertices that the index buffer lists in positions `indices`; `base_vertex` is added to every index.
    /// Vertices outside of the vertex buffers are zeros.
    ///
    /// ```
    /// # mod setup { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/examples/setup.rs")); }
    /// # use girih::*;
    /// # let (device, queue) = setup::device()?;
    /// # let (image, view) = setup::image(&device, TextureFormat::Rgba8Unorm, 1)?;
    /// # let pipeline = setup::pipeline(&device, setup::FILL, &[], |_| ())?;
    /// # let blue = setup::blue(&view);
    /// # let indices = setup::buffer(&device, 8, BufferUsages::INDEX)?;
    /// # let mut commands = device.create_command_buffer(None);
    /// # commands.begin_pass(&RenderPass { colors: &[Some(blue)], ..RenderPass::default() })?;
    /// # commands.bind_pipeline(&pipeline)?;
    /// indices.write(0, &[10_u16, 11, 12].map(u16::to_le_bytes).concat())?;
    /// commands.bind_index_buffer(&indices, 0, IndexFormat::Uint16)?;
    /// commands.draw_indexed(0..3, -10, 0..1)?; // vertices 0, 1 and 2
    /// # commands.end_pass()?;
    /// # queue.submit(&[&commands], &[])?;
    /// assert_eq!(queue.read_picture(&image)?.get_pixel(8, 8).0, [255, 128, 0, 255]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Errors: as [`CommandBuffer::draw`], and [`DrawError::NoIndexBuffer`], [`DrawError::IndexRange`],
    /// [`DrawError::StripFormat`].
    pub fn draw_indexed(
        &mut self,
        indices: Range<u32>,
        base_vertex: i32,
        instances: Range<u32>,
    ) -> Result<(), DrawError> {
        let pipeline = self.check_draw(&indices, &instances)?;
        let Some((buffer, bytes, format)) = &self.recording.index_buffer else {
            return Err(DrawError::NoIndexBuffer);
        };
        let count = bytes / u64::from(format.byte_size());
        if u64::from(indices.end) > count {
            return Err(DrawError::IndexRange {
                last: u64::from(indices.end) - 1,
                buffer: buffer.label().clone(),
                count,
            });
        }
        check_strip(&pipeline, *format)?;
        self.check_vertices(&pipeline, VertexStepMode::Instance, "instance", &instances)?;
        self.push(Command::Draw {
            elements: indices,
            instances,
            base_vertex: Some(base_vertex),
        });
        Ok(())
    }

    pub(crate) fn check_draw(
        &mut self,
        elements: &Range<u32>,
        instances: &Range<u32>,
    ) -> Result<GraphicsPipeline, DrawError> {
        let Some(pass) = self.recording.pass.clone() else {
            return Err(DrawError::NoPass);
        };
        let Some(pipeline) = self.recording.pipeline.clone() else {
            return Err(DrawError::NoPipeline);
        };
        for (what, range) in [("elements", elements), ("instances", instances)] {
            if range.start > range.end {
                return Err(DrawError::Backwards {
                    what,
                    start: range.start,
                    end: range.end,
                });
            }
        }
        check_attachments(&pass, &pipeline)?;
        self.check_sets(&pass, &pipeline)?;
        for slot in 0..pipeline.state().vertex_buffers.len() as u32 {
            if !self.recording.vertex_buffers.contains_key(&slot) {
                return Err(DrawError::NoVertexBuffer {
                    pipeline: pipeline.label().clone(),
                    slot,
                });
            }
        }
        Ok(pipeline)
    }

    fn check_sets(&mut self, pass: &Pass, pipeline: &GraphicsPipeline) -> Result<(), DrawError> {
        for (index, layout) in pipeline.layout().sets().iter().enumerate() {
            let index = index as u32;
            let Some(BoundSet { set, .. }) = self.recording.sets.get(&index) else {
                if layout.inner.entries.is_empty() {
                    continue;
                }
                return Err(DrawError::NoSet {
                    pipeline: pipeline.label().clone(),
                    index,
                    layout: layout.label().clone(),
                });
            };
            if !set.layout().is_compatible(layout) {
                return Err(DrawError::SetLayout {
                    pipeline: pipeline.label().clone(),
                    index,
                    set: set.label().clone(),
                    found: set.layout().label().clone(),
                    layout: layout.label().clone(),
                });
            }
            if !self.recording.unchecked_sets.contains(&index) {
                continue;
            }
            sets::feedback(pass, set)?;
            self.recording.unchecked_sets.remove(&index);
        }
        if self.recording.unchecked_sizes {
            sets::sizes(&pipeline.inner.buffers, |index| {
                self.recording.sets.get(&index)
            })
            .map_err(|found| DrawError::too_small(pipeline, *found))?;
            self.recording.unchecked_sizes = false;
        }
        Ok(())
    }

    fn check_vertices(
        &self,
        pipeline: &GraphicsPipeline,
        step: VertexStepMode,
        what: &'static str,
        range: &Range<u32>,
    ) -> Result<(), DrawError> {
        let layouts = pipeline.state().vertex_buffers.iter().enumerate();
        for (slot, layout) in layouts {
            if layout.step != step || layout.stride == 0 || range.is_empty() {
                continue;
            }
            let Some((buffer, bytes)) = self.recording.vertex_buffers.get(&(slot as u32)) else {
                continue;
            };
            // The last element may be shorter than the stride.
            let ends = layout.attributes.iter().map(|a| a.offset + a.format.size());
            let used = ends.max().unwrap_or(0);
            let stride = u64::from(layout.stride);
            let count = match bytes.checked_sub(used) {
                Some(rest) => rest / stride + 1,
                None => 0,
            };
            if u64::from(range.end) > count {
                return Err(DrawError::VertexRange {
                    what,
                    last: u64::from(range.end) - 1,
                    buffer: buffer.label().clone(),
                    count,
                    stride: layout.stride,
                });
            }
        }
        Ok(())
    }
}

/// A strip restarts at the largest index of the bound format.
pub(super) fn check_strip(
    pipeline: &GraphicsPipeline,
    format: IndexFormat,
) -> Result<(), DrawError> {
    let primitive = &pipeline.state().primitive;
    if primitive.topology.is_strip() && primitive.strip_index_format != Some(format) {
        return Err(DrawError::StripFormat {
            pipeline: pipeline.label().clone(),
            expected: primitive.strip_index_format,
            actual: format,
        });
    }
    Ok(())
}

fn check_attachments(pass: &Pass, pipeline: &GraphicsPipeline) -> Result<(), DrawError> {
    let state = pipeline.state();
    if pass.samples != state.multisample.count {
        return Err(DrawError::Samples {
            pass: pass.label.clone(),
            pipeline: pipeline.label().clone(),
            actual: pass.samples,
            expected: state.multisample.count,
        });
    }
    let wrong = |attachment: String, actual, expected| DrawError::AttachmentFormat {
        pass: pass.label.clone(),
        pipeline: pipeline.label().clone(),
        attachment,
        actual,
        expected,
    };
    let (colors, attached) = (&pass.targets.colors, pass.targets.depth_stencil.as_ref());
    for i in 0..colors.len().max(state.targets.len()) {
        let actual = colors
            .get(i)
            .and_then(Option::as_ref)
            .map(|color| color.view.format());
        let target = state.targets.get(i).and_then(|target| target.as_ref());
        let expected = target.map(|target| target.format);
        // A pipeline without fragment shader leaves colors alone, and so does one without that target.
        if expected.is_some() && actual != expected {
            return Err(wrong(format!("color attachment {i}"), actual, expected));
        }
    }
    let depth = state.depth_stencil.as_ref();
    let expected = depth.map(|depth| depth.format);
    let actual = attached.map(|depth| depth.view.format());
    if expected.is_some() && expected != actual {
        let attachment = "the depth-stencil attachment".to_owned();
        return Err(wrong(attachment, actual, expected));
    }
    let Some(depth) = depth else { return Ok(()) };
    let aspect = if attached.is_some_and(|found| found.depth.is_read_only())
        && !depth.is_depth_read_only()
    {
        "depth"
    } else if attached.is_some_and(|found| found.stencil.is_read_only())
        && !depth.is_stencil_read_only(state.primitive.cull_mode)
    {
        "stencil"
    } else {
        return Ok(());
    };
    Err(DrawError::ReadOnly {
        pass: pass.label.clone(),
        pipeline: pipeline.label().clone(),
        aspect,
    })
}
