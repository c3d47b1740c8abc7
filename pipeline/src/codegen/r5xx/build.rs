//! Writes the function that instructions are selected from: floats and bools only, straight code and loops that test at
//! their end. [`Build::legal`] makes an operation of those that a stage has.
//!
//! Constants stand at the top of the first block. What the driver writes into constant registers is a push constant here:
//! word `n` is source `n` of [`Build::sources`].

use std::collections::HashMap;
use std::f32::consts::{PI, TAU};

use crate::codegen::ConstantSource;
use crate::ir::{
    Block, BlockId, BoolOp, Function, Inst, Interpolation, LaneOp, Loop, Op, Origin, Scalar, Stage,
    Target, Terminator, Type, Value, Varying,
};

/// Location of the input that is the clip position.
pub const CLIP_POSITION: u32 = u32::MAX;

/// A function being written.
pub struct Build {
    /// The function so far.
    pub function: Function,
    /// Where push constants come from.
    pub sources: Vec<ConstantSource>,
    /// Where instructions come from.
    pub origin: Origin,
    /// Most rounds of loops, by header.
    pub rounds: HashMap<BlockId, Option<f64>>,
    head: Vec<Inst>,
    known: HashMap<Value, u32>,
    words: HashMap<u32, Value>,
    bits: HashMap<bool, Value>,
    loads: HashMap<ConstantSource, Value>,
    /// Words of arrays that are read with an index; they lie in constants as they lie in memory.
    pub arrays: Vec<std::ops::Range<u32>>,
    /// What fractions are of.
    fractions: HashMap<Value, Value>,
    current: usize,
}

/// Code that may be left out, while it is written.
#[derive(Clone, Copy, Debug)]
pub struct Skip {
    /// The block that decides.
    from: usize,
    /// The first block of the code.
    side: BlockId,
}

/// A function that is written.
pub struct Built {
    /// The function.
    pub function: Function,
    /// Where push constants come from.
    pub sources: Vec<ConstantSource>,
    /// Those that are read with an index.
    pub arrays: Vec<std::ops::Range<u32>>,
    /// Most rounds of loops, by header.
    pub rounds: HashMap<BlockId, Option<f64>>,
}

const fn empty() -> Block {
    Block {
        params: Vec::new(),
        insts: Vec::new(),
        end: Terminator::Return,
        looping: None,
    }
}

impl Build {
    /// An empty function with the interface of another.
    pub fn new(of: &Function) -> Build {
        let mut interface = of.interface.clone();
        for varying in interface.inputs.iter_mut().chain(&mut interface.outputs) {
            varying.scalar = Scalar::Float;
        }
        Build {
            function: Function {
                name: of.name.clone(),
                stage: of.stage,
                types: Vec::new(),
                blocks: vec![empty()],
                locals: Vec::new(),
                interface,
                text: of.text.clone(),
            },
            sources: Vec::new(),
            origin: Origin::default(),
            rounds: HashMap::new(),
            head: Vec::new(),
            known: HashMap::new(),
            words: HashMap::new(),
            bits: HashMap::new(),
            loads: HashMap::new(),
            arrays: Vec::new(),
            fractions: HashMap::new(),
            current: 0,
        }
    }

    /// The function.
    pub fn finish(mut self) -> Built {
        self.function.interface.push_constant_bytes = 4 * self.sources.len() as u32;
        self.function.blocks[0].insts.splice(0..0, self.head);
        Built {
            function: self.function,
            sources: self.sources,
            arrays: self.arrays,
            rounds: self.rounds,
        }
    }

    /// A number.
    pub fn float(&mut self, value: f32) -> Value {
        self.word(value.to_bits())
    }

    /// A word of which nothing is said.
    pub fn word(&mut self, word: u32) -> Value {
        if let Some(found) = self.words.get(&word) {
            return *found;
        }
        let value = self.at_head(Op::Const(word), Vec::new(), Type::Word);
        self.known.insert(value, word);
        self.words.insert(word, value);
        value
    }

