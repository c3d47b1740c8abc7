//! Primitive assembly and scan converter. In: registers. Out: state of clipping, set-up and samples. A chip fills
//! [`Primitives`] with what it places or encodes differently.

use std::ops::Range;

use silicon::fragment::interpolate::{CENTRES, SamplePositions};
use silicon::fragment::multisample::Samples;
use silicon::fragment::scan::PixelStage;
use silicon::fragment::tile::Rect;
use silicon::geometry::assembly::{
    Assembly, Borders, FaceMode, Fill, Outlined, Owned, Positions, UserPlane, guard_band,
};
use silicon::geometry::clip::{DepthRange, Volume};
use silicon::geometry::setup::{
    Bias, BiasUnit, Grid, LineShape, MAX_COORDINATE, Setup, Snap, Viewport, Winding,
};
use silicon::geometry::stipple::Stipple;

use super::codes::stipple_reset;
use super::regs::{
    self, DbRenderOverride, PaClClipCntl, PaClVsOutCntl, PaClVteCntl, PaScEdgerule,
    PaScLineStipple, PaSuLineCntl, PaSuPointMinmax, PaSuPointSize, PaSuPolyOffsetDbFmtCntl,
    PaSuScModeCntl, PaSuVtxCntl,
};
use super::viewports::{VIEWPORTS, Viewports};
use crate::registers::RegisterFile;

/// Registers from which nothing follows but what [`Primitives::moved`] finds again.
pub const PLACES: [Range<u32>; 5] = [
    regs::PA_SC_SCREEN_SCISSOR_TL..regs::PA_SC_SCREEN_SCISSOR_BR + 4,
    regs::PA_SC_WINDOW_SCISSOR_TL..regs::PA_SC_WINDOW_SCISSOR_BR + 4,
    regs::PA_SC_GENERIC_SCISSOR_TL..regs::PA_SC_GENERIC_SCISSOR_BR + 4,
    regs::PA_SC_VPORT_SCISSOR_0_TL..regs::PA_SC_VPORT_SCISSOR_0_TL + 8 * VIEWPORTS,
    regs::PA_CL_VPORT_XSCALE_0..regs::PA_CL_VPORT_XSCALE_0 + regs::VPORT_STRIDE * VIEWPORTS,
];

/// The centre of a pixel, in sixteenths.
const CENTRE: (u8, u8) = (8, 8);

/// Primitive assembly of one draw.
#[derive(Clone, Copy, Debug)]
pub struct Primitives<'a> {
    /// The registers.
    pub registers: &'a RegisterFile,
    /// Finest QUANT_MODE of PA_SU_VTX_CNTL.
    pub finest: u8,
    /// Address of PA_SU_VTX_CNTL; PA_CL_GB_VERT_CLIP_ADJ, VERT_DISC_ADJ, HORZ_CLIP_ADJ and HORZ_DISC_ADJ follow.
    pub vtx_cntl: u32,
    /// Address of PA_SU_POLY_OFFSET_DB_FMT_CNTL; CLAMP, FRONT_SCALE, FRONT_OFFSET, BACK_SCALE and BACK_OFFSET follow.
    pub poly_offset: u32,
    /// Address of the x of the first user clip plane; y, z and w follow, and then the other five planes.
    pub user_planes: u32,
    /// Address of PA_CL_POINT_X_RAD; Y_RAD, SIZE and CULL_RAD follow.
    pub point_radii: u32,
    /// Bits of a coordinate: of the screen scissor, and of the window and generic ones.
    pub scissor_bits: [u32; 2],
    /// DB_RENDER_OVERRIDE.
    pub render_override: DbRenderOverride,
    /// Viewport scissors count.
    pub viewport_scissors: bool,
    /// Lines have a pattern.
    pub line_stipple: bool,
    /// Lines are rectangles whatever their width.
    pub line_rectangles: bool,
    /// Samples of a pixel, and the address of the words that place them.
    pub samples: (usize, u32),
    /// All of them lie at the centre, whatever the words say: MSAA_ENABLE is off.
    pub centred: bool,
    /// Pixel waves are those of single samples.
    pub per_sample: bool,
}

