//! SSA to a lane program with no chip in between: the oracle that compiled shaders are compared with.
//!
//! It shares nothing with the back ends but the SSA. Every value has a row or a mask of its own, and control flow is
//! the plainest there is: each block has a mask of the lanes that have arrived; blocks run in order, each with the
//! lanes that are there; a loop header runs again while lanes have come back to it.

mod groups;
mod subgroup;

use std::ops::Range;

use lanes::{
    Batch, Builder, DefaultEngine, Engine, Fault, Label, PortFault, Ports, Prepared, Program, Row,
    Src, Step, Stop, Swizzle, Wave, When, WideOp,
};

pub use groups::Group;

use super::HELPER_ROUNDS;
use crate::ir::{
    Access, AtomicOp, Axis, BoolOp, Builtin, Detail, Function, ImageKind, ImageOp, Inst, LaneOp,
    Op, OutputBuiltin, Target, Terminator, Type, Value, Workgroup, result_type,
};

/// What a shader run directly can reach. Lanes come in ascending order.
pub trait Resources {
    /// A component of the user input `input`.
    fn input(&mut self, input: u32, component: u32) -> Row;
    /// A built-in input of a vertex or fragment shader; a bool is zero or not.
    fn builtin(&mut self, builtin: Builtin) -> Row;
    /// A component of the user output `output`, from the lanes in `mask`.
    fn output(&mut self, output: u32, component: u32, value: &Row, mask: u64);
    /// A component of a built-in output, from the lanes in `mask`.
    fn output_builtin(&mut self, output: OutputBuiltin, component: u32, value: &Row, mask: u64);
    /// A component of an input of a vertex of each lane's primitive; without an input, of its position.
    fn vertex(&mut self, _vertex: u32, _input: Option<u32>, _component: u32) -> Row {
        Row::ZERO
    }
    /// A vertex from the lanes in `mask`: how many there were before, and its words.
    fn emit_vertex(&mut self, _number: &Row, _words: &[Row], _mask: u64) {}
    /// The end of a strip, from the lanes in `mask`.
    fn end_primitive(&mut self, _mask: u64) {}
    /// A word of a buffer; zero outside.
    fn load_buffer(&mut self, at: Element, offset: u32) -> u32;
    /// Stores a word to a buffer; nothing outside.
    fn store_buffer(&mut self, at: Element, offset: u32, value: u32);
    /// Number of bytes of a buffer.
    fn buffer_bytes(&mut self, at: Element) -> u32;
    /// A word of the push constants.
    fn push_constant(&mut self, offset: u32) -> u32;
    /// A texture operation on all lanes in `mask`: operands and results as [`ImageKind`] lists them. Stores and
    /// atomics are given the lanes that may write.
    fn image(&mut self, call: &ImageCall<'_>, results: &mut [Row]);
}

/// A resource, or an element of an array of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element {
    /// Index into the interface's resources.
    pub resource: u32,
    /// Element of a binding array.
    pub element: u32,
}

/// A texture operation of a wave.
#[derive(Debug)]
pub struct ImageCall<'a> {
    /// What is done.
    pub op: &'a ImageOp,
    /// Element of a texture array, by lane.
    pub texture: Row,
    /// Element of a sampler array, by lane.
    pub sampler: Row,
    /// Operands.
    pub args: &'a [Row],
    /// Lanes that take part.
    pub mask: u64,
}

/// A function that cannot be run directly.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DirectError {
    /// It needs more registers than a lane program can name.
    #[error("{needed} values and array words, and {limit} is the most that can be run directly")]
    TooManyValues {
        /// Needed.
        needed: usize,
        /// Limit.
        limit: usize,
    },
    /// The engine refuses the program: a mistake made here.
    #[error(transparent)]
    Program(#[from] lanes::ProgramError),
}

/// A function as a lane program.
#[derive(Debug)]
pub struct DirectProgram {
    program: Program,
    prepared: Prepared,
    exchanges: Vec<Exchange>,
    workgroup: Workgroup,
}

/// Where a value is.
#[derive(Clone, Copy, Debug)]
enum Home {
    Row(u16),
    Const(u32),
    /// Scalar pair.
    Mask(u16),
}

