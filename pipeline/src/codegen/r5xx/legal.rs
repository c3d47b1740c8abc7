//! From SSA to what instructions are selected from, and what that computes on the chip.

use std::collections::HashMap;

use super::build::Built;
use super::errors::Errors;
use super::flatten::Flatten;
use super::kinds::Kinds;
use super::ranges::Ranges;
use super::textures::Pair;
use crate::codegen::structure::Structure;
use crate::codegen::{Bound, ConstantSource, Options, Result};
use crate::ir::{BlockId, Detail, Function, Inst, LaneOp, Op, Stage, Type, Value};

/// A function of floats and bools.
#[derive(Clone, Debug)]
pub struct Legal {
    /// The function; push constant `n` is source `n`.
    pub function: Function,
    /// What the driver writes into constants.
    pub sources: Vec<ConstantSource>,
    /// Those that are read with an index, whole vectors of them.
    pub arrays: Vec<std::ops::Range<u32>>,
    /// Uniform buffers.
    pub banks: Vec<Bound>,
    /// Textures and samplers of the units.
    pub units: Vec<Pair>,
    /// Most rounds of the loops, by header.
    pub rounds: HashMap<BlockId, Option<f64>>,
}

/// Makes the legal function of an entry point.
pub fn legal(function: &Function, options: &Options) -> Result<Legal> {
    legal_with(function, options, Some(super::skips::WORTH[0]))
}

/// The same with jumps over sides of branches of that many instructions and more, or without any.
pub(super) fn legal_with(
    function: &Function,
    options: &Options,
    skips: Option<usize>,
) -> Result<Legal> {
    let mut old = function.clone();
    crate::passes::run(&mut old);
    super::signs::run(&mut old);
    let errors = Errors(&old);
    let kinds = Kinds::new(&old, &errors)?;
    let structure = Structure::new(&old);
    let ranges = Ranges::new(&old, &kinds, &structure);
    let mut flatten = Flatten::new(&old, options, &kinds, &ranges, &structure, skips)?;
    flatten.run()?;
    let banks = flatten.bound()?;
    let units = flatten.units;
    let Built {
        mut function,
        mut sources,
        arrays,
        rounds,
    } = flatten.to.finish();
    crate::passes::share(&mut function);
    forget_unused(&function, &mut sources, &arrays);
    if function.stage == Stage::Vertex {
        close_dots(&mut function);
    }
    // Sharing numbers blocks anew but keeps their order.
    let headers: Vec<BlockId> = (0..)
        .zip(&function.blocks)
        .filter(|(_, block)| block.looping.is_some())
        .map(|(at, _)| BlockId(at))
        .collect();
    let mut old: Vec<_> = rounds.into_iter().collect();
    old.sort_by_key(|(header, _)| *header);
    let rounds = headers
        .into_iter()
        .zip(old.into_iter().map(|(_, rounds)| rounds))
        .collect();
    Ok(Legal {
        function,
        sources,
        arrays,
        banks,
        units,
        rounds,
    })
}

/// Loads are written as floats and as integers; nobody has to provide what is not read.
fn forget_unused(
    function: &Function,
    sources: &mut [ConstantSource],
    arrays: &[std::ops::Range<u32>],
) {
    let terms = super::terms::Terms::new(function);
    let array = |at: u32| {
        let of = arrays.iter().find(|words| words.contains(&at));
        of.is_some_and(|words| terms.indexed.values().any(|(word, _)| words.contains(word)))
    };
    for (at, source) in (0..).zip(sources) {
        if !array(at) && !terms.pushes.values().any(|used| *used == at) {
            *source = ConstantSource::Immediate(0);
        }
    }
}

