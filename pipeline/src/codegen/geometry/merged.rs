//! A vertex and a geometry shader as one vertex shader, for chips that have no geometry stage: a run for each vertex that
//! may be drawn, with the vertices of the primitive as attributes.
//!
//! In: both functions. Out: a function of the vertex stage, and what its attributes are. It computes all vertices of the
//! primitive and all that the invocation emits, and keeps the one vertex that the run is for ([`Runs`]). Where strips end
//! and how many vertices there are may be known before the shader runs; else it finds out, and a vertex of a primitive that
//! is never complete goes outside of the clip volume, as do the others of that primitive.

use silicon::geometry::topology::Topology;

use super::{VertexWords, output_word};
use crate::ir::{
    Block, BlockId, BoolOp, Builtin, Function, Inst, Interface, Interpolation, LaneOp, Local, Op,
    Origin, OutputBuiltin, Scalar, Stage, Target, Terminator, Type, Value, Varying,
};
use crate::passes;
use crate::state::GeometryOutput;

/// What an input of the function is, by its location.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunInput {
    /// An attribute of a vertex of the primitive; of any where it is one of the instance.
    Attribute {
        /// Number of the vertex.
        corner: u32,
        /// Location.
        location: u32,
    },
    /// Four words of what [`RunWord`] lists, from this one on.
    Words(usize),
}

/// A word that says which run it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunWord {
    /// Number of the emitted vertex, where the triangle is as the first of a strip.
    Even,
    /// The same where it is wound the other way.
    Odd,
    /// Number of the last vertex of the primitive.
    Last,
    /// 1 where the primitive is odd if no strip has ended before.
    Parity,
    /// Number of the primitive that came in.
    Primitive,
    /// Number of the invocation.
    Invocation,
    /// Number of a vertex of the primitive.
    Index(u32),
}

/// The runs of an invocation, three for a triangle, two for a line, one for a point, in the order in which they are drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Runs {
    /// The words that say which run it is.
    pub words: Vec<RunWord>,
    /// What the inputs are, by their locations.
    pub inputs: Vec<RunInput>,
    /// Even, odd, last and parity of each run.
    pub table: Vec<[u32; 4]>,
}

/// Both shaders as one.
#[derive(Clone, Debug)]
pub struct Merged {
    /// Of the vertex stage.
    pub function: Function,
    /// How it runs.
    pub runs: Runs,
}

/// What both shaders are joined for.
#[derive(Clone, Copy, Debug)]
pub struct Joint {
    /// What emitted vertices make.
    pub output: GeometryOutput,
    /// The last vertex of a primitive gives flat attributes.
    pub provoking_last: bool,
    /// Attributes that advance once an instance, a bit for each location.
    pub instance_attributes: u32,
}

/// Corners of an emitted primitive, in the order in which a list has them: how far each is from the first vertex, of even and
/// odd ones.
fn corners(output: GeometryOutput, last: bool) -> [Vec<usize>; 2] {
    let (strip, list, size) = match output {
        GeometryOutput::Points => (Topology::Points, Topology::Points, 1),
        GeometryOutput::LineStrip => (Topology::LineStrip, Topology::Lines, 2),
        GeometryOutput::TriangleStrip => (Topology::TriangleStrip, Topology::Triangles, 3),
    };
    let all = |topology: Topology, n: usize| {
        let mut found = Vec::new();
        let done = topology.primitives(n, last, &mut |corners: [usize; 3]| {
            found.push(corners);
            Ok::<(), std::convert::Infallible>(())
        });
        debug_assert_eq!(done, Ok(()));
        found
    };
    let (strip, listed) = (all(strip, size + 1), all(list, size)[0]);
    [0, 1].map(|odd| {
        let mut order = vec![0; size];
        for (from, to) in strip[odd].into_iter().zip(listed).take(size) {
            order[to] = from - odd;
        }
        order
    })
}