/// One way out of the program.
#[derive(Clone, Debug)]
struct Exchange {
    op: Op,
    args: Vec<Home>,
    results: Vec<Home>,
    texture: Home,
    sampler: Home,
    /// First row of the private array, and its length.
    array: (u16, u32),
}

const EXEC: u16 = 0;
/// Lanes that are no helpers.
const LIVE: u16 = 2;
const ZERO: u16 = 4;
const ONES: u16 = 6;
const TEMP: u16 = 8;
/// Rounds that helpers went alone.
const ROUNDS: u16 = 12;
const FIRST_MASK: u16 = 14;
/// Rows free for copies.
const SPARE_ROWS: u16 = 2;
/// What memory of a workgroup holds before it is stored to.
const SHARED_GARBAGE: u32 = 0xdead_beef;
/// Most registers of each kind.
const LIMIT: usize = 60_000;

/// Compiles a verified function.
pub fn compile(function: &Function) -> Result<DirectProgram, DirectError> {
    let mut compiler = Compiler::new(function)?;
    for number in 0..function.blocks.len() {
        compiler.block(number);
    }
    compiler.release(compiler.rows, compiler.masks);
    let (rows, masks) = (compiler.high_rows, compiler.high_masks);
    let program = compiler.b.finish(rows, masks);
    let prepared = DefaultEngine::new().prepare(&program)?;
    Ok(DirectProgram {
        program,
        prepared,
        exchanges: compiler.exchanges,
        workgroup: function.interface.workgroup,
    })
}

impl DirectProgram {
    /// The lane program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Runs one wave: `live` lanes, and `helpers` beside them that only help with derivatives. The wave is stopped
    /// when it has cost `limit`.
    pub fn run(
        &self,
        live: u64,
        helpers: u64,
        limit: u64,
        resources: &mut dyn Resources,
    ) -> Result<(), Stop> {
        let mut wave = Wave::new(self.program.rows as usize, self.program.scalars as usize);
        wave.limit = limit;
        wave.set_mask(EXEC, live | helpers);
        wave.set_mask(LIVE, live);
        let mut ports = self.way(Group::default(), resources);
        DefaultEngine::new().run(&self.prepared, &mut wave, &mut ports)
    }

    fn way<'a>(&'a self, group: Group, resources: &'a mut dyn Resources) -> Way<'a> {
        Way {
            exchanges: &self.exchanges,
            resources,
            workgroup: self.workgroup,
            group,
            first: 0,
            shared: vec![SHARED_GARBAGE; self.workgroup.shared_bytes as usize / 4],
        }
    }
}

struct Compiler<'a> {
    function: &'a Function,
    b: Builder,
    homes: Vec<Home>,
    /// Mask of the lanes that have arrived, per block.
    arrived: Vec<u16>,
    starts: Vec<Label>,
    arrays: Vec<(u16, u32)>,
    exchanges: Vec<Exchange>,
    rows: u16,
    masks: u16,
    /// Most of each that were in use at once.
    high_rows: u16,
    high_masks: u16,
}

