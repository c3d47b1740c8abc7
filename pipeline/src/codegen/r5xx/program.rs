//! A whole program: limits of the chip, registers that belong to the code, facts.

use r5xx::isa::pvs::{self, Control};
use r5xx::isa::us::{self, Setup};
use r5xx::regs;

use super::allocate::{Registers, allocate, remove_idle};
use super::errors::Errors;
use super::interface::{CONSTANTS, INPUTS};
use super::legal::{Legal, legal_with};
use super::machine::{Code, Op};
use super::select::Select;
use super::textures::Reads;
use super::{TARGET, duals, pixel, ports, presums, retarget, schedule, skips, vertex, waits};
use crate::codegen::geometry::VertexRole;
use crate::codegen::geometry::merged::{Joint, merge, passing};
use crate::codegen::{
    Binary, Bound, CompileError, InputVector, Lines, Options, OutputVector, Result, Slots, Stats,
};
use crate::ir::{Builtin, Function, OutputBuiltin, Stage};
use crate::state::GeometryOutput;

/// What is counted of compiled code. Pairs are instructions with work for colour and alpha, or for vector and math engine.
const COUNTERS: &[&str] = &[
    "instructions",
    "pairs",
    "temporaries",
    "constants",
    "texture",
    "bytes",
];
/// Temporaries of a vertex, and of a pixel.
const TEMPORARIES: [u16; 2] = [32, 128];

/// Compiles an entry point; a geometry shader behind a vertex shader that hands its attributes on. Jumps take room: what does not fit with all of them may fit with those over the longest sides,
/// or without any.
pub fn compile(function: &Function, options: &Options) -> Result<Binary> {
    if function.stage == Stage::Geometry {
        let joint = Joint {
            output: GeometryOutput::TriangleStrip,
            provoking_last: false,
            instance_attributes: 0,
        };
        let both = merge(&passing(function), function, &joint).function;
        let options = Options {
            role: VertexRole::Merged,
            ..options.clone()
        };
        return compile(&both, &options);
    }
    let some = skips::WORTH.into_iter().map(Some).chain([None]);
    let mut tried = some.map(|skips| compile_with(function, options, skips));
    let first = tried.next();
    match (first, function.stage) {
        (Some(Err(error)), Stage::Fragment) => tried.find(Result::is_ok).unwrap_or(Err(error)),
        (first, _) => first.unwrap_or_else(|| compile_with(function, options, None)),
    }
}

fn compile_with(function: &Function, options: &Options, skips: Option<usize>) -> Result<Binary> {
    let legal = legal_with(function, options, skips)?;
    let errors = Errors(function);
    let mut select = Select::run(&legal, options)?;
    let is_vertex = function.stage == Stage::Vertex;
    if is_vertex && select.inputs.len() > INPUTS {
        return Err(errors.exceeds("vertex inputs", select.inputs.len(), INPUTS));
    }
    let temporaries = TEMPORARIES[usize::from(!is_vertex)];
    let mut code = select.code.clone();
    let mut apart = None;
    if is_vertex {
        retarget::outputs(&mut code);
        ports::limit(&mut code);
        apart = Some(code.clone());
        duals::pair(&mut code);
    } else {
        retarget::scales(&mut code, &select.pool);
        presums::fold(&mut code, &mut select.pool);
        retarget::params(&mut code);
        retarget::colors(&mut code);
        schedule::order(&mut code);
        retarget::votes(&mut code);
    }
    let mut registers = allocate(&code, temporaries);
    if registers.is_none() {
        // In the order of the shader fewer values are alive at once.
        code = apart.unwrap_or_else(|| select.code.clone());
        registers = allocate(&code, temporaries);
    }
    let registers = registers.ok_or_else(|| CompileError::Registers {
        entry: function.name.clone(),
        target: TARGET,
        bank: "temporary",
        available: temporaries.into(),
        at: function.text.locate(crowded(&code)),
    })?;
    select.pool.forget_unread(&mut code);
    remove_idle(&mut code, &registers);
    if select.pool.overflows() {
        return Err(errors.exceeds("constants", select.pool.vectors.len(), CONSTANTS));
    }
    let mut stats = Stats::new(COUNTERS);
    let used = registers.used.max(1);
    stats.add("temporaries", used.into());
    stats.add("constants", select.pool.vectors.len() as u32);
    let looks = code.blocks.iter().flat_map(|block| &block.insts);
    stats.add(
        "texture",
        looks.filter(|inst| matches!(inst.op, Op::Look(..))).count() as u32,
    );
    let (words, state, places) = match is_vertex {
        true => vertex_program(function, &select, &code, &registers, &mut stats)?,
        false => pixel_program(function, &select, &code, &registers, &mut stats)?,
    };
    stats.add("bytes", 4 * words.len() as u32);
    let lines = Lines::new(&function.text, places);
    Ok(Binary {
        words,
        registers: state,
        stage: function.stage,
        interface: function.interface.clone(),
        primitive_index: false,
        point_coord: select.inputs.contains(&InputVector::PointCoord),
        base_vertex: function.reads(Builtin::BaseVertex),
        scratch_bytes: 0,
        slots: slots(function, options, &legal, &select)?,
        stats,
        lines,
        print: match is_vertex {
            true => |words| crate::codegen::listing(pvs::disassemble(words)),
            false => |words| crate::codegen::listing(us::disassemble(words)),
        },
    })
}

