//! The tables of registers equal the manual's list, field by field.

use std::collections::BTreeMap;

use r5xx::regs::{self, *};

const LIST: &str = include_str!("registers.csv");

/// The columns of a line; quotes keep commas.
fn columns(line: &str) -> Vec<String> {
    let (mut columns, mut quoted) = (vec![String::new()], false);
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => columns.push(String::new()),
            c => columns.last_mut().expect("there is a first").push(c),
        }
    }
    columns
}

fn number(text: &str) -> Option<u32> {
    match text.strip_prefix("0x") {
        Some(hex) => u32::from_str_radix(hex, 16).ok(),
        None => text.parse().ok(),
    }
}

/// A field as the manual lists it: register, address, name, bits, reset value, meaning, count and stride.
type Row = (String, u32, String, [u32; 2], Option<u32>, String, [u32; 2]);

fn listed() -> Vec<Row> {
    let rows = LIST.lines().skip(1).map(|line| {
        let c = columns(line);
        let at = |n: usize| number(&c[n]).unwrap_or_else(|| panic!("column {n} of {line}"));
        (
            c[0].clone(),
            at(1),
            c[2].clone(),
            [at(3), at(4)],
            number(&c[5]),
            c[6].clone(),
            [at(8), at(9)],
        )
    });
    rows.collect()
}

fn ours() -> Vec<Row> {
    let fields = regs::TABLES.into_iter().flatten().flat_map(|register| {
        register.fields.iter().map(move |field| {
            let reserved = format!("RESERVED_{}", field.low);
            let name = match field.name == reserved {
                true => "Reserved",
                false => field.name,
            };
            assert_eq!(
                (field.address, field.stride),
                (register.address, register.stride)
            );
            (
                register.name.to_owned(),
                register.address,
                name.to_owned(),
                [field.high, field.low],
                field.reset,
                field.meaning.to_owned(),
                [register.count, register.stride],
            )
        })
    });
    fields.collect()
}

#[test]
fn the_tables_are_the_manuals_list() {
    let (mut ours, mut listed) = (ours(), listed());
    assert_eq!(ours.len(), 944);
    ours.sort();
    listed.sort();
    for (own, other) in ours.iter().zip(&listed) {
        assert_eq!(own, other);
    }
    assert_eq!(ours.len(), listed.len());
}

#[test]
fn fields_of_a_register_do_not_overlap() {
    for register in regs::all() {
        let mut seen = 0;
        for field in register.fields {
            let mask = field.bits(u32::MAX);
            assert_eq!(seen & mask, 0, "{}.{}", register.name, field.name);
            seen |= mask;
            assert_eq!(field.get(mask), u32::MAX >> (32 - field.width()));
        }
    }
}

#[test]
fn registers_that_packets_reach_have_addresses_of_their_own() {
    let mut seen = BTreeMap::new();
    for register in regs::all() {
        for n in (0..register.count).filter(|n| regs::SPACE.contains(&register.at(*n))) {
            let before = seen.insert(register.at(n), register.name);
            assert_eq!(before, None, "{} at {:#x}", register.name, register.at(n));
            assert_eq!(regs::find(register.at(n)), Some((register, n)));
        }
    }
    assert_eq!(regs::find(0x2010), Some((&VAP_PORT_DATA, 4)));
    assert_eq!(regs::find(0x2011), None);
    assert_eq!(regs::find(0x1da0), Some((&VAP_VPORT_YSCALE, 0)));
}

#[test]
fn elements_have_names() {
    let cases = [
        (RB3D_COLOROFFSET, 2, "RB3D_COLOROFFSET2"),
        (VAP_VTX_AOS_ATTR, 7, "VAP_VTX_AOS_ATTR1415"),
        (VAP_VTX_AOS_ADDR_EVEN, 1, "VAP_VTX_AOS_ADDR2"),
        (VAP_VTX_AOS_ADDR_ODD, 1, "VAP_VTX_AOS_ADDR3"),
        (VAP_VTX_ST_CLR_R, 5, "VAP_VTX_ST_CLR_5_R"),
        (ZB_CNTL, 0, "ZB_CNTL"),
    ];
    for (register, n, name) in cases {
        assert_eq!(register.element_name(n), name);
    }
}

#[test]
fn values_have_names_and_fields_have_numbers() {
    let cases = [
        (ZB_ZSTENCILCNTL::ZFUNC, 4, Some(">=")),
        (ZB_ZSTENCILCNTL::ZFUNC, 0, Some("never")),
        (FG_ALPHA_FUNC::AF_FUNC, 4, Some(">")),
        (RB3D_COLORPITCH::COLORFORMAT, 8, None),
        (RB3D_COLORPITCH::COLORFORMAT, 10, Some("ARGB16161616")),
        (RB3D_AARESOLVE_CTL::AARESOLVE_GAMMA, 1, Some("2.2")),
        (GA_ROUND_MODE::RGB_CLAMP, 1, Some("keep FP20 range")),
        (VAP_VPORT_XSCALE::VPORT_XSCALE, 0, None),
        (
            RB3D_DSTCACHE_CTLSTAT::DC_FLUSH,
            3,
            Some("write back dirty colour cache lines"),
        ),
    ];
    for (field, value, name) in cases {
        assert_eq!(field.value_name(value), name, "{}", field.name);
    }
    assert_eq!(TX_FILTER1::LOD_BIAS.signed(0x1ff8), -1);
    assert_eq!(TX_FILTER1::LOD_BIAS.bits(u32::MAX), 0x1ff8);
    assert_eq!(VAP_VF_CNTL::NUM_VERTICES.get(0x0003_0034), 3);
}

#[test]
fn power_on_is_as_the_manual_says() {
    let registers = r5xx::registers::power_on();
    assert_eq!(registers.float(SU_DEPTH_SCALE.address), 1.0);
    assert_eq!(SC_SCREENDOOR.read(&registers, 0), 0);
    for n in 0..4 {
        assert_eq!(RB3D_COLORPITCH::COLORFORMAT.nth(&registers, n), 6);
    }
    assert_eq!(VAP_VF_MAX_VTX_INDX.read(&registers, 0), 0xff_ffff);
    assert_eq!(RB3D_COLOR_CHANNEL_MASK.read(&registers, 0), 0xffff);
}