/// Vertices of a primitive that is drawn.
pub fn size(output: GeometryOutput) -> usize {
    match output {
        GeometryOutput::Points => 1,
        GeometryOutput::LineStrip => 2,
        GeometryOutput::TriangleStrip => 3,
    }
}

/// The emitted vertices whose numbers are known, and where strips end: `None` where the shader decides.
fn strips(geometry: &Function) -> Option<Vec<Vec<u32>>> {
    let [block] = &geometry.blocks[..] else {
        return None;
    };
    let mut strips = vec![Vec::new()];
    for inst in &block.insts {
        match inst.op {
            Op::EmitVertex => {
                let number = constant(geometry, inst.args[0])?;
                strips.last_mut()?.push(number);
            }
            Op::EndPrimitive => strips.push(Vec::new()),
            _ => {}
        }
    }
    Some(strips)
}

fn constant(function: &Function, value: Value) -> Option<u32> {
    let mut insts = function.insts();
    let made = insts.find(|inst| inst.results.first() == Some(&value))?;
    match made.op {
        Op::Const(word) => Some(word),
        _ => None,
    }
}

/// The table of [`Runs`].
fn table(joint: &Joint, strips: Option<&[Vec<u32>]>, max_vertices: u32) -> Vec<[u32; 4]> {
    let orders = corners(joint.output, joint.provoking_last);
    let size = size(joint.output);
    let mut table = Vec::new();
    match strips {
        Some(strips) => {
            for strip in strips {
                for (n, vertices) in strip.windows(size).enumerate() {
                    let wanted = orders[n % 2].iter().map(|at| vertices[*at]);
                    table.extend(wanted.map(|wanted| [wanted, wanted, vertices[size - 1], 0]));
                }
            }
        }
        None => {
            for first in 0..(max_vertices + 1).saturating_sub(size as u32) {
                let last = first + size as u32 - 1;
                for (even, odd) in orders[0].iter().zip(&orders[1]) {
                    let [even, odd] = [even, odd].map(|corner| first + *corner as u32);
                    table.push([even, odd, last, first % 2]);
                }
            }
        }
    }
    table
}

/// A vertex shader that gives a geometry shader its attributes: for code that is looked at alone.
pub fn passing(geometry: &Function) -> Function {
    let mut builder = crate::ir::Builder::new(&geometry.name, Stage::Vertex);
    let interface = &geometry.interface;
    let varying = |location, components, scalar| Varying {
        location,
        second: false,
        components,
        scalar,
        interpolation: Interpolation::default(),
        origin: Origin::default(),
    };
    let mut inputs = vec![varying(0, 4, Scalar::Float)];
    let given = interface.inputs.iter();
    inputs.extend(
        (1..)
            .zip(given)
            .map(|(n, input)| varying(n, input.components, input.scalar)),
    );
    for (n, input) in (0..).zip(&inputs) {
        let types = vec![Type::Word; input.components as usize];
        let words = builder.inst(Op::Input { input: n, first: 0 }, Vec::new(), &types);
        let op = match n {
            0 => Op::OutputBuiltin(OutputBuiltin::Position),
            _ => Op::Output {
                output: n - 1,
                first: 0,
            },
        };
        builder.effect(op, words);
    }
    builder.end(Terminator::Return);
    let mut function = builder.finish();
    function.interface.inputs = inputs;
    function.interface.outputs.clone_from(&interface.inputs);
    function
}

/// Joins both shaders.
pub fn merge(vertex: &Function, geometry: &Function, joint: &Joint) -> Merged {
    let mut geometry = geometry.clone();
    passes::unroll(&mut geometry);
    let geometry = &geometry;
    let corners = geometry
        .interface
        .geometry
        .as_ref()
        .map_or(0, |g| g.vertices);
    let known = strips(geometry);
    let most = VertexWords::new(&vertex.interface, &geometry.interface, false).max_vertices;
    let mut merger = Merger::new(vertex, geometry, joint);
    let block = merger.block();
    merger.current = block;
    merger.begin(known.is_none());
    for corner in 0..corners {
        merger.vertex(corner);
    }
    merger.geometry(known.is_some(), size(joint.output) as u32);
    let runs = Runs {
        words: merger.words,
        inputs: merger.inputs,
        table: table(joint, known.as_deref(), most),
    };
    let mut function = merger.to;
    passes::run(&mut function);
    Merged { function, runs }
}

