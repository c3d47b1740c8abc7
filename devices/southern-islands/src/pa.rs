//! Primitive assembly: clip, viewport, culling, set-up. State of the registers in, primitives for the scan converter out.

use silicon::clip::{self, DepthRange, Outcode, Verdict, Volume};
use silicon::level::Level;
use silicon::setup::{
    self, Bias, BiasUnit, Corners, Grid, MAX_COORDINATE, Primitive, Projected, Setup, Viewport,
    Winding,
};
use silicon::tile::Rect;

use crate::registers::Registers;
use crate::regs::{
    self, PaClClipCntl, PaClVsOutCntl, PaClVteCntl, PaScModeCntl0, PaScScissorBr, PaScScissorTl,
    PaScScreenScissorBr, PaScScreenScissorTl, PaSuLineCntl, PaSuPointMinmax, PaSuPointSize,
    PaSuPolyOffsetDbFmtCntl, PaSuScModeCntl, PaSuVtxCntl,
};
use crate::sx::Exports;
use crate::vgt::{Assembled, Kind};

/// Sub-pixel bits of the grid.
pub(crate) const GRID: Grid = Grid { bits: 8 };

/// State of one draw.
pub(crate) struct Assembly {
    viewport: Viewport,
    volume: Volume,
    front: Setup,
    back: Setup,
    /// Front and back are biased alike.
    one_bias: bool,
    /// What triangles are drawn as.
    fill: Fill,
    line_width: f32,
    point_size: f32,
    /// Limits of sizes that vertices give; none when they give none.
    vertex_point_size: Option<[f32; 2]>,
    distances: bool,
    clips: bool,
}

/// PA_SU_SC_MODE_CNTL.POLYMODE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fill {
    Solid,
    /// Modes of front and back faces: 0 points, 1 lines, 2 triangles.
    Modes([u8; 2]),
}

/// Positions and what else a vertex wave leaves for set-up.
pub(crate) struct VertexRows {
    clip: [[f32; 64]; 4],
    projected: [Projected; 64],
    codes: [Outcode; 64],
    distances: Vec<[f32; 8]>,
    point_size: [f32; 64],
}

impl VertexRows {
    pub(crate) fn new() -> VertexRows {
        VertexRows {
            clip: [[0.0; 64]; 4],
            projected: [Projected::default(); 64],
            codes: [0; 64],
            distances: Vec::new(),
            point_size: [1.0; 64],
        }
    }
}

/// Primitives of one piece of a batch.
#[derive(Default)]
pub(crate) struct Primitives {
    /// In order.
    pub(crate) list: Vec<Primitive>,
    /// Weights of the corners of clipped ones.
    pub(crate) corners: Vec<Corners>,
}

/// The pixels that may be drawn.
pub(crate) fn scissor(registers: &Registers) -> Rect {
    let corner = |tl: u32, br: u32| {
        let (tl, br) = (
            PaScScissorTl::from_word(registers.get(tl)),
            PaScScissorBr::from_word(registers.get(br)),
        );
        Rect {
            x0: tl.tl_x.into(),
            y0: tl.tl_y.into(),
            x1: br.br_x.into(),
            y1: br.br_y.into(),
        }
    };
    let (tl, br) = (
        PaScScreenScissorTl::from_word(registers.get(regs::PA_SC_SCREEN_SCISSOR_TL)),
        PaScScreenScissorBr::from_word(registers.get(regs::PA_SC_SCREEN_SCISSOR_BR)),
    );
    let mut area = Rect {
        x0: tl.tl_x.into(),
        y0: tl.tl_y.into(),
        x1: br.br_x.into(),
        y1: br.br_y.into(),
    };
    area = area.intersect(corner(
        regs::PA_SC_WINDOW_SCISSOR_TL,
        regs::PA_SC_WINDOW_SCISSOR_BR,
    ));
    area = area.intersect(corner(
        regs::PA_SC_GENERIC_SCISSOR_TL,
        regs::PA_SC_GENERIC_SCISSOR_BR,
    ));
    let mode = PaScModeCntl0::from_word(registers.get(regs::PA_SC_MODE_CNTL_0));
    if mode.vport_scissor_enable {
        area = area.intersect(corner(
            regs::PA_SC_VPORT_SCISSOR_0_TL,
            regs::PA_SC_VPORT_SCISSOR_0_BR,
        ));
    }
    area
}

