//! Texture operations: what a unit of the chip does with coordinates, and what it cannot do.

use super::detail::Level;
use super::flatten::Flatten;
use super::kinds::Kind;
use crate::codegen::{CompileError, Result, Sampling};
use crate::ir::{
    Access, Dim, ImageKind, ImageOp, Inst, LaneOp, Lod, Op, ResourceKind, Scalar, Type, Value,
};

/// What a unit does with the texels around a coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    /// What the sampler says.
    Filtered,
    /// It takes the nearest texel, even if the sampler filters.
    Nearest,
    /// The same of the finest level that the sampler takes.
    Finest,
}

/// What a texture unit has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Resource and element of the texture.
    pub texture: [u32; 2],
    /// And of the sampler.
    pub sampler: Option<[u32; 2]>,
    /// What it does with texels.
    pub reads: Reads,
}

impl Pair {
    /// That of a legal operation: one that loads by a sampler takes the nearest texel, one without a level that of the finest.
    pub fn of(image: &ImageOp, at: impl Fn(Access) -> [u32; 2]) -> Pair {
        Pair {
            texture: at(image.texture),
            sampler: image.sampler.map(&at),
            reads: match image.kind {
                ImageKind::Load { .. } if image.sampler.is_some() => Reads::Nearest,
                ImageKind::Sample { lod: Lod::Zero, .. } => Reads::Finest,
                _ => Reads::Filtered,
            },
        }
    }
}

