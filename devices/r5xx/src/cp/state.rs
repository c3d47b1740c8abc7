//! What streams write: registers, and the memories behind their ports.

use radeon::registers::RegisterFile;
use silicon::{Memory, Stats};

use super::Draw;
use crate::registers;
use crate::regs::{GA_US_VECTOR_INDEX, Register, VAP_PVS_VECTOR_INDX_REG};
use crate::tx::Weights;
use crate::zb::masks::MASK;

/// Instructions of a vertex program, four words each.
pub const PVS_CODE: usize = 1024;
/// Vertex constants, after the code.
pub const PVS_CONSTANTS: usize = 512;
/// User clip planes, after the constants.
pub const CLIP_PLANES: usize = PVS_CODE + PVS_CONSTANTS;
/// The viewport scale of point sprites, after the six planes.
pub const POINT_SCALE: usize = CLIP_PLANES + 6;
/// The corners of point sprites.
pub const POINT_CORNERS: usize = POINT_SCALE + 1;
/// Entries of the vector memory.
pub const VECTORS: usize = POINT_CORNERS + 1;

/// Instructions of a fragment program, six words each.
pub const US_CODE: usize = 512;
/// Fragment constants.
pub const US_CONSTANTS: usize = 256;

/// Dwords of the Hi-Z memory.
pub const HI_Z: usize = 1 << 16;

/// What runs draws.
pub trait Engine: Send {
    /// Runs a draw with the state at its trigger, or what has to run before others; the rest may wait for
    /// [`Engine::finish`]. The reason when it cannot.
    fn draw(
        &mut self,
        memory: &Memory,
        state: &mut State,
        draw: &Draw,
        totals: &mut Stats,
    ) -> Result<(), String>;

    /// Runs all that waits. Memory and the counters are those after it.
    fn finish(&mut self, _: &mut State, _: &mut Stats) -> Result<(), String> {
        Ok(())
    }
}

/// Registers and memories of the chip.
#[derive(Clone, Debug)]
pub struct State {
    /// The registers.
    pub registers: RegisterFile,
    /// Vector memory: vertex code, vertex constants from [`PVS_CODE`] on, clip planes, point sprites.
    pub vectors: Vec<[u32; 4]>,
    /// Fragment code.
    pub us_code: Vec<[u32; 6]>,
    /// Fragment constants: red, green, blue, alpha.
    pub us_constants: Vec<[u32; 4]>,
    /// The kernel of Filter4.
    pub weights: Weights,
    /// Hi-Z memory.
    pub hi_z: Vec<u32>,
    /// Blocks of depths that are clear.
    pub z_mask: Vec<u32>,
    /// Blocks of colours that are clear.
    pub color_mask: Vec<u32>,
    /// Semaphores of the microcode, 0xfc to 0xff.
    pub(super) semaphores: [u32; 4],
    /// Words written to the vector port since its index.
    vector_words: usize,
    /// Words written to the fragment port since its index.
    us_words: usize,
}

impl Default for State {
    fn default() -> State {
        State {
            registers: registers::power_on(),
            vectors: vec![[0; 4]; VECTORS],
            us_code: vec![[0; 6]; US_CODE],
            us_constants: vec![[0; 4]; US_CONSTANTS],
            weights: Weights::default(),
            hi_z: vec![0; HI_Z],
            z_mask: vec![0; MASK],
            color_mask: vec![0; MASK],
            semaphores: [0; 4],
            vector_words: 0,
            us_words: 0,
        }
    }
}

impl State {
    /// Where a vector index goes: code, constants and clip planes wrap each for itself.
    fn vector(index: usize, ahead: usize) -> Option<usize> {
        let wrapped = |start: usize, len: usize| start + (index - start + ahead) % len;
        match index {
            0..PVS_CODE => Some(wrapped(0, PVS_CODE)),
            PVS_CODE..CLIP_PLANES => Some(wrapped(PVS_CODE, PVS_CONSTANTS)),
            CLIP_PLANES..POINT_SCALE => Some(wrapped(CLIP_PLANES, 6)),
            POINT_SCALE..VECTORS if ahead == 0 => Some(index),
            _ => None,
        }
    }

    /// VAP_PVS_VECTOR_INDX_REG was written.
    pub(super) fn begin_vectors(&mut self) {
        self.vector_words = 0;
    }

    /// A word to VAP_PVS_VECTOR_DATA_REG.
    pub(super) fn vector_word(&mut self, word: u32) -> Result<(), String> {
        let index = VAP_PVS_VECTOR_INDX_REG.fields[0].read(&self.registers) as usize;
        let (ahead, component) = (self.vector_words / 4, self.vector_words % 4);
        let Some(at) = State::vector(index, ahead) else {
            return Err(format!(
                "vector {} is not one of the {VECTORS} of the vector memory",
                index + ahead
            ));
        };
        self.vectors[at][component] = word;
        self.vector_words += 1;
        Ok(())
    }

    /// A word to the port of a mask, whose index goes to the next.
    pub(super) fn mask_word(
        &mut self,
        index: Register,
        mask: fn(&mut State) -> &mut Vec<u32>,
        word: u32,
    ) -> Result<(), String> {
        let at = index.read(&self.registers, 0);
        let Some(dword) = mask(self).get_mut(at as usize / 4) else {
            return Err(format!("{} is {at:#x}, behind the mask", index.name));
        };
        *dword = word;
        self.registers.set(index.address, at + 4);
        Ok(())
    }

    /// GA_US_VECTOR_INDEX was written.
    pub(super) fn begin_us(&mut self) {
        self.us_words = 0;
    }

    /// A word to GA_US_VECTOR_DATA.
    pub(super) fn us_word(&mut self, word: u32) {
        let control = GA_US_VECTOR_INDEX.read(&self.registers, 0);
        let index = GA_US_VECTOR_INDEX::INDEX.get(control) as usize;
        let n = self.us_words;
        self.us_words += 1;
        if !GA_US_VECTOR_INDEX::TYPE.is_set(control) {
            self.us_code[(index + n / 6) % US_CODE][n % 6] = word;
            return;
        }
        let clamped = match GA_US_VECTOR_INDEX::CLAMP.is_set(control) {
            true => f32::from_bits(word).clamp(-1.0, 1.0).to_bits(),
            false => word,
        };
        self.us_constants[(index + n / 4) % US_CONSTANTS][n % 4] = clamped;
    }
}