impl Assembly {
    /// `area` is what may be drawn, `multisampled` whether there are samples beside the pixel centre.
    pub(crate) fn new(registers: &Registers, area: Rect, multisampled: bool) -> Assembly {
        let float = |register| registers.float(register);
        let viewport = viewport(registers);
        let clip = PaClClipCntl::from_word(registers.get(regs::PA_CL_CLIP_CNTL));
        let outputs = PaClVsOutCntl::from_word(registers.get(regs::PA_CL_VS_OUT_CNTL));
        let mode = PaSuScModeCntl::from_word(registers.get(regs::PA_SU_SC_MODE_CNTL));
        let word = registers.get(regs::PA_CL_VS_OUT_CNTL);
        let guard = [0, 1].map(|axis| {
            let register = [regs::PA_CL_GB_HORZ_CLIP_ADJ, regs::PA_CL_GB_VERT_CLIP_ADJ][axis];
            // Whatever the register says, coordinates must stay on the grid.
            let edge = MAX_COORDINATE as f32 / GRID.unit() as f32 - 1.0;
            let room = (edge - viewport.offset[axis].abs()) / viewport.scale[axis].abs().max(1.0);
            let wanted = float(register);
            if wanted > 1.0 {
                wanted.min(room).max(1.0)
            } else {
                room.max(1.0)
            }
        });
        let bias = |enabled: bool, scale, offset| {
            let format = PaSuPolyOffsetDbFmtCntl::from_word(
                registers.get(regs::PA_SU_POLY_OFFSET_DB_FMT_CNTL),
            );
            enabled.then(|| Bias {
                constant: float(offset),
                slope: float(scale) / 16.0,
                clamp: float(regs::PA_SU_POLY_OFFSET_CLAMP),
                unit: if format.poly_offset_db_is_float_fmt {
                    BiasUnit::Float
                } else {
                    let bits = -i32::from(format.poly_offset_neg_num_db_bits);
                    BiasUnit::Unorm(bits.clamp(0, 32) as u32)
                },
            })
        };
        let setup = |bias| Setup {
            grid: GRID,
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
        let front = setup(bias(
            mode.poly_offset_front_enable,
            regs::PA_SU_POLY_OFFSET_FRONT_SCALE,
            regs::PA_SU_POLY_OFFSET_FRONT_OFFSET,
        ));
        let back = setup(bias(
            mode.poly_offset_back_enable,
            regs::PA_SU_POLY_OFFSET_BACK_SCALE,
            regs::PA_SU_POLY_OFFSET_BACK_OFFSET,
        ));
        let point = PaSuPointSize::from_word(registers.get(regs::PA_SU_POINT_SIZE));
        let limits = PaSuPointMinmax::from_word(registers.get(regs::PA_SU_POINT_MINMAX));
        let line = PaSuLineCntl::from_word(registers.get(regs::PA_SU_LINE_CNTL));
        let half = |v: u16| f32::from(v) / 8.0;
        Assembly {
            viewport,
            volume: Volume {
                depth: if clip.dx_clip_space_def {
                    DepthRange::ZeroToOne
                } else {
                    DepthRange::MinusOneToOne
                },
                near: !clip.zclip_near_disable && !clip.clip_disable,
                far: !clip.zclip_far_disable && !clip.clip_disable,
                guard,
                clip_distances: word as u8,
                cull_distances: (word >> 8) as u8,
            },
            one_bias: front.bias == back.bias,
            front,
            back,
            fill: match mode.poly_mode {
                0 => Fill::Solid,
                _ => Fill::Modes([mode.polymode_front_ptype, mode.polymode_back_ptype]),
            },
            line_width: half(line.width),
            point_size: half(point.width),
            vertex_point_size: (outputs.vs_out_misc_vec_ena && outputs.use_vtx_point_size)
                .then(|| [half(limits.min_size), half(limits.max_size)]),
            distances: word as u16 != 0,
            clips: !clip.dx_rasterization_kill,
        }
    }

    /// Whether anything can come out at all.
    pub(crate) fn draws(&self) -> bool {
        self.clips
    }

    /// Projects the positions that a vertex wave exported.
    pub(crate) fn project(&self, level: Level, exports: &Exports, rows: &mut VertexRows) {
        let floats = |row: &[u32; 64]| row.map(f32::from_bits);
        for (axis, row) in exports.positions[0].iter().enumerate() {
            rows.clip[axis] = floats(row);
        }
        let [x, y, z, w] = &rows.clip;
        setup::project_row(
            level,
            &self.viewport,
            GRID,
            [x, y, z, w],
            &mut rows.projected,
        );
        clip::outcodes(level, &self.volume, [x, y, z, w], &mut rows.codes);
        if self.distances {
            rows.distances.clear();
            rows.distances.extend((0..64).map(|lane| {
                std::array::from_fn(|n| f32::from_bits(exports.positions[2 + n / 4][n % 4][lane]))
            }));
            for (code, distances) in rows.codes.iter_mut().zip(&rows.distances) {
                *code |= self.volume.distance_code(distances);
            }
        }
        if self.vertex_point_size.is_some() {
            rows.point_size = floats(&exports.positions[1][0]);
        }
    }

    /// Sets up a run of primitives; the first has number `first`.
    pub(crate) fn assemble(
        &self,
        kind: Kind,
        vertices: &[VertexRows],
        run: &[Assembled],
        first: u32,
        out: &mut Primitives,
    ) {
        out.list.clear();
        out.corners.clear();
        for (n, assembled) in run.iter().enumerate() {
            let id = first + n as u32;
            let [a, b, c] = assembled.vertices;
            match kind {
                Kind::Points => self.point(vertices, a, id, out),
                Kind::Lines => self.line(vertices, [a, b], id, out),
                Kind::Triangles => self.triangle(vertices, [a, b, c], id, out),
                Kind::Rectangles => self.rectangle(vertices, [a, b, c], id, out),
            }
        }
    }

    fn triangle(&self, rows: &[VertexRows], corners: [u32; 3], id: u32, out: &mut Primitives) {
        let at = corners.map(|v| (&rows[v as usize / 64], v as usize % 64));
        let codes = at.map(|(rows, lane)| rows.codes[lane]);
        match clip::verdict(codes) {
            Verdict::Reject => {}
            Verdict::Accept => {
                let projected = at.map(|(rows, lane)| rows.projected[lane]);
                match self.fill {
                    Fill::Solid => out
                        .list
                        .extend(self.biased(&projected).triangle(projected, id)),
                    Fill::Modes(modes) => self.outline(rows, corners, projected, modes, id, out),
                }
            }
            Verdict::Clip => {
                let positions = at.map(|(rows, lane)| rows.clip.map(|row| row[lane]));
                let distances = self
                    .distances
                    .then(|| at.map(|(rows, lane)| rows.distances[lane]));
                let polygon = self.volume.triangle(positions, distances.as_ref(), codes);
                let w = positions.map(|p| p[3]);
                self.front.polygon(
                    &self.viewport,
                    &polygon,
                    w,
                    id,
                    &mut out.corners,
                    &mut out.list,
                );
            }
        }
    }

    /// The set-up with the bias of the side that a triangle shows.
    #[inline(always)]
    fn biased(&self, [a, b, c]: &[Projected; 3]) -> &Setup {
        if self.one_bias || self.is_front(a, b, c) {
            &self.front
        } else {
            &self.back
        }
    }

    fn is_front(&self, a: &Projected, b: &Projected, c: &Projected) -> bool {
        let edge = |p: &Projected| (i64::from(p.x - a.x), i64::from(p.y - a.y));
        let ((bx, by), (cx, cy)) = (edge(b), edge(c));
        (bx * cy - cx * by > 0) == (self.front.front == Winding::Clockwise)
    }

    /// A triangle drawn as its edges or corners. The attributes stay those of the triangle.
    fn outline(
        &self,
        rows: &[VertexRows],
        corners: [u32; 3],
        projected: [Projected; 3],
        modes: [u8; 2],
        id: u32,
        out: &mut Primitives,
    ) {
        let [a, b, c] = &projected;
        let front = self.is_front(a, b, c);
        let Some(whole) = self.biased(&projected).triangle(projected, id) else {
            return;
        };
        const WEIGHTS: [[f32; 2]; 3] = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
        let push = |out: &mut Primitives, primitive: Option<Primitive>, ends: [usize; 3]| {
            if let Some(mut primitive) = primitive {
                primitive.corners = out.corners.len() as u32;
                primitive.front = front;
                primitive.z = ends.map(|e| whole.z[e]);
                let weights = |k: usize| ends.map(|e| WEIGHTS[e][k]);
                out.corners.push(Corners {
                    i: weights(0),
                    j: weights(1),
                    linear_i: weights(0),
                    linear_j: weights(1),
                });
                out.list.push(primitive);
            }
        };
        match modes[usize::from(!front)] {
            0 => {
                for (n, corner) in corners.iter().enumerate() {
                    let size = self.size_of(rows, *corner);
                    push(out, self.front.point(projected[n], size, id), [n; 3]);
                }
            }
            1 => {
                for (n, m) in [(0, 1), (1, 2), (2, 0)] {
                    let line = self.front.line(
                        [projected[n], projected[m]],
                        self.line_width,
                        self.line_width <= 1.0,
                        id,
                    );
                    push(out, line, [n, m, m]);
                }
            }
            _ => out.list.push(whole),
        }
    }

    fn line(&self, rows: &[VertexRows], ends: [u32; 2], id: u32, out: &mut Primitives) {
        let at = ends.map(|v| (&rows[v as usize / 64], v as usize % 64));
        let codes = at.map(|(rows, lane)| rows.codes[lane]);
        let thin = self.line_width <= 1.0;
        match clip::verdict_line(codes) {
            Verdict::Reject => {}
            Verdict::Accept => out.list.extend(self.front.line(
                at.map(|(rows, lane)| rows.projected[lane]),
                self.line_width,
                thin,
                id,
            )),
            Verdict::Clip => {
                let positions = at.map(|(rows, lane)| rows.clip.map(|row| row[lane]));
                let distances = self
                    .distances
                    .then(|| at.map(|(rows, lane)| rows.distances[lane]));
                let polygon = self.volume.line(positions, distances.as_ref(), codes);
                self.front.clipped_line(
                    &self.viewport,
                    &polygon,
                    positions.map(|p| p[3]),
                    (self.line_width, thin),
                    id,
                    &mut out.corners,
                    &mut out.list,
                );
            }
        }
    }

    fn point(&self, rows: &[VertexRows], vertex: u32, id: u32, out: &mut Primitives) {
        let (wave, lane) = (&rows[vertex as usize / 64], vertex as usize % 64);
        if clip::verdict_point(wave.codes[lane]) == Verdict::Accept {
            let size = self.size_of(rows, vertex);
            out.list
                .extend(self.front.point(wave.projected[lane], size, id));
        }
    }

    fn size_of(&self, rows: &[VertexRows], vertex: u32) -> f32 {
        match self.vertex_point_size {
            None => self.point_size,
            Some([low, high]) => {
                let size = rows[vertex as usize / 64].point_size[vertex as usize % 64];
                if size > low { size.min(high) } else { low }
            }
        }
    }

    /// A rectangle from three corners: the fourth is opposite the first. Not clipped, as hardware does not either.
    fn rectangle(&self, rows: &[VertexRows], corners: [u32; 3], id: u32, out: &mut Primitives) {
        let [a, b, c] = corners.map(|v| rows[v as usize / 64].projected[v as usize % 64]);
        let codes = corners.map(|v| rows[v as usize / 64].codes[v as usize % 64]);
        if codes
            .iter()
            .any(|code| code & (clip::BEHIND | clip::INVALID) != 0)
        {
            return;
        }
        let d = Projected {
            x: b.x + c.x - a.x,
            y: b.y + c.y - a.y,
            z: b.z + c.z - a.z,
            inv_w: b.inv_w + c.inv_w - a.inv_w,
        };
        out.list.extend(self.front.triangle([a, b, c], id));
        // Weights of vertices 1 and 2 at b, d and c. The winding is the first half's.
        if let Some(mut second) = self.front.triangle([b, d, c], id) {
            second.corners = out.corners.len() as u32;
            let (i, j) = ([1.0, 1.0, 0.0], [0.0, 1.0, 1.0]);
            out.corners.push(Corners {
                i,
                j,
                linear_i: i,
                linear_j: j,
            });
            out.list.push(second);
        }
    }
}

fn viewport(registers: &Registers) -> Viewport {
    let control = PaClVteCntl::from_word(registers.get(regs::PA_CL_VTE_CNTL));
    let value = |n: u32, enabled: bool, neutral: f32| {
        if enabled {
            registers.float(regs::PA_CL_VPORT_XSCALE_0 + 4 * n)
        } else {
            neutral
        }
    };
    // With PIX_CENTER off, pixels are named by their centres: half a pixel is added.
    let vertex = PaSuVtxCntl::from_word(registers.get(regs::PA_SU_VTX_CNTL));
    let centre = if vertex.pix_center { 0.0 } else { 0.5 };
    Viewport {
        scale: [
            value(0, control.vport_x_scale_ena, 1.0),
            value(2, control.vport_y_scale_ena, 1.0),
            value(4, control.vport_z_scale_ena, 1.0),
        ],
        offset: [
            value(1, control.vport_x_offset_ena, 0.0) + centre,
            value(3, control.vport_y_offset_ena, 0.0) + centre,
            value(5, control.vport_z_offset_ena, 0.0),
        ],
    }
}
