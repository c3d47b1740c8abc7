//! Texture built-ins.

use naga::{Expression, ImageClass, ImageDimension, ImageQuery, SampleLevel};

use super::types::Kind;
use super::{Expr, Frame, Lowerer, Resource, Result, Val, Writer, origin};
use crate::ir::{Access, AtomicOp, Dim, ImageKind, ImageOp, LaneOp, Lod, Op, Shape, Type, Value};

type Optional = Option<Expr>;

/// A texture operand.
#[derive(Clone, Copy)]
pub(crate) struct Texture {
    pub(crate) access: Access,
    pub(crate) shape: Shape,
}

/// A texel operand.
pub(crate) struct Texel {
    /// Integer coordinates, and the layer of an array.
    pub(crate) at: Vec<Value>,
    /// Of a multisampled texture.
    pub(crate) sample: Option<Value>,
    /// Of a texture with levels; none is the first.
    pub(crate) level: Option<Value>,
}

impl Writer {
    /// A texture operation.
    pub(crate) fn image(&mut self, op: ImageOp, args: Vec<Value>) -> Vec<Value> {
        let types = vec![Type::Word; crate::ir::image_results(&op)];
        self.b.inst(Op::Image(op), args, &types)
    }

    /// A texture operation without a sampler.
    pub(crate) fn texture_op(
        &mut self,
        kind: ImageKind,
        texture: Texture,
        args: Vec<Value>,
    ) -> Vec<Value> {
        let op = ImageOp {
            kind,
            texture: texture.access,
            sampler: None,
            shape: texture.shape,
        };
        self.image(op, args)
    }

    /// How a given level is found; appends it where it is not the first.
    pub(crate) fn given_level(&mut self, level: Value, args: &mut Vec<Value>) -> Lod {
        if self.b.known_word(level) == Some(0) {
            return Lod::Zero;
        }
        args.push(level);
        Lod::Level
    }

    /// Constant offsets in texels.
    pub(crate) fn texel_offset(&self, words: &[Value]) -> Result<[i8; 3]> {
        let mut texels = [0; 3];
        for (texel, &word) in texels.iter_mut().zip(words) {
            let known = self.b.known_word(word).map(|word| word as i32);
            // What every API allows and every chip has bits for.
            match known.filter(|known| (-8..=7).contains(known)) {
                Some(known) => *texel = known as i8,
                None => return self.refuse("a texel offset that is no constant from -8 to 7"),
            }
        }
        Ok(texels)
    }

    /// Loads a texel: four words, zero where there is none.
    pub(crate) fn fetch(&mut self, texture: Texture, texel: Texel) -> Vec<Value> {
        let mut args = texel.at;
        let mut inside = self.b.bit(true);
        if texture.shape.multisampled {
            let zero = self.b.word(0);
            let sample = texel.sample.unwrap_or(zero);
            inside = self.number_below(ImageKind::Samples, texture, sample);
            args.push(self.b.select(inside, sample, zero));
        }
        // Storage and multisampled textures have one level; so has level 0 of the others.
        let level = texel
            .level
            .filter(|level| !texture.shape.multisampled && self.b.known_word(*level) != Some(0));
        if let Some(level) = level {
            inside = self.number_below(ImageKind::Levels, texture, level);
            let zero = self.b.word(0);
            args.push(self.b.select(inside, level, zero));
        }
        // An unknown level or sample is outside, and so is this coordinate.
        let outside = self.b.word(0x7fff_ffff);
        args[0] = self.b.select(inside, args[0], outside);
        let kind = ImageKind::Load {
            level: level.is_some(),
        };
        self.texture_op(kind, texture, args)
    }

    /// Whether a level or sample exists. The first one always does.
    fn number_below(&mut self, count: ImageKind, texture: Texture, number: Value) -> Value {
        if self.b.known_word(number) == Some(0) {
            return self.b.bit(true);
        }
        let count = self.texture_op(count, texture, Vec::new())[0];
        self.b.alu(LaneOp::ULt, &[number, count])
    }
}

/// The shape of an image type.
pub(super) fn shape(dim: ImageDimension, arrayed: bool, class: ImageClass) -> Shape {
    Shape {
        dim: match dim {
            ImageDimension::D1 => Dim::D1,
            ImageDimension::D2 => Dim::D2,
            ImageDimension::D3 => Dim::D3,
            ImageDimension::Cube => Dim::Cube,
        },
        arrayed,
        multisampled: matches!(
            class,
            ImageClass::Sampled { multi: true, .. } | ImageClass::Depth { multi: true }
        ),
    }
}

