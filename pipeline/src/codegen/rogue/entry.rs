//! What a program finds in registers when it starts, and what it leaves at its end.
//!
//! `docs/driver-rogue.md` is the agreement with the rest of the driver.

use ::rogue::cdm::{COUNT, PLACE};
use ::rogue::isa::backend::{Amount, Backend, IterMode, Uvsw};
use ::rogue::isa::bitwise::{Logical, Shift2};
use ::rogue::isa::{Bank, Format, Register};
use ::rogue::lift::SpecialRegister;
use ::rogue::pbe::OUTPUT_REGISTERS;

use super::geometry::Number;
use super::machine::{
    Access, Back, Body, Effect, Inst, Main, ONE, Operand, TRUE, UNIT, Unit, ZERO, constant, shared,
};
use super::select::{Select, Source};
use crate::codegen::Result;
use crate::codegen::geometry::VertexRole;
use crate::codegen::outputs::{Color, Outputs};
use crate::ir::{Builtin, Inst as IrInst, Interpolation, OutputBuiltin, Stage, Value};

/// The driver's shared registers: what is added to indices, first instance and number of the draw (vertex), 1 where front
/// faces are counter-clockwise (pixel).
const BASE_VERTEX: u16 = 0;
const BASE_INSTANCE: u16 = 1;
const DRAW_INDEX: u16 = 2;
const FRONT: u16 = 7;
/// Shared registers with the address of scratch memory.
pub(super) const SCRATCH: u16 = 16;
/// First coefficient of the plane of depth; that of 1/w is the first of all.
const DEPTH: u16 = 4;
/// First coefficient of the inputs, coefficients of an input, and of a component.
const INPUTS: u16 = 8;
const INPUT: u16 = 16;
const COMPONENT: u16 = 4;
/// Vertex inputs of an attribute.
const ATTRIBUTE: u16 = 4;
/// The number of the primitive among the vertex inputs behind the attributes.
const PRIMITIVE: u16 = 3;

/// What selection knows of inputs and outputs.
#[derive(Debug, Default)]
pub(super) struct Entry {
    pub outputs: Outputs,
    /// 1.0 in lanes that were not discarded.
    pub alive: Option<Unit>,
    /// Rounds that helpers may go on alone.
    pub helper_rounds: Option<Unit>,
    /// Branches under masks that are open.
    pub open: u8,
    /// The primitive index is an input.
    pub reads_primitive: bool,
    /// What the pixel has is an input, too.
    pub reads_outputs: bool,
    /// The place in a point is an input.
    pub reads_point: bool,
    /// Coefficients that are read, up to the last.
    pub coefficients: u16,
    /// Words of each vertex of the primitive that a geometry shader reads, in order.
    pub fed_words: Vec<u32>,
}

pub(super) const fn register(bank: Bank, number: u16) -> Operand {
    Operand::Register(Register::Plain(bank, number))
}

/// A pixel output.
pub(super) const fn output(number: u16) -> Register {
    Register::Plain(
        Bank::SPECIAL,
        if number < 4 {
            32 + number
        } else {
            160 + number
        },
    )
}

