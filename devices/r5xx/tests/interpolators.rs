//! RS registers to what temporaries start from.

#![allow(clippy::unwrap_used)]

use r5xx::registers;
use r5xx::regs::*;
use r5xx::rs::{Slot, Value, Write, packet, writes};
use r5xx::vap::Output;
use radeon::registers::RegisterFile;
use silicon::geometry::attributes::Source;
use silicon::geometry::topology::Kind;

fn or(registers: &mut RegisterFile, fields: &[(Field, u32)]) {
    for (field, value) in fields {
        let word = registers.get(field.address) & !field.bits(!0);
        registers.set(field.address, word | field.bits(*value));
    }
}

fn vector(vector: usize, component: u32) -> Slot {
    Slot::Vector { vector, component }
}

/// Position, point size, colour 1, two texture vectors of 1 and 4 components.
fn outputs() -> Vec<Output> {
    vec![
        Output::Position,
        Output::PointSize,
        Output::Color(1),
        Output::Texture {
            set: 2,
            components: 1,
        },
        Output::Texture {
            set: 5,
            components: 4,
        },
    ]
}

/// Gouraud shading of all colours.
fn ready() -> RegisterFile {
    let mut registers = registers::power_on();
    registers.set(GA_COLOR_CONTROL.address, 0xaaaa);
    registers
}

#[test]
fn the_packet_holds_vectors_then_colours() {
    let mut registers = ready();
    let smooth = |index| Source::Param { index, flat: false };
    let found = packet(&registers, &outputs(), Kind::Triangles).unwrap();
    assert_eq!(found.vectors, [(smooth(1), 2), (smooth(2), 4)]);
    assert_eq!(found.colors, [smooth(0)]);
    or(
        &mut registers,
        &[
            (GA_COLOR_CONTROL::RGB1_SHADING, 1),
            (GA_COLOR_CONTROL::ALPHA1_SHADING, 1),
        ],
    );
    let flat = Source::Param {
        index: 0,
        flat: true,
    };
    assert_eq!(
        packet(&registers, &outputs(), Kind::Triangles)
            .unwrap()
            .colors,
        [flat]
    );
}

#[test]
fn temporaries_start_from_slots() {
    let mut registers = ready();
    // As Mesa's driver does: one vector of four components to temporary 0.
    registers.set(RS_IP.at(0), 0x000c_2040);
    registers.set(RS_INST.at(0), 0x10);
    let four = [
        Output::Position,
        Output::Texture {
            set: 0,
            components: 4,
        },
    ];
    let of = |registers: &RegisterFile, outputs: &[Output]| {
        let packet = packet(registers, outputs, Kind::Triangles)?;
        writes(registers, &packet)
    };
    let write = |temp, value| Write {
        temp,
        value,
        centroid: false,
    };
    let all = [0, 1, 2, 3].map(|n| vector(0, n));
    assert_eq!(of(&registers, &four), Ok(vec![write(0, Value::Slots(all))]));

    // Two instructions: a texture with constants and a colour; position.
    use RS_INST::*;
    use RS_IP::*;
    let ip = [
        (TEX_PTR_S, 1),
        (TEX_PTR_T, 5),
        (TEX_PTR_R, 62),
        (TEX_PTR_Q, 63),
        (COL_FMT, 2),
    ];
    let ip = ip.iter().map(|(field, value)| field.bits(*value)).sum();
    registers.set(RS_IP.at(3), ip);
    let first = TEX_ID.bits(3)
        | TEX_CN.bits(1)
        | TEX_ADDR.bits(7)
        | TEX_ADJ.bits(1)
        | COL_ID.bits(3)
        | COL_CN.bits(1)
        | COL_ADDR.bits(2);
    registers.set(RS_INST.at(0), first);
    registers.set(RS_INST.at(1), COL_CN.bits(2) | COL_ADDR.bits(9));
    registers.set(RS_INST.at(2), COL_CN.bits(3) | COL_ADDR.bits(10));
    or(&mut registers, &[(RS_INST_COUNT::INST_COUNT, 2)]);
    let texture = [vector(0, 1), vector(1, 3), Slot::Zero, Slot::One];
    let component = |component| Slot::Color {
        color: 0,
        component,
    };
    let color = [component(0), component(1), component(2), Slot::One];
    let centroid = |temp, value| Write {
        temp,
        value,
        centroid: true,
    };
    let expected = vec![
        centroid(7, Value::Slots(texture)),
        centroid(2, Value::Slots(color)),
        write(9, Value::Position),
        write(10, Value::Facing),
    ];
    assert_eq!(of(&registers, &outputs()), Ok(expected));
}

