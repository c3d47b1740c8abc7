//! Sine and cosine.

use ::rogue::isa::alu::{Alu, Float2, Modifiers, Single};

use super::machine::{Dst, Main, Operand, Phase, ZERO};
use super::select::Select;

impl Select<'_> {
    /// Sine or cosine of an angle in radians. [Rogue 9.4]
    pub(super) fn reduced(&mut self, cos: bool, angle: Operand) -> Operand {
        let plain = Modifiers::default();
        let fred = |part_b| Alu::Fred {
            cos,
            part_b,
            iteration: 0,
            p0: false,
            mods: plain,
        };
        let angle = Operand::Unit(self.in_unit(angle));
        let carry = self.code.unit();
        self.main(Main {
            p0: Some(Phase {
                alu: fred(false),
                src: vec![angle],
            }),
            w: [None, Some(Dst::Unit(carry))],
            ..Main::default()
        });
        let place = self.code.unit();
        // The second part reads in S3 what the first left.
        self.main(Main {
            p0: Some(Phase {
                alu: fred(true),
                src: vec![angle, ZERO, ZERO, Operand::Unit(carry)],
            }),
            w: [Some(Dst::Unit(place)), None],
            ..Main::default()
        });
        let place = Operand::Unit(place);
        let quotient = self.single_of(Single::FSINC, place);
        // P0 says whether the quotient stands for the sine.
        let result = self.code.unit();
        self.move_to(result, quotient);
        let multiply = Alu::Float2 {
            op: Float2::FMUL,
            low: false,
            sat: false,
            a: plain,
            b_abs: false,
        };
        let mut product = super::machine::Inst::new(super::machine::Body::Main(Main {
            p0: Some(Phase {
                alu: multiply,
                src: vec![place, quotient],
            }),
            w: [Some(Dst::Unit(result)), None],
            ..Main::default()
        }));
        product.condition = ::rogue::isa::Condition::P0;
        self.push(product);
        Operand::Unit(result)
    }

    fn single_of(&mut self, op: Single, operand: Operand) -> Operand {
        let mods = Modifiers::default();
        self.phase(Alu::Single { op, mods }, vec![operand])
    }
}
