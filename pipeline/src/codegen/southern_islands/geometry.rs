//! The stages around a geometry shader: rings in memory, and messages. [STAGES "ES -> GS"]
//!
//! Descriptors of the rings lie behind that of scratch memory. A vertex shader stores words of its lanes side by side, 64
//! words apart; an emitted vertex has the words of 16 lanes side by side, those of one word and all vertices in turn.

use southern_islands::isa::memory::{MubufOp, SmrdOp};
use southern_islands::isa::scalar::{Sop1Op, SoppOp};
use southern_islands::isa::vector::Vop2Op;

use super::entry::{GEOMETRY_USER, VERTEX_USER};
use super::machine::{BufferBits, Inst, M0, Op, Operand, Shape};
use super::select::Select;
use super::wait;
use crate::codegen::geometry::{VertexRole, fed_word, output_word};
use crate::codegen::radeon::r6xx::constants::RINGS_AT;
use crate::ir::{Inst as IrInst, Op as IrOp, OutputBuiltin, Stage};

/// Bytes between a word of a vertex and the next.
const FED_ROW: u32 = 4 * 64;
/// The same of emitted vertices, for each vertex that an invocation may emit.
const EMITTED_ROW: u32 = 4 * 16;
/// Bytes that the constant offset of a buffer instruction does not reach.
const OFFSETS: u32 = 1 << 12;

/// Messages. [SI p.11-66 S_SENDMSG]
const EMIT: u16 = 0x22;
const CUT: u16 = 0x12;
const DONE: u16 = 0x03;

/// Descriptors of the rings, in their order in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ring {
    /// Vertices, as the vertex shader's lanes see them.
    Feed,
    /// All of them.
    Fed,
    /// Emitted vertices, as the geometry shader's lanes see them.
    Emit,
    /// All of them.
    Emitted,
}

/// VGPR of the place of each vertex of the primitive. [STAGES]
const VERTEX_VGPRS: [u16; 6] = [0, 1, 3, 4, 5, 6];
/// VGPRs of the number of the primitive and of the invocation.
pub(super) const PRIMITIVE_VGPR: u16 = 2;
pub(super) const INVOCATION_VGPR: u16 = 7;