    /// A bool.
    pub fn bit(&mut self, bit: bool) -> Value {
        if let Some(found) = self.bits.get(&bit) {
            return *found;
        }
        let value = self.at_head(Op::ConstBool(bit), Vec::new(), Type::Bool);
        self.bits.insert(bit, value);
        value
    }

    /// What the driver writes into a constant register.
    pub fn constant(&mut self, source: ConstantSource) -> Value {
        if let ConstantSource::Immediate(word) = source {
            return self.word(word);
        }
        if let Some(found) = self.loads.get(&source) {
            return *found;
        }
        let at = self.word(4 * self.sources.len() as u32);
        self.sources.push(source);
        let value = self.at_head(Op::LoadPush, vec![at], Type::Word);
        self.loads.insert(source, value);
        value
    }

    /// Words of constants from word `at` of an array on, `index` vectors further. The array is written at its first use.
    pub fn indexed(
        &mut self,
        array: impl Fn(u32) -> ConstantSource,
        vectors: u32,
        at: u32,
        index: Value,
        count: usize,
    ) -> Vec<Value> {
        let first = array(0);
        let known = self
            .arrays
            .iter()
            .find(|words| self.sources[words.start as usize] == first);
        let start = match known {
            Some(words) => words.start,
            None => {
                let start = self.sources.len().next_multiple_of(4) as u32;
                self.sources
                    .resize(start as usize, ConstantSource::Immediate(0));
                self.sources.extend((0..4 * vectors).map(array));
                self.arrays.push(start..start + 4 * vectors);
                start
            }
        };
        let fixed = self.push(Op::Alu(LaneOp::F32ToI32Floor), vec![index], 1, Type::Word);
        let (bytes, base) = (self.word(16), self.word(4 * (start + at)));
        let args = vec![fixed[0], bytes, base];
        let address = self.push(Op::Alu(LaneOp::IMad), args, 1, Type::Word);
        self.push(Op::LoadPush, address, count, Type::Word)
    }

    /// A component of the clip position, as one more input behind those of the shader.
    pub fn clip_position(&mut self, component: u32) -> Value {
        let inputs = &mut self.function.interface.inputs;
        let found = inputs
            .iter()
            .position(|input| input.location == CLIP_POSITION);
        let input = found.unwrap_or_else(|| {
            inputs.push(Varying {
                location: CLIP_POSITION,
                second: false,
                components: 4,
                scalar: Scalar::Float,
                interpolation: Interpolation::Perspective,
                origin: Origin::default(),
            });
            inputs.len() - 1
        }) as u32;
        let op = Op::Input {
            input,
            first: component,
        };
        self.push(op, Vec::new(), 1, Type::Word)[0]
    }

    fn at_head(&mut self, op: Op, args: Vec<Value>, ty: Type) -> Value {
        let value = self.function.value(ty);
        let origin = self.origin;
        self.head.push(Inst {
            op,
            args,
            results: vec![value],
            origin,
        });
        value
    }

    /// The number that a value is known to be.
    pub fn known(&self, value: Value) -> Option<f32> {
        self.known.get(&value).map(|word| f32::from_bits(*word))
    }

    /// The bool that a value is known to be.
    pub fn known_bit(&self, value: Value) -> Option<bool> {
        let mut bits = self.bits.iter();
        bits.find(|(_, found)| **found == value)
            .map(|(bit, _)| *bit)
    }

    /// Appends an instruction with results.
    pub fn push(&mut self, op: Op, args: Vec<Value>, results: usize, ty: Type) -> Vec<Value> {
        let results: Vec<Value> = (0..results).map(|_| self.function.value(ty)).collect();
        self.function.blocks[self.current].insts.push(Inst {
            op,
            args,
            results: results.clone(),
            origin: self.origin,
        });
        results
    }

    /// An operation as it is.
    pub fn op(&mut self, op: LaneOp, args: &[Value]) -> Value {
        let ty = crate::ir::result_type(op);
        let known: Vec<u32> = args
            .iter()
            .filter_map(|arg| self.known.get(arg).copied())
            .collect();
        if known.len() == args.len() {
            let mut bits = [0; 3];
            bits[..known.len()].copy_from_slice(&known);
            let bits = op.eval(bits);
            return match ty {
                Type::Word => self.word(bits),
                Type::Bool => self.bit(bits != 0),
            };
        }
        let value = self.push(Op::Alu(op), args.to_vec(), 1, ty)[0];
        if op == LaneOp::FFractOne {
            self.fractions.insert(value, args[0]);
        }
        value
    }