impl<'a> Primitives<'a> {
    fn outputs(&self) -> PaClVsOutCntl {
        PaClVsOutCntl::from_word(self.registers.get(regs::PA_CL_VS_OUT_CNTL))
    }

    /// The common scissor; per-viewport scissors, if vertices choose, come on top.
    pub fn scissor(&self) -> Rect {
        let [screen, other] = self.scissor_bits;
        let corner = |register, bits: u32| {
            let word = self.registers.get(register);
            let part = |shift: u32| (word >> shift & ((1 << bits) - 1)) as i32;
            [part(0), part(16)]
        };
        let area = |tl, br, bits| {
            let ([x0, y0], [x1, y1]) = (corner(tl, bits), corner(br, bits));
            Rect { x0, y0, x1, y1 }
        };
        use regs::*;
        let all = area(PA_SC_SCREEN_SCISSOR_TL, PA_SC_SCREEN_SCISSOR_BR, screen)
            .intersect(area(
                PA_SC_WINDOW_SCISSOR_TL,
                PA_SC_WINDOW_SCISSOR_BR,
                other,
            ))
            .intersect(area(
                PA_SC_GENERIC_SCISSOR_TL,
                PA_SC_GENERIC_SCISSOR_BR,
                other,
            ));
        match self.viewports().common_scissor() {
            Some(scissor) => all.intersect(scissor),
            None => all,
        }
    }