impl Select<'_> {
    /// Loads the descriptor of a ring.
    fn ring(&mut self, ring: Ring) -> Operand {
        let push = self.push_address();
        let descriptor = self.code.scalar(4);
        if let Some(group) = self.code.groups.last_mut() {
            group.keep = true;
        }
        let at = Operand::Const(RINGS_AT + 16 * ring as u32);
        self.scalar_load(SmrdOp::S_LOAD_DWORDX4, descriptor, push, at);
        self.entry.held.extend([push, descriptor]);
        descriptor
    }

    /// Makes ready what a geometry shader reads of its primitive and where it emits to.
    pub(super) fn geometry_prologue(&mut self) {
        let function = self.function;
        let fed = self.ring(Ring::Fed);
        let emit = self.ring(Ring::Emit);
        let offset = self.user(GEOMETRY_USER.into(), 1);
        let wave = self.user(u16::from(GEOMETRY_USER) + 1, 1);
        self.entry.held.push(offset);
        self.entry.rings = Some([fed, emit, offset, wave]);
        for inst in function.insts() {
            if let Some((vertex, first)) = self.fed_word(&inst.op) {
                for word in (first..).take(inst.results.len()) {
                    self.vertex_page(vertex, word);
                }
            }
        }
    }

    /// The vertex and the word of it that an instruction reads from.
    fn fed_word(&self, op: &IrOp) -> Option<(u32, u32)> {
        fed_word(self.function, self.options.vertex_words.as_deref(), op)
    }

    /// The byte address of a vertex in its ring, so far from one of its words that a constant offset reaches it.
    fn vertex_page(&mut self, vertex: u32, word: u32) -> Operand {
        let page = word * FED_ROW / OFFSETS;
        if let Some(&found) = self.entry.pages.get(&(vertex, page)) {
            return found;
        }
        let address = match page {
            0 => {
                let place = self.system_vector(VERTEX_VGPRS[vertex as usize], 1);
                self.two(Vop2Op::V_LSHLREV_B32, Operand::Const(2), place)
            }
            _ => {
                let first = self.vertex_page(vertex, 0);
                self.two(Vop2Op::V_ADD_I32, Operand::Const(page * OFFSETS), first)
            }
        };
        self.entry.pages.insert((vertex, page), address);
        address
    }

    /// Words of a vertex of the primitive.
    pub(super) fn fed_words(&mut self, inst: &IrInst) {
        let (Some((vertex, first)), Some([fed, ..])) = (self.fed_word(&inst.op), self.entry.rings)
        else {
            return;
        };
        for (word, &result) in (first..).zip(&inst.results) {
            if self.structure.uses[result.0 as usize] == 0 {
                continue;
            }
            let address = self.vertex_page(vertex, word);
            let dst = self.code.vector(1);
            let bits = BufferBits {
                offen: true,
                offset: (word * FED_ROW % OFFSETS) as u16,
                ..BufferBits::default()
            };
            let src = vec![fed, Operand::Const(0), address];
            self.ring_load(bits, dst, src);
            self.define(result, dst);
        }
    }

    fn ring_load(&mut self, bits: BufferBits, dst: Operand, src: Vec<Operand>) {
        let shape = Shape {
            address: true,
            ..Shape::default()
        };
        let op = Op::Buffer(MubufOp::BUFFER_LOAD_DWORD, bits, shape);
        self.push(Inst::new(op, Some(dst), src));
    }

    /// Stores a word at a byte offset in the lane's record.
    fn ring_store(
        &mut self,
        [ring, wave]: [Operand; 2],
        offset: u32,
        address: Option<Operand>,
        word: Operand,
    ) {
        let bits = BufferBits {
            offen: address.is_some(),
            offset: offset as u16,
            ..BufferBits::default()
        };
        let shape = Shape {
            address: address.is_some(),
            data: true,
            ..Shape::default()
        };
        let src = [ring, wave].into_iter().chain(address).chain([word]);
        let op = Op::Buffer(MubufOp::BUFFER_STORE_DWORD, bits, shape);
        self.push(Inst::new(op, None, src.collect()));
    }

    /// Stores position and outputs of a vertex for a geometry shader.
    pub(super) fn feed(&mut self) {
        let ring = self
            .entry
            .rings
            .map_or(Operand::Const(0), |[feed, ..]| feed);
        let wave = self.user(VERTEX_USER.into(), 1);
        let interface = &self.function.interface;
        let position = (0, self.entry.outputs.builtin(OutputBuiltin::Position));
        let outputs = (0..interface.outputs.len()).map(|n| {
            (
                output_word(interface, n),
                self.entry.outputs.words(n as u32),
            )
        });
        let vectors: Vec<_> = [position].into_iter().chain(outputs).collect();
        for (first, words) in vectors {
            for (word, value) in (first..).zip(words) {
                if let Some(value) = value {
                    let word_value = self.vector_word(value);
                    self.ring_store([ring, wave], 4 * word, None, word_value);
                }
            }
        }
        self.program(SoppOp::S_WAITCNT, wait::EVERYTHING);
    }

    /// What a vertex shader in front of a geometry shader loads first.
    pub(super) fn feed_prologue(&mut self) {
        let feed = self.ring(Ring::Feed);
        let wave = self.user(VERTEX_USER.into(), 1);
        self.entry.held.push(wave);
        self.entry.rings = Some([feed, wave, wave, wave]);
    }

    /// Stores a vertex and says so.
    pub(super) fn emit_vertex(&mut self, inst: &IrInst) {
        let Some([_, emit, offset, _]) = self.entry.rings else {
            return;
        };
        let geometry = self.function.interface.geometry.as_ref();
        let most = geometry.map_or(1, |geometry| geometry.max_vertices);
        let (number, words) = (inst.args[0], &inst.args[1..]);
        let (known, address) = match self.defs.constant(number) {
            Some(number) => (number, None),
            None => {
                let number = self.vector_word(number);
                let bytes = self.two(Vop2Op::V_LSHLREV_B32, Operand::Const(2), number);
                (0, Some(bytes))
            }
        };
        let mut values: Vec<Operand> = Vec::with_capacity(words.len() + 1);
        for &word in words {
            let word = self.vector_word(word);
            values.push(word);
        }
        if self.options.export_primitive_index {
            values.push(self.system_vector(PRIMITIVE_VGPR, 1));
        }
        for (k, word) in (0..).zip(values) {
            self.ring_store([emit, offset], 4 * (k * most + known), address, word);
        }
        // Whoever takes the message sees what was stored.
        self.program(SoppOp::S_WAITCNT, wait::EVERYTHING);
        self.message(EMIT);
    }

    pub(super) fn end_primitive(&mut self) {
        self.message(CUT);
    }

    pub(super) fn geometry_epilogue(&mut self) {
        self.program(SoppOp::S_WAITCNT, wait::EVERYTHING);
        self.message(DONE);
    }

    /// Sends a message about the wave.
    fn message(&mut self, message: u16) {
        let Some([.., wave]) = self.entry.rings else {
            return;
        };
        self.scalar1(Sop1Op::S_MOV_B32, Operand::Code(M0), wave);
        // M0 is there one instruction later. [SI table 4.2]
        self.program(SoppOp::S_NOP, 0);
        self.program(SoppOp::S_SENDMSG, message);
    }

    /// Loads the words of an emitted vertex that a copy of it exports.
    pub(super) fn fetch_emitted(&mut self, max_vertices: u32) {
        let function = self.function;
        let ring = self.ring(Ring::Emitted);
        let place = self.system_vector(0, 1);
        let address = self.two(Vop2Op::V_LSHLREV_B32, Operand::Const(2), place);
        let mut word = 0;
        for (input, varying) in (0..).zip(&function.interface.inputs) {
            let dst = self.code.vector(varying.components as u8);
            for i in 0..varying.components {
                self.emitted_word(ring, address, (word + i) * max_vertices, dst.word(i));
            }
            word += varying.components;
            self.entry.attributes.insert(input, dst);
        }
        if self.options.export_primitive_index {
            let dst = self.code.vector(1);
            self.emitted_word(ring, address, word * max_vertices, dst);
            self.entry.primitive_index = Some(dst);
        }
    }

    fn emitted_word(&mut self, ring: Operand, address: Operand, row: u32, dst: Operand) {
        let bytes = row * EMITTED_ROW;
        let bits = BufferBits {
            offen: true,
            offset: (bytes % OFFSETS) as u16,
            ..BufferBits::default()
        };
        let page = match bytes - bytes % OFFSETS {
            0 => Operand::Const(0),
            page => self.literal(page),
        };
        self.ring_load(bits, dst, vec![ring, page, address]);
    }

    /// To be called when all code is there: registers through which stores stay in rings are written once, which lets the
    /// chip run waves on several threads.
    pub(super) fn hold_rings(&mut self) {
        let held = std::mem::take(&mut self.entry.held);
        let stage = self.function.stage;
        if stage == Stage::Geometry || self.options.role == VertexRole::Feeds {
            super::spill::hold(&mut self.code, &held);
        }
    }
}
