//! Registers of the chip that follow from the code.

use ::rogue::regs::{self, CsControl, FsControl, OutputSel, Push, VsControl, pass_type};

use super::select::Select;
use crate::ir::{OutputBuiltin, Stage};

impl Select<'_> {
    /// Registers and values, for a program of so many temporaries.
    pub(super) fn registers(&self, temporaries: u16) -> Vec<(u32, u32)> {
        let (first, count) = self.push_constants();
        let push = Push { count, first };
        let outputs = &self.entry.outputs;
        let interface = &self.function.interface;
        let temporaries = temporaries as u8;
        if self.function.stage == Stage::Vertex {
            let control = VsControl {
                side_effects: interface.side_effects,
                parameters: interface.outputs.len() as u8
                    + u8::from(self.options.export_primitive_index),
                temporaries,
                ..VsControl::from_word(0)
            };
            let [plane, cullplane] = outputs.distances(interface);
            let behind = OutputSel {
                render_tgt: outputs.has(OutputBuiltin::Layer),
                vpt_tgt: outputs.has(OutputBuiltin::Viewport),
                psprite_size: outputs.has(OutputBuiltin::PointSize),
                plane,
                cullplane,
                ..OutputSel::from_word(0)
            };
            return vec![
                (regs::USC_VS_CONTROL, control.pack()),
                (regs::USC_VS_PUSH, push.pack()),
                (regs::OUTPUT_SEL, behind.pack()),
            ];
        }
        if self.function.stage == Stage::Geometry {
            return self.geometry_registers(temporaries, push);
        }
        if self.function.stage == Stage::Compute {
            let control = CsControl {
                temporaries,
                ..CsControl::from_word(0)
            };
            return vec![
                (regs::USC_CS_CONTROL, control.pack()),
                (regs::USC_CS_PUSH, push.pack()),
            ];
        }
        let depth = outputs.has(OutputBuiltin::FragDepth) && !interface.early_depth;
        let mask = outputs.has(OutputBuiltin::SampleMask) || self.options.alpha_to_coverage;
        let control = FsControl {
            early_depth: interface.early_depth,
            per_sample: self.options.per_sample,
            side_effects: interface.side_effects,
            pass_type: match (depth, self.entry.alive.is_some() || mask) {
                (true, _) => pass_type::DEPTH_FEEDBACK,
                (_, true) => pass_type::PUNCH_THROUGH,
                _ if self.entry.reads_outputs || interface.side_effects => pass_type::TRANSLUCENT,
                _ => pass_type::OPAQUE,
            },
            temporaries,
            ..FsControl::from_word(0)
        };
        vec![
            (regs::USC_FS_CONTROL, control.pack()),
            (regs::USC_FS_PUSH, push.pack()),
        ]
    }
}