    /// One of two values.
    pub fn select(&mut self, condition: Value, yes: Value, no: Value) -> Value {
        if yes == no {
            return yes;
        }
        match self.known_bit(condition) {
            Some(true) => return yes,
            Some(false) => return no,
            None => {}
        }
        let ty = self.function.types[yes.0 as usize];
        self.push(Op::Select, vec![condition, yes, no], 1, ty)[0]
    }

    /// The other bool.
    pub fn not(&mut self, a: Value) -> Value {
        match self.known_bit(a) {
            Some(bit) => self.bit(!bit),
            None => self.push(Op::BoolNot, vec![a], 1, Type::Bool)[0],
        }
    }

    /// Both.
    pub fn and(&mut self, a: Value, b: Value) -> Value {
        match (self.known_bit(a), self.known_bit(b)) {
            (Some(true), _) => b,
            (_, Some(true)) => a,
            (Some(false), _) | (_, Some(false)) => self.bit(false),
            _ => self.push(Op::Bool(BoolOp::And), vec![a, b], 1, Type::Bool)[0],
        }
    }

    /// One or both.
    pub fn or(&mut self, a: Value, b: Value) -> Value {
        match (self.known_bit(a), self.known_bit(b)) {
            (Some(false), _) => b,
            (_, Some(false)) => a,
            (Some(true), _) | (_, Some(true)) => self.bit(true),
            _ => self.push(Op::Bool(BoolOp::Or), vec![a, b], 1, Type::Bool)[0],
        }
    }

    fn negative(&mut self, a: Value) -> Value {
        self.op(LaneOp::FNeg, &[a])
    }

    /// The sum.
    pub fn add(&mut self, a: Value, b: Value) -> Value {
        match (self.known(a), self.known(b)) {
            (Some(0.0), _) => b,
            (_, Some(0.0)) => a,
            _ => self.op(LaneOp::FAdd, &[a, b]),
        }
    }

    /// The difference.
    pub fn sub(&mut self, a: Value, b: Value) -> Value {
        let b = self.negative(b);
        self.add(a, b)
    }

    /// The product.
    pub fn mul(&mut self, a: Value, b: Value) -> Value {
        match (self.known(a), self.known(b)) {
            (Some(1.0), _) => b,
            (_, Some(1.0)) => a,
            _ => self.op(LaneOp::FMul, &[a, b]),
        }
    }

    /// The product with a power of two, one product where `a` is one already.
    pub fn scaled(&mut self, a: Value, by: Value) -> Value {
        let insts = &self.function.blocks[self.current].insts;
        let product = insts
            .iter()
            .rev()
            .find(|inst| inst.results.first() == Some(&a));
        let product = product.filter(|inst| inst.op == Op::Alu(LaneOp::FMul));
        let factors = product.map(|inst| [inst.args[0], inst.args[1]]);
        match (
            factors,
            factors.and_then(|[_, k]| self.known(k)),
            self.known(by),
        ) {
            (Some([x, _]), Some(k), Some(by)) => {
                let both = self.float(k * by);
                self.mul(x, both)
            }
            _ => self.mul(a, by),
        }
    }

    /// The largest integer not above.
    pub fn floor(&mut self, a: Value) -> Value {
        let part = self.op(LaneOp::FFractOne, &[a]);
        self.sub(a, part)
    }

