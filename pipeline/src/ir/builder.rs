//! How the lowering writes a function.
//!
//! Constants are made once and stand at the top of the entry block. Arithmetic on constants is done here, so that
//! everything static about a shader (overrides, inlined arguments) is gone before a pass sees it.

use std::collections::HashMap;

use super::{
    Block, BlockId, BoolOp, Function, Inst, Interface, LaneOp, Loop, Op, Origin, Stage, Target,
    Terminator, Text, Type, Value, result_type,
};

/// A value that is known now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Known {
    /// A word.
    Word(u32),
    /// A bool.
    Bool(bool),
}

impl Known {
    /// As `LaneOp::eval` takes it.
    pub fn bits(self) -> u32 {
        match self {
            Known::Word(word) => word,
            Known::Bool(bit) => u32::from(bit),
        }
    }

    /// From what `LaneOp::eval` gives.
    pub fn from_bits(bits: u32, ty: Type) -> Known {
        match ty {
            Type::Word => Known::Word(bits),
            Type::Bool => Known::Bool(bits != 0),
        }
    }

    /// What an instruction makes known.
    pub fn of(op: &Op) -> Option<Known> {
        match op {
            Op::Const(word) => Some(Known::Word(*word)),
            Op::ConstBool(bit) => Some(Known::Bool(*bit)),
            _ => None,
        }
    }

    /// Its type.
    pub fn ty(self) -> Type {
        match self {
            Known::Word(_) => Type::Word,
            Known::Bool(_) => Type::Bool,
        }
    }

    /// The instruction that makes it.
    pub fn op(self) -> Op {
        match self {
            Known::Word(word) => Op::Const(word),
            Known::Bool(bit) => Op::ConstBool(bit),
        }
    }
}

/// One end of a jump: the jumping block, and 0 for its only or its `yes` target, 1 for `no`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exit {
    /// The jumping block.
    pub block: BlockId,
    /// Which of its targets.
    pub side: usize,
}

/// Writes one function, block after block.
#[derive(Debug)]
pub struct Builder {
    function: Function,
    /// Block ids in the order in which they were started.
    order: Vec<BlockId>,
    current: BlockId,
    known: Vec<Option<Known>>,
    constants: HashMap<Known, Value>,
    constant_insts: Vec<Inst>,
    /// What stands behind the constants.
    entry_insts: Vec<Inst>,
    /// Instructions written so far.
    written: usize,
    origin: Origin,
}

impl Builder {
    /// Starts a function in its entry block.
    pub fn new(name: &str, stage: Stage) -> Builder {
        let mut builder = Builder {
            function: Function {
                name: name.to_owned(),
                stage,
                types: Vec::new(),
                blocks: Vec::new(),
                locals: Vec::new(),
                interface: Interface::default(),
                text: Text::default(),
            },
            order: Vec::new(),
            current: BlockId(0),
            known: Vec::new(),
            constants: HashMap::new(),
            constant_insts: Vec::new(),
            entry_insts: Vec::new(),
            written: 0,
            origin: Origin::default(),
        };
        let entry = builder.block();
        builder.start(entry);
        builder
    }

    /// The function so far: its interface and locals may be changed.
    pub fn function(&mut self) -> &mut Function {
        &mut self.function
    }

    /// Where instructions come from that are written from now on; gives where they came from until now.
    pub fn set_origin(&mut self, origin: Origin) -> Origin {
        std::mem::replace(&mut self.origin, origin)
    }

    /// Where instructions come from.
    pub fn origin(&self) -> Origin {
        self.origin
    }

    /// Instructions and block parameters written so far.
    pub fn written(&self) -> usize {
        self.written
    }

    /// A block to be started later.
    pub fn block(&mut self) -> BlockId {
        self.function.blocks.push(Block {
            params: Vec::new(),
            insts: Vec::new(),
            end: Terminator::Unreachable,
            looping: None,
        });
        BlockId(self.function.blocks.len() as u32 - 1)
    }

    /// Writes into this block from now on. Blocks come in the order in which they are started.
    pub fn start(&mut self, block: BlockId) {
        self.order.push(block);
        self.current = block;
    }

    /// The block being written.
    pub fn current(&self) -> BlockId {
        self.current
    }

    /// Makes a block a loop header.
    pub fn set_loop(&mut self, header: BlockId, looping: Loop) {
        self.function.blocks[header.0 as usize].looping = Some(looping);
    }

    /// A new parameter of a block.
    pub fn param(&mut self, block: BlockId, ty: Type) -> Value {
        let value = self.new_value(ty);
        self.function.blocks[block.0 as usize].params.push(value);
        self.written += 1;
        value
    }

