//! Comparisons in cubes: the texels of a filter on the face that a direction meets.
//!
//! The direction is brought to a cube from -1 to 1, where its two smaller components are the place on the face. Texels are found and
//! weighed there: columns and rows that count the other way give the same. No filter leaves its face.

use super::detail::Level;
use super::flatten::Flatten;
use crate::codegen::{DriverValue, Result, Sampling};
use crate::ir::{Axis, Detail, ImageOp, Inst, LaneOp, Lod, Op, Type, Value};

/// The texels of a filter and the weights of the second column and line.
type Texels = ([Vec<Value>; 4], [Value; 2]);

/// Texels along a component of the direction, and the weight of the second.
struct Along {
    centres: [Value; 2],
    weight: Value,
}

impl Flatten<'_> {
    /// The texels that a comparison takes, in the level nearest to its level of detail.
    pub(super) fn cube_texels(
        &mut self,
        image: &ImageOp,
        lod: Lod,
        (unit, linear): (u32, Value),
        inst: &Inst,
    ) -> Result<Texels> {
        let given = [0, 1, 2].map(|n: usize| self.number(inst.args[n]));
        let [ax, ay, az] = given.map(|value| self.to.op(LaneOp::FAbs, &[value]));
        let flat = self.to.op(LaneOp::FMax, &[ax, ay]);
        let largest = self.to.op(LaneOp::FMax, &[flat, az]);
        let share = self.to.op(LaneOp::FRcp, &[largest]);
        let direction = given.map(|value| self.to.mul(value, share));
        let on_z = self.to.op(LaneOp::FGe, &[az, flat]);
        let beside_x = self.to.op(LaneOp::FGe, &[ay, ax]);
        let detail = self.cube_detail(unit, image, lod, direction, inst);
        let level = self.nearest_level(unit, detail, 1);
        let [x, y, z] = direction;
        // The two components that are not the largest: x or y, and z or y.
        let on_y = self.to.select(beside_x, x, y);
        let first = self.to.select(on_z, x, on_y);
        let second = self.to.select(on_z, y, z);
        let [columns, lines] = [first, second].map(|at| self.along(&level, at, linear));
        let mut places = Vec::with_capacity(4);
        for b in lines.centres {
            for a in columns.centres {
                // On x: x, a, b; on y: a, y, b; on z: a, b, z.
                let px = self.to.select(beside_x, a, x);
                let px = self.to.select(on_z, a, px);
                let py = self.to.select(beside_x, y, a);
                let py = self.to.select(on_z, b, py);
                let pz = self.to.select(on_z, z, b);
                places.push(vec![px, py, pz]);
            }
        }
        let places = <[Vec<Value>; 4]>::try_from(places).unwrap_or_default();
        let texels = self.texels_at(image, places, &level, inst)?;
        Ok((texels, [columns.weight, lines.weight]))
    }

    /// The two texels of a filter at a component of the direction, inside of the face.
    fn along(&mut self, level: &Level, component: Value, linear: Value) -> Along {
        let [size, texel] = level.axes[0];
        let half = self.to.float(0.5);
        let place = self.to.op(LaneOp::FMad, &[component, half, half]);
        let at = self.to.mul(place, size);
        let back = self.to.mul(linear, half);
        let at = self.to.sub(at, back);
        let part = self.to.op(LaneOp::FFractOne, &[at]);
        let first = self.to.sub(at, part);
        let one = self.to.float(1.0);
        let last = self.to.sub(one, texel);
        let least = self.to.op(LaneOp::FNeg, &[last]);
        let centres = [1.0, 3.0].map(|twice| {
            // In halves of texels, from the middle of the face.
            let two = self.to.float(2.0);
            let to_centre = self.to.float(twice);
            let centre = self.to.op(LaneOp::FMad, &[first, two, to_centre]);
            let centre = self.to.sub(centre, size);
            let centre = self.to.mul(centre, texel);
            let centre = self.to.op(LaneOp::FMax, &[centre, least]);
            self.to.op(LaneOp::FMin, &[centre, last])
        });
        Along {
            centres,
            weight: self.to.mul(part, linear),
        }
    }

    /// The level of detail of a comparison by a direction on the cube; nothing for level 0.
    fn cube_detail(
        &mut self,
        unit: u32,
        image: &ImageOp,
        lod: Lod,
        direction: [Value; 3],
        inst: &Inst,
    ) -> Option<Value> {
        if self.is_finest(image, lod, inst) || !matches!(lod, Lod::Implicit | Lod::Bias) {
            return self.detail(unit, image, lod, inst);
        }
        let texels = self.driver(DriverValue::TextureSize { unit, component: 0 });
        let half = self.to.float(0.5);
        let texels = self.to.mul(texels, half);
        let lengths = [Axis::X, Axis::Y].map(|axis| {
            let mut sum = self.to.float(0.0);
            for component in direction {
                let op = Op::Derivative {
                    axis,
                    detail: Detail::Coarse,
                };
                let step = self.to.push(op, vec![component], 1, Type::Word)[0];
                let step = self.to.mul(step, texels);
                sum = self.to.op(LaneOp::FMad, &[step, step, sum]);
            }
            sum
        });
        let level = self.half_log2(lengths);
        let level = match lod {
            Lod::Bias => {
                let bias = self.number(inst.args[3]);
                self.to.add(level, bias)
            }
            _ => level,
        };
        Some(self.limited(unit, level))
    }

    /// A level of detail with the bias of the sampler, within what that takes.
    pub(super) fn limited(&mut self, unit: u32, level: Value) -> Value {
        let bias = self.sampling(unit, Sampling::Bias);
        let level = self.to.add(level, bias);
        let finest = self.sampling(unit, Sampling::Finest);
        let level = self.to.op(LaneOp::FMax, &[level, finest]);
        let coarsest = self.sampling(unit, Sampling::Coarsest);
        self.to.op(LaneOp::FMin, &[level, coarsest])
    }
}
