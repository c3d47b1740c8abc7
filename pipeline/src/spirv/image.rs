//! Images: texels and queries; sampling is in `sampling`. [SPIRV 3.42.10, VULKAN Image Operations]

use spirv::Op;

use super::lower::{Handle, Lowerer, Val};
use super::module::Result;
use super::types::{Image, StandsFor};
use super::words::Inst;
use crate::ir::{self, Access, Dim, ImageKind, LaneOp, ResourceKind, Stage, Value};
use crate::lower::image::{Texel, Texture};

impl<'a> Lowerer<'a> {
    pub(super) fn image_instruction(&mut self, inst: &Inst, ids: &[u32]) -> Result<()> {
        let words = match inst.op {
            Op::SampledImage | Op::Image | Op::ImageTexelPointer => {
                let val = self.handle_of(inst)?;
                return self.set(inst, val);
            }
            Op::ImageSampleImplicitLod
            | Op::ImageSampleExplicitLod
            | Op::ImageSampleProjImplicitLod
            | Op::ImageSampleProjExplicitLod => self.sample(inst, ids, 2)?,
            Op::ImageSampleDrefImplicitLod
            | Op::ImageSampleDrefExplicitLod
            | Op::ImageSampleProjDrefImplicitLod
            | Op::ImageSampleProjDrefExplicitLod => self.sample(inst, ids, 3)?,
            Op::ImageGather | Op::ImageDrefGather => self.gather(inst, ids)?,
            Op::ImageFetch | Op::ImageRead => {
                let [image, at] = self.operands(inst)?;
                let (texture, image) = self.texture(inst, image)?;
                let mut at = self.texel_of(inst, &image, at)?;
                if image.attachment {
                    at = self.own_pixel(inst, &image, &at)?;
                }
                let extras = self.extras(inst, &image, &ids[2..])?;
                let texel = Texel {
                    at,
                    sample: extras.sample,
                    level: extras.lod.filter(|_| !image.storage),
                };
                if image.storage {
                    self.note_storage(texture.access, true, false);
                }
                let ty = self.ty(Some(inst), inst.ty)?;
                let mut words = self.fetch(texture, texel);
                words.truncate(ty.words() as usize);
                words
            }
            Op::ImageWrite => {
                let [image, at, value] = self.operands(inst)?;
                let (texture, image) = self.texture(inst, image)?;
                let mut args = self.texel_of(inst, &image, at)?;
                let value = self.words(inst, value)?;
                if !image.storage || value.is_empty() || value.len() > 4 || !self.are_words(&value)
                {
                    return self.error(inst, "it writes a texel of a storage image");
                }
                let zero = self.b.word(0);
                let padding = std::iter::repeat_n(zero, 4 - value.len());
                args.extend(value.iter().copied().chain(padding));
                self.note_storage(texture.access, false, true);
                self.texture_op(ImageKind::Store, texture, args);
                return Ok(());
            }
            Op::ImageQuerySizeLod | Op::ImageQuerySize => self.size(inst, ids)?,
            Op::ImageQueryLod => self.query_lod(inst)?,
            Op::ImageQueryLevels | Op::ImageQuerySamples => {
                let [image] = self.operands(inst)?;
                let (texture, _) = self.texture(inst, image)?;
                let kind = match inst.op {
                    Op::ImageQueryLevels => ImageKind::Levels,
                    _ => ImageKind::Samples,
                };
                self.texture_op(kind, texture, Vec::new())
            }
            op => return self.module.lacks(inst, format!("Op{op:?}")),
        };
        self.set(inst, Val::Words(words.into()))
    }

    pub(super) fn handle(&mut self, inst: &Inst, id: u32) -> Result<Handle> {
        match self.val(inst, id)? {
            Val::Handle(handle) if handle.count.is_none() => Ok(handle),
            _ => self.error(
                inst,
                format!("{} is no image or sampler", self.module.name(id)),
            ),
        }
    }

    pub(super) fn texture(&mut self, inst: &Inst, id: u32) -> Result<(Texture, Image)> {
        let handle = self.handle(inst, id)?;
        match (handle.texture, handle.image) {
            (Some(access), Some(image)) => {
                let shape = image.shape;
                Ok((Texture { access, shape }, image))
            }
            _ => self.error(inst, format!("{} is no image", self.module.name(id))),
        }
    }

