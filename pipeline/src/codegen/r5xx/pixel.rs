//! Machine code of the pixel unit: a half for colour and one for alpha. [R5XX 8.4 to 8.6]
//!
//! Operand `n` of an instruction is source `n` of both halves, so an input may take any channel of it.

use r5xx::isa::us::codes::{
    AddressOp, BranchOp, Modifier, Omod, Presubtract, Select as Source, Swizzle, Test as ResultTest,
};
use r5xx::isa::us::ops::{AlphaOp, FcOp, RgbOp, TexOp};
use r5xx::isa::us::{
    Alu, Body, Fc, Half, Input, Inst as Code, Predicate, Register, Source as Address, Sources, Tex,
    TexRegister,
};

use super::allocate::Registers;
use super::machine::{self, Arg, End, Function, Inst, Lookup, Op, Presum, Reg, Select, Test};
use super::ports::register;
use crate::ir::Origin;

/// Jumps where the ALU result is set, and where it is not.
const WHERE_RESULT: u8 = 0xf0;
const WHERE_NO_RESULT: u8 = 0x0f;

/// A program of the pixel unit.
pub struct Program {
    /// Instructions.
    pub insts: Vec<Code>,
    /// Origins of instructions.
    pub origins: Vec<Origin>,
}

/// What an input of a half takes.
#[derive(Clone, Copy)]
enum Take {
    Operand(usize),
    One,
    Zero,
    /// -0.0, which changes no sum.
    Nothing,
}

/// Encodes allocated code, colour and alpha joined.
pub fn encode(code: &machine::Code, registers: &Registers) -> Program {
    let mut program = Program {
        insts: Vec::new(),
        origins: Vec::new(),
    };
    let mut starts = Vec::new();
    // Jumps to later blocks.
    let mut ahead: Vec<(usize, usize)> = Vec::new();
    for block in &code.blocks {
        starts.push(program.insts.len());
        let (mut insts, mut origins) = (Vec::new(), Vec::new());
        for inst in &block.insts {
            for code in instruction(inst, registers) {
                insts.push(code);
                origins.push(inst.origin);
            }
        }
        super::pairs::pair(&mut insts, &mut origins);
        program.insts.extend(insts);
        program.origins.extend(origins);
        match block.end {
            // One lane is enough to go round again, all are needed to leave code out.
            End::Again { header, .. } => {
                program.jump(jump(WHERE_RESULT, true, starts[header]));
            }
            End::Skip { to } => {
                ahead.push((program.insts.len(), to));
                program.jump(jump(WHERE_NO_RESULT, false, 0));
            }
            End::Done | End::Next => {}
        }
    }
    for (from, to) in ahead {
        if let Body::Fc(fc) = &mut program.insts[from].body {
            fc.target = starts[to] as u16;
        }
    }
    let ends = program
        .insts
        .last()
        .is_some_and(|inst| matches!(&inst.body, Body::Alu(alu) if alu.out));
    if !ends {
        let alu = Alu {
            out: true,
            ..empty()
        };
        program.insts.push(Code::new(Body::Alu(alu)));
        program.origins.push(Origin::default());
    }
    program
}

impl Program {
    /// Appends a jump that belongs to the instruction before it.
    fn jump(&mut self, jump: Code) {
        self.insts.push(jump);
        self.origins
            .push(self.origins.last().copied().unwrap_or_default());
    }
}

fn jump(jump_func: u8, jump_any: bool, target: usize) -> Code {
    let fc = Fc {
        op: FcOp::JUMP,
        jump_func,
        jump_any,
        b_else: false,
        address: AddressOp::None,
        stay: BranchOp::None,
        jump: BranchOp::None,
        pop_count: 0,
        ignore_uncovered: false,
        boolean: 0,
        integer: 0,
        target: target as u16,
        global: false,
        predicate: Predicate::default(),
    };
    Code {
        alu_wait: true,
        ..Code::new(Body::Fc(fc))
    }
}

