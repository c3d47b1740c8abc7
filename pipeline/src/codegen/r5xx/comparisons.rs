//! Samples that compare. The texture unit only reads, so the program reads the texels that a filter takes, at their
//! centres and by a sampler that is nearest, and compares and weighs them itself.
//!
//! What the sampler compares and how it filters are constants from the driver ([`Comparison`]): of a reference `r` and a
//! texel `t` the result is `always + at_least * (r >= t) + at_most * (r <= t)`.

use super::flatten::Flatten;
use crate::codegen::{Comparison, DriverValue, Result};
use crate::ir::{Dim, ImageKind, ImageOp, Inst, LaneOp, Lod, Op, Type, Value};

impl Flatten<'_> {
    /// A sample at level 0: coordinates and reference to a number between 0 and 1.
    pub(super) fn compared(&mut self, image: &ImageOp, inst: &Inst) -> Result<Vec<Value>> {
        if image.shape.dim != Dim::D2 {
            let what = "comparison samplers of anything but 2D textures";
            return Err(self.errors.lacks(what, inst.origin));
        }
        let unit = self.pair(image, inst)?;
        let mut texels = self.legal_image(image, inst)?;
        texels.kind = ImageKind::Sample {
            lod: Lod::Level,
            compare: false,
            offset: [0; 3],
        };
        let mut places = Vec::new();
        for (axis, coordinate) in (0..).zip(&inst.args[..2]) {
            let coordinate = self.number(*coordinate);
            places.push(self.neighbours(unit, axis, coordinate));
        }
        let reference = self.number(inst.args[2]);
        let reference = self.to.op(LaneOp::FSat, &[reference]);
        let zero = self.to.float(0.0);
        let mut rows = Vec::new();
        for y in places[1].0 {
            let mut row = Vec::new();
            for x in places[0].0 {
                let args = vec![x, y, zero];
                let texel = self.to.push(Op::Image(texels.clone()), args, 4, Type::Word)[0];
                row.push(self.passes(unit, reference, texel));
            }
            rows.push(self.mix(row[0], row[1], places[0].1));
        }
        Ok(vec![self.mix(rows[0], rows[1], places[1].1)])
    }

    fn comparison(&mut self, unit: u32, part: Comparison) -> Value {
        self.driver(DriverValue::Comparison { unit, part })
    }

    /// The centres of the two texels along an axis, and the weight of the second: none of a sampler that is nearest.
    fn neighbours(&mut self, unit: u32, axis: u8, coordinate: Value) -> ([Value; 2], Value) {
        let size = self.driver(DriverValue::TextureSize {
            unit,
            component: axis,
        });
        let texel = self.comparison(unit, Comparison::Texel(axis));
        let linear = self.comparison(unit, Comparison::Linear);
        let half = self.to.float(0.5);
        let scaled = self.to.mul(coordinate, size);
        let back = self.to.mul(linear, half);
        let at = self.to.sub(scaled, back);
        let part = self.to.op(LaneOp::FFractOne, &[at]);
        let first = self.to.sub(at, part);
        let centre = self.to.add(first, half);
        let near = self.to.mul(centre, texel);
        let far = self.to.add(near, texel);
        ([near, far], self.to.mul(part, linear))
    }

    /// What a texel gives.
    fn passes(&mut self, unit: u32, reference: Value, texel: Value) -> Value {
        let zero = self.to.float(0.0);
        let mut sum = self.comparison(unit, Comparison::Always);
        for (op, part) in [
            (LaneOp::FGe, Comparison::AtLeast),
            (LaneOp::FLe, Comparison::AtMost),
        ] {
            let holds = self.to.compare(op, reference, texel);
            let value = self.comparison(unit, part);
            let value = self.to.select(holds, value, zero);
            sum = self.to.add(sum, value);
        }
        sum
    }

    fn mix(&mut self, a: Value, b: Value, weight: Value) -> Value {
        let step = self.to.sub(b, a);
        let step = self.to.mul(step, weight);
        self.to.add(a, step)
    }
}