impl<'a> Compiler<'a> {
    fn new(function: &'a Function) -> Result<Compiler<'a>, DirectError> {
        let words = function.types.iter().filter(|ty| **ty == Type::Word);
        let array_words: usize = function.locals.iter().map(|l| l.words as usize).sum();
        // Copies of block parameters may need as many rows again.
        let params = function.blocks.iter().map(|block| block.params.len());
        let copies = params.max().unwrap_or(0);
        let needed = words.count() + array_words + copies + SPARE_ROWS as usize;
        let masks = 2 * (function.types.len() + 2 * function.blocks.len() + copies);
        let needed = needed.max(masks + FIRST_MASK as usize);
        if needed > LIMIT {
            return Err(DirectError::TooManyValues {
                needed,
                limit: LIMIT,
            });
        }
        let mut compiler = Compiler {
            function,
            b: Builder::new(EXEC),
            homes: Vec::new(),
            arrived: Vec::new(),
            starts: Vec::new(),
            arrays: Vec::new(),
            exchanges: Vec::new(),
            rows: SPARE_ROWS,
            masks: FIRST_MASK,
            high_rows: 0,
            high_masks: 0,
        };
        compiler.homes = function
            .types
            .iter()
            .map(|ty| match ty {
                Type::Word => Home::Row(compiler.row()),
                Type::Bool => Home::Mask(compiler.mask()),
            })
            .collect();
        for inst in function.insts() {
            if let (Op::Const(word), [result]) = (&inst.op, &inst.results[..]) {
                compiler.homes[result.0 as usize] = Home::Const(*word);
            }
        }
        for local in &function.locals {
            let first = compiler.rows;
            compiler.rows += local.words as u16;
            compiler.arrays.push((first, local.words));
        }
        for _ in &function.blocks {
            let mask = compiler.mask();
            compiler.arrived.push(mask);
            let label = compiler.b.label();
            compiler.starts.push(label);
        }
        compiler.mask_op(WideOp::Not64, ONES, &[Src::Const(0)]);
        let entry = compiler.arrived[0];
        compiler.mask_op(WideOp::Mov64, entry, &[Src::Scalar(EXEC)]);
        Ok(compiler)
    }

    fn row(&mut self) -> u16 {
        self.rows += 1;
        self.rows - 1
    }

    fn mask(&mut self) -> u16 {
        self.masks += 2;
        self.masks - 2
    }

    fn home(&self, value: Value) -> Home {
        self.homes[value.0 as usize]
    }

    fn src(&self, value: Value) -> Src {
        match self.home(value) {
            Home::Row(at) => Src::Row(at),
            Home::Const(word) => Src::Const(word),
            Home::Mask(at) => Src::Scalar(at),
        }
    }

    /// `masks[dst] = op(src)`
    fn mask_op(&mut self, op: WideOp, dst: u16, src: &[Src]) {
        let src = std::array::from_fn(|i| src.get(i).copied().unwrap_or(Src::Const(0)));
        self.b.push(Step::UniformWide { op, dst, src });
    }

    /// Sets the mask's bits of the enabled lanes, and leaves the others.
    fn set_bits(&mut self, dst: u16, bits: u16) {
        let [dst_src, exec, temp] = [dst, EXEC, TEMP].map(Src::Scalar);
        self.mask_op(WideOp::And64, TEMP, &[Src::Scalar(bits), exec]);
        self.mask_op(WideOp::AndNot64, dst, &[dst_src, exec]);
        self.mask_op(WideOp::Or64, dst, &[dst_src, temp]);
    }

    fn block(&mut self, number: usize) {
        let block = &self.function.blocks[number];
        let arrived = self.arrived[number];
        let skip = self.b.label();
        self.b.place(self.starts[number]);
        self.b.branch(When::MaskZero(arrived), skip);
        self.mask_op(WideOp::Mov64, EXEC, &[Src::Scalar(arrived)]);
        self.mask_op(WideOp::Mov64, arrived, &[Src::Scalar(ZERO)]);
        self.b.push(Step::Tick {
            instructions: block.insts.len() as u32 + 1,
        });
        for inst in &block.insts {
            self.inst(inst);
        }
        match &block.end {
            Terminator::Jump(target) => self.jump(target),
            Terminator::Branch {
                condition, yes, no, ..
            } => {
                let Home::Mask(condition) = self.home(*condition) else {
                    return;
                };
                let [both, taken] = [Src::Scalar(TEMP + 2), Src::Scalar(condition)];
                self.mask_op(WideOp::Mov64, TEMP + 2, &[Src::Scalar(EXEC)]);
                self.mask_op(WideOp::And64, EXEC, &[both, taken]);
                // The condition's own mask may be a parameter that the jump writes.
                let not_taken = self.mask();
                self.mask_op(WideOp::AndNot64, not_taken, &[both, taken]);
                self.jump(yes);
                self.mask_op(WideOp::Mov64, EXEC, &[Src::Scalar(not_taken)]);
                self.jump(no);
            }
            Terminator::Return => {}
            Terminator::Unreachable => self.b.trap("a block that is never reached was reached"),
        }
        self.b.place(skip);
        // Back to the header of the loop while lanes have come back to it.
        for target in block.end.targets() {
            let to = target.block.0 as usize;
            if to <= number {
                self.go_round(to);
            }
        }
    }

    /// Runs a loop again with the lanes that have come back to its header. Discarded ones do not where their whole quad
    /// is gone, and helpers among themselves not for ever.
    fn go_round(&mut self, header: usize) {
        let (arrived, start) = (self.arrived[header], self.starts[header]);
        let mut insts = self.function.insts();
        if !insts.any(|inst| inst.op == Op::Discard) {
            self.b.branch(When::MaskNonZero(arrived), start);
            return;
        }
        let [back, live, temp] = [arrived, LIVE, TEMP].map(Src::Scalar);
        if !self.function.insts().any(|inst| inst.op.needs_quad()) {
            self.mask_op(WideOp::And64, arrived, &[back, live]);
            self.b.branch(When::MaskNonZero(arrived), start);
            return;
        }
        let over = self.b.label();
        self.mask_op(WideOp::WholeQuads, TEMP, &[live]);
        self.mask_op(WideOp::And64, arrived, &[back, temp]);
        self.mask_op(WideOp::And64, TEMP, &[back, live]);
        self.b.branch(When::MaskNonZero(TEMP), start);
        self.b.branch(When::MaskZero(arrived), over);
        let rounds = Src::Scalar(ROUNDS);
        self.b
            .uniform(LaneOp::IAdd, ROUNDS, &[rounds, Src::Const(1)]);
        let last = [rounds, Src::Const(HELPER_ROUNDS)];
        self.b.uniform(LaneOp::ULt, TEMP, &last);
        self.b.branch(When::NonZero(TEMP), start);
        self.mask_op(WideOp::Mov64, arrived, &[Src::Scalar(ZERO)]);
        self.b.place(over);
    }

    /// The enabled lanes go to a block.
    fn jump(&mut self, target: &Target) {
        let params = &self.function.blocks[target.block.0 as usize].params;
        let moves: Vec<(Home, Home)> = params
            .iter()
            .zip(&target.args)
            .map(|(&param, &arg)| (self.home(param), self.home(arg)))
            .collect();
        if moves.len() == 1 {
            self.assign(moves[0].0, moves[0].1);
        } else {
            // All are read before any is written.
            let (row, mask) = (self.rows, self.masks);
            let mut held = Vec::with_capacity(moves.len());
            for &(_, arg) in &moves {
                let hold = match arg {
                    Home::Row(_) => Home::Row(self.row()),
                    Home::Mask(_) => Home::Mask(self.mask()),
                    Home::Const(_) => arg,
                };
                self.assign(hold, arg);
                held.push(hold);
            }
            for (&(param, _), hold) in moves.iter().zip(held) {
                self.assign(param, hold);
            }
            self.release(row, mask);
        }
        let [arrived, exec] = [self.arrived[target.block.0 as usize], EXEC];
        self.mask_op(
            WideOp::Or64,
            arrived,
            &[Src::Scalar(arrived), Src::Scalar(exec)],
        );
    }

    /// Registers for copies are shared by all jumps: the numbers are given back, the high-water mark stays.
    fn release(&mut self, row: u16, mask: u16) {
        self.high_rows = self.high_rows.max(self.rows);
        self.high_masks = self.high_masks.max(self.masks);
        (self.rows, self.masks) = (row, mask);
    }

    fn assign(&mut self, to: Home, from: Home) {
        match (to, from) {
            (Home::Row(dst), Home::Row(src)) => self.b.alu(LaneOp::Mov, dst, &[Src::Row(src)]),
            (Home::Row(dst), Home::Const(word)) => {
                self.b.alu(LaneOp::Mov, dst, &[Src::Const(word)]);
            }
            (Home::Mask(dst), Home::Mask(src)) => self.set_bits(dst, src),
            _ => {}
        }
    }

    fn inst(&mut self, inst: &Inst) {
        match (&inst.op, &inst.results[..]) {
            (Op::Const(_), _) => {}
            (Op::ConstBool(bit), &[result]) => {
                let from = if *bit { ONES } else { ZERO };
                self.assign(self.home(result), Home::Mask(from));
            }
            (Op::Alu(op), &[result]) => self.alu(*op, result, &inst.args),
            (Op::Select, &[result]) => self.select(result, &inst.args),
            (Op::Bool(op), &[result]) => {
                let wide = match op {
                    BoolOp::And => WideOp::And64,
                    BoolOp::Or => WideOp::Or64,
                    BoolOp::Xor => WideOp::Xor64,
                };
                let args = [self.src(inst.args[0]), self.src(inst.args[1])];
                self.mask_op(wide, TEMP + 2, &args);
                self.assign(self.home(result), Home::Mask(TEMP + 2));
            }
            (Op::BoolNot, &[result]) => {
                let arg = self.src(inst.args[0]);
                self.mask_op(WideOp::Not64, TEMP + 2, &[arg]);
                self.assign(self.home(result), Home::Mask(TEMP + 2));
            }
            (Op::Derivative { axis, detail }, &[result]) => {
                self.derivative(*axis, *detail, result, inst.args[0]);
            }
            (Op::Discard, _) => {
                let condition = self.src(inst.args[0]);
                self.mask_op(WideOp::And64, TEMP, &[condition, Src::Scalar(EXEC)]);
                let live = [Src::Scalar(LIVE), Src::Scalar(TEMP)];
                self.mask_op(WideOp::AndNot64, LIVE, &live);
            }
            (Op::Barrier, _) => self.b.push(Step::Barrier),
            (Op::Fence, _) => {}
            (Op::OutputBuiltin(builtin), _)
                if self.function.interface.early_depth && builtin.is_tested() => {}
            _ => self.exchange(inst),
        }
    }

    fn alu(&mut self, op: LaneOp, result: Value, args: &[Value]) {
        let mut src = [Src::Const(0); 3];
        for (src, &arg) in src.iter_mut().zip(args) {
            *src = match self.home(arg) {
                // A lane operation reads a bool as a number.
                Home::Mask(mask) => {
                    self.b.push(Step::Select {
                        dst: 0,
                        mask,
                        no: Src::Const(0),
                        yes: Src::Const(1),
                    });
                    Src::Row(0)
                }
                _ => self.src(arg),
            };
        }
        match self.home(result) {
            Home::Row(dst) => self.b.push(Step::Alu { op, dst, src }),
            Home::Mask(dst) if result_type(op) == Type::Bool => {
                let compared = TEMP + 2;
                self.b.push(Step::Compare {
                    op,
                    dst: compared,
                    src,
                });
                self.set_bits(dst, compared);
            }
            _ => {}
        }
    }

    fn select(&mut self, result: Value, args: &[Value]) {
        let Home::Mask(mask) = self.home(args[0]) else {
            return;
        };
        match self.home(result) {
            Home::Row(dst) => {
                let (yes, no) = (self.src(args[1]), self.src(args[2]));
                self.b.push(Step::Select { dst, mask, no, yes });
            }
            Home::Mask(dst) => {
                let [condition, yes, no] = [args[0], args[1], args[2]].map(|arg| self.src(arg));
                let [first, second] = [TEMP, TEMP + 2].map(Src::Scalar);
                self.mask_op(WideOp::And64, TEMP, &[yes, condition]);
                self.mask_op(WideOp::AndNot64, TEMP + 2, &[no, condition]);
                self.mask_op(WideOp::Or64, TEMP + 2, &[first, second]);
                self.set_bits(dst, TEMP + 2);
            }
            Home::Const(_) => {}
        }
    }

    fn derivative(&mut self, axis: Axis, detail: Detail, result: Value, arg: Value) {
        let Home::Row(dst) = self.home(result) else {
            return;
        };
        let (from, to) = match (axis, detail) {
            (Axis::X, Detail::Coarse) => ([0, 0, 0, 0], [1, 1, 1, 1]),
            (Axis::X, Detail::Fine) => ([0, 0, 2, 2], [1, 1, 3, 3]),
            (Axis::Y, Detail::Coarse) => ([0, 0, 0, 0], [2, 2, 2, 2]),
            (Axis::Y, Detail::Fine) => ([0, 1, 0, 1], [2, 3, 2, 3]),
        };
        // Lanes that have left give what they had.
        let src = match self.home(arg) {
            Home::Row(row) => row,
            _ => {
                let src = self.src(arg);
                self.b.alu(LaneOp::Mov, 0, &[src]);
                0
            }
        };
        for (row, pattern) in [(1, from), (dst, to)] {
            self.b.push(Step::Swizzle {
                dst: row,
                src,
                pattern: Swizzle::Quad(pattern),
            });
        }
        self.b.alu(LaneOp::FSub, dst, &[Src::Row(dst), Src::Row(1)]);
    }

    fn exchange(&mut self, inst: &Inst) {
        let homes = |values: &[Value]| values.iter().map(|v| self.home(*v)).collect();
        let element = |access: Option<Access>| {
            let value = access.and_then(|access| access.element);
            value.map_or(Home::Const(0), |value| self.home(value))
        };
        let mut accesses = inst.accesses();
        let exchange = Exchange {
            args: homes(&inst.args),
            results: homes(&inst.results),
            texture: element(accesses.next()),
            sampler: element(accesses.next()),
            array: match inst.op {
                Op::LoadLocal(local) | Op::StoreLocal(local) => self.arrays[local as usize],
                _ => (0, 0),
            },
            op: inst.op.clone(),
        };
        drop(accesses);
        self.exchanges.push(exchange);
        self.b.push(Step::Port {
            port: self.exchanges.len() as u32 - 1,
        });
    }
}

/// The way out of a wave that is being run.
struct Way<'a> {
    exchanges: &'a [Exchange],
    resources: &'a mut dyn Resources,
    workgroup: Workgroup,
    group: Group,
    /// Number of the wave's first invocation in its workgroup.
    first: u32,
    /// Memory of the workgroup.
    shared: Vec<u32>,
}

