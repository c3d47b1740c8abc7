//! Texture operations.
//!
//! Addresses lie in consecutive registers: offset, bias, reference, derivatives, coordinates, level. [SI 8.2.2]

use lanes::LaneOp;
use southern_islands::isa::image::MimgOp;
use southern_islands::isa::scalar::Sop2Op;
use southern_islands::isa::vector::{VectorOp, Vop1Op, Vop2Op, Vop3Op};

use super::machine::{ImageBits, Inst, Modifiers, Op, Operand, Shape};
use super::memory::atomic_codes;
use super::select::Select;
use crate::codegen::Result;
use crate::ir::{
    AtomicOp, Axis, Detail, Dim, ImageKind, ImageOp, Inst as IrInst, Lod, ResourceKind, Scalar,
    Value,
};

/// Cubes that an array may have at most; rounded up.
const MOST_CUBES: u32 = 2047;

/// The bit of FORCE_UNNORMALIZED in the first word of a sampler. [SI table 8.12]
const FORCE_UNNORMALIZED: u32 = 15;

/// Cube coordinates of a direction.
struct Face {
    s: Operand,
    t: Operand,
    id: Operand,
    /// Reciprocal of twice the major coordinate's magnitude.
    inverse: Operand,
    /// Horizontal and vertical coordinate before division.
    flat: [Operand; 2],
    /// Twice the major coordinate.
    major: Operand,
}

fn bits(value: f32) -> Operand {
    Operand::Const(value.to_bits())
}

/// Texels are named by whole numbers, not by coordinates from 0 to 1.
fn texel_bits(image: &ImageOp, dmask: u8) -> ImageBits {
    ImageBits {
        dmask,
        unorm: true,
        da: image.shape.arrayed,
        ..ImageBits::default()
    }
}

/// The bits of a sample or a query.
fn sampled_bits(image: &ImageOp, dmask: u8) -> ImageBits {
    ImageBits {
        dmask,
        da: image.shape.arrayed || image.shape.dim == Dim::Cube,
        ..ImageBits::default()
    }
}