#[test]
fn points_bring_coordinates() {
    let mut registers = ready();
    or(
        &mut registers,
        &[
            (GB_ENABLE::POINT_STUFF_ENABLE, 1),
            (GB_ENABLE::TEX2_SOURCE, 1),
        ],
    );
    let corners = [
        (GA_POINT_S0, 0.25),
        (GA_POINT_T0, 1.0),
        (GA_POINT_S1, 0.75),
        (GA_POINT_T1, 0.5),
    ];
    for (register, value) in corners {
        registers.set(register.address, f32::to_bits(value));
    }
    // Set 2 is stuffed: its own vector is not in the packet.
    let found = packet(&registers, &outputs(), Kind::Points).unwrap();
    let rows = [
        [0.25, 0.5, 0.0, 1.0],
        [0.5, 0.0, 0.0, 0.0],
        [0.0, 0.5, 0.0, 0.0],
    ];
    let own = Source::Param {
        index: 2,
        flat: false,
    };
    assert_eq!(found.vectors, [(Source::Point(rows), 2), (own, 4)]);
    assert_eq!(
        packet(&registers, &outputs(), Kind::Triangles)
            .unwrap()
            .vectors
            .len(),
        2
    );
    or(&mut registers, &[(GB_ENABLE::TEX2_SOURCE, 2)]);
    assert_eq!(
        packet(&registers, &outputs(), Kind::Points)
            .unwrap()
            .vectors[0]
            .1,
        3
    );
}

#[test]
fn generic_vectors_are_flat_or_not_each_for_itself() {
    let mut registers = ready();
    let fields = [
        (PS3_ENABLE::PS3_MODE, 1),
        (PS3_VTX_FMT::TEX_2_COMP_CNT, 1),
        (PS3_VTX_FMT::TEX_5_COMP_CNT, 3),
        (GA_COLOR_CONTROL_PS3::TEX2_SHADING_PS3, 2),
        (GA_COLOR_CONTROL_PS3::TEX5_SHADING_PS3, 1),
    ];
    or(&mut registers, &fields);
    let param = |index, flat| Source::Param { index, flat };
    let found = packet(&registers, &outputs(), Kind::Triangles).unwrap();
    assert_eq!(found.vectors, [(param(1, false), 2), (param(2, true), 3)]);
    // Or solid.
    or(
        &mut registers,
        &[
            (GA_COLOR_CONTROL_PS3::TEX5_SHADING_PS3, 0),
            (GA_SOLID_RG::COLOR_GREEN, 0xf800),
            (GA_SOLID_BA::COLOR_ALPHA, 0x1000),
        ],
    );
    let found = packet(&registers, &outputs(), Kind::Triangles).unwrap();
    let solid = Source::Constant([0.0, -0.5, 0.0, 1.0]);
    assert_eq!(found.vectors, [(param(1, false), 2), (solid, 3)]);
    or(
        &mut registers,
        &[(GA_COLOR_CONTROL_PS3::TEX5_SHADING_PS3, 1)],
    );
    // Points bring the coordinates of a vector that the vertex program does not write.
    let fields = [
        (GB_ENABLE::POINT_STUFF_ENABLE, 1),
        (PS3_VTX_FMT::TEX_6_COMP_CNT, 2),
        (PS3_TEX_SOURCE::TEX6_SOURCE, 1),
    ];
    or(&mut registers, &fields);
    let found = packet(&registers, &outputs(), Kind::Points).unwrap();
    assert!(matches!(found.vectors[2], (Source::Point(_), 2)));
    let error = packet(&registers, &outputs(), Kind::Triangles).unwrap_err();
    assert!(
        error.starts_with("PS3_VTX_FMT.TEX_6_COMP_CNT is 2"),
        "{error}"
    );
    for (field, value, reason) in [
        (
            GA_COLOR_CONTROL_PS3::TEX5_SHADING_PS3,
            3,
            "TEX5_SHADING_PS3 3 is reserved",
        ),
        (
            GA_COLOR_CONTROL_PS3::COLOR1_TEX_OVERRIDE,
            1,
            "COLOR1_TEX_OVERRIDE is 1",
        ),
        (
            GA_COLOR_CONTROL_PS3::COLOR0_TEX_OVERRIDE,
            11,
            "COLOR0_TEX_OVERRIDE 11 is reserved",
        ),
        (PS3_VTX_FMT::TEX_9_COMP_CNT, 2, "TEX_9_COMP_CNT is 2"),
        (PS3_VTX_FMT::TEX_10_COMP_CNT, 2, "TEX_10_COMP_CNT 0x2"),
    ] {
        let mut registers = registers.clone();
        or(&mut registers, &[(field, value)]);
        let error = packet(&registers, &outputs(), Kind::Points).unwrap_err();
        assert!(error.contains(reason), "{error}");
    }
}

#[test]
fn what_is_not_executed_stops_a_draw() {
    let cases = [
        (
            GA_COLOR_CONTROL::RGB1_SHADING,
            3,
            "GA_COLOR_CONTROL.RGB1_SHADING 3 is reserved",
        ),
        (
            GB_SELECT::FOG_STUFF_ENABLE,
            1,
            "FOG_SELECT 0: the vertices have no colour 0",
        ),
        (RS_IP::TEX_PTR_T, 6, "RS_IP_0.TEX_PTR_T 6 is behind"),
        (RS_IP::COL_FMT, 3, "RS_IP_0.COL_FMT 3 is reserved"),
        (RS_IP::COL_PTR, 1, "RS_IP_0.COL_PTR 1 is behind"),
    ];
    for (field, value, reason) in cases {
        let mut registers = ready();
        or(
            &mut registers,
            &[(RS_INST::TEX_CN, 1), (RS_INST::COL_CN, 1), (field, value)],
        );
        let both = packet(&registers, &outputs(), Kind::Triangles);
        let error = both
            .and_then(|packet| writes(&registers, &packet))
            .unwrap_err();
        assert!(error.contains(reason), "{error} and not {reason}");
    }
}