/// Sums of three products end in a fourth of zeros, as the vertex engine's dot products do.
fn close_dots(function: &mut Function) {
    let mut uses = vec![0u32; function.types.len()];
    for block in &function.blocks {
        let ends = block.end.operands();
        for value in block.insts.iter().flat_map(Inst::operands).chain(ends) {
            uses[value.0 as usize] += 1;
        }
    }
    let mut zero = None;
    let mut length: HashMap<Value, usize> = HashMap::new();
    let mut addends: Vec<Value> = Vec::new();
    for inst in function.insts() {
        let Some(&result) = inst.results.first() else {
            continue;
        };
        match inst.op {
            Op::Alu(LaneOp::FMul) => {
                length.insert(result, 1);
            }
            Op::Alu(LaneOp::FMad) => {
                let addend = inst.args[2];
                addends.push(addend);
                if let Some(before) = length.get(&addend).filter(|_| uses[addend.0 as usize] == 1) {
                    length.insert(result, before + 1);
                }
            }
            Op::Const(0) => zero = zero.or(Some(result)),
            _ => {}
        }
    }
    let mut map = vec![None; function.types.len()];
    let mut origin_zero = Vec::new();
    for number in 0..function.blocks.len() {
        let insts = std::mem::take(&mut function.blocks[number].insts);
        let mut kept = Vec::with_capacity(insts.len());
        for inst in insts {
            let ends = inst.results.first().copied().filter(|result| {
                length.get(result) == Some(&3)
                    && !(addends.contains(result) && uses[result.0 as usize] == 1)
            });
            let origin = inst.origin;
            kept.push(inst);
            let Some(end) = ends else { continue };
            let zero = *zero.get_or_insert_with(|| {
                let value = function.value(Type::Word);
                origin_zero.push(Inst {
                    op: Op::Const(0),
                    args: Vec::new(),
                    results: vec![value],
                    origin,
                });
                value
            });
            let sum = function.value(Type::Word);
            map.resize(function.types.len(), None);
            map[end.0 as usize] = Some(sum);
            kept.push(Inst {
                op: Op::Alu(LaneOp::FMad),
                args: vec![zero, zero, end],
                results: vec![sum],
                origin,
            });
        }
        function.blocks[number].insts = kept;
    }
    let closing: Vec<(Value, Value)> = map
        .iter()
        .enumerate()
        .filter_map(|(old, new)| Some((Value(old as u32), (*new)?)))
        .collect();
    function.rename(&map);
    // The sums themselves take what they close.
    for block in &mut function.blocks {
        for inst in &mut block.insts {
            if let Some((old, _)) = closing.iter().find(|(_, new)| inst.results == [*new]) {
                inst.args[2] = *old;
            }
        }
    }
    function.blocks[0].insts.splice(0..0, origin_zero);
}

/// What a legal function computes on the chip, where that is not what its operations say: denormals and NaN of the pixel
/// unit, poles of the vertex engine's functions.
pub fn computed(function: &Function) -> Function {
    let mut function = function.clone();
    let pixel = function.stage != Stage::Vertex;
    let mut map: Vec<Option<Value>> = vec![None; function.types.len()];
    for number in 0..function.blocks.len() {
        let insts = std::mem::take(&mut function.blocks[number].insts);
        let mut write = Writer {
            function: &mut function,
            out: Vec::with_capacity(insts.len()),
        };
        for mut inst in insts {
            if let Op::Derivative { detail, .. } = &mut inst.op {
                *detail = Detail::Coarse;
            }
            let results = inst.results.clone();
            let made = match (&inst.op, pixel) {
                (Op::Alu(op), true) => write.pixel(*op, &inst.args),
                (Op::Alu(op), false) => write.vertex(*op, &inst.args),
                _ => None,
            };
            let words: Vec<Value> = match made {
                Some(made) => vec![made],
                None => {
                    // The old results are those of the flushes.
                    let flushes = pixel
                        && matches!(
                            inst.op,
                            Op::Input { .. } | Op::LoadPush | Op::Derivative { .. } | Op::Image(_)
                        );
                    write.out.push(inst);
                    if !flushes {
                        continue;
                    }
                    results
                        .iter()
                        .map(|result| write.op(LaneOp::FFlushNan, &[*result]))
                        .collect()
                }
            };
            for (old, new) in results.iter().zip(words) {
                map.resize(write.function.types.len(), None);
                map[old.0 as usize] = Some(new);
            }
        }
        let out = write.out;
        function.blocks[number].insts = out;
    }
    map.resize(function.types.len(), None);
    // A flush reads what it replaces.
    let flushed: Vec<Option<Value>> = map.clone();
    rename_but_flushes(&mut function, &flushed);
    function
}

fn rename_but_flushes(function: &mut Function, map: &[Option<Value>]) {
    let find = |value: Value| map[value.0 as usize].unwrap_or(value);
    for block in &mut function.blocks {
        for inst in &mut block.insts {
            let own = inst.results.first().copied();
            inst.map_operands(|arg| match find(arg) {
                new if Some(new) == own => arg,
                new => new,
            });
        }
        block.end.map_operands(find);
    }
}

