//! Samples that compare, and gathers. The texture unit only reads, and filters what it reads, so the program reads the
//! texels that a filter takes, at their centres and by a sampler that is nearest, and compares and weighs them itself.
//!
//! What the sampler compares and how it filters are constants from the driver ([`Sampling`]).

use super::detail::Level;
use super::flatten::Flatten;
use super::textures::Reads;
use crate::codegen::{Result, Sampling};
use crate::ir::{Dim, ImageKind, ImageOp, Inst, LaneOp, Lod, Op, Type, Value};

/// The two texels of a filter along an axis: their centres, and the weight of the second.
struct Neighbours {
    centres: [Value; 2],
    weight: Value,
}

/// Left and right texel of the upper line, then of the lower one.
fn corners(x: &Neighbours, y: &Neighbours) -> [[Value; 2]; 4] {
    let ([left, right], [top, bottom]) = (x.centres, y.centres);
    [[left, top], [right, top], [left, bottom], [right, bottom]]
}

impl Flatten<'_> {
    /// A sample that compares, in the level nearest to its level of detail: a number between 0 and 1.
    pub(super) fn compared(
        &mut self,
        image: &ImageOp,
        lod: Lod,
        offset: [i8; 3],
        inst: &Inst,
    ) -> Result<Vec<Value>> {
        if image.shape.dim != Dim::Cube {
            let what = "comparison samplers of anything but 2D textures and cubes";
            self.is_flat(image, inst, what)?;
        }
        let reads = match self.is_finest(image, lod, inst) {
            true => Reads::Finest,
            false => Reads::Nearest,
        };
        let unit = self.unit_for(reads, image, inst)?;
        let linear = self.sampling(unit, Sampling::Linear);
        let (texels, weights) = match image.shape.dim {
            Dim::Cube => self.cube_texels(image, lod, (unit, linear), inst)?,
            _ => {
                let detail = self.detail(unit, image, lod, inst);
                let level = self.nearest_level(unit, detail, 2);
                let [x, y] = self.footprint(&level, offset, Some(linear), inst);
                let places = corners(&x, &y).map(|place| place.to_vec());
                let texels = self.texels_at(image, places, &level, inst)?;
                (texels, [x.weight, y.weight])
            }
        };
        let reference = self.reference(inst);
        let passes = texels.map(|texel| self.passes(unit, reference, texel[0]));
        let (upper, lower) = passes.split_at(2);
        let rows = [upper, lower].map(|row| self.mix(row[0], row[1], weights[0]));
        Ok(vec![self.mix(rows[0], rows[1], weights[1])])
    }

    /// A component of the four texels that a linear filter takes; without one, what each of them gives when it is compared.
    pub(super) fn gathered(
        &mut self,
        image: &ImageOp,
        component: Option<u8>,
        offset: [i8; 3],
        inst: &Inst,
    ) -> Result<Vec<Value>> {
        if image.shape.dim != Dim::Cube {
            self.is_flat(
                image,
                inst,
                "gathers from anything but 2D textures and cubes",
            )?;
        }
        let unit = self.unit_for(Reads::Finest, image, inst)?;
        let texels = match image.shape.dim {
            Dim::Cube => self.cube_gathered(image, unit, inst)?,
            _ => {
                let level = self.level(unit, None, 2);
                let [x, y] = self.footprint(&level, offset, None, inst);
                let places = corners(&x, &y).map(|place| place.to_vec());
                self.texels_at(image, places, &level, inst)?
            }
        };
        let mut results = Vec::new();
        for texel in [2, 3, 1, 0].map(|n: usize| &texels[n]) {
            results.push(match component {
                Some(component) => texel[usize::from(component)],
                None => {
                    let reference = self.reference(inst);
                    self.passes(unit, reference, texel[0])
                }
            });
        }
        Ok(results)
    }

    fn is_flat(&self, image: &ImageOp, inst: &Inst, what: &str) -> Result<()> {
        match image.shape.dim {
            Dim::D2 => Ok(()),
            _ => Err(self.errors.lacks(what, inst.origin)),
        }
    }

    /// What texels are compared with: the last operand.
    fn reference(&mut self, inst: &Inst) -> Value {
        let reference = self.number(inst.args[inst.args.len() - 1]);
        self.to.op(LaneOp::FSat, &[reference])
    }

    /// The texels of a filter of a level; of a sampler that is nearest both are the same.
    fn footprint(
        &mut self,
        level: &Level,
        offset: [i8; 3],
        linear: Option<Value>,
        inst: &Inst,
    ) -> [Neighbours; 2] {
        [0, 1].map(|axis| {
            let coordinate = self.number(inst.args[axis]);
            let [size, texel] = level.axes[axis];
            let half = self.to.float(0.5);
            let at = self.to.mul(coordinate, size);
            let at = match linear {
                Some(linear) => {
                    let back = self.to.mul(linear, half);
                    self.to.sub(at, back)
                }
                None => self.to.sub(at, half),
            };
            let part = self.to.op(LaneOp::FFractOne, &[at]);
            let first = self.to.sub(at, part);
            let to_centre = self.to.float(0.5 + f32::from(offset[axis]));
            let centre = self.to.add(first, to_centre);
            let near = self.to.mul(centre, texel);
            let far = self.to.add(near, texel);
            let weight = match linear {
                Some(linear) => self.to.mul(part, linear),
                None => part,
            };
            Neighbours {
                centres: [near, far],
                weight,
            }
        })
    }

    /// The components of the texels of a footprint. Lookups follow each other, so that their texels are on the way at once.
    pub(super) fn texels_at(
        &mut self,
        image: &ImageOp,
        places: [Vec<Value>; 4],
        level: &Level,
        inst: &Inst,
    ) -> Result<[Vec<Value>; 4]> {
        let mut texel = self.legal_image(image, inst)?;
        texel.kind = match level.number {
            Some(_) => ImageKind::Load { level: true },
            None => ImageKind::Sample {
                lod: Lod::Zero,
                compare: false,
                least: false,
                offset: [0; 3],
            },
        };
        Ok(places.map(|place| {
            let args = place.into_iter().chain(level.number).collect();
            self.to.push(Op::Image(texel.clone()), args, 4, Type::Word)
        }))
    }

    /// What a texel gives.
    fn passes(&mut self, unit: u32, reference: Value, texel: Value) -> Value {
        let [less, equal, greater] = [Sampling::Less, Sampling::Equal, Sampling::Greater]
            .map(|part| self.sampling(unit, part));
        let zero = self.to.float(0.0);
        let difference = self.to.sub(reference, texel);
        let opposite = self.to.op(LaneOp::FNeg, &[difference]);
        let at_most = self.to.op(LaneOp::FGe, &[opposite, zero]);
        let at_least = self.to.op(LaneOp::FGe, &[difference, zero]);
        let not_less = self.to.select(at_most, equal, greater);
        self.to.select(at_least, not_less, less)
    }
}