    /// A comparison of numbers: `>=`, and from it the others where a stage compares with zero only.
    pub fn compare(&mut self, op: LaneOp, a: Value, b: Value) -> Value {
        use LaneOp::*;
        if self.function.stage == Stage::Vertex
            || (self.known(a).is_some() && self.known(b).is_some())
        {
            return match op {
                FLe => self.op(FGe, &[b, a]),
                op => self.op(op, &[a, b]),
            };
        }
        let zero = self.float(0.0);
        let at_least = |x: &mut Build, a: Value, b: Value| {
            let difference = x.sub(a, b);
            x.op(FGe, &[difference, zero])
        };
        match op {
            FGe => at_least(self, a, b),
            FLe => at_least(self, b, a),
            FLt => {
                let other = at_least(self, a, b);
                self.not(other)
            }
            FGt => {
                let other = at_least(self, b, a);
                self.not(other)
            }
            _ => {
                let difference = self.sub(a, b);
                let distance = self.op(FAbs, &[difference]);
                let distance = self.negative(distance);
                let equal = self.op(FGe, &[distance, zero]);
                if op == FEq { equal } else { self.not(equal) }
            }
        }
    }

    /// Sine or cosine of turns: the vertex engine takes radians between -pi and pi.
    fn turns(&mut self, op: LaneOp, turns: Value) -> Value {
        if self.function.stage != Stage::Vertex {
            // The pixel unit takes whole turns off by itself.
            let turns = self.fractions.get(&turns).copied().unwrap_or(turns);
            return self.op(op, &[turns]);
        }
        let half = self.float(0.5);
        let moved = self.add(turns, half);
        let part = self.op(LaneOp::FFractOne, &[moved]);
        let (full, half) = (self.float(TAU), self.float(-PI));
        let radians = self.op(LaneOp::FMad, &[part, full, half]);
        let op = if op == LaneOp::FSinTurns {
            LaneOp::FSin
        } else {
            LaneOp::FCos
        };
        self.op(op, &[radians])
    }

    /// The nearest integer, the even one of two.
    fn round(&mut self, a: Value) -> Value {
        let half = self.float(0.5);
        let moved = self.add(a, half);
        let up = self.floor(moved);
        let distance = self.sub(up, a);
        let halved = self.mul(up, half);
        let odd = self.op(LaneOp::FFractOne, &[halved]);
        let product = self.mul(distance, odd);
        let quarter = self.float(0.25);
        let below = self.compare(LaneOp::FGe, product, quarter);
        let one = self.float(1.0);
        let down = self.sub(up, one);
        self.select(below, down, up)
    }

    /// The integer towards zero.
    pub fn truncate(&mut self, a: Value) -> Value {
        let magnitude = self.op(LaneOp::FAbs, &[a]);
        let floor = self.floor(magnitude);
        let zero = self.float(0.0);
        let positive = self.compare(LaneOp::FGe, a, zero);
        let negative = self.negative(floor);
        self.select(positive, floor, negative)
    }

    /// A float operation, made of those that the stage has; nothing if it cannot be.
    pub fn legal(&mut self, op: LaneOp, args: &[Value]) -> Option<Value> {
        use LaneOp::*;
        let a = args[0];
        let b = args.get(1).copied().unwrap_or(a);
        let c = args.get(2).copied().unwrap_or(a);
        Some(match op {
            FNeg | FAbs | FSat | FMul | FMin | FMax | FRcp | FRsq | FExp2 | FLog2 | FFractOne
            | FMad => self.op(op, args),
            FAdd => self.add(a, b),
            FSub => self.sub(a, b),
            FFma => self.op(FMad, args),
            FMulNeg | FMadNeg => {
                let a = self.negative(a);
                let op = if op == FMulNeg { FMul } else { FMad };
                self.op(op, &[&[a], &args[1..]].concat())
            }
            FFmaNeg => {
                let a = self.negative(a);
                self.op(FMad, &[a, b, c])
            }
            FMadSub | FFmaSub => {
                let c = self.negative(c);
                self.op(FMad, &[a, b, c])
            }
            FDiv => {
                let reciprocal = self.op(FRcp, &[b]);
                self.mul(a, reciprocal)
            }
            FSqrt => {
                let inverse = self.op(FRsq, &[a]);
                self.op(FRcp, &[inverse])
            }
            FFract => self.op(FFractOne, &[a]),
            FFloor => self.floor(a),
            FCeil => {
                let negative = self.negative(a);
                let part = self.op(FFractOne, &[negative]);
                self.add(a, part)
            }
            FTrunc => self.truncate(a),
            FRound => self.round(a),
            FMinLegacy => self.op(FMin, args),
            FMaxLegacy => self.op(FMax, args),
            FMin3 | FMax3 => {
                let two = if op == FMin3 { FMin } else { FMax };
                let first = self.op(two, &[a, b]);
                self.op(two, &[first, c])
            }
            FMed3 => {
                let above = self.op(FMax, &[a, b]);
                self.op(FMin, &[above, c])
            }
            FSinTurns | FCosTurns => self.turns(op, a),
            FSin | FCos => {
                let turn = self.float(1.0 / TAU);
                let turns = self.mul(a, turn);
                let op = if op == FSin { FSinTurns } else { FCosTurns };
                self.turns(op, turns)
            }
            FEq | FNe | FLt | FLe | FGt | FGe => self.compare(op, a, b),
            FLg => self.compare(FNe, a, b),
            FNge | FNgt | FNle | FNlt | FNlg => {
                let op = match op {
                    FNge => FGe,
                    FNgt => FGt,
                    FNle => FLe,
                    FNlt => FLt,
                    _ => FNe,
                };
                let other = self.compare(op, a, b);
                self.not(other)
            }
            FFlush | FFlushNan | Mov => a,
            _ => return None,
        })
    }