    /// The viewports of a draw.
    pub fn viewports(&self) -> Viewports<'a> {
        let outputs = self.outputs();
        Viewports {
            registers: self.registers,
            chosen: outputs.vs_out_misc_vec_ena && outputs.use_vtx_viewport_indx,
            scissors: self.viewport_scissors,
            limits_depth: !self.render_override.disable_viewport_clamp,
        }
    }

    /// Line stipple, or why it is unsupported.
    pub fn stipple(&self) -> Result<Option<Stipple>, String> {
        if !self.line_stipple {
            return Ok(None);
        }
        let line = PaScLineStipple::from_word(self.registers.get(regs::PA_SC_LINE_STIPPLE));
        let restarts = match line.auto_reset_cntl {
            stipple_reset::PRIMITIVE => true,
            stipple_reset::PACKET => false,
            other => {
                return Err(format!(
                    "PA_SC_LINE_STIPPLE.AUTO_RESET_CNTL {other} is not executed"
                ));
            }
        };
        Ok(Some(Stipple {
            pattern: match line.pattern_bit_order {
                true => line.line_pattern.reverse_bits(),
                false => line.line_pattern,
            },
            repeat: u32::from(line.repeat_count) + 1,
            restarts,
        }))
    }

    /// Whether vertices give the layer that their primitives are drawn to.
    pub fn vertex_layers(&self) -> bool {
        let outputs = self.outputs();
        outputs.vs_out_misc_vec_ena && outputs.use_vtx_render_target_indx
    }

    /// The grid that vertices are snapped to: at most 1/256 of a pixel where viewports reach too far for more. Errors: what is
    /// not executed.
    pub fn grid(&self) -> Result<Grid, String> {
        // All that places vertices on the screen.
        const SCREEN: u32 = 15;
        let vertex = PaSuVtxCntl::from_word(self.registers.get(self.vtx_cntl));
        let bits = match vertex.quant_mode {
            mode @ 0..=3 if mode == 0 || self.centred || self.samples.0 == 1 => 4 - u32::from(mode),
            5 => 8,
            6 if self.finest >= 6 => 10,
            7 if self.finest >= 7 => 12,
            mode => return Err(format!("PA_SU_VTX_CNTL.QUANT_MODE {mode} is not executed")),
        };
        let snap = match vertex.round_mode {
            0 => Snap::Truncated,
            2 => Snap::Nearest,
            mode => return Err(format!("PA_SU_VTX_CNTL.ROUND_MODE {mode} is not executed")),
        };
        let enables = self.registers.get(regs::PA_CL_VTE_CNTL);
        let room = match enables & SCREEN == SCREEN {
            true => room_for(&self.viewports().transforms(enables as u8, 0.0)),
            false => 0,
        };
        Ok(Grid {
            bits: bits.min(room.max(8)),
            snap,
        })
    }

    /// The stage and the assembly of a draw that differs from another in [`PLACES`] alone; `room` is what all its surfaces have.
    /// Errors: borders and grids that are not executed.
    pub fn moved<S: Clone>(
        &self,
        (stage, assembly): (&PixelStage<S>, &Assembly),
        room: Rect,
    ) -> Result<(PixelStage<S>, Assembly), String> {
        let mut stage = stage.clone();
        let area = room.intersect(self.scissor());
        stage.place(self.grid()?, area, &self.viewports().bounds());
        let mut moved = self.assembly(stage.area, assembly.front.multisampled)?;
        // Chips have reasons of their own to draw nothing.
        moved.draws &= assembly.draws;
        Ok((stage, moved))
    }

    /// `area` is what may be drawn, `multisampled` whether there are samples beside the pixel centre.
    /// Errors: borders that both or neither own their samples, and grids that are not executed.
    pub fn assembly(&self, area: Rect, multisampled: bool) -> Result<Assembly, String> {
        let registers = self.registers;
        let vertex = PaSuVtxCntl::from_word(registers.get(self.vtx_cntl));
        let shift = if vertex.pix_center { 0.0 } else { 0.5 };
        // The enables are the lowest bits, in the order of the values.
        let enables = registers.get(regs::PA_CL_VTE_CNTL) as u8;
        let viewports = self.viewports().transforms(enables, shift);
        let clip = PaClClipCntl::from_word(registers.get(regs::PA_CL_CLIP_CNTL));
        let outputs = self.outputs();
        let distances = registers.get(regs::PA_CL_VS_OUT_CNTL);
        let mode = PaSuScModeCntl::from_word(registers.get(regs::PA_SU_SC_MODE_CNTL));
        let [vertical, horizontal] = [4, 12].map(|at| registers.float(self.vtx_cntl + at));
        let grid = self.grid()?;
        let guard = guard_band(grid, &viewports, [horizontal, vertical]);
        let setup = |bias| Setup {
            grid,
            front: if mode.face {
                Winding::Clockwise
            } else {
                Winding::CounterClockwise
            },
            cull_front: mode.cull_front,
            cull_back: mode.cull_back,
            bias,
            multisampled,
            scissor: area,
        };
        let point = PaSuPointSize::from_word(registers.get(regs::PA_SU_POINT_SIZE));
        let limits = PaSuPointMinmax::from_word(registers.get(regs::PA_SU_POINT_MINMAX));
        let line = PaSuLineCntl::from_word(registers.get(regs::PA_SU_LINE_CNTL));
        // Half sizes in 12.4.
        let size = |half: u16| f32::from(half) / 8.0;
        let format = PaClVteCntl::from_word(registers.get(regs::PA_CL_VTE_CNTL));
        let [clip_distances, cull_distances] = [distances as u8, (distances >> 8) as u8];
        let user_planes = self.user_planes(&clip, clip_distances | cull_distances)?;
        let placed = |planes: bool| match planes {
            true => user_planes
                .iter()
                .fold(0, |bits, plane| bits | 1 << plane.number),
            false => 0,
        };
        Ok(Assembly {
            viewports,
            volume: Volume {
                depth: if clip.dx_clip_space_def {
                    DepthRange::ZeroToOne
                } else {
                    DepthRange::MinusOneToOne
                },
                near: !clip.zclip_near_disable && !clip.clip_disable,
                far: !clip.zclip_far_disable && !clip.clip_disable,
                guard,
                clip_distances: clip_distances | placed(!clip.ucp_cull_only_ena),
                cull_distances: cull_distances | placed(clip.ucp_cull_only_ena),
            },
            front: setup(mode.poly_offset_front_enable.then(|| self.bias(8))),
            back: setup(mode.poly_offset_back_enable.then(|| self.bias(16))),
            vertex_layers: self.vertex_layers(),
            fill: match mode.poly_mode {
                0 => Fill::Solid,
                _ => Fill::Modes(
                    [mode.polymode_front_ptype, mode.polymode_back_ptype].map(face_mode),
                ),
            },
            line_width: size(line.width),
            line_shape: match size(line.width) <= 1.0 && !self.line_rectangles {
                true => LineShape::Thin,
                false => LineShape::Rectangle,
            },
            last_provokes: mode.provoking_vtx_last,
            biases_parallelograms: mode.poly_offset_para_enable,
            keeps_lines: self.line_stipple,
            positions: Positions {
                xy_divided: format.vtx_xy_fmt,
                z_divided: format.vtx_z_fmt,
                inverse_w: !format.vtx_w0_fmt,
            },
            user_planes,
            borders: self.borders()?,
            sprites: false,
            outlined: Outlined::default(),
            point_size: [size(point.width), size(point.height)],
            vertex_point_size: (outputs.vs_out_misc_vec_ena && outputs.use_vtx_point_size)
                .then(|| [size(limits.min_size), size(limits.max_size)]),
            draws: !clip.dx_rasterization_kill,
        })
    }

    /// The user planes that are on. They take the numbers of distances that vertices do not export.
    fn user_planes(&self, clip: &PaClClipCntl, exported: u8) -> Result<Vec<UserPlane>, String> {
        let on = match clip.clip_disable {
            true => 0,
            false => self.registers.get(regs::PA_CL_CLIP_CNTL) & 0x3f,
        };
        // By its centre, or around it by radii of clip space: the same where these are 0.
        let radii = [0, 4, 12].map(|at| self.registers.float(self.point_radii + at));
        if on != 0 && clip.ps_ucp_mode != 0 && radii != [0.0; 3] {
            return Err(format!(
                "PA_CL_CLIP_CNTL.PS_UCP_MODE {} with user planes and radii {radii:?} is not executed",
                clip.ps_ucp_mode
            ));
        }
        let plane = |n: u32| {
            let component = |c: u32| self.registers.float(self.user_planes + 16 * n + 4 * c);
            std::array::from_fn(|c| component(c as u32))
        };
        let planes = (0..6).filter(|n| on >> n & 1 == 1).map(plane);
        UserPlane::beside(exported, planes).ok_or_else(|| {
            format!(
                "PA_CL_CLIP_CNTL.UCP_ENA {on:#x} beside the clip and cull distances {exported:#x} is not executed"
            )
        })
    }

    /// Which borders own the samples on them: a bit each for left, right, top and bottom.
    fn borders(&self) -> Result<Borders, String> {
        let rule = PaScEdgerule::from_word(self.registers.get(regs::PA_SC_EDGERULE));
        let owned = |name: &str, code: u8| match code {
            0b1010 => Ok(Owned::default()),
            0b0101 | 0b0110 | 0b1001 => Ok(Owned {
                right: code & 0b0100 != 0,
                bottom: code & 0b0001 != 0,
            }),
            _ => Err(format!("PA_SC_EDGERULE.{name} {code:#x} is not executed")),
        };
        Ok(Borders {
            points: owned("ER_POINT", rule.er_point)?,
            rectangles: owned("ER_RECT", rule.er_rect)?,
        })
    }

    /// Depth bias; scale and offset are this many bytes after PA_SU_POLY_OFFSET_DB_FMT_CNTL.
    fn bias(&self, at: u32) -> Bias {
        let format = PaSuPolyOffsetDbFmtCntl::from_word(self.registers.get(self.poly_offset));
        let float = |at| self.registers.float(self.poly_offset + at);
        let bits = -i32::from(format.poly_offset_neg_num_db_bits);
        Bias {
            constant: float(at + 4),
            slope: float(at) / 16.0,
            clamp: float(4),
            unit: match format.poly_offset_db_is_float_fmt {
                true => BiasUnit::Float,
                false => BiasUnit::Unorm(bits.clamp(0, 32) as u32),
            },
        }
    }

    /// Sample positions, and where each is in every lane of a tile.
    pub fn samples(&self) -> (Samples, Vec<SamplePositions>) {
        let (count, first) = self.samples;
        if count == 1 {
            return (Samples::ONE, vec![CENTRES]);
        }
        let mut positions = [CENTRE; 16];
        let positions = &mut positions[..count.min(16)];
        let placed = match self.centred {
            true => &mut [],
            false => &mut *positions,
        };
        // Sixteenths from the pixel centre: x, then y in a signed nibble each, four samples a word.
        for (n, (x, y)) in (0..).zip(placed) {
            let byte = self.registers.get(first + n / 4 * 4) >> (8 * (n % 4));
            let place = |nibble: u32| ((nibble & 15) as u8 + 8) % 16;
            (*x, *y) = (place(byte), place(byte >> 4));
        }
        let samples = Samples::at(positions);
        let sample_positions = (0..count)
            .map(|n| SamplePositions::sample(&samples, n))
            .collect();
        (samples, sample_positions)
    }
}

