//! Comparisons in cubes, and gathers from them: the texels of a filter on the face that a direction meets.
//!
//! The direction is brought to a cube from -1 to 1, where its two smaller components are the place on the face. Texels are found and
//! weighed there. For a comparison columns and rows that count the other way give the same; a gather counts as the face does.
//! No filter leaves its face.

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

/// Where a direction meets the cube.
struct OnCube {
    /// The direction, with a largest component of one.
    direction: [Value; 3],
    /// Whether z is the largest component; of the others, whether y is.
    on_z: Value,
    beside_x: Value,
}

/// A component of a direction along a side of a face, and the sign that makes it count as texels do.
struct Side {
    component: Value,
    sign: Value,
}

impl Flatten<'_> {
    fn on_cube(&mut self, inst: &Inst) -> OnCube {
        let given = [0, 1, 2].map(|n: usize| self.number(inst.args[n]));
        let [ax, ay, az] = given.map(|value| self.to.op(LaneOp::FAbs, &[value]));
        let flat = self.to.op(LaneOp::FMax, &[ax, ay]);
        let largest = self.to.op(LaneOp::FMax, &[flat, az]);
        let share = self.to.op(LaneOp::FRcp, &[largest]);
        OnCube {
            direction: given.map(|value| self.to.mul(value, share)),
            on_z: self.to.compare(LaneOp::FGe, az, flat),
            beside_x: self.to.compare(LaneOp::FGe, ay, ax),
        }
    }

    /// By the largest component: x, y or z.
    fn by_face(&mut self, at: &OnCube, [x, y, z]: [Value; 3]) -> Value {
        let flat = self.to.select(at.beside_x, y, x);
        self.to.select(at.on_z, z, flat)
    }

    /// The texels that a comparison takes, in the level nearest to its level of detail.
    pub(super) fn cube_texels(
        &mut self,
        image: &ImageOp,
        lod: Lod,
        (unit, linear): (u32, Value),
        inst: &Inst,
    ) -> Result<Texels> {
        let at = self.on_cube(inst);
        let detail = self.cube_detail(unit, image, lod, at.direction, inst);
        let level = self.nearest_level(unit, detail, 1);
        let [x, y, z] = at.direction;
        // The two components that are not the largest: x or y, and z or y.
        let first = self.by_face(&at, [y, x, x]);
        let second = self.by_face(&at, [z, z, y]);
        let [columns, lines] = [first, second].map(|at| self.along(&level, at, linear));
        let mut places = Vec::with_capacity(4);
        for b in lines.centres {
            for a in columns.centres {
                let px = self.by_face(&at, [x, a, a]);
                let py = self.by_face(&at, [a, y, b]);
                let pz = self.by_face(&at, [b, b, z]);
                places.push(vec![px, py, pz]);
            }
        }
        let places = <[Vec<Value>; 4]>::try_from(places).unwrap_or_default();
        let texels = self.texels_at(image, places, &level, inst)?;
        Ok((texels, [columns.weight, lines.weight]))
    }

    /// The four texels of a linear filter of level 0: left and right of the upper line, then of the lower one, as the face
    /// counts them. [VULKAN 16.5.4 Cube Map Face Selection and Transformations]
    pub(super) fn cube_gathered(
        &mut self,
        image: &ImageOp,
        unit: u32,
        inst: &Inst,
    ) -> Result<[Vec<Value>; 4]> {
        let at = self.on_cube(inst);
        let level = self.level(unit, None, 1);
        let [x, y, z] = at.direction;
        let zero = self.to.float(0.0);
        let [one, minus] = [1.0, -1.0].map(|number| self.to.float(number));
        let [sx, sy, sz] = at.direction.map(|component| {
            let is_positive = self.to.compare(LaneOp::FGe, component, zero);
            self.to.select(is_positive, one, minus)
        });
        let back = self.to.op(LaneOp::FNeg, &[sx]);
        let across = Side {
            component: self.by_face(&at, [z, x, x]),
            sign: self.by_face(&at, [back, one, sz]),
        };
        let down = Side {
            component: self.by_face(&at, [y, z, y]),
            sign: self.by_face(&at, [minus, sy, minus]),
        };
        let [columns, lines] = [across, down].map(|side| {
            let place = self.to.mul(side.component, side.sign);
            let along = self.along(&level, place, one);
            along.centres.map(|centre| self.to.mul(centre, side.sign))
        });
        let mut places = Vec::with_capacity(4);
        for b in lines {
            for a in columns {
                let px = self.by_face(&at, [x, a, a]);
                let py = self.by_face(&at, [b, y, b]);
                let pz = self.by_face(&at, [a, b, z]);
                places.push(vec![px, py, pz]);
            }
        }
        let places = <[Vec<Value>; 4]>::try_from(places).unwrap_or_default();
        self.texels_at(image, places, &level, inst)
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