struct Writer<'a> {
    function: &'a mut Function,
    out: Vec<Inst>,
}

impl Writer<'_> {
    fn push(&mut self, op: Op, args: Vec<Value>, ty: Type) -> Value {
        let value = self.function.value(ty);
        self.out.push(Inst {
            op,
            args,
            results: vec![value],
            origin: Default::default(),
        });
        value
    }

    fn op(&mut self, op: LaneOp, args: &[Value]) -> Value {
        self.push(Op::Alu(op), args.to_vec(), crate::ir::result_type(op))
    }

    fn float(&mut self, value: f32) -> Value {
        self.push(Op::Const(value.to_bits()), Vec::new(), Type::Word)
    }

    fn select(&mut self, condition: Value, yes: Value, no: Value) -> Value {
        self.push(Op::Select, vec![condition, yes, no], Type::Word)
    }

    /// [R5XX 8.7]
    fn pixel(&mut self, op: LaneOp, args: &[Value]) -> Option<Value> {
        use LaneOp::*;
        let a = args[0];
        let value = match op {
            FNeg | FAbs | FGe => return None,
            FMin => self.op(FMinLegacy, args),
            FMax => {
                let greater = self.op(FGt, args);
                self.select(greater, a, args[1])
            }
            FRsq => {
                let zero = self.float(0.0);
                let sum = self.op(FAdd, &[a, zero]);
                self.op(FRsq, &[sum])
            }
            FSinTurns | FCosTurns => {
                let part = self.op(FFract, &[a]);
                let magnitude = self.op(FAbs, &[a]);
                let most = self.float(256.0);
                let beyond = self.op(FGt, &[magnitude, most]);
                let turns = self.select(beyond, part, a);
                self.op(op, &[turns])
            }
            op => self.op(op, args),
        };
        Some(self.op(FFlushNan, &[value]))
    }

    /// [R5XX 7.5.8]
    fn vertex(&mut self, op: LaneOp, args: &[Value]) -> Option<Value> {
        use LaneOp::*;
        let a = args[0];
        match op {
            FRcp => {
                let value = self.at_zero(FRcp, a, f32::INFINITY);
                Some(self.op(FFlush, &[value]))
            }
            FExp2 => {
                let value = self.op(FExp2, &[a]);
                Some(self.op(FFlush, &[value]))
            }
            FRsq => {
                let magnitude = self.op(FAbs, &[a]);
                Some(self.at_zero(FRsq, magnitude, f32::INFINITY))
            }
            FLog2 => {
                let magnitude = self.op(FAbs, &[a]);
                Some(self.op(FLog2, &[magnitude]))
            }
            FSin | FCos => Some(self.circular(op, a)),
            _ => None,
        }
    }

    fn at_zero(&mut self, op: LaneOp, a: Value, there: f32) -> Value {
        let value = self.op(op, &[a]);
        let (zero, there) = (self.float(0.0), self.float(there));
        let is_zero = self.op(LaneOp::FEq, &[a, zero]);
        self.select(is_zero, there, value)
    }

    /// Sine and cosine: nothing below 2^-24, a constant beyond pi.
    fn circular(&mut self, op: LaneOp, a: Value) -> Value {
        use LaneOp::*;
        let value = self.op(op, &[a]);
        let least = self.float(f32::from_bits(0x3380_0000));
        let magnitude = self.op(FAbs, &[value]);
        let sign = self.push(Op::Const(1 << 31), Vec::new(), Type::Word);
        let sign = self.op(And, &[value, sign]);
        let signed = self.op(Or, &[sign, least]);
        let small = self.op(FLt, &[magnitude, least]);
        let value = self.select(small, signed, value);
        let pi = self.float(std::f32::consts::PI);
        let angle = self.op(FAbs, &[a]);
        let outside = self.op(FNlt, &[angle, pi]);
        if op == FCos {
            let one = self.float(-1.0);
            return self.select(outside, one, value);
        }
        let zero = self.float(0.0);
        let value = self.select(outside, zero, value);
        let is_zero = self.op(FEq, &[a, zero]);
        self.select(is_zero, a, value)
    }
}