fn read(wave: &Wave, home: Home) -> Row {
    match home {
        Home::Row(at) => wave.rows[at as usize],
        Home::Const(word) => Row::splat(word),
        Home::Mask(at) => {
            let mask = wave.mask(at);
            Row(std::array::from_fn(|lane| (mask >> lane & 1) as u32))
        }
    }
}

/// Writes the enabled lanes.
fn write(wave: &mut Wave, home: Home, value: &Row) {
    let exec = wave.mask(EXEC);
    match home {
        Home::Row(at) => {
            let row = &mut wave.rows[at as usize];
            each(exec, |lane| row.0[lane] = value.0[lane]);
        }
        Home::Mask(at) => {
            let mut mask = wave.mask(at) & !exec;
            each(exec, |lane| mask |= u64::from(value.0[lane] != 0) << lane);
            wave.set_mask(at, mask);
        }
        Home::Const(_) => {}
    }
}

/// Calls `visit` with the number of every lane in a mask.
fn each(mask: u64, mut visit: impl FnMut(usize)) {
    for lane in 0..lanes::LANES {
        if mask >> lane & 1 != 0 {
            visit(lane);
        }
    }
}

impl Ports for Way<'_> {
    fn call(&mut self, ports: Range<u32>, batch: Batch<'_>) -> Result<(), PortFault> {
        batch.each(ports, |port, wave| self.exchange(port, wave))
    }
}

