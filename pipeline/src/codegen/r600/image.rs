//! Textures and derivatives.
//!
//! In: texture operations of the SSA. Out: fetches with their coordinates in one register; the layer counts texels, other
//! coordinates go from 0 to 1. [R600 12.6 for cubes]

use r600::isa::alu::{Op2, Op3};
use r600::isa::fetch::{Fetch, Tex, TexOp};

use super::machine::{Alu, Inst, Lane, Operand, Part};
use super::select::Select;
use crate::codegen::Result;
use crate::ir::{Axis, Dim, ImageKind, ImageOp, Inst as IrInst, Lod, Value};
use lanes::LaneOp;

/// Least offset in half texels.
const LEAST_OFFSET: i8 = -16;
/// Word of an image's resource that has its last level, or the logarithm of its samples.
const SAMPLES_WORD: u32 = 5;
/// Cubes that an array may have at most; rounded up.
const MOST_CUBES: u32 = 2047;

/// The element that has the layer of an array. (ERRATA 7)
const LAYER: usize = 2;

impl Select<'_> {
    pub fn image(&mut self, image: &ImageOp, inst: &IrInst) -> Result<()> {
        if inst.results.iter().all(|v| !self.is_used(*v)) && !inst.op.has_effect() {
            return Ok(());
        }
        let shape = image.shape;
        if shape.dim == Dim::Buffer {
            return self.texel_buffer(image, inst);
        }
        match &image.kind {
            ImageKind::Sample { least: true, .. } => {
                Err(self.unsupported("the least level of a sample"))
            }
            ImageKind::Sample {
                lod,
                compare,
                offset,
                ..
            } => self.sample(image, *lod, *compare, *offset, inst),
            ImageKind::Gather {
                component,
                compare,
                offset,
            } => self.texels(image, *component, *compare, *offset, inst),
            ImageKind::Load { level } => self.load(image, *level, inst),
            ImageKind::Store => Err(self.unsupported("stores to textures")),
            ImageKind::Atomic(_) => Err(self.unsupported("atomics on textures")),
            ImageKind::Size { level } => {
                let level = level.then(|| inst.args[0]);
                self.query(image, level, &[0, 1, 2], inst)
            }
            ImageKind::Levels => self.query(image, None, &[3], inst),
            ImageKind::Layers => {
                let at = if shape.dim == Dim::D1 { 1 } else { 2 };
                self.query(image, None, &[at], inst)
            }
            ImageKind::Samples => self.samples(image, inst),
            ImageKind::QueryLod => {
                let (place, normalized) = self.place(image, &inst.args);
                let tex = self.tex(TexOp::GET_COMP_TEX_LOD, image, normalized)?;
                let mut part = self.part(tex, place);
                self.results(&mut part, &[0, 1], &inst.results);
                self.push(Inst::Fetch(vec![part]));
                Ok(())
            }
        }
    }

    /// The layer of an array as a float, which the texture unit rounds and clamps.
    fn layer(&mut self, value: Value, cube: bool) -> Operand {
        let mut word = self.word(value);
        if cube {
            // More than there can be, and few enough to leave room for the face in a float.
            word = self.two(Op2::MIN_UINT, &[word, Operand::word(MOST_CUBES)]);
        }
        match word.from {
            super::machine::From::Const(layer) => {
                Operand::word(LaneOp::U32ToF32.eval([layer, 0, 0]))
            }
            _ => self.two(Op2::UINT_TO_FLT, &[word]),
        }
    }

    /// Place on the face of a cube, and the face. [R600 12.6]
    fn cube(&mut self, direction: [Operand; 3]) -> [Operand; 3] {
        let [t, s, major, face] = [0, 1, 2, 3].map(|elem| {
            let unit = self.code.unit();
            self.code.homes[unit as usize].elem = Some(elem);
            unit
        });
        let mut alu = Alu::new(Op2::CUBE, Some(t), direction.to_vec());
        alu.cube = Some([s, major, face]);
        self.push_alu(alu);
        let mut size = Operand::unit(major);
        size.abs = true;
        let inverse = self.two(Op2::RECIP_IEEE, &[size]);
        // Coordinates on a face go from 1 to 2.
        let centre = Operand::word(1.5f32.to_bits());
        let place = |select: &mut Self, flat: u32| {
            let src = [Operand::unit(flat), inverse, centre];
            select.three(Op3::MULADD_IEEE, src)
        };
        let s = place(self, s);
        let t = place(self, t);
        [s, t, Operand::unit(face)]
    }

    /// An instruction on the image's resource, with a coordinate normalised as said.
    fn tex(&self, op: TexOp, image: &ImageOp, normalized: [bool; 4]) -> Result<Tex> {
        let resource = self.resource_slot(image.texture)?;
        let sampler = match image.sampler {
            Some(sampler) => self.sampler_slot(sampler)?,
            None => 0,
        };
        Ok(Tex::new(op, 0, 0, resource, sampler).with_normalized(normalized))
    }

    fn part(&mut self, tex: Tex, coordinates: [Option<Operand>; 4]) -> Part {
        let src = self.gather(coordinates);
        Part {
            inst: Fetch::Tex(tex),
            src,
            dst: [None; 4],
        }
    }

    /// Sends components of the result to the values that are read.
    fn results(&mut self, part: &mut Part, components: &[usize], results: &[Value]) {
        for (&component, &result) in components.iter().zip(results) {
            if self.is_used(result) {
                part.dst[component] = Some(self.result(result));
            }
        }
        self.keep_together(part.dst);
    }

    /// Coordinates and layer in the elements where samples have them, and which of them go from 0 to 1.
    fn place(&mut self, image: &ImageOp, args: &[Value]) -> ([Option<Operand>; 4], [bool; 4]) {
        let dims = image.shape.coordinates();
        let cube = image.shape.dim == Dim::Cube;
        let mut place = [None; 4];
        for (at, &arg) in args[..dims].iter().enumerate() {
            place[at] = Some(self.word(arg));
        }
        if cube {
            let direction = [0, 1, 2].map(|at| place[at].unwrap_or(Operand::word(0)));
            let found = self.cube(direction);
            place[..3].copy_from_slice(&found.map(Some));
        }
        let mut normalized = [true; 4];
        if image.shape.arrayed {
            let layer = self.layer(args[dims], cube);
            if let (true, Some(face)) = (cube, place[2]) {
                let src = [layer, Operand::word(8f32.to_bits()), face];
                place[2] = Some(self.three(Op3::MULADD_IEEE, src));
            } else {
                place[LAYER] = Some(layer);
                normalized[LAYER] = false;
            }
        }
        if cube {
            normalized[2] = false;
        }
        normalized[3] = false;
        (place, normalized)
    }

    fn sample(
        &mut self,
        image: &ImageOp,
        lod: Lod,
        compare: bool,
        offset: [i8; 3],
        inst: &IrInst,
    ) -> Result<()> {
        let dims = image.shape.coordinates();
        let args = &inst.args;
        let cube = image.shape.dim == Dim::Cube;
        let (mut place, normalized) = self.place(image, args);
        let mut next = dims + usize::from(image.shape.arrayed);
        let mut gradients = Vec::new();
        let mut level = None;
        match lod {
            Lod::Implicit | Lod::Zero => {}
            Lod::Bias | Lod::Level => {
                level = Some(self.word(args[next]));
                next += 1;
            }
            Lod::Gradient => {
                for arg in &args[next..next + 2 * dims] {
                    gradients.push(self.word(*arg));
                }
                next += 2 * dims;
            }
        }
        if compare {
            if level.is_some() {
                return Err(self.unsupported("a comparison at a given level or with a bias"));
            }
            place[3] = Some(self.word(args[next]));
        } else if let Some(level) = level {
            place[3] = Some(level);
        }
        use TexOp::*;
        let op = match (lod, compare) {
            (Lod::Implicit, false) => SAMPLE,
            (Lod::Bias, false) => SAMPLE_LB,
            (Lod::Level, false) => SAMPLE_L,
            (Lod::Zero, false) => SAMPLE_LZ,
            (Lod::Gradient, false) => SAMPLE_G,
            (Lod::Implicit, true) => SAMPLE_C,
            (Lod::Bias, true) => SAMPLE_C_LB,
            (Lod::Level, true) => SAMPLE_C_L,
            (Lod::Zero, true) => SAMPLE_C_LZ,
            (Lod::Gradient, true) => SAMPLE_C_G,
        };
        let mut tex = self.tex(op, image, normalized)?;
        // Half texels.
        [tex.offset_x, tex.offset_y, tex.offset_z] = offset.map(|by| 2 * by);
        tex.fetch_whole_quad = inst.op.needs_quad();
        let mut parts = Vec::new();
        if lod == Lod::Gradient {
            if cube {
                return Err(self.unsupported("gradients of cube coordinates"));
            }
            for (op, slopes) in [SET_GRADIENTS_H, SET_GRADIENTS_V]
                .into_iter()
                .zip(gradients.chunks(dims))
            {
                let slope = |at: usize| Some(slopes.get(at).copied().unwrap_or(Operand::word(0)));
                let coordinates = [slope(0), slope(1), slope(2), None];
                let tex = self.tex(op, image, normalized)?;
                parts.push(self.part(tex, coordinates));
            }
        }
        let mut part = self.part(tex, place);
        self.results(&mut part, &[0, 1, 2, 3], &inst.results);
        parts.push(part);
        self.push(Inst::Fetch(parts));
        Ok(())
    }

    /// Gathers by four point samples: half a texel to every side of a place lie the texels that a linear filter would take.
    fn texels(
        &mut self,
        image: &ImageOp,
        component: u8,
        compare: bool,
        offset: [i8; 3],
        inst: &IrInst,
    ) -> Result<()> {
        /// Right, down: in the order of the results.
        const SIDES: [[bool; 2]; 4] = [[false, true], [true, true], [true, false], [false, false]];
        let body = image.shape.coordinates() + usize::from(image.shape.arrayed);
        let (mut place, normalized) = self.place(image, &inst.args);
        if compare {
            place[3] = Some(self.word(inst.args[body]));
        }
        let (op, component) = match compare {
            true => (TexOp::SAMPLE_C_LZ, 0),
            false => (TexOp::SAMPLE_LZ, usize::from(component)),
        };
        let src = self.gather(place);
        for (&result, side) in inst.results.iter().zip(SIDES) {
            if !self.is_used(result) {
                continue;
            }
            let mut tex = self.tex(op, image, normalized)?;
            if let Some(sampler) = image.sampler {
                tex.sampler_id = self.point_sampler_slot(sampler)?;
            }
            // Half texels.
            let [x, y] = [0, 1].map(|at| 2 * offset[at] + if side[at] { 1 } else { -1 });
            if x.min(y) < LEAST_OFFSET {
                return Err(self.unsupported("gathering texels at an offset of -8"));
            }
            [tex.offset_x, tex.offset_y] = [x, y];
            let mut dst = [None; 4];
            dst[component] = Some(self.result(result));
            self.push(Inst::Fetch(vec![Part {
                inst: Fetch::Tex(tex),
                src,
                dst,
            }]));
        }
        Ok(())
    }

    /// The number of samples, of which the descriptor holds the logarithm.
    fn samples(&mut self, image: &ImageOp, inst: &IrInst) -> Result<()> {
        let word = self.descriptor_word(image.texture, SAMPLES_WORD)?;
        let log2 = self.two(Op2::AND_INT, &[word, Operand::word(15)]);
        let samples = self.two(Op2::LSHL_INT, &[Operand::word(1), log2]);
        self.define(inst.results[0], samples);
        Ok(())
    }

    fn load(&mut self, image: &ImageOp, level: bool, inst: &IrInst) -> Result<()> {
        let dims = image.shape.coordinates();
        let count = dims + usize::from(image.shape.arrayed);
        let mut place = [None; 4];
        for (at, &arg) in inst.args[..count].iter().enumerate() {
            let at = if at < dims { at } else { LAYER };
            place[at] = Some(self.word(arg));
        }
        // The sample, where there are several, stands in the place of the level.
        place[3] = Some(match level || image.shape.multisampled {
            true => self.word(inst.args[count]),
            false => Operand::word(0),
        });
        let tex = self.tex(TexOp::LD, image, [false; 4])?;
        let mut part = self.part(tex, place);
        self.results(&mut part, &[0, 1, 2, 3], &inst.results);
        self.push(Inst::Fetch(vec![part]));
        Ok(())
    }

    fn query(
        &mut self,
        image: &ImageOp,
        level: Option<Value>,
        components: &[usize],
        inst: &IrInst,
    ) -> Result<()> {
        let level = match level {
            Some(level) => self.word(level),
            None => Operand::word(0),
        };
        let tex = self.tex(TexOp::GET_TEXTURE_RESINFO, image, [false; 4])?;
        let mut part = self.part(tex, [Some(level), None, None, None]);
        self.results(&mut part, components, &inst.results);
        self.push(Inst::Fetch(vec![part]));
        Ok(())
    }

    pub fn derivative(&mut self, axis: Axis, inst: &IrInst) {
        let result = inst.results[0];
        if !self.is_used(result) {
            return;
        }
        let operand = self.word(inst.args[0]);
        // Of a constant it is zero, but what is read must be a register.
        let unit = self.in_unit(operand);
        let op = match axis {
            Axis::X => TexOp::GET_GRADIENTS_H,
            Axis::Y => TexOp::GET_GRADIENTS_V,
        };
        let mut tex = Tex::new(op, 0, 0, 0, 0);
        tex.fetch_whole_quad = true;
        let to = self.result(result);
        self.push(Inst::Fetch(vec![Part {
            inst: Fetch::Tex(tex),
            src: [Lane::Unit(unit), Lane::None, Lane::None, Lane::None],
            dst: [Some(to), None, None, None],
        }]));
    }
}