/// Where most is going on.
fn crowded(code: &Code) -> crate::ir::Origin {
    let largest = code.blocks.iter().max_by_key(|block| block.insts.len());
    let insts = largest.into_iter().flat_map(|block| &block.insts);
    let mut origins = insts.map(|inst| inst.origin);
    origins.find(|origin| origin.is_known()).unwrap_or_default()
}

type Parts = (Vec<u32>, Vec<(u32, u32)>, Vec<(u32, crate::ir::Origin)>);

fn vertex_program(
    function: &Function,
    select: &Select<'_>,
    code: &Code,
    registers: &Registers,
    stats: &mut Stats,
) -> Result<Parts> {
    let errors = Errors(function);
    let program = vertex::encode(code, registers).map_err(|excess| {
        let at = crowded(code);
        match excess {
            vertex::Excess::Rounds(None) => {
                errors.lacks("a loop in a vertex shader whose rounds are not known", at)
            }
            vertex::Excess::Rounds(Some(rounds)) => errors.lacks(
                format!(
                    "a loop of {rounds} rounds in a vertex shader, where {} are possible",
                    vertex::MAX_ROUNDS
                ),
                at,
            ),
            vertex::Excess::Loops(loops) => errors.exceeds("loops", loops, pvs::SLOTS),
            vertex::Excess::Depth(depth) => {
                errors.exceeds("loops within each other", depth, pvs::MAX_FRAMES)
            }
        }
    })?;
    let count = program.insts.len();
    if count > pvs::MAX_INSTRUCTIONS {
        return Err(errors.exceeds("instructions", count, pvs::MAX_INSTRUCTIONS));
    }
    stats.add("instructions", count as u32);
    let duals = program.insts.iter().map(|inst| inst.third);
    let duals = duals.filter(|third| matches!(third, pvs::Third::Math(_)));
    stats.add("pairs", duals.count() as u32);
    let mut control = Control::straight(count);
    for (to, slot) in control.slots.iter_mut().zip(&program.slots) {
        *to = *slot;
    }
    let mut state = vec![
        (
            regs::VAP_PVS_CODE_CNTL_0.address,
            (control.last as u32) << 20 | (control.last as u32) << 10,
        ),
        (regs::VAP_PVS_CODE_CNTL_1.address, control.last.into()),
        (
            regs::VAP_PVS_CONST_CNTL.address,
            (CONSTANTS as u32 - 1) << 16,
        ),
        (
            regs::VAP_PVS_FLOW_CNTL_OPC.address,
            pvs::FlowSlot::opc(&control.slots),
        ),
    ];
    for (at, slot) in (0..).zip(&program.slots) {
        let [low, high, index] = slot.words();
        state.push((regs::VAP_PVS_FLOW_CNTL_ADDRS_LW.at(at), low));
        state.push((regs::VAP_PVS_FLOW_CNTL_ADDRS_UW.at(at), high));
        state.push((regs::VAP_PVS_FLOW_CNTL_LOOP_INDEX.at(at), index));
    }
    let of = |wanted: fn(&OutputVector) -> bool| {
        select.outputs.iter().filter(|out| wanted(out)).count() as u32
    };
    let size = of(|out| *out == OutputVector::PointSize);
    let sets = of(|out| matches!(out, OutputVector::Varying(_) | OutputVector::ClipPosition));
    state.push((regs::VAP_OUT_VTX_FMT_0.address, 1 | size << 16));
    state.push((
        regs::VAP_OUT_VTX_FMT_1.address,
        (0..sets).fold(0, |word, set| word | 4 << (3 * set)),
    ));
    let words = program
        .insts
        .iter()
        .flat_map(|inst| inst.encode())
        .collect();
    let places = (0..).step_by(4).zip(program.origins).collect();
    Ok((words, state, places))
}