impl Way<'_> {
    fn exchange(&mut self, port: u32, wave: &mut Wave) -> Result<(), Fault> {
        let exchanges = self.exchanges;
        let exchange = &exchanges[port as usize];
        let exec = wave.mask(EXEC);
        let writers = exec & wave.mask(LIVE);
        let args: Vec<Row> = exchange.args.iter().map(|arg| read(wave, *arg)).collect();
        let mut results = vec![Row::ZERO; exchange.results.len()];
        match &exchange.op {
            Op::LoadLocal(_) | Op::StoreLocal(_) => array(wave, exchange, &args, &mut results),
            Op::Image(op) => {
                let effect = matches!(op.kind, ImageKind::Store | ImageKind::Atomic(_));
                let call = ImageCall {
                    op,
                    texture: read(wave, exchange.texture),
                    sampler: read(wave, exchange.sampler),
                    args: &args,
                    mask: if effect { writers } else { exec },
                };
                self.resources.image(&call, &mut results);
            }
            Op::LoadShared | Op::StoreShared | Op::AtomicShared(_) => {
                self.share(&exchange.op, &args, &mut results, exec);
            }
            Op::Builtin(builtin) => results[0] = self.builtin(*builtin),
            Op::Subgroup(op) => subgroup::run(*op, &args, &mut results, [exec, writers]),
            op => {
                let elements = read(wave, exchange.texture);
                self.plain(op, &elements, &args, &mut results, [exec, writers]);
            }
        }
        for (home, value) in exchange.results.iter().zip(&results) {
            write(wave, *home, value);
        }
        Ok(())
    }
}