    /// Appends an argument to a jump.
    pub fn add_argument(&mut self, exit: Exit, value: Value) {
        let end = &mut self.function.blocks[exit.block.0 as usize].end;
        if let Some(target) = end.targets_mut().nth(exit.side) {
            target.args.push(value);
        }
    }

    /// Ends the current block with a jump.
    pub fn jump(&mut self, block: BlockId) -> Exit {
        let args = Vec::new();
        self.end(Terminator::Jump(Target { block, args }));
        Exit {
            block: self.current,
            side: 0,
        }
    }

    /// Ends the current block with a branch.
    pub fn branch(
        &mut self,
        condition: Value,
        yes: BlockId,
        no: BlockId,
        merge: BlockId,
    ) -> [Exit; 2] {
        let target = |block| Target {
            block,
            args: Vec::new(),
        };
        self.end(Terminator::Branch {
            condition,
            yes: target(yes),
            no: target(no),
            merge,
        });
        [0, 1].map(|side| Exit {
            block: self.current,
            side,
        })
    }

    /// Ends the current block.
    pub fn end(&mut self, end: Terminator) {
        self.function.blocks[self.current.0 as usize].end = end;
    }

    fn new_value(&mut self, ty: Type) -> Value {
        self.known.push(None);
        self.function.value(ty)
    }

    /// Type of a value.
    pub fn ty(&self, value: Value) -> Type {
        self.function.types[value.0 as usize]
    }

    /// What is known of a value.
    pub fn known(&self, value: Value) -> Option<Known> {
        self.known[value.0 as usize]
    }

    /// The word, if it is known.
    pub fn known_word(&self, value: Value) -> Option<u32> {
        match self.known(value) {
            Some(Known::Word(word)) => Some(word),
            _ => None,
        }
    }

    /// The bool, if it is known.
    pub fn known_bool(&self, value: Value) -> Option<bool> {
        match self.known(value) {
            Some(Known::Bool(bit)) => Some(bit),
            _ => None,
        }
    }

    /// A constant.
    pub fn constant(&mut self, known: Known) -> Value {
        if let Some(&value) = self.constants.get(&known) {
            return value;
        }
        let value = self.new_value(known.ty());
        self.known[value.0 as usize] = Some(known);
        self.constants.insert(known, value);
        self.constant_insts.push(Inst {
            op: known.op(),
            args: Vec::new(),
            results: vec![value],
            origin: Origin::default(),
        });
        value
    }

    /// A constant word.
    pub fn word(&mut self, word: u32) -> Value {
        self.constant(Known::Word(word))
    }

    /// A constant float.
    pub fn float(&mut self, value: f32) -> Value {
        self.word(value.to_bits())
    }

    /// A constant bool.
    pub fn bit(&mut self, bit: bool) -> Value {
        self.constant(Known::Bool(bit))
    }

    /// Appends an instruction with one result per type.
    pub fn inst(&mut self, op: Op, args: Vec<Value>, results: &[Type]) -> Vec<Value> {
        let results: Vec<Value> = results.iter().map(|&ty| self.new_value(ty)).collect();
        self.written += 1;
        let inst = Inst {
            op,
            args,
            results: results.clone(),
            origin: self.origin,
        };
        self.function.blocks[self.current.0 as usize]
            .insts
            .push(inst);
        results
    }

    /// Appends an instruction with one result.
    pub fn single(&mut self, op: Op, args: Vec<Value>, ty: Type) -> Value {
        self.inst(op, args, &[ty])[0]
    }

    /// Appends an instruction without results.
    pub fn effect(&mut self, op: Op, args: Vec<Value>) {
        self.inst(op, args, &[]);
    }

    /// Appends an instruction without results behind the constants of the entry block: before everything else.
    pub fn at_entry(&mut self, op: Op, args: Vec<Value>) {
        self.written += 1;
        self.entry_insts.push(Inst {
            op,
            args,
            results: Vec::new(),
            origin: self.origin,
        });
    }

    /// A lane operation.
    pub fn alu(&mut self, op: LaneOp, args: &[Value]) -> Value {
        let ty = result_type(op);
        if let Some(known) = self.fold(op, args) {
            return self.constant(known);
        }
        if let Some(same) = self.identity(op, args) {
            return same;
        }
        self.single(Op::Alu(op), args.to_vec(), ty)
    }

    fn fold(&self, op: LaneOp, args: &[Value]) -> Option<Known> {
        let mut bits = [0; 3];
        for (bit, &arg) in bits.iter_mut().zip(args) {
            *bit = self.known(arg)?.bits();
        }
        Some(Known::from_bits(op.eval(bits), result_type(op)))
    }

