//! Machine code of the vertex engine. [R5XX 7.5]

use r5xx::isa::pvs::ops::{FlowOp, MacroOp, MeOp, VeOp};
use r5xx::isa::pvs::{
    DstFile, DualMath, FlowSlot, Inst as Code, Mode, NO_FLOW, Op as PvsOp, Operand, SLOTS,
    Select as Part, SrcFile, Target, Third,
};

use super::allocate::Registers;
use super::machine::{self, Arg, End, Function, Inst, Op, Reg, Select, Test};
use super::ports::register;
use crate::ir::Origin;

/// Most rounds of a loop. [R5XX 7.5.5]
pub const MAX_ROUNDS: f64 = 255.0;
/// Loops within each other. [R5XX 7.5.5]
const MAX_DEPTH: usize = 8;

/// A program of the vertex engine.
pub struct Program {
    /// Instructions.
    pub insts: Vec<Code>,
    /// Origins of instructions.
    pub origins: Vec<Origin>,
    /// Flow control.
    pub slots: Vec<FlowSlot>,
}

/// What keeps a program from the chip.
pub enum Excess {
    /// A loop whose rounds are not known or too many.
    Rounds(Option<f64>),
    /// More loops than slots.
    Loops(usize),
    /// Loops too deep in each other.
    Depth(usize),
}

/// Encodes allocated code.
pub fn encode(code: &machine::Code, registers: &Registers) -> Result<Program, Excess> {
    let mut program = Program {
        insts: Vec::new(),
        origins: Vec::new(),
        slots: Vec::new(),
    };
    let mut starts = Vec::new();
    for block in &code.blocks {
        starts.push(program.insts.len());
        for inst in block.insts.iter().filter(|inst| inst.op != Op::Again) {
            program.insts.push(instruction(inst, registers));
            program.origins.push(inst.origin);
        }
        if let End::Again { header, rounds } = block.end {
            let count = rounds
                .filter(|rounds| *rounds <= MAX_ROUNDS)
                .ok_or(Excess::Rounds(rounds))?;
            let first = starts[header];
            program.slots.push(FlowSlot {
                op: FlowOp::PVS_FC_LOOP,
                act: first.saturating_sub(1) as u16,
                count_or_target: count as u16,
                last: program.insts.len().saturating_sub(1) as u16,
                rtn: first as u16,
                ..NO_FLOW
            });
        }
    }
    let slots = &program.slots;
    if slots.len() > SLOTS {
        return Err(Excess::Loops(slots.len()));
    }
    let around = |slot: &FlowSlot| {
        let outer = slots
            .iter()
            .filter(|other| other.rtn <= slot.rtn && slot.last <= other.last);
        outer.count()
    };
    let deepest = slots.iter().map(around).max().unwrap_or(0);
    if deepest > MAX_DEPTH {
        return Err(Excess::Depth(deepest));
    }
    if program.insts.is_empty() {
        program.insts.push(Code::new(
            PvsOp::Vector(VeOp::VECTOR_NO_OP),
            Target::default(),
            &[],
        ));
        program.origins.push(Origin::default());
    }
    Ok(program)
}

fn instruction(inst: &Inst, registers: &Registers) -> Code {
    let reg = inst.dst.unwrap_or(Reg::Alternate(0));
    let channels = registers.channels(reg, &inst.components);
    let target = Target {
        file: match reg {
            Reg::Output(_) => DstFile::Output,
            Reg::Alternate(_) => DstFile::AltTemp,
            Reg::Address => DstFile::Address,
            _ => DstFile::Temp,
        },
        offset: match reg {
            Reg::Temp(vector) => registers.of(vector, inst.components[0]).0,
            Reg::Output(at) => at as u8,
            Reg::Alternate(at) => at,
            _ => 0,
        },
        mask: channels.iter().fold(0, |mask, channel| mask | 1 << channel),
        ..Target::default()
    };
    // Numbers name a register too; they take one that is read anyway.
    let spare = inst.args.iter().find_map(|args| register(args));
    let lanes = match inst.op {
        Op::Dot4 => vec![0, 1, 2, 3],
        _ => channels,
    };
    let source = |args: &[Arg]| {
        operand(
            args,
            &lanes,
            spare,
            matches!(inst.op, Op::Function(_)),
            registers,
        )
    };
    let mut sources: Vec<Operand> = inst.args.iter().map(|args| source(args)).collect();
    let vector = PvsOp::Vector;
    let op = match inst.op {
        Op::Mov => {
            sources.push(sources[0]);
            vector(VeOp::VE_MAXIMUM)
        }
        Op::Add => vector(VeOp::VE_ADD),
        Op::Mul => vector(VeOp::VE_MULTIPLY),
        Op::Mad => mad(&inst.args),
        Op::Min => vector(VeOp::VE_MINIMUM),
        Op::Max => vector(VeOp::VE_MAXIMUM),
        Op::Frc => vector(VeOp::VE_FRACTION),
        Op::Dot4 => vector(VeOp::VE_DOT_PRODUCT),
        Op::Address => vector(VeOp::VE_FLT2FIX_DX),
        Op::Set(test) => {
            if test == Test::Less || test == Test::AtLeast {
                vector(if test == Test::Less {
                    VeOp::VE_SET_LESS_THAN
                } else {
                    VeOp::VE_SET_GREATER_THAN_EQUAL
                })
            } else {
                vector(match test {
                    Test::Equal => VeOp::VE_SET_EQUAL,
                    Test::NotEqual => VeOp::VE_SET_NOT_EQUAL,
                    _ => VeOp::VE_SET_GREATER_THAN,
                })
            }
        }
        Op::Mux(Test::Equal) => vector(VeOp::VE_COND_MUX_EQ),
        Op::Mux(Test::AtLeast) => vector(VeOp::VE_COND_MUX_GTE),
        Op::Mux(_) | Op::Choose => vector(VeOp::VE_COND_MUX_GT),
        Op::Function(function) => PvsOp::Math(math_op(function)),
        // The pixel unit has the others.
        _ => vector(VeOp::VECTOR_NO_OP),
    };
    let mut code = Code {
        saturate: inst.saturate,
        ..Code::new(op, target, &sources)
    };
    if let Some(Op::Function(function)) = inst.with.as_ref().map(|with| with.op) {
        let math = inst
            .with
            .as_deref()
            .map(|with| half(with, function, registers));
        code.third = math.map_or(code.third, Third::Math);
    }
    code
}