    fn handle_of(&mut self, inst: &Inst) -> Result<Val> {
        let [first, second, third] = {
            let ids = self.module.words.operands(inst);
            [0, 1, 2].map(|at| ids.get(at).copied().unwrap_or(0))
        };
        Ok(match inst.op {
            Op::SampledImage => {
                let (image, sampler) = (self.handle(inst, first)?, self.handle(inst, second)?);
                if image.texture.is_none() || sampler.sampler.is_none() {
                    return self.error(inst, "it joins an image and a sampler");
                }
                Val::Handle(Handle {
                    sampler: sampler.sampler,
                    ..image
                })
            }
            Op::Image => Val::Handle(Handle {
                sampler: None,
                ..self.handle(inst, first)?
            }),
            _ => {
                let (texture, image) = self.texture(inst, first)?;
                let sample = self.word(inst, third)?;
                if !image.storage || self.b.known_word(sample) != Some(0) {
                    return self.error(inst, "it points into no storage image of one sample");
                }
                if image.format == spirv::ImageFormat::Unknown {
                    return self.error(inst, "it points into a storage image without a format");
                }
                let at = self.texel_of(inst, &image, second)?;
                Val::Texel(texture, at.into())
            }
        })
    }

    /// Integer coordinates and layer.
    fn texel_of(&mut self, inst: &Inst, image: &Image, id: u32) -> Result<Vec<Value>> {
        let words = self.words(inst, id)?;
        let layer = image.shape.arrayed && !image.attachment;
        let count = image.given_coordinates() + usize::from(layer);
        if image.shape.dim == Dim::Cube {
            return self.module.lacks(inst, "a texel of a cube by its number");
        }
        let Some(words) = words.get(..count).filter(|words| self.are_words(words)) else {
            return self.error(inst, format!("there are {} coordinates", words.len()));
        };
        let mut words = words.to_vec();
        if image.stands_for == StandsFor::Rows {
            words.insert(1, self.b.word(0));
        }
        Ok(words)
    }

    /// Coordinates of the fragment's pixel, moved, and its layer. [VULKAN Input Attachment]
    fn own_pixel(&mut self, inst: &Inst, image: &Image, by: &[Value]) -> Result<Vec<Value>> {
        if self.b.function().stage != Stage::Fragment {
            return self.error(inst, "only fragment shaders read input attachments");
        }
        let axes = (0..).zip(by);
        let mut at: Vec<Value> = axes
            .map(|(axis, &by)| {
                let op = ir::Op::Builtin(ir::Builtin::FragCoord(axis));
                let centre = self.b.single(op, Vec::new(), ir::Type::Word);
                let pixel = self.b.alu(LaneOp::F32ToI32, &[centre]);
                match self.b.known_word(by) {
                    Some(0) => pixel,
                    _ => self.b.alu(LaneOp::IAdd, &[pixel, by]),
                }
            })
            .collect();
        if image.shape.arrayed {
            let op = ir::Op::Builtin(ir::Builtin::Layer);
            at.push(self.b.single(op, Vec::new(), ir::Type::Word));
        }
        Ok(at)
    }

    fn size(&mut self, inst: &Inst, ids: &[u32]) -> Result<Vec<Value>> {
        let [image] = self.operands(inst)?;
        let (texture, image) = self.texture(inst, image)?;
        let mut args = Vec::new();
        if let (Op::ImageQuerySizeLod, Some(&level)) = (inst.op, ids.get(1)) {
            let level = self.word(inst, level)?;
            if self.b.known_word(level) != Some(0) {
                args.push(level);
            }
        }
        let kind = ImageKind::Size {
            level: !args.is_empty(),
        };
        let mut words = self.texture_op(kind, texture, args);
        if image.stands_for == StandsFor::Rows {
            words.truncate(1);
        }
        if texture.shape.arrayed && image.stands_for != StandsFor::Cube {
            let mut layers = self.texture_op(ImageKind::Layers, texture, Vec::new())[0];
            if image.stands_for == StandsFor::Cubes {
                let faces = self.b.word(6);
                layers = self.b.alu(LaneOp::UDiv, &[layers, faces]);
            }
            words.push(layers);
        }
        Ok(words)
    }

    /// Notes that texels of a storage image are read or written.
    pub(super) fn note_storage(&mut self, access: Access, reads: bool, writes: bool) {
        let resources = &mut self.b.function().interface.resources;
        if let Some(resource) = resources.get_mut(access.resource as usize)
            && let ResourceKind::StorageTexture { read, write, .. } = &mut resource.kind
        {
            *read |= reads;
            *write |= writes;
        }
    }
}