impl Select<'_> {
    /// Selects a texture operation.
    pub(super) fn image(&mut self, image: &ImageOp, inst: &IrInst) -> Result<()> {
        if image.shape.dim == Dim::Buffer {
            return self.texel_buffer(image, inst);
        }
        match &image.kind {
            ImageKind::Sample {
                lod,
                compare,
                least,
                offset,
            } => self.sample(image, inst, *lod, [*compare, *least], *offset),
            ImageKind::Gather {
                component,
                compare,
                offset,
            } => self.gather(image, inst, *component, *compare, *offset),
            ImageKind::Load { level } => self.image_load(image, inst, *level),
            ImageKind::Store => self.image_store(image, inst),
            ImageKind::Atomic(op) => self.image_atomic(image, inst, *op),
            ImageKind::Size { level } => self.image_size(image, inst, *level),
            ImageKind::Levels => self.image_info(image, inst, None, 3),
            ImageKind::Layers => self.image_layers(image, inst),
            ImageKind::Samples => self.image_samples(image, inst),
            ImageKind::QueryLod => self.query_lod(image, inst),
        }
    }

    /// Appends an image instruction, once for each descriptor that the lanes want.
    fn image_inst(
        &mut self,
        image: &ImageOp,
        op: MimgOp,
        image_bits: ImageBits,
        address: Operand,
        dst: Option<Operand>,
        data: Option<Operand>,
    ) -> Result<()> {
        let address = &mut |_: &mut Self, _: &[Operand]| address;
        self.image_inst_at(image, op, image_bits, address, dst, data)
    }

    /// The same with an address that follows from the descriptors of texture and sampler.
    fn image_inst_at(
        &mut self,
        image: &ImageOp,
        op: MimgOp,
        image_bits: ImageBits,
        address: &mut dyn FnMut(&mut Self, &[Operand]) -> Operand,
        dst: Option<Operand>,
        data: Option<Operand>,
    ) -> Result<()> {
        let texture = image.texture;
        let sampler = image.sampler;
        self.for_each_element(texture.element, &mut |select, t_element| {
            let element = sampler.and_then(|s| s.element);
            select.for_each_element(element, &mut |select, s_element| {
                let mut src = vec![select.descriptor(texture, t_element)?];
                if let Some(sampler) = sampler {
                    src.push(select.descriptor(sampler, s_element)?);
                }
                let address = address(select, &src);
                src.push(address);
                src.extend(data);
                let shape = Shape {
                    sampler: sampler.is_some(),
                    address: true,
                    data: data.is_some(),
                };
                select.push(Inst::new(Op::Image(op, image_bits, shape), dst, src));
                Ok(())
            })
        })
    }

    /// Registers for the results that are read, in order, and their component mask.
    pub(super) fn results(&mut self, inst: &IrInst) -> Option<(Operand, u8)> {
        let read = |v: &Value| self.structure.uses[v.0 as usize] > 0;
        let mask = inst
            .results
            .iter()
            .enumerate()
            .fold(0u8, |mask, (i, v)| mask | u8::from(read(v)) << i);
        (mask != 0).then(|| (self.code.vector(mask.count_ones() as u8), mask))
    }

    fn define_results(&mut self, inst: &IrInst, dst: Operand, mask: u8) {
        let mut at = 0;
        for (i, &result) in inst.results.iter().enumerate() {
            if mask >> i & 1 == 1 {
                self.define(result, dst.word(at));
                at += 1;
            }
        }
    }

    fn sample(
        &mut self,
        image: &ImageOp,
        inst: &IrInst,
        lod: Lod,
        [compare, least]: [bool; 2],
        offset: [i8; 3],
    ) -> Result<()> {
        let Some((dst, mask)) = self.results(inst) else {
            return Ok(());
        };
        let dims = image.shape.coordinates();
        let body = dims + usize::from(image.shape.arrayed);
        let (coordinates, rest) = inst.args.split_at(body);
        let count = match lod {
            Lod::Implicit | Lod::Zero => 0,
            Lod::Bias | Lod::Level => 1,
            Lod::Gradient => 2 * dims,
        };
        let (lod_args, reference) = rest.split_at(count);
        let mut lod = lod;
        if lod == Lod::Level && self.defs.constant(lod_args[0]) == Some(0) {
            lod = Lod::Zero;
        }
        let packed = pack_offset(offset);
        let mut words = Vec::new();
        words.extend(packed.map(Operand::Const));
        if lod == Lod::Bias {
            words.push(self.word(lod_args[0]));
        }
        if compare {
            words.push(self.word(reference[0]));
        }
        let (body, face) = self.sample_body(image, coordinates);
        if lod == Lod::Gradient {
            let gradients = self.words(lod_args);
            match face {
                Some(face) => words.extend(self.face_gradients(&face, &gradients)),
                None => words.extend(gradients),
            }
        }
        words.extend(body);
        if lod == Lod::Level {
            words.push(self.word(lod_args[0]));
        }
        if let (true, Some(&limit)) = (least, inst.args.last()) {
            words.push(self.word(limit));
        }
        let kind = match lod {
            Lod::Implicit => 0,
            Lod::Gradient => 2,
            Lod::Level => 4,
            Lod::Bias => 5,
            Lod::Zero => 7,
        };
        // The opcodes with a limit (_CL) follow those without.
        let kind = kind + u16::from(least);
        let code = 32 + kind + 8 * u16::from(compare) + 16 * u16::from(packed.is_some());
        self.sampled(image, inst, code, &words, dst, mask, mask)
    }

    fn gather(
        &mut self,
        image: &ImageOp,
        inst: &IrInst,
        component: u8,
        compare: bool,
        offset: [i8; 3],
    ) -> Result<()> {
        let body = image.shape.coordinates() + usize::from(image.shape.arrayed);
        let (coordinates, reference) = inst.args.split_at(body);
        let packed = pack_offset(offset);
        let mut words = Vec::new();
        words.extend(packed.map(Operand::Const));
        if compare {
            words.push(self.word(reference[0]));
        }
        let place = words.len();
        words.extend(self.sample_body(image, coordinates).0);
        let code = 64 + 7 + 8 * u16::from(compare) + 16 * u16::from(packed.is_some());
        let component = if compare { 0 } else { component };
        let dst = self.code.vector(4);
        let resource = &self.function.interface.resources[image.texture.resource as usize];
        match resource.kind {
            ResourceKind::Texture {
                scalar: Scalar::Uint | Scalar::Sint,
                ..
            } => self.integer_gather(image, inst, code, (&words, place), dst, 1 << component),
            _ => self.sampled(image, inst, code, &words, dst, 1 << component, 15),
        }
    }

    /// Gathers integers. The chip takes them from where nearest filtering would begin, half a texel after the first texel
    /// of a linear footprint (ERRATA 55), so both coordinates from `place` on go back by that.
    fn integer_gather(
        &mut self,
        image: &ImageOp,
        inst: &IrInst,
        code: u16,
        (words, place): (&[Operand], usize),
        dst: Operand,
        dmask: u8,
    ) -> Result<()> {
        let Some(op) = MimgOp::from_code(code) else {
            return Err(self.unsupported(format!("image opcode {code}")));
        };
        let image_bits = sampled_bits(image, dmask);
        let mut address = |select: &mut Self, descriptors: &[Operand]| {
            let mut words = words.to_vec();
            let size = select.code.vector(2);
            let info = Shape {
                sampler: false,
                address: true,
                data: false,
            };
            let level = select.in_vector(Operand::Const(0));
            select.push(Inst::new(
                Op::Image(MimgOp::IMAGE_GET_RESINFO, sampled_bits(image, 3), info),
                Some(size),
                vec![descriptors[0], level],
            ));
            let counts = select.code.scalar(1);
            let field = Operand::Const(FORCE_UNNORMALIZED | 1 << 16);
            select.scalar2(Sop2Op::S_BFE_U32, counts, descriptors[1].word(0), field);
            let normalized = select.test(LaneOp::IEq, Operand::Const(0), counts);
            for axis in 0..2 {
                let size = select.one(Vop1Op::V_CVT_F32_U32, size.word(axis));
                let texel = select.one(Vop1Op::V_RCP_F32, size);
                let one = select.in_vector(bits(1.0));
                let texel = select.pick(normalized, texel, one);
                let word = &mut words[place + axis as usize];
                *word = select.three(Vop3Op::V_MAD_F32, [texel, bits(-0.5), *word]);
            }
            select.tuple(&words)
        };
        self.image_inst_at(image, op, image_bits, &mut address, Some(dst), None)?;
        self.define_results(inst, dst, 15);
        Ok(())
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "one call for samples and gathers"
    )]
    fn sampled(
        &mut self,
        image: &ImageOp,
        inst: &IrInst,
        code: u16,
        words: &[Operand],
        dst: Operand,
        dmask: u8,
        results: u8,
    ) -> Result<()> {
        let Some(op) = MimgOp::from_code(code) else {
            return Err(self.unsupported(format!("image opcode {code}")));
        };
        // What is sampled at the same place reads the same registers.
        let address = match self.addresses.get(words) {
            Some(address) => *address,
            None => {
                let address = self.tuple(words);
                self.addresses.insert(words.to_vec(), address);
                address
            }
        };
        let image_bits = sampled_bits(image, dmask);
        self.image_inst(image, op, image_bits, address, Some(dst), None)?;
        self.define_results(inst, dst, results);
        Ok(())
    }

    fn query_lod(&mut self, image: &ImageOp, inst: &IrInst) -> Result<()> {
        let Some((dst, mask)) = self.results(inst) else {
            return Ok(());
        };
        let (words, _) = self.sample_body(image, &inst.args);
        let code = MimgOp::IMAGE_GET_LOD.code();
        self.sampled(image, inst, code, &words, dst, mask, mask)
    }

    /// Coordinates as the sampler wants them: floats, the layer too, cube directions as a place on a face.
    fn sample_body(&mut self, image: &ImageOp, args: &[Value]) -> (Vec<Operand>, Option<Face>) {
        let dims = image.shape.coordinates();
        let layer = image.shape.arrayed.then(|| {
            let mut layer = self.word(args[dims]);
            if image.shape.dim == Dim::Cube {
                // More than there can be, and few enough to leave room for the face in a float.
                layer = self.two(Vop2Op::V_MIN_U32, Operand::Const(MOST_CUBES), layer);
            }
            self.one(Vop1Op::V_CVT_F32_U32, layer)
        });
        let mut words: Vec<Operand> = args[..dims].iter().map(|&a| self.word(a)).collect();
        if image.shape.dim != Dim::Cube {
            words.extend(layer);
            return (words, None);
        }
        let direction = [words[0], words[1], words[2]];
        let face = self.cube_face(direction);
        let id = match layer {
            // Eight faces a cube, two of them unused. [SI 8.2.2]
            Some(layer) => {
                let eight = self.literal(8f32.to_bits());
                self.three(Vop3Op::V_MAD_F32, [layer, eight, face.id])
            }
            None => face.id,
        };
        (vec![face.s, face.t, id], Some(face))
    }

    fn cube_face(&mut self, direction: [Operand; 3]) -> Face {
        let direction = direction.map(|word| self.in_vector(word));
        let id = self.three(Vop3Op::V_CUBEID_F32, direction);
        let major = self.three(Vop3Op::V_CUBEMA_F32, direction);
        let across = self.three(Vop3Op::V_CUBESC_F32, direction);
        let down = self.three(Vop3Op::V_CUBETC_F32, direction);
        let inverse = self.code.vector(1);
        let magnitude = Modifiers {
            abs: 1,
            ..Modifiers::default()
        };
        let rcp = VectorOp::One(Vop1Op::V_RCP_F32);
        self.vector(rcp, inverse, &[major], magnitude);
        // Faces reach from 1 to 2.
        let s = self.three(Vop3Op::V_MAD_F32, [across, inverse, bits(1.5)]);
        let t = self.three(Vop3Op::V_MAD_F32, [down, inverse, bits(1.5)]);
        Face {
            s,
            t,
            id,
            inverse,
            flat: [across, down],
            major,
        }
    }

    /// Derivatives of the place on the face from those of the direction.
    ///
    /// With m the major coordinate, s = sc / 2|m|, so ds = (dsc - 2 s d|m|) / 2|m|.
    fn face_gradients(&mut self, face: &Face, gradients: &[Operand]) -> Vec<Operand> {
        let on_z = self.test(LaneOp::FGe, face.id, bits(4.0));
        let below_y = self.test(LaneOp::FLt, face.id, bits(2.0));
        let negative = self.test(LaneOp::FLt, face.major, Operand::Const(0));
        let sign = self.pick(negative, bits(-1.0), bits(1.0));
        let middle: Vec<Operand> = face
            .flat
            .iter()
            .map(|&flat| self.two(Vop2Op::V_MUL_F32, flat, face.inverse))
            .collect();
        let mut words = Vec::new();
        for d in gradients.chunks(3) {
            let d: Vec<Operand> = d.iter().map(|&word| self.in_vector(word)).collect();
            let pick = |select: &mut Self, x: Operand, y: Operand, z: Operand| {
                let xy = select.pick(below_y, x, y);
                select.pick(on_z, z, xy)
            };
            let signed: Vec<Operand> = d
                .iter()
                .map(|&word| self.two(Vop2Op::V_MUL_F32, sign, word))
                .collect();
            let minus_z = self.two(Vop2Op::V_MUL_F32, bits(-1.0), signed[2]);
            let minus_y = self.two(Vop2Op::V_MUL_F32, bits(-1.0), d[1]);
            let major = pick(self, signed[0], signed[1], signed[2]);
            let twice = self.two(Vop2Op::V_MUL_F32, bits(-2.0), major);
            let across = pick(self, minus_z, d[0], signed[0]);
            let down = pick(self, minus_y, signed[2], minus_y);
            for (place, change) in middle.iter().zip([across, down]) {
                let sum = self.three(Vop3Op::V_MAD_F32, [twice, *place, change]);
                words.push(self.two(Vop2Op::V_MUL_F32, sum, face.inverse));
            }
        }
        words
    }

    fn image_load(&mut self, image: &ImageOp, inst: &IrInst, level: bool) -> Result<()> {
        let Some((dst, dmask)) = self.results(inst) else {
            return Ok(());
        };
        let mut args = &inst.args[..];
        let mut op = MimgOp::IMAGE_LOAD;
        if level {
            let last = args.len() - 1;
            if self.defs.constant(args[last]) == Some(0) {
                args = &args[..last];
            } else {
                op = MimgOp::IMAGE_LOAD_MIP;
            }
        }
        let words = self.words(args);
        let address = self.tuple(&words);
        let image_bits = texel_bits(image, dmask);
        self.image_inst(image, op, image_bits, address, Some(dst), None)?;
        self.define_results(inst, dst, dmask);
        Ok(())
    }

    /// Coordinates and layer, and the words behind them.
    fn address_and_data(&mut self, image: &ImageOp, inst: &IrInst) -> (Operand, Operand) {
        let count = image.shape.coordinates() + usize::from(image.shape.arrayed);
        let words = self.words(&inst.args);
        let address = self.tuple(&words[..count]);
        let data = match image.kind {
            ImageKind::Store => self.tuple(&words[count..]),
            _ => self.own_tuple(&words[count..]),
        };
        (address, data)
    }

    fn image_store(&mut self, image: &ImageOp, inst: &IrInst) -> Result<()> {
        let (address, data) = self.address_and_data(image, inst);
        let image_bits = texel_bits(image, 15);
        self.exactly(&mut |select| {
            let op = MimgOp::IMAGE_STORE;
            select.image_inst(image, op, image_bits, address, None, Some(data))
        })
    }

    fn image_atomic(&mut self, image: &ImageOp, inst: &IrInst, op: AtomicOp) -> Result<()> {
        let (address, data) = self.address_and_data(image, inst);
        let dmask = if op == AtomicOp::CompareExchange {
            3
        } else {
            1
        };
        let (_, op) = atomic_codes(op);
        let read = self.structure.uses[inst.results[0].0 as usize] > 0;
        let image_bits = ImageBits {
            glc: read,
            ..texel_bits(image, dmask)
        };
        self.exactly(&mut |select| {
            let dst = read.then_some(data.word(0));
            select.image_inst(image, op, image_bits, address, dst, Some(data))
        })?;
        self.define(inst.results[0], data.word(0));
        Ok(())
    }

    fn image_size(&mut self, image: &ImageOp, inst: &IrInst, level: bool) -> Result<()> {
        let Some((dst, dmask)) = self.results(inst) else {
            return Ok(());
        };
        let level = level.then(|| self.word(inst.args[0]));
        self.resource_info(image, level, dst, dmask)?;
        self.define_results(inst, dst, dmask);
        Ok(())
    }

    fn image_info(
        &mut self,
        image: &ImageOp,
        inst: &IrInst,
        level: Option<Operand>,
        component: u8,
    ) -> Result<()> {
        let dst = self.code.vector(1);
        self.resource_info(image, level, dst, 1 << component)?;
        self.define(inst.results[0], dst);
        Ok(())
    }

    fn resource_info(
        &mut self,
        image: &ImageOp,
        level: Option<Operand>,
        dst: Operand,
        dmask: u8,
    ) -> Result<()> {
        let address = self.in_vector(level.unwrap_or(Operand::Const(0)));
        let image_bits = sampled_bits(image, dmask);
        // A query takes no sampler.
        let image = ImageOp {
            sampler: None,
            ..image.clone()
        };
        let op = MimgOp::IMAGE_GET_RESINFO;
        self.image_inst(&image, op, image_bits, address, Some(dst), None)
    }

    fn image_layers(&mut self, image: &ImageOp, inst: &IrInst) -> Result<()> {
        if image.shape.dim != Dim::Cube {
            return self.image_info(image, inst, None, 2);
        }
        let faces = self.code.vector(1);
        self.resource_info(image, None, faces, 4)?;
        // faces / 6, exact for all 32-bit numbers.
        let magic = self.literal(0xaaaa_aaab);
        let high = self.compute(VectorOp::Three(Vop3Op::V_MUL_HI_U32), &[faces, magic]);
        let cubes = self.two(Vop2Op::V_LSHRREV_B32, Operand::Const(2), high);
        self.define(inst.results[0], cubes);
        Ok(())
    }

    /// The number of samples stands as a logarithm in the descriptor's LAST_LEVEL. [SI table 8.11]
    fn image_samples(&mut self, image: &ImageOp, inst: &IrInst) -> Result<()> {
        let descriptor = self.descriptor(image.texture, None)?;
        let log = self.code.scalar(1);
        let field = Operand::Const(16 | 4 << 16);
        self.scalar2(Sop2Op::S_BFE_U32, log, descriptor.word(3), field);
        let count = self.code.scalar(1);
        self.scalar2(Sop2Op::S_LSHL_B32, count, Operand::Const(1), log);
        self.define(inst.results[0], count);
        Ok(())
    }

    /// The difference of two lanes of the quad.
    pub(super) fn derivative(&mut self, inst: &IrInst, axis: Axis, detail: Detail) {
        let value = self.vector_word(inst.args[0]);
        let (far, near) = match (axis, detail) {
            (Axis::X, Detail::Coarse) => ([1; 4], [0; 4]),
            (Axis::X, Detail::Fine) => ([1, 1, 3, 3], [0, 0, 2, 2]),
            (Axis::Y, Detail::Coarse) => ([2; 4], [0; 4]),
            (Axis::Y, Detail::Fine) => ([2, 3, 2, 3], [0, 1, 0, 1]),
        };
        let [far, near] = [far, near].map(|pattern| self.quad(value, pattern));
        let dst = self.code.vector(1);
        let sub = VectorOp::Two(Vop2Op::V_SUB_F32);
        let mods = Modifiers {
            clamp: self.plans[inst.results[0].0 as usize].clamped,
            ..Modifiers::default()
        };
        self.vector(sub, dst, &[far, near], mods);
        self.define(inst.results[0], dst);
    }

    pub(super) fn quad(&mut self, value: Operand, pattern: [u16; 4]) -> Operand {
        let dst = self.code.vector(1);
        let offset = (0..4).fold(0x8000, |sum, i| sum | pattern[i] << (2 * i));
        self.push(Inst::new(Op::Swizzle(offset), Some(dst), vec![value]));
        dst
    }
}

/// Texel offsets as the address operand has them, if there are any. [SI 8.2.2]
fn pack_offset(offset: [i8; 3]) -> Option<u32> {
    let packed = (0..3).fold(0, |sum, i| sum | (offset[i] as u32 & 63) << (8 * i));
    (packed != 0).then_some(packed)
}