fn half<O, const N: usize>(op: O) -> Half<O, N> {
    Half {
        op,
        sources: Sources {
            // What names no register names a constant: it is there at once.
            src: [Address::Constant {
                at: 0,
                relative: false,
            }; 3],
            ..Sources::default()
        },
        inputs: [Input::default(); 3],
        omod: Omod::X1,
        clamp: false,
        dst: Register::default(),
        wmask: 0,
        target: 0,
        omask: 0,
        predicate: Predicate::default(),
    }
}

/// An instruction that writes nothing.
pub fn empty() -> Alu {
    Alu {
        out: false,
        rgb: half(RgbOp::MAD),
        alpha: half(AlphaOp::MAD),
        depth: false,
        result: None,
    }
}

/// Register and channel of an argument.
fn swizzle(arg: &Arg, registers: &Registers) -> Swizzle {
    let channels = [Swizzle::R, Swizzle::G, Swizzle::B, Swizzle::A];
    match (arg.select, arg.reg) {
        (Select::Component(component), Some(Reg::Temp(vector))) => {
            channels[usize::from(registers.of(vector, component).1)]
        }
        // Sums before the operation name channels, and constants lie as they are.
        (Select::Component(component), _) => channels[usize::from(component)],
        (Select::Zero, _) => Swizzle::Zero,
        (Select::Half, _) => Swizzle::Half,
        (Select::One, _) => Swizzle::One,
    }
}

fn address(reg: Option<Reg>, registers: &Registers) -> Address {
    match reg {
        Some(Reg::Temp(vector)) => Address::Temp {
            at: registers.of(vector, 0).0,
            relative: false,
        },
        Some(Reg::Constant(at)) => Address::Constant {
            at: at as u8,
            relative: false,
        },
        _ => Address::Constant {
            at: 0,
            relative: false,
        },
    }
}

fn modifier(args: &[Arg]) -> Modifier {
    let real = args.iter().find(|arg| arg.reg.is_some());
    match real.map(|arg| (arg.abs, arg.negate)) {
        Some((false, true)) => Modifier::Neg,
        Some((true, false)) => Modifier::Abs,
        Some((true, true)) => Modifier::Nab,
        // Numbers alone may have a sign, too.
        _ => match real.is_none() && args.iter().any(|arg| arg.negate) {
            true => Modifier::Neg,
            false => Modifier::None,
        },
    }
}

const SOURCES: [Source; 3] = [Source::Src0, Source::Src1, Source::Src2];

/// What an instruction names as sources.
fn sources(inst: &Inst) -> [Option<Reg>; 3] {
    let mut slots = [None; 3];
    if let Some(before) = inst.before {
        let count = if before.op == Presum::Inverse { 1 } else { 2 };
        for (slot, reg) in slots.iter_mut().zip(before.regs).take(count) {
            *slot = Some(reg);
        }
    }
    for args in &inst.args {
        let reg = register(args).filter(|reg| *reg != Reg::Before);
        if reg.is_some()
            && !slots.contains(&reg)
            && let Some(free) = slots.iter_mut().find(|slot| slot.is_none())
        {
            *free = reg;
        }
    }
    slots
}

/// The source that an operand takes.
fn select(inst: &Inst, args: &[Arg]) -> Source {
    match register(args) {
        Some(Reg::Before) => Source::Srcp,
        None => Source::Src0,
        reg => {
            let at = sources(inst).iter().position(|slot| *slot == reg);
            SOURCES[at.unwrap_or(0)]
        }
    }
}

/// An input that takes these arguments, one a channel, of a source.
fn input<const N: usize>(select: Source, args: &[(usize, Arg)], registers: &Registers) -> Input<N> {
    let mut input = Input {
        select,
        ..Input::default()
    };
    let plain: Vec<Arg> = args.iter().map(|(_, arg)| *arg).collect();
    input.modifier = modifier(&plain);
    input.swizzle = [Swizzle::Unused; N];
    for (channel, arg) in args {
        input.swizzle[*channel] = swizzle(arg, registers);
    }
    input
}

fn number<const N: usize>(of: Swizzle, modifier: Modifier) -> Input<N> {
    Input {
        select: Source::Src0,
        swizzle: [of; N],
        modifier,
    }
}

