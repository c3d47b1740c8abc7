//! Images: sampling, texels, queries. [SPIRV 3.42.10, VULKAN Image Operations]

use std::rc::Rc;

use spirv::{ImageOperands, Op};

use super::lower::{Handle, Lowerer, Val};
use super::module::Result;
use super::types::Image;
use super::words::Inst;
use crate::ir::{Access, Dim, ImageKind, ImageOp, LaneOp, Lod, ResourceKind, Stage, Value};
use crate::lower::image::{Texel, Texture};

/// Optional operands.
#[derive(Default)]
struct Extras {
    bias: Option<Value>,
    lod: Option<Value>,
    slopes: Option<[Rc<[Value]>; 2]>,
    offset: [i8; 3],
    offsets: Option<Rc<[Value]>>,
    sample: Option<Value>,
}

/// What is common to all ways of sampling.
struct Sampling {
    texture: Texture,
    sampler: Access,
    image: Image,
    /// Coordinates, and the layer of an array.
    coordinates: Vec<Value>,
    reference: Option<Value>,
    extras: Extras,
}

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
                let at = self.texel_of(inst, texture, at)?;
                let extras = self.extras(inst, texture, &ids[2..])?;
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
                let mut args = self.texel_of(inst, texture, at)?;
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

    fn handle(&mut self, inst: &Inst, id: u32) -> Result<Handle> {
        match self.val(inst, id)? {
            Val::Handle(handle) if handle.count.is_none() => Ok(handle),
            _ => self.error(
                inst,
                format!("{} is no image or sampler", self.module.name(id)),
            ),
        }
    }

    fn texture(&mut self, inst: &Inst, id: u32) -> Result<(Texture, Image)> {
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
                    return self.error(inst, "it points into a storage image of one sample");
                }
                let at = self.texel_of(inst, texture, second)?;
                Val::Texel(texture, at.into())
            }
        })
    }

    /// Integer coordinates and layer.
    fn texel_of(&mut self, inst: &Inst, texture: Texture, id: u32) -> Result<Vec<Value>> {
        let words = self.words(inst, id)?;
        let count = texture.shape.coordinates() + usize::from(texture.shape.arrayed);
        if texture.shape.dim == Dim::Cube {
            return self.module.lacks(inst, "a texel of a cube by its number");
        }
        match words.get(..count).filter(|words| self.are_words(words)) {
            Some(words) => Ok(words.to_vec()),
            None => self.error(inst, format!("there are {} coordinates", words.len())),
        }
    }

    /// The operands that a mask announces.
    fn extras(&mut self, inst: &Inst, texture: Texture, ids: &[u32]) -> Result<Extras> {
        let mut extras = Extras::default();
        let Some((&mask, ids)) = ids.split_first() else {
            return Ok(extras);
        };
        let Some(mask) = ImageOperands::from_bits(mask) else {
            return self.module.lacks(inst, format!("image operands {mask:#x}"));
        };
        let coordinates = texture.shape.coordinates();
        let mut ids = ids.iter().copied();
        for flag in mask.iter() {
            let mut next = || {
                let missing = || self.module.error(inst, "operands are missing");
                ids.next().ok_or_else(missing)
            };
            match flag {
                ImageOperands::BIAS => {
                    let id = next()?;
                    extras.bias = Some(self.word(inst, id)?);
                }
                ImageOperands::LOD => {
                    let id = next()?;
                    extras.lod = Some(self.word(inst, id)?);
                }
                ImageOperands::GRAD => {
                    let (x, y) = (next()?, next()?);
                    let slopes = [self.words(inst, x)?, self.words(inst, y)?];
                    let fit = |s: &Rc<[Value]>| s.len() == coordinates && self.are_words(s);
                    if !slopes.iter().all(fit) {
                        return self.error(inst, "its derivatives do not fit the image");
                    }
                    extras.slopes = Some(slopes);
                }
                ImageOperands::CONST_OFFSET | ImageOperands::OFFSET => {
                    let id = next()?;
                    let words = self.words(inst, id)?;
                    if words.len() != coordinates || !self.are_words(&words) {
                        return self.error(inst, "its offset does not fit the image");
                    }
                    extras.offset = self.texel_offset(&words)?;
                }
                ImageOperands::CONST_OFFSETS => {
                    let id = next()?;
                    extras.offsets = Some(self.words(inst, id)?);
                }
                ImageOperands::SAMPLE => {
                    let id = next()?;
                    extras.sample = Some(self.word(inst, id)?);
                }
                ImageOperands::MAKE_TEXEL_AVAILABLE | ImageOperands::MAKE_TEXEL_VISIBLE => {
                    next()?;
                }
                ImageOperands::NON_PRIVATE_TEXEL
                | ImageOperands::VOLATILE_TEXEL
                | ImageOperands::SIGN_EXTEND
                | ImageOperands::ZERO_EXTEND
                | ImageOperands::NONTEMPORAL => {}
                _ => return self.module.lacks(inst, format!("image operands {flag:?}")),
            }
        }
        Ok(extras)
    }

    /// Operands of an instruction that samples; the mask stands at `mask`.
    fn sampling(&mut self, inst: &Inst, ids: &[u32], mask: usize, dref: bool) -> Result<Sampling> {
        let [sampled, at] = self.operands(inst)?;
        let (texture, image) = self.texture(inst, sampled)?;
        let Some(sampler) = self.handle(inst, sampled)?.sampler else {
            return self.error(inst, "it samples an image without a sampler");
        };
        if texture.shape.multisampled {
            return self.error(inst, "it samples an image of many samples");
        }
        let projects = matches!(
            inst.op,
            Op::ImageSampleProjImplicitLod
                | Op::ImageSampleProjExplicitLod
                | Op::ImageSampleProjDrefImplicitLod
                | Op::ImageSampleProjDrefExplicitLod
        );
        let words = self.words(inst, at)?;
        let count = texture.shape.coordinates();
        let arrayed = texture.shape.arrayed;
        if words.len() < count + usize::from(arrayed) + usize::from(projects)
            || (arrayed && projects)
            || !self.are_words(&words)
        {
            return self.error(inst, format!("there are {} coordinates", words.len()));
        }
        let mut coordinates = words[..count].to_vec();
        let mut reference = None;
        if dref {
            let [_, _, depth] = self.operands(inst)?;
            reference = Some(self.word(inst, depth)?);
            self.note_compare(texture.access, sampler);
        }
        if projects {
            let q = words[count];
            for coordinate in coordinates.iter_mut().chain(&mut reference) {
                *coordinate = self.divide(*coordinate, q);
            }
        }
        if arrayed {
            coordinates.push(self.layer(words[count]));
        }
        let extras = self.extras(inst, texture, ids.get(mask..).unwrap_or(&[]))?;
        Ok(Sampling {
            texture,
            sampler,
            image,
            coordinates,
            reference,
            extras,
        })
    }

    fn sample(&mut self, inst: &Inst, ids: &[u32], mask: usize) -> Result<Vec<Value>> {
        let sampling = self.sampling(inst, ids, mask, mask == 3)?;
        let mut args = sampling.coordinates;
        let extras = sampling.extras;
        let lod = if let Some([x, y]) = extras.slopes {
            args.extend(x.iter().chain(y.iter()));
            Lod::Gradient
        } else if let Some(level) = extras.lod {
            self.given_level(level, &mut args)
        } else if self.b.function().stage != Stage::Fragment {
            // There are no derivatives.
            Lod::Zero
        } else if let Some(bias) = extras.bias {
            args.push(bias);
            Lod::Bias
        } else {
            Lod::Implicit
        };
        args.extend(sampling.reference);
        let op = ImageOp {
            kind: ImageKind::Sample {
                lod,
                compare: sampling.reference.is_some(),
                offset: extras.offset,
            },
            texture: sampling.texture.access,
            sampler: Some(sampling.sampler),
            shape: sampling.texture.shape,
        };
        Ok(self.image(op, args))
    }

    fn gather(&mut self, inst: &Inst, ids: &[u32]) -> Result<Vec<Value>> {
        let compare = inst.op == Op::ImageDrefGather;
        let sampling = self.sampling(inst, ids, 3, compare)?;
        if !matches!(sampling.image.shape.dim, Dim::D2 | Dim::Cube) {
            return self.error(inst, "it gathers from an image that is not flat");
        }
        let component = match compare {
            true => 0,
            false => {
                let [_, _, component] = self.operands(inst)?;
                let component = self.word(inst, component)?;
                match self.b.known_word(component) {
                    Some(component @ 0..=3) => component as u8,
                    _ => return self.error(inst, "its component is no constant from 0 to 3"),
                }
            }
        };
        let mut args = sampling.coordinates;
        args.extend(sampling.reference);
        let op = |offset| ImageOp {
            kind: ImageKind::Gather {
                component,
                compare,
                offset,
            },
            texture: sampling.texture.access,
            sampler: Some(sampling.sampler),
            shape: sampling.texture.shape,
        };
        let Some(offsets) = sampling.extras.offsets else {
            return Ok(self.image(op(sampling.extras.offset), args));
        };
        if offsets.len() != 8 {
            return self.error(inst, "it takes four offsets of two words");
        }
        let mut words = Vec::with_capacity(4);
        for pair in offsets.chunks(2) {
            let offset = self.texel_offset(pair)?;
            // Each texel is the one at (u min, v min) of its footprint.
            words.push(self.image(op(offset), args.clone())[3]);
        }
        Ok(words)
    }

    fn size(&mut self, inst: &Inst, ids: &[u32]) -> Result<Vec<Value>> {
        let [image] = self.operands(inst)?;
        let (texture, _) = self.texture(inst, image)?;
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
        if texture.shape.arrayed {
            words.extend(self.texture_op(ImageKind::Layers, texture, Vec::new()));
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

    /// Notes that a texture holds depths and that a sampler compares.
    fn note_compare(&mut self, texture: Access, sampler: Access) {
        for access in [texture, sampler] {
            let resources = &mut self.b.function().interface.resources;
            let resource = resources.get_mut(access.resource as usize);
            match resource.map(|resource| &mut resource.kind) {
                Some(ResourceKind::Texture { depth, .. }) => *depth = true,
                Some(ResourceKind::Sampler { comparison }) => *comparison = true,
                _ => {}
            }
        }
    }

    /// A layer of a texture, from a float: the nearest, and not below 0. The upper end is the texture's business.
    fn layer(&mut self, layer: Value) -> Value {
        let nearest = self.b.alu(LaneOp::F32ToI32Round, &[layer]);
        let zero = self.b.word(0);
        self.b.alu(LaneOp::IMax, &[nearest, zero])
    }
}

/// The texel format of a storage image.
pub(super) fn texel_format(format: spirv::ImageFormat) -> Option<wgpu_types::TextureFormat> {
    use spirv::ImageFormat as F;
    use wgpu_types::TextureFormat as T;
    Some(match format {
        F::Rgba32f => T::Rgba32Float,
        F::Rgba16f => T::Rgba16Float,
        F::R32f => T::R32Float,
        F::Rgba8 => T::Rgba8Unorm,
        F::Rgba8Snorm => T::Rgba8Snorm,
        F::Rg32f => T::Rg32Float,
        F::Rg16f => T::Rg16Float,
        F::R11fG11fB10f => T::Rg11b10Ufloat,
        F::R16f => T::R16Float,
        F::Rgba16 => T::Rgba16Unorm,
        F::Rgb10A2 => T::Rgb10a2Unorm,
        F::Rg16 => T::Rg16Unorm,
        F::Rg8 => T::Rg8Unorm,
        F::R16 => T::R16Unorm,
        F::R8 => T::R8Unorm,
        F::Rgba16Snorm => T::Rgba16Snorm,
        F::Rg16Snorm => T::Rg16Snorm,
        F::Rg8Snorm => T::Rg8Snorm,
        F::R16Snorm => T::R16Snorm,
        F::R8Snorm => T::R8Snorm,
        F::Rgba32i => T::Rgba32Sint,
        F::Rgba16i => T::Rgba16Sint,
        F::Rgba8i => T::Rgba8Sint,
        F::R32i => T::R32Sint,
        F::Rg32i => T::Rg32Sint,
        F::Rg16i => T::Rg16Sint,
        F::Rg8i => T::Rg8Sint,
        F::R16i => T::R16Sint,
        F::R8i => T::R8Sint,
        F::Rgba32ui => T::Rgba32Uint,
        F::Rgba16ui => T::Rgba16Uint,
        F::Rgba8ui => T::Rgba8Uint,
        F::R32ui => T::R32Uint,
        F::Rgb10a2ui => T::Rgb10a2Uint,
        F::Rg32ui => T::Rg32Uint,
        F::Rg16ui => T::Rg16Uint,
        F::Rg8ui => T::Rg8Uint,
        F::R16ui => T::R16Uint,
        F::R8ui => T::R8Uint,
        F::Unknown | F::R64ui | F::R64i => return None,
    })
}
