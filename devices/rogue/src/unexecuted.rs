//! Register fields that enable what this chip does not execute: a draw that sets one is a trap.

use isa::Content;

use crate::regs::{self, Registers};

/// Registers and their fields. Topology, width and size say what objects are, not ISPA.
const FIELDS: &[(u32, &[&str])] = &[
    (regs::ISPCTL, &["upass", "vis_test", "vis_bool"]),
    (
        regs::ISPA_FRONT,
        &[
            "objtype",
            "ovg_vispass_mask_op",
            "dfbz_test_enable",
            "line_fill_last_pixel",
            "point_line_width",
        ],
    ),
    (
        regs::OUTPUT_SEL,
        &["tsp_unclamped_z", "isp_position_depth_clamp_z", "rhw"],
    ),
    (
        regs::PPP_CTRL,
        &[
            "prim_msaa",
            "draw_clipped_edges",
            "flatshade_vertex",
            "pretransform",
            "wclampen",
            "wbuffen",
            "reset_bbox",
            "update_bbox",
        ],
    ),
];

/// Whether a draw enables nothing of it.
pub fn check(registers: &Registers) -> Result<(), String> {
    for (register, names) in FIELDS {
        let value = registers.get(*register);
        let Some((row, Content::Fields(fields))) =
            regs::find(*register).and_then(|(row, _)| Some((row, row.content?)))
        else {
            continue;
        };
        let set = |field: &&isa::Field| names.contains(&field.name) && field.of(value.into()) != 0;
        if value != 0
            && let Some(field) = fields.iter().find(set)
        {
            let found = field.of(value.into());
            return Err(format!(
                "{}.{} = {found} is not executed",
                row.name, field.name
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_field_is_refused_by_its_name() {
        let mut registers = Registers::default();
        assert_eq!(check(&registers), Ok(()));
        for (register, names) in FIELDS {
            let content = regs::find(*register).and_then(|(row, _)| row.content);
            let Some(Content::Fields(fields)) = content else {
                panic!("register {register} has no fields");
            };
            for name in *names {
                let field = fields.iter().find(|field| field.name == *name);
                let bit = field.map_or(0, |field| 1 << field.lo);
                assert!(registers.set(*register, bit));
                let refused = check(&registers).map_err(|text| text.contains(name));
                assert_eq!(refused, Err(true), "{name}");
            }
            registers.set(*register, 0);
        }
    }
}