impl Flatten<'_> {
    /// Writes a texture operation.
    pub(super) fn image(&mut self, image: &ImageOp, inst: &Inst) -> Result<Vec<Value>> {
        let lacks = |what: &str| Err(self.errors.lacks(what, inst.origin));
        if image.shape.dim == Dim::Buffer {
            return lacks("texel buffers");
        }
        self.has_textures(inst)?;
        let resource = &self.old.interface.resources[image.texture.resource as usize];
        match resource.kind {
            ResourceKind::StorageTexture { .. } => return lacks("storage textures"),
            ResourceKind::Texture {
                scalar: Scalar::Sint | Scalar::Uint,
                ..
            } => {
                return lacks("textures of integers");
            }
            _ => {}
        }
        if image.shape.multisampled {
            return lacks("multisampled textures");
        }
        if image.shape.arrayed {
            return lacks("array textures");
        }
        match &image.kind {
            ImageKind::Sample { least: true, .. } => lacks("the least level of a sample"),
            ImageKind::Sample {
                lod,
                compare: true,
                offset,
                ..
            } => self.compared(image, *lod, *offset, inst),
            ImageKind::Sample { offset, lod, .. } if *offset != [0; 3] => {
                self.offset(image, *lod, *offset, inst)
            }
            ImageKind::Gather {
                component,
                compare,
                offset,
            } => self.gathered(image, (!compare).then_some(*component), *offset, inst),
            ImageKind::Store | ImageKind::Atomic(_) => lacks("storage textures"),
            ImageKind::Levels => {
                let unit = self.plain_unit(image, inst)?;
                Ok(vec![self.sampling(unit, Sampling::Levels)])
            }
            ImageKind::Samples => lacks("multisampled textures"),
            ImageKind::Layers => lacks("array textures"),
            ImageKind::QueryLod => lacks("the level that a sample would take"),
            ImageKind::Sample { lod, .. } => self.sample(image, *lod, inst),
            ImageKind::Load { level } => self.load_texel(image, *level, inst),
            ImageKind::Size { .. } => self.size(image, inst),
        }
    }

    fn pair(&self, image: &ImageOp, inst: &Inst) -> Result<Pair> {
        let at =
            |access: Access| Ok::<_, CompileError>([access.resource, self.element(access, inst)?]);
        let sampler = match image.sampler {
            Some(sampler) => Some(at(sampler)?),
            None => None,
        };
        Ok(Pair {
            texture: at(image.texture)?,
            sampler,
            reads: Reads::Filtered,
        })
    }

    /// The unit of a texture with its sampler.
    fn plain_unit(&mut self, image: &ImageOp, inst: &Inst) -> Result<u32> {
        let pair = self.pair(image, inst)?;
        self.unit(pair, inst)
    }

    /// A unit of a texture with its sampler for texels of its own.
    pub(super) fn unit_for(&mut self, reads: Reads, image: &ImageOp, inst: &Inst) -> Result<u32> {
        let pair = Pair {
            reads,
            ..self.pair(image, inst)?
        };
        self.unit(pair, inst)
    }

    /// The operation on a unit of its own number: elements are constants.
    pub(super) fn legal_image(&mut self, image: &ImageOp, inst: &Inst) -> Result<ImageOp> {
        let mut image = image.clone();
        for access in [Some(&mut image.texture), image.sampler.as_mut()]
            .into_iter()
            .flatten()
        {
            let element = self.element(*access, inst)?;
            if access.element.is_some() {
                access.element = Some(self.to.word(element));
            }
        }
        Ok(image)
    }

    /// Coordinates; a texture of one dimension is one row of one with two, at half its height.
    fn coordinates(
        &mut self,
        image: &mut ImageOp,
        args: &mut Vec<Value>,
        sets: &[usize],
        middle: f32,
    ) {
        if image.shape.dim == Dim::D1 {
            image.shape.dim = Dim::D2;
            for (more, at) in sets.iter().enumerate() {
                let value = if *at == 0 { middle } else { 0.0 };
                let value = self.to.float(value);
                args.insert(at + more + 1, value);
            }
        }
    }

    fn sample(&mut self, image: &ImageOp, lod: Lod, inst: &Inst) -> Result<Vec<Value>> {
        self.plain_unit(image, inst)?;
        let mut legal = self.legal_image(image, inst)?;
        let args = inst.args.iter();
        let mut args: Vec<Value> = args.map(|arg| self.word(*arg, Some(Kind::Float))).collect();
        let sets: &[usize] = if lod == Lod::Gradient {
            &[0, 1, 2]
        } else {
            &[0]
        };
        self.coordinates(&mut legal, &mut args, sets, 0.5);
        if lod == Lod::Zero {
            args.push(self.to.float(0.0));
            legal.kind = ImageKind::Sample {
                lod: Lod::Level,
                compare: false,
                least: false,
                offset: [0; 3],
            };
        }
        Ok(self
            .to
            .push(Op::Image(legal), args, inst.results.len(), Type::Word))
    }

    /// A sample some texels on. The size of a texel is that of the level, so the program takes levels one by one: one, or the
    /// two that the sampler filters between.
    fn offset(
        &mut self,
        image: &ImageOp,
        lod: Lod,
        offset: [i8; 3],
        inst: &Inst,
    ) -> Result<Vec<Value>> {
        let unit = self.plain_unit(image, inst)?;
        let Some(detail) = self.detail(unit, image, lod, inst) else {
            let level = self.level(unit, None, image.shape.coordinates() as u8);
            return self.moved(image, unit, &level, offset, inst);
        };
        let between = self.sampling(unit, Sampling::LinearLevels);
        let half = self.to.float(0.5);
        // The level below, or the nearest one.
        let step = self.to.mul(between, half);
        let step = self.to.sub(half, step);
        let moved = self.to.add(detail, step);
        let part = self.to.op(LaneOp::FFractOne, &[moved]);
        let finer = self.to.sub(moved, part);
        let coarser = self.to.add(finer, between);
        let weight = self.to.mul(part, between);
        let mut sides = Vec::new();
        for number in [finer, coarser] {
            let level = self.level(unit, Some(number), image.shape.coordinates() as u8);
            sides.push(self.moved(image, unit, &level, offset, inst)?);
        }
        // Floats, which are not filtered, may be infinite.
        let zero = self.to.float(0.0);
        let mixes = self.to.compare(LaneOp::FGt, weight, zero);
        let (finer, coarser) = (sides[0].iter(), sides[1].iter());
        let results = finer.zip(coarser).map(|(finer, coarser)| {
            let mixed = self.mix(*finer, *coarser, weight);
            self.to.select(mixes, mixed, *finer)
        });
        Ok(results.collect())
    }

    /// A sample of a level some texels on.
    fn moved(
        &mut self,
        image: &ImageOp,
        unit: u32,
        level: &Level,
        offset: [i8; 3],
        inst: &Inst,
    ) -> Result<Vec<Value>> {
        let mut legal = self.legal_image(image, inst)?;
        let mut args = Vec::new();
        for ((arg, by), [_, texel]) in inst.args.iter().zip(offset).zip(&level.axes) {
            let coordinate = self.number(*arg);
            let by = self.to.float(f32::from(by));
            args.push(self.to.op(LaneOp::FMad, &[by, *texel, coordinate]));
        }
        args.push(self.unbiased(unit, level.number));
        self.coordinates(&mut legal, &mut args, &[0], 0.5);
        legal.kind = ImageKind::Sample {
            lod: Lod::Level,
            compare: false,
            least: false,
            offset: [0; 3],
        };
        Ok(self
            .to
            .push(Op::Image(legal), args, inst.results.len(), Type::Word))
    }

    /// Coordinates of texels, in the middle of them: texels of level 0, fractions of other levels.
    fn load_texel(&mut self, image: &ImageOp, level: bool, inst: &Inst) -> Result<Vec<Value>> {
        if image.shape.dim == Dim::Cube {
            return Err(self.errors.lacks("loads from cube textures", inst.origin));
        }
        let unit = self.plain_unit(image, inst)?;
        let mut legal = self.legal_image(image, inst)?;
        let axes = image.shape.coordinates();
        let number = match level {
            true if self.known.constant(inst.args[axes]) != Some(0) => {
                Some(self.word(inst.args[axes], Some(Kind::Integer)))
            }
            _ => None,
        };
        let half = self.to.float(0.5);
        let mut args: Vec<Value> = Vec::new();
        for (axis, arg) in (0..).zip(&inst.args[..axes]) {
            let texel = self.word(*arg, Some(Kind::Integer));
            let centre = self.to.op(LaneOp::FAdd, &[texel, half]);
            args.push(match number {
                Some(number) => {
                    let size = self.size_of_level(unit, axis, number);
                    let texel = self.to.op(LaneOp::FRcp, &[size]);
                    self.to.mul(centre, texel)
                }
                None => centre,
            });
        }
        args.push(match number {
            Some(number) => number,
            None => self.to.float(0.0),
        });
        self.coordinates(&mut legal, &mut args, &[0], 0.5);
        legal.kind = ImageKind::Load {
            level: number.is_some(),
        };
        Ok(self
            .to
            .push(Op::Image(legal), args, inst.results.len(), Type::Word))
    }

    fn size(&mut self, image: &ImageOp, inst: &Inst) -> Result<Vec<Value>> {
        let texture = [image.texture.resource, self.element(image.texture, inst)?];
        let known = self.units.iter().position(|unit| unit.texture == texture);
        let unit = match known {
            Some(unit) => unit as u32,
            None => self.plain_unit(image, inst)?,
        };
        let level = inst.args.first().copied();
        let number = match level.map(|level| self.known.constant(level)) {
            None | Some(Some(0)) => None,
            Some(_) => level.map(|level| self.word(level, Some(Kind::Integer))),
        };
        let sizes = (0..inst.results.len() as u8).map(|component| match number {
            Some(number) => self.size_of_level(unit, component, number),
            None => self.texels(unit, component),
        });
        Ok(sizes.collect())
    }
}