fn taken<const N: usize>(
    take: Take,
    inst: &Inst,
    members: &[(usize, usize)],
    registers: &Registers,
) -> Input<N> {
    match take {
        Take::Operand(at) => {
            let args: Vec<(usize, Arg)> = members
                .iter()
                .map(|(channel, member)| (*channel, inst.args[at][*member]))
                .collect();
            input(select(inst, &inst.args[at]), &args, registers)
        }
        Take::One => number(Swizzle::One, Modifier::None),
        Take::Zero => number(Swizzle::Zero, Modifier::None),
        Take::Nothing => number(Swizzle::Zero, Modifier::Neg),
    }
}

fn instruction(inst: &Inst, registers: &Registers) -> Vec<Code> {
    match inst.op {
        Op::Look(lookup, unit) => vec![look(inst, lookup, unit, registers)],
        Op::Kill => {
            let src = tex_register(&inst.args[0], registers);
            let tex = Tex {
                op: TexOp::TEXKILL,
                src,
                dst: src,
                wmask: 1,
                ..lookup_of(TexOp::TEXKILL, 0)
            };
            vec![Code::new(Body::Tex(tex))]
        }
        Op::Derivative { down } => derivative(inst, down, registers),
        _ => vec![Code::new(Body::Alu(alu(inst, registers)))],
    }
}

fn alu(inst: &Inst, registers: &Registers) -> Alu {
    let mut alu = empty();
    let channels = match inst.dst {
        Some(reg) => registers.channels(reg, &inst.components),
        None if inst.op == Op::Again => vec![0],
        None => inst.components.clone(),
    };
    for (at, reg) in sources(inst).into_iter().enumerate() {
        let source = address(reg, registers);
        (alu.rgb.sources.src[at], alu.alpha.sources.src[at]) = (source, source);
    }
    let srcp = match inst.before.map(|before| before.op) {
        None => Presubtract::default(),
        Some(Presum::Inverse) => Presubtract::Inv,
        Some(Presum::Difference) => Presubtract::Sub,
        Some(Presum::Sum) => Presubtract::Add,
    };
    (alu.rgb.sources.srcp, alu.alpha.sources.srcp) = (srcp, srcp);
    let members = |wanted: fn(u8) -> bool, less: u8| -> Vec<(usize, usize)> {
        let all = channels
            .iter()
            .enumerate()
            .filter(|(_, channel)| wanted(**channel));
        all.map(|(member, channel)| (usize::from(channel - less), member))
            .collect()
    };
    let (color, alpha) = (members(|c| c < 3, 0), members(|c| c == 3, 3));
    let mask = color
        .iter()
        .fold(0, |mask, (channel, _)| mask | 1 << channel);
    (alu.rgb.clamp, alu.alpha.clamp) = (inst.saturate, inst.saturate);
    let omod = scaled(inst.scale);
    (alu.rgb.omod, alu.alpha.omod) = (omod, omod);
    if let Some(Reg::Temp(vector)) = inst.dst {
        let at = registers.of(vector, inst.components[0]).0;
        (alu.rgb.dst.at, alu.alpha.dst.at) = (at, at);
        (alu.rgb.wmask, alu.alpha.wmask) = (mask, u8::from(!alpha.is_empty()));
    }
    if let Some(Reg::Target(target)) = inst.dst {
        alu.out = true;
        (alu.rgb.target, alu.alpha.target) = (target, target);
        (alu.rgb.omask, alu.alpha.omask) = (mask, u8::from(!alpha.is_empty()));
    }
    alu.result = inst.vote.map(|alpha| (alpha, ResultTest::NotEqual));
    match inst.op {
        Op::Function(function) => unary(&mut alu, inst, function, registers),
        Op::Dot3 | Op::Dot4 => dot(&mut alu, inst, !alpha.is_empty(), registers),
        Op::Color(target) => color_out(&mut alu, inst, target, registers),
        op => {
            let (rgb, of_alpha, takes) = template(op);
            (alu.rgb.op, alu.alpha.op) = (rgb, of_alpha);
            for (at, take) in takes.into_iter().enumerate() {
                alu.rgb.inputs[at] = taken(take, inst, &color, registers);
                alu.alpha.inputs[at] = taken(take, inst, &alpha, registers);
            }
            alu.out |= op == Op::Depth;
            alu.depth = op == Op::Depth;
            if op == Op::Again {
                alu.result = Some((false, ResultTest::NotEqual));
            }
        }
    }
    alu
}