/// Private arrays are rows.
fn array(wave: &mut Wave, exchange: &Exchange, args: &[Row], results: &mut [Row]) {
    let (first, words) = exchange.array;
    let exec = wave.mask(EXEC);
    each(exec, |lane| {
        let at = args[0].0[lane].min(words - 1) + u32::from(first);
        let slot = &mut wave.rows[at as usize].0[lane];
        match (args.get(1), results.first_mut()) {
            (Some(value), _) => *slot = value.0[lane],
            (None, Some(result)) => result.0[lane] = *slot,
            (None, None) => {}
        }
    });
}

impl Way<'_> {
    fn plain(
        &mut self,
        op: &Op,
        elements: &Row,
        args: &[Row],
        results: &mut [Row],
        [exec, writers]: [u64; 2],
    ) {
        let resources = &mut *self.resources;
        let at = |access: &Access, lane: usize| Element {
            resource: access.resource,
            element: elements.0[lane],
        };
        match op {
            Op::Input { input, first } => {
                for (component, result) in (*first..).zip(results) {
                    *result = resources.input(*input, component);
                }
            }
            Op::VertexInput {
                vertex,
                input,
                first,
            } => {
                for (component, result) in (*first..).zip(results) {
                    *result = resources.vertex(*vertex, Some(*input), component);
                }
            }
            Op::VertexPosition(vertex) => {
                for (component, result) in (0..).zip(results) {
                    *result = resources.vertex(*vertex, None, component);
                }
            }
            Op::EmitVertex => resources.emit_vertex(&args[0], &args[1..], writers),
            Op::EndPrimitive => resources.end_primitive(writers),
            Op::Output { output, first } => {
                for (component, value) in (*first..).zip(args) {
                    resources.output(*output, component, value, writers);
                }
            }
            Op::OutputBuiltin(output) => {
                for (component, value) in (0..).zip(args) {
                    resources.output_builtin(*output, component, value, writers);
                }
            }
            Op::LoadBuffer(access) => each(exec, |lane| {
                for (k, result) in (0..).zip(results.iter_mut()) {
                    if let Some(offset) = args[0].0[lane].checked_add(4 * k) {
                        result.0[lane] = resources.load_buffer(at(access, lane), offset);
                    }
                }
            }),
            Op::LoadPush => each(exec, |lane| {
                for (k, result) in (0..).zip(results.iter_mut()) {
                    if let Some(offset) = args[0].0[lane].checked_add(4 * k) {
                        result.0[lane] = resources.push_constant(offset);
                    }
                }
            }),
            Op::StoreBuffer(access) => each(writers, |lane| {
                for (k, value) in (0..).zip(&args[1..]) {
                    if let Some(offset) = args[0].0[lane].checked_add(4 * k) {
                        resources.store_buffer(at(access, lane), offset, value.0[lane]);
                    }
                }
            }),
            Op::AtomicBuffer(access, op) => each(writers, |lane| {
                let (at, offset) = (at(access, lane), args[0].0[lane]);
                let old = resources.load_buffer(at, offset);
                let compare = args.get(2).map_or(0, |row| row.0[lane]);
                let new = atomic(*op, old, args[1].0[lane], compare);
                resources.store_buffer(at, offset, new);
                results[0].0[lane] = old;
            }),
            Op::BufferBytes(access) => each(exec, |lane| {
                results[0].0[lane] = resources.buffer_bytes(at(access, lane));
            }),
            _ => {}
        }
    }
}

/// What an atomic operation leaves in memory.
pub fn atomic(op: AtomicOp, old: u32, value: u32, compare: u32) -> u32 {
    let lane = match op {
        AtomicOp::Add => LaneOp::IAdd,
        AtomicOp::Sub => LaneOp::ISub,
        AtomicOp::And => LaneOp::And,
        AtomicOp::Or => LaneOp::Or,
        AtomicOp::Xor => LaneOp::Xor,
        AtomicOp::IMin => LaneOp::IMin,
        AtomicOp::IMax => LaneOp::IMax,
        AtomicOp::UMin => LaneOp::UMin,
        AtomicOp::UMax => LaneOp::UMax,
        AtomicOp::Exchange => return value,
        AtomicOp::CompareExchange => return if old == compare { value } else { old },
    };
    lane.eval([old, value, 0])
}
