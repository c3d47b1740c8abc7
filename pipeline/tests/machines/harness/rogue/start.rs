//! Registers that a raw program starts with, by their names.

use isa::LaneValue;
use lanes::{LANES, Row};
use pipeline::codegen::Binary;
use pipeline::codegen::direct::Resources;
use pipeline::codegen::rogue::bytes;
use pipeline::ir::{Builtin, Function, Stage};
use rogue::isa::decode;
use rogue::lift::{Input, Port, Setup, SpecialRegister, iterated, lift};

use super::{INPUTS, SCRATCH, coefficient, loaded, special};
use crate::direct::World;
use crate::harness::start::Start;

/// First shared registers of addresses: push constants, descriptor sets.
const PUSH: usize = 4;
const SETS: usize = 8;

/// Sets the registers of a program; the world gets what planes give.
pub fn registers(start: &mut Start, function: &Function, binary: &Binary, world: &mut World) {
    start.lanes(LANES as u32);
    shared(start, function, binary, world);
    match function.stage {
        Stage::Vertex => vertices(start, function, world),
        _ => pixels(start, function, binary, world),
    }
    let number = SpecialRegister::LOCAL_ADDR_INST_NUM.code();
    row(
        start,
        format!("sr{number}"),
        &Row(std::array::from_fn(|lane| lane as u32)),
    );
}

fn row(start: &mut Start, name: String, row: &Row) {
    start.set(name, LaneValue::Lanes(row.0.to_vec()));
}

fn shared(start: &mut Start, function: &Function, binary: &Binary, world: &World) {
    let mut shared = loaded(function, binary, world);
    let mut address = |start: &mut Start, at: usize, words: &[u32]| {
        let address = start.range(words).address.0;
        shared.insert(at, address as u32);
        shared.insert(at + 1, (address >> 32) as u32);
    };
    let sets = start.sets.clone();
    for (group, set) in sets.iter().enumerate().filter(|(_, set)| !set.is_empty()) {
        address(start, SETS + 2 * group, set);
    }
    address(start, PUSH, &world.push);
    if binary.scratch_bytes > 0 {
        let words = vec![0xdead_beef; binary.scratch_bytes as usize / 4];
        address(start, SCRATCH, &words);
    }
    let slots = &binary.slots;
    let kinds = [(&slots.resources, 8), (&slots.samplers, 4)];
    for (bound, count) in kinds
        .iter()
        .flat_map(|(all, n)| all.iter().map(move |b| (b, *n)))
    {
        let words = &sets[bound.set as usize][bound.offset as usize / 4..][..count];
        shared.extend((bound.slot as usize..).zip(words.iter().copied()));
    }
    for (n, word) in shared {
        start.set(format!("sh{n}"), LaneValue::One(word));
    }
}

fn vertices(start: &mut Start, function: &Function, world: &mut World) {
    let inputs = &function.interface.inputs;
    for (n, input) in (0..).zip(inputs) {
        for component in 0..input.components {
            let values = world.input(n, component);
            row(start, format!("vi{}", 4 * n + component), &values);
        }
    }
    let behind = 4 * inputs.len();
    for (n, builtin) in (behind..).zip([Builtin::VertexIndex, Builtin::InstanceIndex]) {
        let values = world.builtin(builtin);
        row(start, format!("vi{n}"), &values);
    }
}

/// Planes whose values differ from lane to lane: A and B are 0.
fn pixels(start: &mut Start, function: &Function, binary: &Binary, world: &mut World) {
    let groups = decode(&bytes(&binary.words)).unwrap();
    let lifted = lift(&groups, &Setup::named(&groups)).unwrap();
    for input in lifted.layout.inputs.keys() {
        match *input {
            Input::Coefficient(n) => {
                let values = coefficient(function, binary, world, n - 2);
                row(start, format!("cf{n}"), &values);
            }
            Input::Special(n) => {
                let values = special(world, n);
                row(start, format!("sr{n}"), &values);
            }
            Input::CoefficientAlt(_) | Input::Coverage => {}
        }
    }
    let w = world.builtin(Builtin::FragCoord(3));
    let mut planes = std::collections::BTreeMap::new();
    for port in &lifted.ports {
        if let Port::Iterate(iterate) = port {
            let first = iterate.coefficient;
            let all = (0..iterate.count).map(|n| (first + 4 * n, iterate.perspective.is_some()));
            planes.extend(all);
        }
    }
    if planes.values().any(|perspective| *perspective) {
        row(start, "cf2".into(), &w);
    }
    for (first, perspective) in planes {
        let values = coefficient(function, binary, world, first);
        row(start, format!("cf{}", first + 2), &values);
        let Some(at) = first.checked_sub(INPUTS) else {
            continue;
        };
        let found = world.inputs.get_mut(usize::from(at / 16));
        if let Some(lanes) = found.and_then(|input| input.get_mut(usize::from(at / 4 % 4))) {
            for (lane, value) in lanes.iter_mut().enumerate() {
                let w = perspective.then_some(f32::from_bits(w.0[lane]));
                *value = iterated(f32::from_bits(values.0[lane]), w, false);
            }
        }
    }
}