/// The output modifier that multiplies by two to a power.
fn scaled(power: i8) -> Omod {
    match power {
        1 => Omod::X2,
        2 => Omod::X4,
        3 => Omod::X8,
        -1 => Omod::D2,
        -2 => Omod::D4,
        -3 => Omod::D8,
        _ => Omod::X1,
    }
}

/// Opcodes of both halves, and what A, B and C take.
fn template(op: Op) -> (RgbOp, AlphaOp, [Take; 3]) {
    use Take::{Nothing, One, Operand, Zero};
    match op {
        Op::Add => (RgbOp::MAD, AlphaOp::MAD, [Operand(0), One, Operand(1)]),
        Op::Mul => (RgbOp::MAD, AlphaOp::MAD, [Operand(0), Operand(1), Nothing]),
        Op::Mad => (
            RgbOp::MAD,
            AlphaOp::MAD,
            [Operand(0), Operand(1), Operand(2)],
        ),
        Op::Min => (RgbOp::MIN, AlphaOp::MIN, [Operand(0), Operand(1), Zero]),
        Op::Max => (RgbOp::MAX, AlphaOp::MAX, [Operand(0), Operand(1), Zero]),
        Op::Frc => (RgbOp::FRC, AlphaOp::FRC, [Operand(0), Zero, Zero]),
        Op::Set(Test::Less) => (RgbOp::CMP, AlphaOp::CMP, [Zero, One, Operand(0)]),
        Op::Set(_) => (RgbOp::CMP, AlphaOp::CMP, [One, Zero, Operand(0)]),
        Op::Mux(_) => (
            RgbOp::CMP,
            AlphaOp::CMP,
            [Operand(1), Operand(2), Operand(0)],
        ),
        Op::Choose => (
            RgbOp::CND,
            AlphaOp::CND,
            [Operand(1), Operand(2), Operand(0)],
        ),
        _ => (RgbOp::MAX, AlphaOp::MAX, [Operand(0), Operand(0), Zero]),
    }
}

fn unary(alu: &mut Alu, inst: &Inst, function: Function, registers: &Registers) {
    alu.alpha.op = match function {
        Function::Rcp => AlphaOp::RCP,
        Function::Rsq => AlphaOp::RSQ,
        Function::Exp2 => AlphaOp::EX2,
        Function::Log2 => AlphaOp::LN2,
        Function::Sin => AlphaOp::SIN,
        Function::Cos => AlphaOp::COS,
    };
    let args = &inst.args[0];
    alu.alpha.inputs[0] = input(select(inst, args), &[(0, args[0])], registers);
    if alu.rgb.wmask != 0 {
        alu.rgb.op = RgbOp::SOP;
    }
}

fn dot(alu: &mut Alu, inst: &Inst, to_alpha: bool, registers: &Registers) {
    let four = inst.op == Op::Dot4;
    alu.rgb.op = if four { RgbOp::DP4 } else { RgbOp::DP3 };
    for (at, args) in inst.args.iter().enumerate() {
        let three: Vec<(usize, Arg)> = args[..3].iter().copied().enumerate().collect();
        let of = select(inst, args);
        alu.rgb.inputs[at] = input(of, &three, registers);
        // Its sign is that of the whole operand, whoever has the register.
        alu.rgb.inputs[at].modifier = modifier(args);
        if four {
            alu.alpha.inputs[at] = input(of, &[(0, args[3])], registers);
        }
    }
    if to_alpha {
        alu.alpha.op = AlphaOp::DP;
    }
}

fn color_out(alu: &mut Alu, inst: &Inst, target: u8, registers: &Registers) {
    let args = &inst.args[0];
    let sources = [register(&args[..3]), args[3].reg].map(|reg| address(reg, registers));
    for (at, source) in sources.into_iter().enumerate() {
        (alu.rgb.sources.src[at], alu.alpha.sources.src[at]) = (source, source);
    }
    let three: Vec<(usize, Arg)> = args[..3].iter().copied().enumerate().collect();
    (alu.rgb.op, alu.alpha.op) = (RgbOp::MAX, AlphaOp::MAX);
    for at in 0..2 {
        alu.rgb.inputs[at] = input(Source::Src0, &three, registers);
        alu.alpha.inputs[at] = input(Source::Src1, &[(0, args[3])], registers);
    }
    alu.out = true;
    (alu.rgb.target, alu.alpha.target) = (target, target);
    (alu.rgb.omask, alu.alpha.omask) = (7, 1);
}