fn pixel_program(
    function: &Function,
    select: &Select<'_>,
    code: &Code,
    registers: &Registers,
    stats: &mut Stats,
) -> Result<Parts> {
    let errors = Errors(function);
    let mut program = pixel::encode(code, registers);
    waits::mark(&mut program.insts);
    waits::bubble(&mut program.insts);
    let count = program.insts.len();
    let most = usize::from(us::MAX_INSTRUCTIONS);
    if count > most {
        return Err(errors.exceeds("instructions", count, most));
    }
    stats.add("instructions", count as u32);
    let pairs = program.insts.iter().filter(|inst| match &inst.body {
        us::Body::Alu(alu) => alu.writes_rgb() && alu.writes_alpha(),
        _ => false,
    });
    stats.add("pairs", pairs.count() as u32);
    let depth = select.stored.has(OutputBuiltin::FragDepth);
    let last = count as u32 - 1;
    let state = vec![
        (regs::US_CONFIG.address, 0),
        (
            regs::US_PIXSIZE.address,
            u32::from(registers.used.max(1)) - 1,
        ),
        (regs::US_FC_CTRL.address, 0),
        (regs::US_CODE_ADDR.address, last << 16),
        (regs::US_CODE_RANGE.address, last << 16),
        (regs::US_CODE_OFFSET.address, 0),
        // A fixed-point number of 24 bits from the shader, or none.
        (
            regs::US_W_FMT.address,
            regs::US_W_FMT::W_FMT.bits(depth.into()),
        ),
        (regs::FG_DEPTH_SRC.address, u32::from(depth)),
    ];
    let words = program
        .insts
        .iter()
        .flat_map(|inst| inst.encode())
        .collect();
    let places = (0..).step_by(6).zip(program.origins).collect();
    Ok((words, state, places))
}

fn slots(
    function: &Function,
    options: &Options,
    legal: &Legal,
    select: &Select<'_>,
) -> Result<Slots> {
    let mut slots = Slots {
        banks: legal.banks.clone(),
        constants: select.pool.vectors.clone(),
        inputs: select.inputs.clone(),
        outputs: select.outputs.clone(),
        ..Slots::default()
    };
    slots.attributes = select
        .inputs
        .iter()
        .filter_map(|input| match input {
            InputVector::Attribute(location) => Some(*location),
            _ => None,
        })
        .collect();
    for (unit, pair) in (0..).zip(&legal.units) {
        let texture = bound(function, options, pair.texture, unit)?;
        slots.resources.push(texture);
        if let Some(sampler) = pair.sampler {
            slots
                .samplers
                .push(bound(function, options, sampler, unit)?);
        }
        if pair.reads != Reads::Filtered {
            slots.nearest.push(unit);
        }
        if pair.reads == Reads::Finest {
            slots.finest.push(unit);
        }
    }
    Ok(slots)
}

/// A resource in a slot.
pub(super) fn bound(
    function: &Function,
    options: &Options,
    [resource, element]: [u32; 2],
    slot: u32,
) -> Result<Bound> {
    let bytes = super::interface::BYTES;
    let origin = function.first_use(resource);
    let first = crate::codegen::descriptor_offset(function, options, resource, bytes, origin)?;
    let binding = &function.interface.resources[resource as usize];
    Ok(Bound {
        slot,
        set: binding.slot.group,
        offset: first + element * bytes.of((&binding.kind).into()),
        resource,
        element,
    })
}

/// The lane program of compiled code, as text.
pub fn lanes(binary: &Binary) -> String {
    let lifted = match binary.stage {
        Stage::Vertex => pvs::lift(binary.words.as_chunks::<4>().0, &control(binary))
            .map(|lifted| lifted.program.to_string())
            .map_err(|error| error.to_string()),
        _ => us::lift(binary.words.as_chunks::<6>().0, &setup(binary))
            .map(|lifted| lifted.program.to_string())
            .map_err(|error| error.to_string()),
    };
    lifted.unwrap_or_else(|error| format!("{error}\n"))
}

fn register(binary: &Binary, address: u32) -> u32 {
    let found = binary.registers.iter().find(|(at, _)| *at == address);
    found.map_or(0, |(_, value)| *value)
}

/// How the vertex engine runs compiled code.
pub fn control(binary: &Binary) -> Control {
    let slots = std::array::from_fn(|slot| {
        let slot = slot as u32;
        [
            regs::VAP_PVS_FLOW_CNTL_ADDRS_LW.at(slot),
            regs::VAP_PVS_FLOW_CNTL_ADDRS_UW.at(slot),
            regs::VAP_PVS_FLOW_CNTL_LOOP_INDEX.at(slot),
        ]
        .map(|address| register(binary, address))
    });
    let opc = register(binary, regs::VAP_PVS_FLOW_CNTL_OPC.address);
    Control {
        slots: pvs::FlowSlot::all(opc, &slots),
        ..Control::straight(binary.words.len() / 4)
    }
}

/// How the pixel unit runs compiled code.
pub fn setup(binary: &Binary) -> Setup {
    Setup {
        temps: register(binary, regs::US_PIXSIZE.address) as u16 + 1,
        full_flow: false,
        ..Setup::whole(binary.words.len() / 6)
    }
}