    /// The operand that the result always equals.
    fn identity(&self, op: LaneOp, args: &[Value]) -> Option<Value> {
        let is =
            |at: usize, word: u32| args.get(at).and_then(|v| self.known_word(*v)) == Some(word);
        match op {
            LaneOp::IAdd | LaneOp::Or | LaneOp::Xor if is(1, 0) => Some(args[0]),
            LaneOp::IAdd | LaneOp::Or | LaneOp::Xor if is(0, 0) => Some(args[1]),
            LaneOp::ISub | LaneOp::Shl | LaneOp::Shr | LaneOp::Sar if is(1, 0) => Some(args[0]),
            LaneOp::IMul if is(1, 1) => Some(args[0]),
            LaneOp::IMul if is(0, 1) => Some(args[1]),
            LaneOp::IMul if is(1, 0) => Some(args[1]),
            LaneOp::IMul if is(0, 0) => Some(args[0]),
            LaneOp::And if is(1, u32::MAX) => Some(args[0]),
            LaneOp::Mov => Some(args[0]),
            _ => None,
        }
    }

    /// `condition ? yes : no`.
    pub fn select(&mut self, condition: Value, yes: Value, no: Value) -> Value {
        match self.known_bool(condition) {
            Some(true) => return yes,
            Some(false) => return no,
            None if yes == no => return yes,
            None => {}
        }
        let ty = self.ty(yes);
        if ty == Type::Bool {
            match (self.known_bool(yes), self.known_bool(no)) {
                (Some(true), Some(false)) => return condition,
                (Some(false), Some(true)) => return self.not(condition),
                _ => {}
            }
        }
        self.single(Op::Select, vec![condition, yes, no], ty)
    }

    /// Logic on bools.
    pub fn logic(&mut self, op: BoolOp, a: Value, b: Value) -> Value {
        match (op, self.known_bool(a), self.known_bool(b)) {
            (BoolOp::And, Some(true), _) | (BoolOp::Or | BoolOp::Xor, Some(false), _) => return b,
            (BoolOp::And, _, Some(true)) | (BoolOp::Or | BoolOp::Xor, _, Some(false)) => return a,
            (BoolOp::And, Some(false), _) | (BoolOp::Or, Some(true), _) => return a,
            (BoolOp::And, _, Some(false)) | (BoolOp::Or, _, Some(true)) => return b,
            (BoolOp::Xor, Some(true), _) => return self.not(b),
            (BoolOp::Xor, _, Some(true)) => return self.not(a),
            _ if a == b && op != BoolOp::Xor => return a,
            _ => {}
        }
        self.single(Op::Bool(op), vec![a, b], Type::Bool)
    }

    /// Both.
    pub fn and(&mut self, a: Value, b: Value) -> Value {
        self.logic(BoolOp::And, a, b)
    }

    /// One or both.
    pub fn or(&mut self, a: Value, b: Value) -> Value {
        self.logic(BoolOp::Or, a, b)
    }

    /// The other.
    pub fn not(&mut self, a: Value) -> Value {
        match self.known_bool(a) {
            Some(bit) => self.bit(!bit),
            None => self.single(Op::BoolNot, vec![a], Type::Bool),
        }
    }

    /// The function, its blocks numbered in the order in which they were started. Blocks never started are dropped;
    /// nothing may refer to them.
    pub fn finish(mut self) -> Function {
        let mut number = vec![BlockId(0); self.function.blocks.len()];
        for (at, block) in self.order.iter().enumerate() {
            number[block.0 as usize] = BlockId(at as u32);
        }
        let mut old: Vec<Option<Block>> = self.function.blocks.drain(..).map(Some).collect();
        for id in &self.order {
            let Some(mut block) = old[id.0 as usize].take() else {
                continue;
            };
            block.renumber(|id| number[id.0 as usize]);
            self.function.blocks.push(block);
        }
        let entry = &mut self.function.blocks[0].insts;
        let first = self.constant_insts.into_iter().chain(self.entry_insts);
        entry.splice(0..0, first);
        self.function
    }
}

impl Block {
    /// Changes every block it names.
    pub fn renumber(&mut self, map: impl Fn(BlockId) -> BlockId) {
        for target in self.end.targets_mut() {
            target.block = map(target.block);
        }
        if let Terminator::Branch { merge, .. } = &mut self.end {
            *merge = map(*merge);
        }
        if let Some(looping) = &mut self.looping {
            looping.merge = map(looping.merge);
            looping.continuing = map(looping.continuing);
        }
    }
}