/// Words that the geometry shader changes as it goes.
#[derive(Clone, Copy)]
struct Locals {
    /// Of the vertex that is kept, one after the other.
    kept: u32,
    /// 1 once the primitive is complete.
    complete: u32,
    /// Vertices of the strip so far, as far as they matter.
    strip: u32,
    /// Whether the number of vertices so far is odd, and what that was when the strip began.
    count: u32,
    begin: u32,
}

struct Merger<'a> {
    vertex: &'a Function,
    from: &'a Function,
    joint: &'a Joint,
    to: Function,
    current: BlockId,
    words: Vec<RunWord>,
    inputs: Vec<RunInput>,
    /// Values of the run's words.
    run: Vec<Value>,
    /// Words of each vertex of the primitive.
    fed: Vec<Vec<Value>>,
    zero: Value,
    origin: Origin,
}

impl<'a> Merger<'a> {
    fn new(vertex: &'a Function, from: &'a Function, joint: &'a Joint) -> Merger<'a> {
        let mut to = Function {
            stage: Stage::Vertex,
            types: Vec::new(),
            blocks: Vec::new(),
            locals: Vec::new(),
            interface: Interface {
                inputs: Vec::new(),
                geometry: None,
                ..from.interface.clone()
            },
            ..from.clone()
        };
        let more = &vertex.interface;
        let interface = &mut to.interface;
        interface.push_constant_bytes = interface.push_constant_bytes.max(more.push_constant_bytes);
        interface.side_effects |= more.side_effects;
        for resource in &more.resources {
            if !interface.resources.contains(resource) {
                interface.resources.push(resource.clone());
            }
        }
        Merger {
            vertex,
            from,
            joint,
            to,
            current: BlockId(0),
            words: Vec::new(),
            inputs: Vec::new(),
            run: Vec::new(),
            fed: Vec::new(),
            zero: Value(0),
            origin: Origin::default(),
        }
    }

    fn block(&mut self) -> BlockId {
        self.to.blocks.push(Block {
            params: Vec::new(),
            insts: Vec::new(),
            end: Terminator::Unreachable,
            looping: None,
        });
        BlockId(self.to.blocks.len() as u32 - 1)
    }

    fn inst(&mut self, op: Op, args: Vec<Value>, types: &[Type]) -> Vec<Value> {
        let results: Vec<Value> = types.iter().map(|ty| self.to.value(*ty)).collect();
        let inst = Inst {
            op,
            args,
            results: results.clone(),
            origin: self.origin,
        };
        self.to.blocks[self.current.0 as usize].insts.push(inst);
        results
    }

    fn word(&mut self, word: u32) -> Value {
        self.inst(Op::Const(word), Vec::new(), &[Type::Word])[0]
    }

    fn equal(&mut self, a: Value, b: Value) -> Value {
        self.inst(Op::Alu(LaneOp::IEq), vec![a, b], &[Type::Bool])[0]
    }

    fn select(&mut self, which: Value, yes: Value, no: Value) -> Value {
        self.inst(Op::Select, vec![which, yes, no], &[Type::Word])[0]
    }

    fn local(&mut self, local: u32) -> Value {
        self.inst(Op::LoadLocal(local), vec![self.zero], &[Type::Word])[0]
    }

    fn set(&mut self, local: u32, value: Value) {
        self.inst(Op::StoreLocal(local), vec![self.zero, value], &[]);
    }

    /// Reads what says which run it is.
    fn begin(&mut self, strips: bool) {
        self.zero = self.word(0);
        let mut words = vec![RunWord::Even];
        if strips {
            words.extend([RunWord::Odd, RunWord::Last, RunWord::Parity]);
        }
        let reads = |function: &Function, wanted| {
            function.insts().any(|inst| inst.op == Op::Builtin(wanted))
        };
        if reads(self.from, Builtin::PrimitiveIndex) {
            words.push(RunWord::Primitive);
        }
        if reads(self.from, Builtin::InvocationIndex) {
            words.push(RunWord::Invocation);
        }
        if reads(self.vertex, Builtin::VertexIndex) {
            let geometry = self.from.interface.geometry.as_ref();
            let corners = geometry.map_or(0, |geometry| geometry.vertices);
            words.extend((0..corners).map(RunWord::Index));
        }
        for first in (0..words.len()).step_by(4) {
            let count = (words.len() - first).min(4) as u32;
            let input = self.input(RunInput::Words(first), count, Scalar::Uint);
            let types = vec![Type::Word; count as usize];
            let values = self.inst(Op::Input { input, first: 0 }, Vec::new(), &types);
            self.run.extend(values);
        }
        self.words = words;
    }

    /// The input that is this, made where there is none.
    fn input(&mut self, what: RunInput, components: u32, scalar: Scalar) -> u32 {
        let found = self.inputs.iter().position(|known| *known == what);
        let at = found.unwrap_or_else(|| {
            self.inputs.push(what);
            let location = self.inputs.len() as u32 - 1;
            self.to.interface.inputs.push(Varying {
                location,
                second: false,
                components,
                scalar,
                interpolation: Interpolation::default(),
                origin: Origin::default(),
            });
            location as usize
        });
        at as u32
    }

    fn run_word(&self, word: RunWord) -> Value {
        let at = self.words.iter().position(|known| *known == word);
        at.map_or(self.zero, |at| self.run[at])
    }

    /// Copies the blocks of a function; control goes from the current block to the first of them, and from their ends to
    /// what is the current block then. `inst` writes what an instruction becomes.
    fn copy(&mut self, from: &Function, mut inst: impl FnMut(&mut Self, Inst)) {
        let text = from.text.0 == self.to.text.0;
        let (values, locals) = (self.to.types.len() as u32, self.to.locals.len() as u32);
        let value = |v: Value| Value(v.0 + values);
        self.to.types.extend(&from.types);
        self.to.locals.extend(from.locals.iter().cloned());
        let first = self.to.blocks.len() as u32;
        let target = BlockId(first);
        self.end(Terminator::Jump(Target {
            block: target,
            args: Vec::new(),
        }));
        let after = BlockId(first + from.blocks.len() as u32);
        let resources: Vec<u32> = (from.interface.resources.iter())
            .map(|resource| {
                let mut all = self.to.interface.resources.iter();
                all.position(|known| known == resource).unwrap_or(0) as u32
            })
            .collect();
        for _ in 0..=from.blocks.len() {
            self.block();
        }
        for (n, block) in (first..).zip(&from.blocks) {
            self.current = BlockId(n);
            let mut copy = Block {
                insts: Vec::new(),
                ..block.clone()
            };
            copy.renumber(|id| BlockId(id.0 + first));
            copy.params
                .iter_mut()
                .for_each(|param| *param = value(*param));
            copy.end.map_operands(value);
            if copy.end == Terminator::Return {
                copy.end = Terminator::Jump(Target {
                    block: after,
                    args: Vec::new(),
                });
            }
            self.to.blocks[n as usize] = copy;
            for old in &block.insts {
                let mut new = old.clone();
                if !text {
                    new.origin = Origin::default();
                }
                self.origin = new.origin;
                new.map_operands(value);
                new.results
                    .iter_mut()
                    .for_each(|result| *result = value(*result));
                match &mut new.op {
                    Op::LoadLocal(local) | Op::StoreLocal(local) => *local += locals,
                    op => op.map_resources(|at| resources[at as usize]),
                }
                inst(self, new);
            }
        }
        self.current = after;
    }

    fn end(&mut self, end: Terminator) {
        self.to.blocks[self.current.0 as usize].end = end;
    }

    fn keep(&mut self, inst: Inst) {
        self.to.blocks[self.current.0 as usize].insts.push(inst);
    }

    /// Gives results of an instruction that is left out their values.
    fn give(&mut self, results: &[Value], values: &[Value]) {
        for (result, value) in results.iter().zip(values) {
            self.keep(Inst {
                op: Op::Alu(LaneOp::Mov),
                args: vec![*value],
                results: vec![*result],
                origin: self.origin,
            });
        }
    }

    /// Computes a vertex of the primitive.
    fn vertex(&mut self, corner: u32) {
        let from = self.vertex;
        let words = output_word(&from.interface, from.interface.outputs.len());
        let mut fed = vec![self.zero; words as usize];
        let joint = self.joint;
        self.copy(from, |this, inst| match inst.op {
            Op::Input { input, first } => {
                let varying = &from.interface.inputs[input as usize];
                let instanced = joint.instance_attributes >> varying.location & 1 == 1;
                let what = RunInput::Attribute {
                    corner: if instanced { 0 } else { corner },
                    location: varying.location,
                };
                let input = this.input(what, varying.components, varying.scalar);
                this.keep(Inst {
                    op: Op::Input { input, first },
                    ..inst
                });
            }
            Op::Builtin(Builtin::VertexIndex) => {
                let index = this.run_word(RunWord::Index(corner));
                this.give(&inst.results, &[index]);
            }
            Op::OutputBuiltin(OutputBuiltin::Position) => {
                fed[..4].copy_from_slice(&inst.args);
            }
            // What else a vertex has is seen by nobody.
            Op::OutputBuiltin(_) => {}
            Op::Output { output, first } => {
                let at = (output_word(&from.interface, output as usize) + first) as usize;
                fed[at..at + inst.args.len()].copy_from_slice(&inst.args);
            }
            _ => this.keep(inst),
        });
        self.fed.push(fed);
    }

    /// Computes what the invocation emits, and exports the vertex that the run is for.
    fn geometry(&mut self, known: bool, size: u32) {
        let from = self.from;
        let fed = std::mem::take(&mut self.fed);
        let words = super::input_words(&from.interface, &self.vertex.interface);
        let wanted = self.run_word(RunWord::Even);
        let mut kept: Vec<Value> = vec![self.zero; from.interface.emitted_words()];
        let locals = (!known).then(|| self.locals(kept.len() as u32));
        self.copy(from, |this, inst| match inst.op {
            Op::VertexPosition(_) | Op::VertexInput { .. } => {
                let Some((vertex, first)) = super::fed_word(from, Some(&words), &inst.op) else {
                    return;
                };
                let values = &fed[vertex as usize][first as usize..];
                this.give(&inst.results, values);
            }
            Op::Builtin(Builtin::PrimitiveIndex) => {
                let number = this.run_word(RunWord::Primitive);
                this.give(&inst.results, &[number]);
            }
            Op::Builtin(Builtin::InvocationIndex) => {
                let number = this.run_word(RunWord::Invocation);
                this.give(&inst.results, &[number]);
            }
            Op::EmitVertex => match &locals {
                None => {
                    let this_one = this.equal(inst.args[0], wanted);
                    for (kept, new) in kept.iter_mut().zip(&inst.args[1..]) {
                        *kept = this.select(this_one, *new, *kept);
                    }
                }
                Some(locals) => this.emit(locals, &inst.args, size),
            },
            Op::EndPrimitive => {
                if let Some(locals) = &locals {
                    this.set(locals.strip, this.zero);
                    let count = this.local(locals.count);
                    this.set(locals.begin, count);
                }
            }
            _ => this.keep(inst),
        });
        self.origin = Origin::default();
        let mut position = None;
        if let Some(locals) = locals {
            for (word, kept) in (locals.kept..).zip(&mut kept) {
                *kept = self.local(word);
            }
            let complete = self.local(locals.complete);
            let never = self.equal(complete, self.zero);
            position = Some(never);
        }
        self.outputs(&kept, position);
        self.end(Terminator::Return);
    }

    /// Makes what the shader changes as it goes. All of it starts as zero.
    fn locals(&mut self, words: u32) -> Locals {
        let first = self.to.locals.len() as u32;
        for n in 0..words + 4 {
            self.to.locals.push(Local {
                name: format!("emitted{n}"),
                words: 1,
                origin: Origin::default(),
            });
        }
        let [complete, strip, count, begin] = [0, 1, 2, 3].map(|n| first + words + n);
        for local in [complete, strip, count, begin] {
            self.set(local, self.zero);
        }
        Locals {
            kept: first,
            complete,
            strip,
            count,
            begin,
        }
    }

    /// Keeps a vertex if it is that of the run, and sees whether it completes the primitive.
    fn emit(&mut self, locals: &Locals, args: &[Value], size: u32) {
        let number = args[0];
        let mut wanted = self.run_word(RunWord::Even);
        if size == 3 {
            let (begin, parity) = (self.local(locals.begin), self.run_word(RunWord::Parity));
            let even = self.equal(begin, parity);
            let odd = self.run_word(RunWord::Odd);
            wanted = self.select(even, wanted, odd);
        }
        let this_one = self.equal(number, wanted);
        for (local, new) in (locals.kept..).zip(&args[1..]) {
            let old = self.local(local);
            let kept = self.select(this_one, *new, old);
            self.set(local, kept);
        }
        let (one, two) = (self.word(1), self.word(2));
        let (last, strip) = (self.run_word(RunWord::Last), self.local(locals.strip));
        let mut ends = self.equal(number, last);
        if size > 1 {
            let needed = if size == 3 { two } else { one };
            let whole = match size {
                3 => self.equal(strip, needed),
                _ => {
                    let none = self.equal(strip, self.zero);
                    self.inst(Op::BoolNot, vec![none], &[Type::Bool])[0]
                }
            };
            ends = self.inst(Op::Bool(BoolOp::And), vec![ends, whole], &[Type::Bool])[0];
        }
        let before = self.local(locals.complete);
        let complete = self.select(ends, one, before);
        self.set(locals.complete, complete);
        let first = self.equal(strip, self.zero);
        let more = self.select(first, one, two);
        self.set(locals.strip, more);
        let count = self.local(locals.count);
        let even = self.equal(count, self.zero);
        let count = self.select(even, one, self.zero);
        self.set(locals.count, count);
    }

    /// Exports the vertex; outside of the clip volume where `never`.
    fn outputs(&mut self, kept: &[Value], never: Option<Value>) {
        let from = self.from;
        let builtins = from.interface.geometry.iter().flat_map(|g| &g.builtins);
        let mut at = 0;
        for builtin in builtins {
            let mut words = kept[at..at + builtin.words()].to_vec();
            at += builtin.words();
            if let (OutputBuiltin::Position, Some(never)) = (builtin, never) {
                // No coordinate is within -w to w.
                for (word, outside) in words.iter_mut().zip([0.0, 0.0, 0.0, -1.0f32]) {
                    let outside = self.word(outside.to_bits());
                    *word = self.select(never, outside, *word);
                }
            }
            self.inst(Op::OutputBuiltin(*builtin), words, &[]);
        }
        for (output, varying) in (0..).zip(&from.interface.outputs) {
            let words = kept[at..at + varying.components as usize].to_vec();
            at += words.len();
            self.inst(Op::Output { output, first: 0 }, words, &[]);
        }
    }
}
