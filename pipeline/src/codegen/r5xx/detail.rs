//! Levels of detail that a program finds itself: where it needs the size of the level that the unit would take, because it
//! compares texels, or moves coordinates by some of them.

use super::flatten::Flatten;
use super::kinds::Kind;
use crate::codegen::{DriverValue, Sampling};
use crate::ir::{Axis, Detail, ImageOp, Inst, LaneOp, Lod, Op, Type, Value};

/// A whole level of a unit's texture.
pub(super) struct Level {
    /// Its number; without one it is the finest that the sampler takes.
    pub number: Option<Value>,
    /// Texels along each axis, and one divided by them.
    pub axes: Vec<[Value; 2]>,
}

impl Flatten<'_> {
    /// A fact of a unit.
    pub(super) fn sampling(&mut self, unit: u32, part: Sampling) -> Value {
        self.driver(DriverValue::Sampling { unit, part })
    }

    /// Texels along an axis of the base level.
    pub(super) fn texels(&mut self, unit: u32, component: u8) -> Value {
        self.driver(DriverValue::TextureSize { unit, component })
    }

    /// Whether a sample is of level 0.
    pub(super) fn is_finest(&self, image: &ImageOp, lod: Lod, inst: &Inst) -> bool {
        let level = || inst.args[image.shape.coordinates()];
        match lod {
            Lod::Zero => true,
            Lod::Level => self.known.constant(level()) == Some(0),
            _ => false,
        }
    }

    /// The level of detail of a sample, within what its sampler takes; nothing for level 0. [VULKAN 16.5.7 Scale Factor
    /// Operation, LOD Operation and Image Level(s) Selection]
    pub(super) fn detail(
        &mut self,
        unit: u32,
        image: &ImageOp,
        lod: Lod,
        inst: &Inst,
    ) -> Option<Value> {
        let body = image.shape.coordinates();
        let given = |x: &mut Self| x.number(inst.args[body]);
        if self.is_finest(image, lod, inst) {
            return None;
        }
        let level = match lod {
            Lod::Zero => return None,
            Lod::Level => given(self),
            Lod::Implicit | Lod::Bias => {
                let length = [Axis::X, Axis::Y].map(|axis| {
                    let along: Vec<Value> = inst.args[..body]
                        .iter()
                        .map(|coordinate| self.derivative(*coordinate, axis))
                        .collect();
                    self.squared(unit, &along)
                });
                let level = self.half_log2(length);
                match lod {
                    Lod::Bias => {
                        let bias = given(self);
                        self.to.add(level, bias)
                    }
                    _ => level,
                }
            }
            Lod::Gradient => {
                let length = [body, 2 * body].map(|first| {
                    let along: Vec<Value> = inst.args[first..first + body]
                        .iter()
                        .map(|arg| self.number(*arg))
                        .collect();
                    self.squared(unit, &along)
                });
                self.half_log2(length)
            }
        };
        Some(self.limited(unit, level))
    }

    fn derivative(&mut self, coordinate: Value, axis: Axis) -> Value {
        let coordinate = self.number(coordinate);
        let op = Op::Derivative {
            axis,
            detail: Detail::Coarse,
        };
        self.to.push(op, vec![coordinate], 1, Type::Word)[0]
    }

    /// The squared length of a step of coordinates, in texels of the base level.
    fn squared(&mut self, unit: u32, step: &[Value]) -> Value {
        let mut sum = self.to.float(0.0);
        for (axis, along) in (0..).zip(step) {
            let texels = self.texels(unit, axis);
            let texels = self.to.mul(*along, texels);
            let square = self.to.mul(texels, texels);
            sum = self.to.add(sum, square);
        }
        sum
    }

    /// The logarithm of the longer of two lengths, which are squared.
    pub(super) fn half_log2(&mut self, [x, y]: [Value; 2]) -> Value {
        let longer = self.to.op(LaneOp::FMax, &[x, y]);
        let log = self.to.op(LaneOp::FLog2, &[longer]);
        let half = self.to.float(0.5);
        self.to.mul(log, half)
    }

    /// The whole level nearest to a level of detail.
    pub(super) fn nearest_level(&mut self, unit: u32, detail: Option<Value>, axes: u8) -> Level {
        let number = detail.map(|detail| {
            let half = self.to.float(0.5);
            let moved = self.to.add(detail, half);
            self.to.floor(moved)
        });
        self.level(unit, number, axes)
    }

    /// A level by its number.
    pub(super) fn level(&mut self, unit: u32, number: Option<Value>, axes: u8) -> Level {
        let axes = (0..axes).map(|axis| match number {
            None => {
                [Sampling::Size(axis), Sampling::Texel(axis)].map(|part| self.sampling(unit, part))
            }
            Some(number) => {
                let size = self.size_of_level(unit, axis, number);
                [size, self.to.op(LaneOp::FRcp, &[size])]
            }
        });
        let axes = axes.collect();
        Level { number, axes }
    }

    /// Texels along an axis of a whole level: those of the base level halved, rounded down, one at least.
    pub(super) fn size_of_level(&mut self, unit: u32, axis: u8, number: Value) -> Value {
        let base = self.texels(unit, axis);
        let down = self.to.op(LaneOp::FNeg, &[number]);
        let share = self.to.op(LaneOp::FExp2, &[down]);
        let size = self.to.mul(base, share);
        let size = self.to.floor(size);
        let one = self.to.float(1.0);
        self.to.op(LaneOp::FMax, &[size, one])
    }

    /// The operand that leads the unit to a whole level, with any bias of its sampler.
    pub(super) fn unbiased(&mut self, unit: u32, number: Option<Value>) -> Value {
        let number = match number {
            Some(number) => number,
            None => self.to.float(0.0),
        };
        let bias = self.sampling(unit, Sampling::Bias);
        self.to.sub(number, bias)
    }

    /// An operand that is a number.
    pub(super) fn number(&mut self, arg: Value) -> Value {
        self.word(arg, Some(Kind::Float))
    }

    /// Between two values.
    pub(super) fn mix(&mut self, a: Value, b: Value, weight: Value) -> Value {
        let step = self.to.sub(b, a);
        self.to.op(LaneOp::FMad, &[step, weight, a])
    }
}