/// Bits of the fraction that leave twice the room that viewports take.
fn room_for(viewports: &[Viewport]) -> u32 {
    let ends = |viewport: &Viewport| {
        let end = |axis: usize| viewport.offset[axis].abs() + viewport.scale[axis].abs();
        end(0).max(end(1))
    };
    let far = viewports.iter().map(ends).fold(0.0, f32::max);
    let fits = |bits: &u32| far * (2 << bits) as f32 <= (MAX_COORDINATE + 1) as f32;
    (0..=12).rev().find(fits).unwrap_or(0)
}

/// POLYMODE_FRONT_PTYPE and POLYMODE_BACK_PTYPE.
fn face_mode(code: u8) -> FaceMode {
    match code {
        0 => FaceMode::Points,
        1 => FaceMode::Lines,
        _ => FaceMode::Solid,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VTX_CNTL: u32 = 0x28be4;
    const CONTEXT: std::ops::Range<u32> = 0x28000..0x29000;

    /// The grid of a viewport whose far corner is at `far`.
    fn grid(mode: u8, round: u8, far: f32, count: usize) -> Result<Grid, String> {
        let mut registers = RegisterFile::new(std::slice::from_ref(&CONTEXT));
        let cntl = PaSuVtxCntl {
            quant_mode: mode,
            round_mode: round,
            ..PaSuVtxCntl::from_word(0)
        };
        registers.set(VTX_CNTL, cntl.pack());
        registers.set(regs::PA_CL_VTE_CNTL, 0x3f);
        for axis in 0..4 {
            let half = (far / 2.0).to_bits();
            registers.set(regs::PA_CL_VPORT_XSCALE_0 + 4 * axis, half);
        }
        let primitives = Primitives {
            registers: &registers,
            finest: 7,
            vtx_cntl: VTX_CNTL,
            poly_offset: 0x28b78,
            user_planes: 0x285bc,
            point_radii: 0x287d4,
            scissor_bits: [16, 15],
            render_override: DbRenderOverride::from_word(0),
            viewport_scissors: false,
            line_stipple: false,
            line_rectangles: false,
            samples: (count, 0x28bf8),
            centred: false,
            per_sample: false,
        };
        primitives.grid()
    }

    #[test]
    fn grids_are_those_of_the_register() {
        let bits = |mode, far| grid(mode, 2, far, 1).map(|grid| grid.bits);
        for (mode, far, expected) in [
            (0, 256.0, 4),
            (3, 256.0, 1),
            (5, 256.0, 8),
            (5, 16384.0, 8),
            (6, 4096.0, 10),
            (6, 16384.0, 8),
            (7, 1024.0, 12),
            (7, 1025.0, 11),
            (7, 4096.0, 10),
        ] {
            assert_eq!(bits(mode, far), Ok(expected), "QUANT_MODE {mode} to {far}");
        }
        let refused = "PA_SU_VTX_CNTL.QUANT_MODE 4 is not executed";
        assert_eq!(bits(4, 256.0), Err(refused.to_owned()));
        assert_eq!(grid(0, 2, 256.0, 4), Ok(Grid::new(4)));
        assert!(grid(2, 2, 256.0, 4).is_err(), "samples lie on sixteenths");
        let snap = |round| grid(5, round, 256.0, 1).map(|grid| grid.snap);
        assert_eq!(snap(0), Ok(Snap::Truncated));
        let refused = "PA_SU_VTX_CNTL.ROUND_MODE 3 is not executed";
        assert_eq!(snap(3), Err(refused.to_owned()));
    }
}