impl<'a> Lowerer<'a> {
    fn resource(&mut self, f: &mut Frame<'a>, handle: Expr) -> Result<Resource> {
        match self.value(f, handle)? {
            Val::Resource(resource) => Ok(resource),
            Val::Words(_) | Val::Pointer(_) => {
                self.unsupported("this expression as a texture or sampler", f.span(handle))
            }
        }
    }

    /// A texture, and whether it holds depths.
    fn texture(&mut self, f: &mut Frame<'a>, handle: Expr) -> Result<(Texture, bool)> {
        let resource = self.resource(f, handle)?;
        let mut ty = self.module.global_variables[resource.global].ty;
        if let naga::TypeInner::BindingArray { base, .. } = self.module.types[ty].inner {
            ty = base;
        }
        match self.module.types[ty].inner {
            naga::TypeInner::Image {
                dim,
                arrayed,
                class,
            } => {
                let texture = Texture {
                    access: resource.access,
                    shape: shape(dim, arrayed, class),
                };
                Ok((texture, matches!(class, ImageClass::Depth { .. })))
            }
            _ => self.unsupported("this expression as a texture", f.span(handle)),
        }
    }

    pub(super) fn image_sample(&mut self, f: &mut Frame<'a>, handle: Expr) -> Result<Vec<Value>> {
        let Expression::ImageSample {
            image,
            sampler,
            gather,
            coordinate,
            array_index,
            offset,
            level,
            depth_ref,
            clamp_to_edge,
        } = f.expressions[handle]
        else {
            return Ok(Vec::new());
        };
        let (texture, is_depth) = self.texture(f, image)?;
        let sampler = self.resource(f, sampler)?.access;
        let mut args = self.words(f, coordinate)?.to_vec();
        if clamp_to_edge {
            args = self.half_a_texel_inside(texture, &args);
        }
        if let Some(layer) = array_index {
            args.push(self.layer(f, layer)?);
        }
        let offset = self.offset(f, offset)?;
        let compare = depth_ref.is_some();
        let kind = match gather {
            Some(component) => ImageKind::Gather {
                component: component as u8,
                compare,
                offset,
            },
            None => ImageKind::Sample {
                lod: self.level(f, level, &mut args)?,
                compare,
                least: false,
                offset,
            },
        };
        if let Some(reference) = depth_ref {
            args.push(self.scalar(f, reference)?);
        }
        let op = ImageOp {
            kind,
            texture: texture.access,
            sampler: Some(sampler),
            shape: texture.shape,
        };
        let mut words = self.image(op, args);
        if is_depth && gather.is_none() {
            words.truncate(1);
        }
        Ok(words)
    }

    /// A layer for sampling: what is below 0 is 0. The upper end is the texture's business.
    fn layer(&mut self, f: &mut Frame<'a>, handle: Expr) -> Result<Value> {
        let layer = self.scalar(f, handle)?;
        if self.kind(f, handle)? != Kind::I32 {
            return Ok(layer);
        }
        let zero = self.b.word(0);
        Ok(self.b.alu(LaneOp::IMax, &[layer, zero]))
    }

    /// How the level is found; appends the operands that say so.
    fn level(
        &mut self,
        f: &mut Frame<'a>,
        level: SampleLevel,
        args: &mut Vec<Value>,
    ) -> Result<Lod> {
        Ok(match level {
            SampleLevel::Auto => Lod::Implicit,
            SampleLevel::Zero => Lod::Zero,
            SampleLevel::Exact(level) => {
                let value = self.scalar(f, level)?;
                let kind = self.kind(f, level)?;
                let value = self.convert(value, kind, Kind::F32);
                self.given_level(value, args)
            }
            SampleLevel::Bias(bias) => {
                args.push(self.scalar(f, bias)?);
                Lod::Bias
            }
            SampleLevel::Gradient { x, y } => {
                args.extend(self.words(f, x)?.iter());
                args.extend(self.words(f, y)?.iter());
                Lod::Gradient
            }
        })
    }