    /// Starts code that is left out where no lane wants it.
    pub fn begin_skip(&mut self) -> Skip {
        let side = BlockId(self.function.blocks.len() as u32);
        self.function.blocks.push(empty());
        let from = std::mem::replace(&mut self.current, side.0 as usize);
        Skip { from, side }
    }

    /// Ends it: what it gives, and what is there instead for lanes that do not want it.
    pub fn end_skip(
        &mut self,
        skip: Skip,
        wanted: Value,
        results: Vec<Value>,
        otherwise: Vec<Value>,
    ) -> Vec<Value> {
        let merge = BlockId(self.function.blocks.len() as u32);
        self.function.blocks.push(empty());
        let params = self.params(merge, &results);
        self.jump(merge, results);
        self.function.blocks[skip.from].end = Terminator::Branch {
            condition: wanted,
            yes: Target {
                block: skip.side,
                args: Vec::new(),
            },
            no: Target {
                block: merge,
                args: otherwise,
            },
            merge,
        };
        self.current = merge.0 as usize;
        params
    }

    /// Gives a block parameters of the types of these arguments.
    fn params(&mut self, block: BlockId, args: &[Value]) -> Vec<Value> {
        let types: Vec<Type> = args
            .iter()
            .map(|arg| self.function.types[arg.0 as usize])
            .collect();
        let params: Vec<Value> = types
            .into_iter()
            .map(|ty| self.function.value(ty))
            .collect();
        self.function.blocks[block.0 as usize].params = params.clone();
        params
    }

    /// Starts a loop with parameters of these types, entered with these arguments; gives its header and the parameters.
    pub fn begin_loop(&mut self, args: &[Value]) -> (BlockId, Vec<Value>) {
        let header = BlockId(self.function.blocks.len() as u32);
        self.function.blocks.push(empty());
        let params = self.params(header, args);
        self.jump(header, args.to_vec());
        self.current = header.0 as usize;
        (header, params)
    }

    fn jump(&mut self, block: BlockId, args: Vec<Value>) {
        self.function.blocks[self.current].end = Terminator::Jump(Target { block, args });
    }

    /// Ends a loop: lanes that go on begin again with these arguments.
    pub fn end_loop(&mut self, header: BlockId, again: Value, args: Vec<Value>) {
        let continuing = BlockId(self.function.blocks.len() as u32);
        let merge = BlockId(continuing.0 + 1);
        self.jump(continuing, Vec::new());
        self.function.blocks.extend([empty(), empty()]);
        self.function.blocks[continuing.0 as usize].end = Terminator::Branch {
            condition: again,
            yes: Target {
                block: header,
                args,
            },
            no: Target {
                block: merge,
                args: Vec::new(),
            },
            merge,
        };
        self.function.blocks[header.0 as usize].looping = Some(Loop { merge, continuing });
        self.current = merge.0 as usize;
    }
}