fn math_op(function: Function) -> MeOp {
    match function {
        Function::Rcp => MeOp::ME_RECIP_IEEE,
        Function::Rsq => MeOp::ME_RECIP_SQRT_IEEE,
        Function::Exp2 => MeOp::ME_EXP_BASE2_FULL_DX,
        Function::Log2 => MeOp::ME_LOG_BASE2_IEEE,
        Function::Sin => MeOp::ME_SIN,
        Function::Cos => MeOp::ME_COS,
    }
}

/// The math half of an instruction: one scalar, to a component of an alternate temporary.
fn half(inst: &Inst, function: Function, registers: &Registers) -> DualMath {
    let source = operand(&inst.args[0], &[0], None, true, registers);
    DualMath {
        op: math_op(function),
        saturate: inst.saturate,
        file: source.file,
        offset: source.offset,
        mode: source.mode,
        abs: source.abs,
        swizzle: [source.swizzle[0]; 2],
        negate: [source.negate[0]; 2],
        dst: match inst.dst {
            Some(Reg::Alternate(at)) => at,
            _ => 0,
        },
        component: inst.components[0],
    }
}

/// The form of MAD: three temporaries take two cycles.
fn mad(args: &[Vec<Arg>]) -> PvsOp {
    let mut temps: Vec<Reg> = args.iter().filter_map(|args| register(args)).collect();
    temps.retain(|reg| matches!(reg, Reg::Temp(_)));
    temps.sort_unstable();
    temps.dedup();
    match temps.len() {
        3 => PvsOp::Macro(MacroOp::PVS_MACRO_OP_2CLK_MADD),
        _ => PvsOp::Vector(VeOp::VE_MULTIPLY_ADD),
    }
}

fn operand(
    args: &[Arg],
    lanes: &[u8],
    spare: Option<Reg>,
    every: bool,
    registers: &Registers,
) -> Operand {
    let reg = register(args).or(spare);
    let file = match reg {
        Some(Reg::Input(_)) => SrcFile::Input,
        Some(Reg::Constant(_) | Reg::Indexed(..)) => SrcFile::Constant,
        Some(Reg::Alternate(_)) => SrcFile::AltTemp,
        _ => SrcFile::Temp,
    };
    let part = |arg: &Arg| match (arg.select, arg.reg) {
        (Select::Component(component), Some(Reg::Temp(vector))) => {
            registers.of(vector, component).1
        }
        (Select::Component(component), _) => component,
        (Select::One, _) => 5,
        _ => 4,
    };
    let selects = [Part::X, Part::Y, Part::Z, Part::W, Part::Zero, Part::One];
    let offset = match reg {
        Some(Reg::Input(at) | Reg::Constant(at) | Reg::Indexed(at, _)) => at as u8,
        Some(Reg::Alternate(at)) => at,
        Some(Reg::Temp(vector)) => {
            let component = args.iter().find_map(|arg| match (arg.reg, arg.select) {
                (Some(Reg::Temp(_)), Select::Component(component)) => Some(component),
                _ => None,
            });
            registers.of(vector, component.unwrap_or(0)).0
        }
        _ => 0,
    };
    let mut swizzle = [Part::Unused; 4];
    let mut negate = [false; 4];
    for (arg, lane) in args.iter().zip(lanes) {
        let lane = usize::from(*lane);
        let to = if every { 0..4 } else { lane..lane + 1 };
        for lane in to {
            swizzle[lane] = selects[usize::from(part(arg))];
            negate[lane] = arg.negate;
        }
    }
    Operand {
        file,
        offset,
        mode: match reg {
            Some(Reg::Indexed(_, component)) => Mode::Address(component),
            _ => Mode::Absolute,
        },
        abs: args.iter().any(|arg| arg.abs),
        swizzle,
        negate,
    }
}
