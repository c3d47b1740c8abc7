//! What a shader says of stream output: the decorations XfbBuffer, XfbStride and Offset. [VULKAN Transform Feedback]

use spirv::{BuiltIn, Decoration, ExecutionMode};

use super::lower::Lowerer;
use super::module::{Entry, Result};
use super::places::{Piece, Place};
use super::types::Type;
use super::words::Inst;
use crate::stream::{STREAM_BUFFERS, StreamLayout, StreamSource, StreamedOutput};

/// Where a part of an output begins.
#[derive(Clone, Copy)]
struct At {
    buffer: u32,
    offset: u32,
}

impl Lowerer<'_> {
    /// What goes to buffers of the outputs, of an entry point that has the execution mode for it.
    pub(super) fn streams(
        &mut self,
        entry: &Entry,
        outputs: &[(&Inst, Vec<Piece>)],
    ) -> Result<Option<StreamLayout>> {
        let mode = ExecutionMode::Xfb as u32;
        if !entry.modes.iter().any(|(found, _)| *found == mode) {
            return Ok(None);
        }
        let module = self.module;
        let mut layout = StreamLayout::default();
        for (inst, pieces) in outputs {
            let pointee = module.pointer(inst.ty).map_or(0, |(_, pointee)| pointee);
            let own = |what| module.decorated(inst.id, what);
            let Some(Type::Struct(members)) = module.types.get(&pointee) else {
                self.stream_part(inst, own, own, pieces.iter(), &mut layout)?;
                continue;
            };
            let mut first = 0;
            for (number, &member) in members.iter().enumerate() {
                let words = self.ty(Some(inst), member)?.words() as usize;
                let leaves = first..first + words;
                first += words;
                let of_member = |what| {
                    let words = module.member_decoration(pointee, number as u32, what);
                    words.and_then(|words| words.first().copied())
                };
                let parts = pieces.iter().filter(|p| leaves.contains(&p.first));
                self.stream_part(inst, of_member, own, parts, &mut layout)?;
            }
        }
        Ok(Some(layout))
    }

    /// Parts of one variable or member, which lie one behind the other.
    fn stream_part<'p>(
        &self,
        inst: &Inst,
        own: impl Fn(Decoration) -> Option<u32>,
        outer: impl Fn(Decoration) -> Option<u32>,
        pieces: impl Iterator<Item = &'p Piece>,
        layout: &mut StreamLayout,
    ) -> Result<()> {
        let find = |what| own(what).or_else(|| outer(what));
        let (Some(buffer), Some(offset)) = (find(Decoration::XfbBuffer), own(Decoration::Offset))
        else {
            return Ok(());
        };
        if buffer as usize >= STREAM_BUFFERS {
            return self.error(inst, format!("there is no stream buffer {buffer}"));
        }
        if let Some(stride) = find(Decoration::XfbStride) {
            layout.strides[buffer as usize] = stride;
        }
        if find(Decoration::Stream).is_some_and(|stream| stream != 0) {
            return self.module.lacks(inst, "streams beside the first");
        }
        let mut at = At { buffer, offset };
        for piece in pieces {
            self.stream_piece(inst, piece, &mut at, layout)?;
        }
        Ok(())
    }

    fn stream_piece(
        &self,
        inst: &Inst,
        piece: &Piece,
        at: &mut At,
        layout: &mut StreamLayout,
    ) -> Result<()> {
        let words = piece.words as u32;
        let mut add = |source, first, components| {
            layout.outputs.push(StreamedOutput {
                source,
                first,
                components,
                buffer: at.buffer,
                offset: at.offset,
            });
            at.offset = at.offset.saturating_add(4 * components);
        };
        match piece.at {
            Place::Location(place) => add(
                StreamSource::Location(place.location),
                place.component,
                words,
            ),
            Place::BuiltIn(BuiltIn::Position) => add(StreamSource::Position, 0, words),
            Place::BuiltIn(BuiltIn::PointSize) => add(StreamSource::PointSize, 0, 1),
            Place::BuiltIn(BuiltIn::ClipDistance) => {
                (0..piece.words.min(8) as u8).for_each(|n| add(StreamSource::Distance(n), 0, 1));
            }
            Place::BuiltIn(other) => {
                let feature = format!("stream output of the built-in {other:?}");
                return self.module.lacks(inst, feature);
            }
            Place::Nowhere => at.offset = at.offset.saturating_add(4 * words),
        }
        Ok(())
    }
}
