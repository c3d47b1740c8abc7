//! Cube faces of directions, as [`crate::math::cube`] finds them: masks say whose face it is, z before y before x.

use super::assembler::*;
use super::emitter::Emitter;
use super::recipe::{GE, K, LT, ONE, SIGN, T};
use crate::step::Src;

/// Lanes on a face of y, unless they are on one of z.
const ON_Y: u8 = K[1];
/// Lanes on a face of z.
const ON_Z: u8 = K[0];

impl Emitter<'_> {
    /// The components in registers; sets both masks.
    fn faces(&mut self, src: [Src; 3]) -> [Zmm; 3] {
        let axes = src.map(|src| self.reg(src));
        for (t, axis) in T.into_iter().zip(axes) {
            self.with(AND, t, Place::Zmm(axis), !SIGN);
        }
        let [x, y, z, ..] = T;
        self.vector(COMPARE_F, ALL, (ON_Z, z), Place::Zmm(x), Some(GE));
        self.vector(COMPARE_F, only(ON_Z), (ON_Z, z), Place::Zmm(y), Some(GE));
        self.vector(COMPARE_F, ALL, (ON_Y, y), Place::Zmm(x), Some(GE));
        axes
    }

    /// `out = x`, or y or z where the face is one of theirs.
    fn pick(&mut self, out: Zmm, x: Place, y: Place, z: Place) {
        let mut put = |lanes, value| match value {
            Place::Const(_) => self.vector(BROADCAST, lanes, (out, 0), value, None),
            _ => self.vector(LOAD, lanes, (out, 0), value, None),
        };
        put(ALL, x);
        put(only(ON_Y), y);
        put(only(ON_Z), z);
    }

    /// Changes the sign of `out` where `by` is negative. Masks are used up.
    fn turn(&mut self, out: Zmm, by: Zmm) {
        self.vector(COMPARE_F, ALL, (ON_Z, by), Place::Const(0), Some(LT));
        let sign = Place::Const(SIGN);
        self.vector(XOR, only(ON_Z), (out, out), sign, None);
    }

    /// 0 to 5: +x, -x, +y, -y, +z, -z.
    pub(super) fn cube_face(&mut self, src: [Src; 3], out: Zmm) {
        let [x, y, z] = self.faces(src).map(Place::Zmm);
        let number = |number: f32| Place::Const(number.to_bits());
        self.pick(T[0], x, y, z);
        self.pick(out, number(0.0), number(2.0), number(4.0));
        self.vector(COMPARE_F, ALL, (ON_Z, T[0]), Place::Const(0), Some(LT));
        self.vector(ADD_F, only(ON_Z), (out, out), Place::Const(ONE), None);
    }

    /// Twice the component of the face.
    pub(super) fn cube_major(&mut self, src: [Src; 3], out: Zmm) {
        let [x, y, z] = self.faces(src).map(Place::Zmm);
        self.pick(T[0], x, y, z);
        self.two(ADD_F, out, Place::Zmm(T[0]), Place::Zmm(T[0]));
    }

    /// Along the columns of a face: -z on +x, x on others; turned on -x and -z.
    pub(super) fn cube_column(&mut self, src: [Src; 3], out: Zmm) {
        let [x, _, z] = self.faces(src);
        self.with(XOR, T[0], Place::Zmm(z), SIGN);
        let [x, z] = [x, z].map(Place::Zmm);
        self.pick(out, Place::Zmm(T[0]), x, x);
        self.pick(T[0], x, Place::Const(0), z);
        self.turn(out, T[0]);
    }

    /// Along the rows of a face: z on +y, -y on others; turned on -y.
    pub(super) fn cube_row(&mut self, src: [Src; 3], out: Zmm) {
        let [_, y, z] = self.faces(src);
        self.with(XOR, T[0], Place::Zmm(y), SIGN);
        let down = Place::Zmm(T[0]);
        self.pick(out, down, Place::Zmm(z), down);
        let none = Place::Const(0);
        self.pick(T[0], none, Place::Zmm(y), none);
        self.turn(out, T[0]);
    }
}