impl Select<'_> {
    pub(super) fn special(&mut self, which: SpecialRegister) -> Operand {
        Operand::Unit(self.in_unit(constant(which.code())))
    }

    pub(super) fn input(&mut self, input: u32, first: u32, inst: &IrInst) {
        let used: Vec<Value> = inst.results.clone();
        if self.function.stage == Stage::Vertex {
            for (n, result) in (first..).zip(used) {
                let number = ATTRIBUTE * input as u16 + n as u16;
                self.define(result, register(Bank::VERTEX_INPUT, number));
            }
            return;
        }
        let how = self.function.interface.inputs[input as usize].interpolation;
        let at = INPUTS + INPUT * input as u16 + COMPONENT * first as u16;
        self.iterated(how, at, &used);
    }

    /// Values from planes of coefficients.
    fn iterated(&mut self, how: Interpolation, at: u16, results: &[Value]) {
        use Interpolation::*;
        let used = |select: &Self, value: &Value| select.is_used(*value);
        let Some(last) = results.iter().rposition(|value| used(self, value)) else {
            return;
        };
        let start = results
            .iter()
            .position(|value| used(self, value))
            .unwrap_or(0);
        let at = at + COMPONENT * start as u16;
        let results = &results[start..=last];
        let end = at + COMPONENT * results.len() as u16;
        self.entry.coefficients = self.entry.coefficients.max(end);
        if how == Flat {
            for (n, &result) in results.iter().enumerate() {
                let number = at + COMPONENT * n as u16 + 2;
                self.define(result, register(Bank::COEFFICIENT, number));
            }
            return;
        }
        let mode = match how {
            _ if self.options.per_sample => IterMode::SAMPLE,
            Perspective | Linear | Flat => IterMode::PIXEL,
            PerspectiveCentroid | LinearCentroid => IterMode::CENTROID,
            PerspectiveSample | LinearSample => IterMode::SAMPLE,
        };
        let perspective = matches!(how, Perspective | PerspectiveCentroid | PerspectiveSample);
        let row = self.iterate(mode, perspective, at, results.len() as u32);
        for (unit, &result) in (row..).zip(results) {
            self.define(result, Operand::Unit(unit));
        }
    }

    fn iterate(&mut self, mode: IterMode, perspective: bool, at: u16, count: u32) -> Unit {
        let row = self.code.row(count);
        let cf = |number| Access::Value(register(Bank::COEFFICIENT, number));
        let mut slots = vec![(0, cf(at)), (3, Access::Writes(row, count))];
        if perspective {
            slots.push((2, cf(0)));
        }
        let op = Backend::Fitr {
            perspective,
            drc: 0,
            mode,
            sat: false,
            count: count as u8,
        };
        self.main(Main {
            back: Some(Back { op, slots }),
            ..Main::default()
        });
        row
    }

    pub(super) fn builtin(&mut self, builtin: Builtin, result: Value) -> Result<()> {
        if !self.is_used(result) {
            return Ok(());
        }
        let inputs = self.function.interface.inputs.len() as u16;
        let index = |n: u16| register(Bank::VERTEX_INPUT, ATTRIBUTE * inputs + n);
        let sample = self.options.per_sample;
        let word = match builtin {
            Builtin::VertexIndex => index(0),
            Builtin::InstanceIndex => index(1),
            Builtin::DrawIndex => shared(DRAW_INDEX),
            Builtin::BaseVertex => shared(BASE_VERTEX),
            Builtin::BaseInstance => shared(BASE_INSTANCE),
            Builtin::FragCoord(0) if sample => self.special(SpecialRegister::X_S),
            Builtin::FragCoord(0) => self.special(SpecialRegister::X_P),
            Builtin::FragCoord(1) if sample => self.special(SpecialRegister::Y_S),
            Builtin::FragCoord(1) => self.special(SpecialRegister::Y_P),
            Builtin::FragCoord(n) => {
                let at = if n == 2 { DEPTH } else { 0 };
                let mode = if sample {
                    IterMode::SAMPLE
                } else {
                    IterMode::PIXEL
                };
                Operand::Unit(self.iterate(mode, false, at, 1))
            }
            Builtin::FrontFacing => {
                let facing = self.special(SpecialRegister::FACE_ORIENT);
                let sources = [facing, shared(FRONT)].map(Source::plain);
                self.equal(sources)
            }
            Builtin::SampleIndex => self.special(SpecialRegister::SAMP_NUM),
            Builtin::SampleMask => self.coverage(),
            Builtin::LocalId(axis) => register(Bank::VERTEX_INPUT, axis.into()),
            Builtin::WorkgroupId(axis) => shared(PLACE[usize::from(axis)]),
            Builtin::WorkgroupCount(axis) => shared(COUNT[usize::from(axis)]),
            Builtin::SubgroupSize
            | Builtin::SubgroupInvocation
            | Builtin::SubgroupId
            | Builtin::SubgroupCount => return Err(self.unsupported("subgroup operations")),
            Builtin::Barycentric(_) => return Err(self.unsupported("barycentric coordinates")),
            Builtin::InvocationIndex => self.geometry_number(Number::Invocation),
            Builtin::PrimitiveIndex if self.function.stage == Stage::Geometry => {
                self.geometry_number(Number::Primitive)
            }
            Builtin::SampleCount => self.constant(self.options.samples.max(1)),
            Builtin::Layer => self.special(SpecialRegister::RENDER_TGT_ID),
            Builtin::PrimitiveIndex => {
                self.entry.reads_primitive = true;
                self.iterated(Interpolation::Flat, INPUTS + INPUT * inputs, &[result]);
                return Ok(());
            }
            Builtin::PointCoord(n) => {
                self.entry.reads_point = true;
                let at = inputs + u16::from(self.reads_primitive());
                let at = INPUTS + INPUT * at + COMPONENT * u16::from(n);
                self.iterated(Interpolation::Linear, at, &[result]);
                return Ok(());
            }
        };
        self.define(result, word);
        Ok(())
    }

    fn reads_primitive(&self) -> bool {
        let read = |inst: &IrInst| inst.op == crate::ir::Op::Builtin(Builtin::PrimitiveIndex);
        self.function.insts().any(read)
    }

    // ---- the end ----

    /// Outputs.
    pub(super) fn epilogue(&mut self) -> Result<()> {
        match self.function.stage {
            Stage::Vertex if self.options.role == VertexRole::Feeds => {
                self.feed();
                Ok(())
            }
            Stage::Vertex => self.vertex_outputs(),
            Stage::Geometry => {
                self.vertex_end(Uvsw::ENDTASK);
                Ok(())
            }
            Stage::Compute => Ok(()),
            _ => self.pixel_outputs(),
        }
    }

    pub(super) fn write(&mut self, word: Operand, place: u32) {
        let mut main = Select::through(word);
        main.back = Some(Back {
            op: Backend::Uvsw {
                op: Uvsw::WRITE,
                w1: false,
                address: Some(Amount::Number(place as u8)),
                stream: None,
            },
            slots: Vec::new(),
        });
        let mut inst = Inst::new(Body::Main(main));
        inst.effect = Effect::Write;
        self.push(inst);
    }

    /// Words 0 to 3 the position, four a parameter, then the other built-in ones that are written.
    fn vertex_outputs(&mut self) -> Result<()> {
        let mut words: Vec<(u32, Value)> = Vec::new();
        let position = self.entry.outputs.builtin(OutputBuiltin::Position);
        let place = |first: u32, found: [Option<Value>; 4]| {
            (first..)
                .zip(found)
                .filter_map(|(at, value)| Some((at, value?)))
        };
        words.extend(place(0, position));
        let count = self.function.interface.outputs.len() as u32;
        for output in 0..count {
            words.extend(place(4 + 4 * output, self.entry.outputs.words(output)));
        }
        let mut at = 4 + 4 * count;
        let mut primitive = None;
        if self.options.export_primitive_index {
            primitive = Some(at);
            at += 4;
        }
        for builtin in VERTEX_BUILTINS {
            if let Some(value) = self.entry.outputs.builtin(builtin)[0] {
                words.push((at, value));
                at += 1;
            }
        }
        if at > 256 {
            return Err(self.unsupported("more than 256 words of vertex outputs"));
        }
        for (place, value) in words {
            let word = self.word(value);
            self.write(word, place);
        }
        if let Some(place) = primitive {
            let inputs = self.function.interface.inputs.len() as u16;
            let number = register(Bank::VERTEX_INPUT, ATTRIBUTE * inputs + PRIMITIVE);
            self.write(number, place);
        }
        self.vertex_end(Uvsw::EMITENDTASK);
        Ok(())
    }

    /// The end of a vertex, a strip or a task.
    pub(super) fn vertex_end(&mut self, op: Uvsw) {
        let mut inst = Inst::new(Body::Main(Main {
            back: Some(Back {
                op: Backend::Uvsw {
                    op,
                    w1: false,
                    address: None,
                    stream: None,
                },
                slots: Vec::new(),
            }),
            ..Main::default()
        }));
        inst.effect = Effect::Write;
        self.push(inst);
    }

    /// A backend operation that takes W0.
    fn hand_over(&mut self, word: Operand, op: Backend) {
        let mut main = Select::through(word);
        main.back = Some(Back {
            op,
            slots: Vec::new(),
        });
        let mut inst = Inst::new(Body::Main(main));
        inst.effect = Effect::Write;
        self.push(inst);
    }

    /// The samples that the alpha of the first colour covers: `floor(alpha * samples + 1/2)`, lowest numbers first.
    fn alpha_coverage(&mut self, colors: &[Color]) -> Option<Operand> {
        let first = colors.iter().find(|color| color.target == 0);
        let color = first.filter(|_| self.options.alpha_to_coverage)?;
        let alpha = color.words[3].map_or(UNIT, |alpha| self.word(alpha));
        let alpha = self.saturated(alpha);
        let [samples, half] = [self.options.samples.max(1) as f32, 0.5].map(f32::to_bits);
        let factors = [alpha, self.constant(samples), self.constant(half)].map(Source::plain);
        let count = self.mad(false, factors);
        let count = self.packed(Source::plain(count), Format::U32, true, None);
        let bits = self.shifted(Shift2::LSL, ONE, count);
        Some(self.integer_sum(bits, TRUE, false))
    }

    fn pixel_outputs(&mut self) -> Result<()> {
        let outputs = &self.entry.outputs;
        if outputs.has(OutputBuiltin::FragStencil) {
            return Err(self.unsupported("a stencil reference of the shader's own"));
        }
        let depth = outputs.builtin(OutputBuiltin::FragDepth)[0];
        let mask = outputs.builtin(OutputBuiltin::SampleMask)[0];
        let colors = outputs.colors(self.function, self.options);
        if let Some(depth) = depth {
            let word = self.word(depth);
            self.hand_over(word, Backend::Depthf);
        }
        if let Some(alive) = self.entry.alive {
            // Above 0: compare mode 4. [Rogue 12.3]
            let slots = [ZERO, Operand::Unit(alive), constant(4)];
            let slots = (0..).zip(slots.map(Access::Value)).collect();
            let mut inst = Inst::new(Body::Main(Main {
                back: Some(Back {
                    op: Backend::Atst {
                        p0: false,
                        ifb: true,
                    },
                    slots,
                }),
                ..Main::default()
            }));
            inst.effect = Effect::Write;
            self.push(inst);
        }
        let mask = mask.map(|mask| self.word(mask));
        let mask = match self.alpha_coverage(&colors) {
            Some(covered) => {
                Some(mask.map_or(covered, |mask| self.logic(Logical::AND, covered, mask)))
            }
            None => mask,
        };
        if let Some(word) = mask {
            self.hand_over(word, Backend::Movmsk { sm: None });
        }
        if !self.options.targets.is_empty() {
            self.export_colors(&colors)?;
            // It then runs once a sample.
            let again = self.entry.reads_outputs && self.options.samples > 1;
            if again && self.function.interface.side_effects && !self.options.per_sample {
                return Err(self.unsupported(
                    "stores beside blending or write masks of targets with several samples",
                ));
            }
            return Ok(());
        }
        // Without targets, four registers a colour.
        for color in colors {
            let first = 4 * color.target as u16;
            for (n, value) in (first..).zip(color.words) {
                let Some(value) = value else { continue };
                if u32::from(n) >= OUTPUT_REGISTERS {
                    return Err(self.unsupported("more than eight registers of pixel outputs"));
                }
                let word = self.word(value);
                self.write_output(n, word);
            }
        }
        Ok(())
    }
}

/// In the order of their words.
pub(super) const VERTEX_BUILTINS: [OutputBuiltin; 11] = [
    OutputBuiltin::PointSize,
    OutputBuiltin::Viewport,
    OutputBuiltin::Layer,
    OutputBuiltin::ClipDistance(0),
    OutputBuiltin::ClipDistance(1),
    OutputBuiltin::ClipDistance(2),
    OutputBuiltin::ClipDistance(3),
    OutputBuiltin::ClipDistance(4),
    OutputBuiltin::ClipDistance(5),
    OutputBuiltin::ClipDistance(6),
    OutputBuiltin::ClipDistance(7),
];