    fn offset(&mut self, f: &mut Frame<'a>, offset: Optional) -> Result<[i8; 3]> {
        let Some(handle) = offset else {
            return Ok([0; 3]);
        };
        let words = self.words(f, handle)?;
        let outer = self.b.set_origin(origin(f.span(handle)));
        let texels = self.texel_offset(&words);
        self.b.set_origin(outer);
        texels
    }

    /// Coordinates moved to where filtering does not reach over the edge.
    fn half_a_texel_inside(&mut self, texture: Texture, coordinates: &[Value]) -> Vec<Value> {
        let zero = self.b.word(0);
        let size = self.texture_op(ImageKind::Size { level: true }, texture, vec![zero]);
        let (half, one) = (self.b.float(0.5), self.b.float(1.0));
        let pairs = coordinates.iter().zip(size);
        pairs
            .map(|(&coordinate, size)| {
                let size = self.b.alu(LaneOp::U32ToF32, &[size]);
                let texel = self.b.alu(LaneOp::FRcp, &[size]);
                let low = self.b.alu(LaneOp::FMul, &[texel, half]);
                let high = self.b.alu(LaneOp::FSub, &[one, low]);
                let above = self.b.alu(LaneOp::FMax, &[coordinate, low]);
                self.b.alu(LaneOp::FMin, &[above, high])
            })
            .collect()
    }

    /// `[image, coordinate, array index, sample, level]`
    pub(super) fn image_load(
        &mut self,
        f: &mut Frame<'a>,
        [image, coordinate, array_index, sample, level]: [Optional; 5],
    ) -> Result<Vec<Value>> {
        let (Some(image), Some(coordinate)) = (image, coordinate) else {
            return Ok(Vec::new());
        };
        let (texture, is_depth) = self.texture(f, image)?;
        let at = self.texel(f, coordinate, array_index)?;
        let sample = match sample {
            Some(sample) if texture.shape.multisampled => Some(self.scalar(f, sample)?),
            _ => None,
        };
        let level = match level {
            Some(level) if !texture.shape.multisampled => Some(self.scalar(f, level)?),
            _ => None,
        };
        let mut words = self.fetch(texture, Texel { at, sample, level });
        if is_depth {
            words.truncate(1);
        }
        Ok(words)
    }

    /// Integer coordinates and layer.
    fn texel(
        &mut self,
        f: &mut Frame<'a>,
        coordinate: Expr,
        array_index: Optional,
    ) -> Result<Vec<Value>> {
        let mut args = self.words(f, coordinate)?.to_vec();
        if let Some(layer) = array_index {
            args.push(self.scalar(f, layer)?);
        }
        Ok(args)
    }

    pub(super) fn image_query(
        &mut self,
        f: &mut Frame<'a>,
        image: Expr,
        query: ImageQuery,
    ) -> Result<Vec<Value>> {
        let (texture, _) = self.texture(f, image)?;
        let mut args = Vec::new();
        let kind = match query {
            ImageQuery::Size { level } => {
                if let Some(level) = level {
                    args.push(self.scalar(f, level)?);
                }
                ImageKind::Size {
                    level: level.is_some(),
                }
            }
            ImageQuery::NumLevels => ImageKind::Levels,
            ImageQuery::NumLayers => ImageKind::Layers,
            ImageQuery::NumSamples => ImageKind::Samples,
        };
        Ok(self.texture_op(kind, texture, args))
    }

    pub(super) fn image_store(
        &mut self,
        f: &mut Frame<'a>,
        image: Expr,
        coordinate: Expr,
        array_index: Optional,
        value: Expr,
    ) -> Result<()> {
        let (texture, _) = self.texture(f, image)?;
        let mut args = self.texel(f, coordinate, array_index)?;
        args.extend(self.words(f, value)?.iter());
        self.texture_op(ImageKind::Store, texture, args);
        Ok(())
    }

    pub(super) fn image_atomic(
        &mut self,
        f: &mut Frame<'a>,
        image: Expr,
        coordinate: Expr,
        array_index: Optional,
        fun: &naga::AtomicFunction,
        value: Expr,
    ) -> Result<()> {
        let (texture, _) = self.texture(f, image)?;
        let kind = self.kind(f, value)?;
        let (op, compare): (AtomicOp, _) = self.atomic_op(f, fun, kind, f.span(value))?;
        let mut args = self.texel(f, coordinate, array_index)?;
        args.push(self.scalar(f, value)?);
        args.extend(compare);
        self.texture_op(ImageKind::Atomic(op), texture, args);
        Ok(())
    }
}
