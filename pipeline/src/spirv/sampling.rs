//! Sampling: coordinates, levels, offsets, gathers, and the operands that instructions on images may have.
//! [SPIRV 3.42.10, VULKAN Image Operations]

use std::rc::Rc;

use spirv::{ImageOperands, Op};

use super::lower::Lowerer;
use super::module::Result;
use super::types::{Image, StandsFor};
use super::words::Inst;
use crate::ir::{Access, Dim, ImageKind, ImageOp, LaneOp, Lod, ResourceKind, Stage, Value};
use crate::lower::image::Texture;

/// Optional operands.
#[derive(Default)]
pub(super) struct Extras {
    bias: Option<Value>,
    pub(super) lod: Option<Value>,
    slopes: Option<[Vec<Value>; 2]>,
    least: Option<Value>,
    offset: [i8; 3],
    offsets: Option<Rc<[Value]>>,
    pub(super) sample: Option<Value>,
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
    /// The operands that a mask announces.
    pub(super) fn extras(&mut self, inst: &Inst, image: &Image, ids: &[u32]) -> Result<Extras> {
        let mut extras = Extras::default();
        let Some((&mask, ids)) = ids.split_first() else {
            return Ok(extras);
        };
        let Some(mask) = ImageOperands::from_bits(mask) else {
            return self.module.lacks(inst, format!("image operands {mask:#x}"));
        };
        let coordinates = image.given_coordinates();
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
                    let mut slopes = slopes.map(|words| words.to_vec());
                    for along in &mut slopes {
                        let zero = self.b.float(0.0);
                        along.resize(image.shape.coordinates(), zero);
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
                ImageOperands::MIN_LOD => {
                    let id = next()?;
                    extras.least = Some(self.word(inst, id)?);
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
        let count = image.given_coordinates();
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
        self.in_the_row(&image, &mut coordinates);
        if arrayed {
            coordinates.push(self.layer(words[count]));
        }
        let extras = self.extras(inst, &image, ids.get(mask..).unwrap_or(&[]))?;
        Ok(Sampling {
            texture,
            sampler,
            image,
            coordinates,
            reference,
            extras,
        })
    }

    pub(super) fn sample(&mut self, inst: &Inst, ids: &[u32], mask: usize) -> Result<Vec<Value>> {
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
        // A given level is not limited, and without derivatives all are 0.
        let derived = matches!(lod, Lod::Implicit | Lod::Bias | Lod::Gradient);
        let least = extras.least.filter(|_| derived);
        args.extend(least);
        let op = ImageOp {
            kind: ImageKind::Sample {
                lod,
                compare: sampling.reference.is_some(),
                least: least.is_some(),
                offset: extras.offset,
            },
            texture: sampling.texture.access,
            sampler: Some(sampling.sampler),
            shape: sampling.texture.shape,
        };
        Ok(self.image(op, args))
    }

    pub(super) fn gather(&mut self, inst: &Inst, ids: &[u32]) -> Result<Vec<Value>> {
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

    /// The level that a sample would take. Layers have no coordinate.
    pub(super) fn query_lod(&mut self, inst: &Inst) -> Result<Vec<Value>> {
        let [sampled, at] = self.operands(inst)?;
        let (texture, image) = self.texture(inst, sampled)?;
        let Some(sampler) = self.handle(inst, sampled)?.sampler else {
            return self.error(inst, "it asks for levels without a sampler");
        };
        if texture.shape.multisampled {
            return self.error(inst, "it asks for levels of an image of many samples");
        }
        if self.b.function().stage != Stage::Fragment {
            let what = "a level by derivatives outside of fragment shaders";
            return self.module.lacks(inst, what);
        }
        let words = self.words(inst, at)?;
        let count = image.given_coordinates();
        if words.len() < count || !self.are_words(&words) {
            return self.error(inst, format!("there are {} coordinates", words.len()));
        }
        let mut args = words[..count].to_vec();
        self.in_the_row(&image, &mut args);
        if texture.shape.arrayed {
            args.push(self.b.word(0));
        }
        let op = ImageOp {
            kind: ImageKind::QueryLod,
            texture: texture.access,
            sampler: Some(sampler),
            shape: texture.shape,
        };
        Ok(self.image(op, args))
    }

    /// The middle of the row that stands for a 1D image.
    fn in_the_row(&mut self, image: &Image, coordinates: &mut Vec<Value>) {
        if image.stands_for == StandsFor::Rows {
            coordinates.push(self.b.float(0.5));
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
