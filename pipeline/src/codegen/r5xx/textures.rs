//! Texture operations: what a unit of the chip does with coordinates, and what it cannot do.

use super::flatten::Flatten;
use super::kinds::Kind;
use crate::codegen::{CompileError, DriverValue, Result};
use crate::ir::{
    Access, Dim, ImageKind, ImageOp, Inst, LaneOp, Lod, Op, ResourceKind, Scalar, Type, Value,
};

/// What a texture unit has: resource and element of the texture, and of the sampler.
pub type Pair = ([u32; 2], Option<[u32; 2]>);

impl Flatten<'_> {
    /// Writes a texture operation.
    pub(super) fn image(&mut self, image: &ImageOp, inst: &Inst) -> Result<Vec<Value>> {
        self.has_textures(inst)?;
        let lacks = |what: &str| Err(self.errors.lacks(what, inst.origin));
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
            ImageKind::Sample { offset, .. } if *offset != [0; 3] => lacks("texel offsets"),
            ImageKind::Sample {
                compare: true,
                lod: Lod::Zero,
                ..
            } => self.compared(image, inst),
            ImageKind::Sample { compare: true, .. } => {
                lacks("comparison samplers at levels of detail")
            }
            ImageKind::Gather { .. } => lacks("gathers"),
            ImageKind::Store | ImageKind::Atomic(_) => lacks("storage textures"),
            ImageKind::Levels => lacks("the number of levels of a texture"),
            ImageKind::Samples => lacks("multisampled textures"),
            ImageKind::Layers => lacks("array textures"),
            ImageKind::Sample { lod, .. } => self.sample(image, *lod, inst),
            ImageKind::Load { level } => self.load_texel(image, *level, inst),
            ImageKind::Size { .. } => self.size(image, inst),
        }
    }

    pub(super) fn pair(&mut self, image: &ImageOp, inst: &Inst) -> Result<u32> {
        let at =
            |access: Access| Ok::<_, CompileError>([access.resource, self.element(access, inst)?]);
        let texture = at(image.texture)?;
        let sampler = match image.sampler {
            Some(sampler) => Some(at(sampler)?),
            None => None,
        };
        self.unit((texture, sampler), inst)
    }

    /// An operand that is a number.
    pub(super) fn number(&mut self, arg: Value) -> Value {
        self.word(arg, Some(Kind::Float))
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
        self.pair(image, inst)?;
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
                offset: [0; 3],
            };
        }
        Ok(self
            .to
            .push(Op::Image(legal), args, inst.results.len(), Type::Word))
    }

    /// Coordinates of texels, in the middle of them.
    fn load_texel(&mut self, image: &ImageOp, level: bool, inst: &Inst) -> Result<Vec<Value>> {
        if image.shape.dim == Dim::Cube {
            return Err(self.errors.lacks("loads from cube textures", inst.origin));
        }
        self.pair(image, inst)?;
        let mut legal = self.legal_image(image, inst)?;
        let half = self.to.float(0.5);
        let mut args: Vec<Value> = Vec::new();
        for arg in &inst.args[..image.shape.coordinates()] {
            let texel = self.word(*arg, Some(Kind::Integer));
            args.push(self.to.op(LaneOp::FAdd, &[texel, half]));
        }
        args.push(match level {
            true => self.word(inst.args[image.shape.coordinates()], Some(Kind::Integer)),
            false => self.to.float(0.0),
        });
        self.coordinates(&mut legal, &mut args, &[0], 0.5);
        legal.kind = ImageKind::Load { level: true };
        Ok(self
            .to
            .push(Op::Image(legal), args, inst.results.len(), Type::Word))
    }

    fn size(&mut self, image: &ImageOp, inst: &Inst) -> Result<Vec<Value>> {
        let level = inst.args.first().map(|level| self.known.constant(*level));
        if !matches!(level, None | Some(Some(0))) {
            return Err(self
                .errors
                .lacks("the size of a level of a texture", inst.origin));
        }
        let texture = [image.texture.resource, self.element(image.texture, inst)?];
        let known = self.units.iter().position(|unit| unit.0 == texture);
        let unit = match known {
            Some(unit) => unit as u32,
            None => self.unit((texture, None), inst)?,
        };
        let sizes = (0..inst.results.len() as u8)
            .map(|component| self.driver(DriverValue::TextureSize { unit, component }));
        Ok(sizes.collect())
    }
}