/// The operand goes to where the result will be, because a derivative reads the channel that it writes.
fn derivative(inst: &Inst, down: bool, registers: &Registers) -> Vec<Code> {
    let copy = alu(
        &Inst {
            op: Op::Mov,
            saturate: false,
            ..inst.clone()
        },
        registers,
    );
    let mut alu = copy;
    (alu.rgb.op, alu.alpha.op) = match down {
        true => (RgbOp::MDV, AlphaOp::MDV),
        false => (RgbOp::MDH, AlphaOp::MDH),
    };
    let source = Address::Temp {
        at: copy.rgb.dst.at,
        relative: false,
    };
    (alu.rgb.sources.src, alu.alpha.sources.src) = ([source; 3], [source; 3]);
    let own = [Swizzle::R, Swizzle::G, Swizzle::B];
    let of = |modifier| Input {
        select: Source::Src0,
        swizzle: own,
        modifier,
    };
    let of_alpha = |modifier| Input {
        select: Source::Src0,
        swizzle: [Swizzle::A],
        modifier,
    };
    alu.rgb.inputs = [
        of(Modifier::Neg),
        number(Swizzle::One, Modifier::None),
        of(Modifier::None),
    ];
    alu.alpha.inputs = [
        of_alpha(Modifier::Neg),
        number(Swizzle::One, Modifier::None),
        of_alpha(Modifier::None),
    ];
    (alu.rgb.clamp, alu.alpha.clamp) = (inst.saturate, inst.saturate);
    vec![Code::new(Body::Alu(copy)), Code::new(Body::Alu(alu))]
}

fn lookup_of(op: TexOp, unit: u8) -> Tex {
    Tex {
        op,
        unit,
        acquire: false,
        ignore_uncovered: false,
        unscaled: false,
        src: TexRegister::default(),
        dst: TexRegister::default(),
        gradients: [TexRegister::default(); 2],
        wmask: 0,
        predicates: [Predicate::default(); 2],
    }
}

/// A register whose channels are these arguments; the last one is Q, too.
fn tex_register(args: &[Arg], registers: &Registers) -> TexRegister {
    let places = args.iter().map(|arg| match (arg.reg, arg.select) {
        (Some(Reg::Temp(vector)), Select::Component(component)) => registers.of(vector, component),
        _ => (0, 0),
    });
    let places: Vec<(u8, u8)> = places.collect();
    let channel = |at: usize| places[at.min(places.len() - 1)].1;
    let mut swizzle = [0, 1, 2, 3].map(channel);
    swizzle[3] = channel(places.len() - 1);
    TexRegister {
        at: places[0].0,
        relative: false,
        swizzle,
    }
}

fn look(inst: &Inst, lookup: Lookup, unit: u8, registers: &Registers) -> Code {
    let op = match lookup {
        Lookup::Plain => TexOp::LD,
        Lookup::Bias => TexOp::LODBIAS,
        Lookup::Level | Lookup::Texel => TexOp::LOD,
        Lookup::Gradients => TexOp::DXDY,
    };
    let mut tex = lookup_of(op, unit);
    tex.unscaled = lookup == Lookup::Texel;
    tex.src = tex_register(&inst.args[0], registers);
    for (to, args) in tex.gradients.iter_mut().zip(inst.args.iter().skip(1)) {
        *to = tex_register(args, registers);
    }
    if let Some(Reg::Temp(vector)) = inst.dst {
        tex.dst = TexRegister {
            at: registers.of(vector, 0).0,
            relative: false,
            swizzle: [0, 1, 2, 3],
        };
    }
    tex.wmask = inst
        .components
        .iter()
        .fold(0, |mask, component| mask | 1 << component);
    Code::new(Body::Tex(tex))
}
