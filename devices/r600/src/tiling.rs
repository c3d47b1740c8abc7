//! Where the elements of a surface lie: all array modes of R600. [TILING 2, 3]
//!
//! GB_TILING_CONFIG says how memory is dealt to pipes and banks ([`Config`]); a resource or target names one of sixteen
//! [`ArrayMode`]s. [`Surface`] maps coordinates to byte offsets, one level at a time; [`layout`](self::layout()) places
//! the levels of an image, for the driver and for the texture unit.

mod layout;
mod mode;

pub use layout::{ImageLayout, ImageShape, TileMode, array_mode, layout};
pub use mode::{ArrayMode, Rotation};
pub use radeon::r6xx::tiling::{ImageKind, Swizzle};

use silicon::fragment::surface::{Extent, Layout};

use crate::regs::GbTilingConfig;

/// How memory is dealt to pipes and banks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Config {
    /// Pipes: 1, 2, 4 or 8.
    pub pipes: u32,
    /// Banks: 4 or 8.
    pub banks: u32,
    /// Bytes that lie together in one pipe.
    pub group_bytes: u32,
    /// Bytes of a memory row.
    pub row_bytes: u32,
    /// Bytes after which bank-swapped modes swap.
    pub swap_bytes: u32,
    /// Bytes of samples that a micro tile keeps together.
    pub split_bytes: u32,
    /// Rows are opened ahead: one more column bit chooses the bank of eight pipes.
    pub optimal_swap: bool,
}

impl Config {
    /// What [`TILING_CONFIG`](crate::regs::TILING_CONFIG) says of this chip.
    pub const CHIP: Config = Config {
        pipes: 2,
        banks: 4,
        group_bytes: 256,
        row_bytes: 2048,
        swap_bytes: 256,
        split_bytes: 2048,
        optimal_swap: false,
    };

    /// From GB_TILING_CONFIG.
    pub fn new(word: u32) -> Config {
        let word = GbTilingConfig::from_word(word);
        let row = word.row_tiling & 3;
        Config {
            pipes: 1 << (word.pipe_tiling & 3),
            banks: 4 << (word.bank_tiling & 1),
            group_bytes: 256 << (word.group_size & 1),
            row_bytes: 1024 << row,
            swap_bytes: 128 << (word.bank_swaps & 3),
            split_bytes: 1024 << word.sample_split,
            optimal_swap: word.row_tiling >= 4,
        }
    }
}

/// One level of a surface: from coordinates to byte offsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Surface {
    /// Pipes and banks.
    pub config: Config,
    /// Array mode.
    pub mode: ArrayMode,
    /// Elements of a micro tile in Morton order and samples together, as depth surfaces have them (TILE_TYPE 1), instead
    /// of the order of scan-out.
    pub depth_order: bool,
    /// Bytes of an element: a texel, or a block of a compressed format.
    pub element_bytes: u32,
    /// Elements from row to row, padded to tiles.
    pub pitch: u32,
    /// Rows, padded to tiles.
    pub height: u32,
    /// Slices; linear surfaces have the samples after each other, all slices of each.
    pub slices: u32,
    /// Samples of a texel.
    pub samples: u32,
    /// Pipe and bank of the base address.
    pub swizzle: Swizzle,
}

impl Surface {
    /// The surface at an address, whose channel bits are its swizzle; and the address without them.
    pub fn at(self, base: u64) -> (Surface, u64) {
        let Config {
            pipes,
            banks,
            group_bytes,
            ..
        } = self.config;
        if !self.mode.is_macro() {
            return (self, base);
        }
        let channel = (base / u64::from(group_bytes)) as u32;
        let swizzle = Swizzle {
            pipe: channel % pipes,
            bank: channel / pipes % banks,
        };
        let aligned = base & !u64::from(pipes * banks * group_bytes - 1);
        (Surface { swizzle, ..self }, aligned)
    }

    /// Elements across and down a macro tile (micro tile, element).
    pub fn tile_size(&self) -> [u32; 2] {
        self.mode.tile_size(&self.config)
    }

    /// What the pitch must be a multiple of.
    pub fn pitch_align(&self) -> u32 {
        let group = self.config.group_bytes;
        let tile = 8 * self.element_bytes * self.mode.thickness() * self.samples;
        match self.mode {
            ArrayMode::LinearGeneral => 1,
            ArrayMode::LinearAligned => (group / self.element_bytes).max(64),
            mode if !mode.is_macro() => (group / tile).max(8),
            mode => {
                let [width, _] = self.tile_size();
                let align = width * (group / tile / 8).max(1);
                match mode.swaps_banks() {
                    true => align.max(self.swap_width()),
                    false => align,
                }
            }
        }
    }

    /// What the height must be a multiple of.
    pub fn height_align(&self) -> u32 {
        self.tile_size()[1]
    }

    /// What the base address should be a multiple of, in bytes.
    pub fn base_align(&self) -> u64 {
        let group = u64::from(self.config.group_bytes);
        let mode = self.mode;
        if !mode.is_macro() {
            return group;
        }
        let row = u64::from(self.pitch_align() * self.height_align() * self.element_bytes);
        if mode.thickness() > 1 {
            return group.max(4 * row);
        }
        let [width, height] = self.tile_size();
        let tile = u64::from(width * height * self.element_bytes * self.samples);
        // Twice for one sample, which R6xx wants.
        let tile = if self.samples == 1 { 2 * tile } else { tile };
        let (splits, _) = self.splits();
        (tile.max(u64::from(self.samples) * row) / u64::from(splits)).max(group)
    }

    /// The reason why the surface is none.
    pub fn check(&self) -> Result<(), String> {
        let Surface {
            pitch,
            height,
            samples,
            mode,
            ..
        } = *self;
        let (pitch_align, height_align) = (self.pitch_align(), self.height_align());
        // Linear rows may be as short as the registers can say.
        let pitch_align = if mode.is_linear() { 1 } else { pitch_align };
        if pitch == 0 || height == 0 {
            return Err(format!("a surface of {pitch} by {height} elements"));
        }
        if !pitch.is_multiple_of(pitch_align) || !height.is_multiple_of(height_align) {
            return Err(format!(
                "{mode:?} of {} bytes an element has {pitch} by {height} elements, no multiple of {pitch_align} by {height_align}",
                self.element_bytes
            ));
        }
        if samples > 1 && (mode.thickness() > 1 || !mode.is_macro()) {
            return Err(format!("{mode:?} has no {samples} samples"));
        }
        Ok(())
    }

    /// Bytes of one slice with all its samples.
    pub fn slice_bytes(&self) -> u64 {
        self.extent().slice_bytes()
    }

    /// Bytes of the tallest unit that slices are stored in: one slice, or the slices of a thick tile.
    pub fn bytes(&self, slices: u32) -> u64 {
        let thick = self.mode.thickness();
        self.slice_bytes() * u64::from(slices.div_ceil(thick) * thick)
    }

    /// Bits of an offset that are the exclusive or of what the coordinates give; all other bits are a sum.
    pub fn xor_bits(&self) -> u64 {
        match self.mode.is_macro() {
            true => {
                let Config { pipes, banks, .. } = self.config;
                u64::from((pipes * banks - 1) * self.config.group_bytes)
            }
            false => 0,
        }
    }

    /// Byte offset of an element.
    pub fn offset(&self, x: u32, y: u32, slice: u32, sample: u32) -> u64 {
        if self.mode.is_linear() {
            let slice = u64::from(slice) + u64::from(self.slices) * u64::from(sample);
            let row = slice * u64::from(self.height) + u64::from(y);
            return (row * u64::from(self.pitch) + u64::from(x)) * u64::from(self.element_bytes);
        }
        let element = self.in_micro_tile([x, y, slice], sample);
        if self.mode.is_macro() {
            return self.macro_offset([x, y, slice], element);
        }
        let thick = self.mode.thickness();
        let tile = u64::from(x / 8) + u64::from(y / 8) * u64::from(self.pitch / 8);
        u64::from(slice / thick) * u64::from(thick) * self.slice_bytes()
            + tile * u64::from(64 * thick * self.element_bytes)
            + u64::from(element)
    }

    /// Byte offset inside a micro tile with all its samples.
    fn in_micro_tile(&self, at: [u32; 3], sample: u32) -> u32 {
        let thick = self.mode.thickness();
        let index = mode::micro_index(self.depth_order, thick, self.element_bytes, at);
        if self.depth_order {
            (index * self.samples + sample) * self.element_bytes
        } else {
            (index + sample * 64 * thick) * self.element_bytes
        }
    }

    /// How many parts the samples of a micro tile are split into, and the samples of a part.
    fn splits(&self) -> (u32, u32) {
        let sample_bytes = 64 * self.mode.thickness() * self.element_bytes;
        if self.samples > 1 && sample_bytes * self.samples > self.config.split_bytes {
            let together = (self.config.split_bytes / sample_bytes).max(1);
            (self.samples / together, together)
        } else {
            (1, self.samples)
        }
    }

    fn macro_offset(&self, [x, y, slice]: [u32; 3], element: u32) -> u64 {
        let Config {
            pipes,
            banks,
            group_bytes,
            ..
        } = self.config;
        let thick = self.mode.thickness();
        let (splits, samples) = self.splits();
        let part = 64 * thick * self.element_bytes * samples;
        let (tile_slice, element) = match splits {
            1 => (0, element),
            _ => (element / part, element % part),
        };
        let deep = slice / thick;
        let turn = match self.mode.rotation() {
            Rotation::Banks => pipes * (banks / 2 - 1),
            Rotation::Pipes if pipes >= 4 => pipes / 2 - 1,
            Rotation::Pipes => 1,
        };
        let mut channel = mode::pipe(pipes, x, y) + pipes * mode::bank(&self.config, x, y);
        channel ^= (pipes * tile_slice * (banks / 2 + 1))
            ^ (self.swizzle.pipe + pipes * self.swizzle.bank + deep * turn);
        channel %= pipes * banks;
        let [width, height] = self.tile_size();
        if self.mode.swaps_banks() {
            const ORDER: [u32; 8] = [0, 1, 3, 2, 6, 7, 5, 4];
            let swaps = x / width * width / self.swap_width();
            channel ^= pipes * ORDER[(swaps & (banks - 1)) as usize];
        }
        let tile_bytes = u64::from(samples * thick * self.element_bytes * width * height);
        let tiles = u64::from(x / width) + u64::from(self.pitch / width) * u64::from(y / height);
        let plane = u64::from(self.pitch)
            * u64::from(self.height)
            * u64::from(thick * self.element_bytes * samples);
        let planes = u64::from((tile_slice + splits * slice) / thick);
        let channels = u64::from(pipes * banks);
        let total = u64::from(element) + (tile_bytes * tiles + plane * planes) / channels;
        let group = u64::from(group_bytes);
        total / group * group * channels + u64::from(channel) * group + total % group
    }

    /// Elements after which bank-swapped modes swap banks. [TILING 3 "Bank-swap width"]
    fn swap_width(&self) -> u32 {
        let Config {
            pipes,
            banks,
            group_bytes,
            row_bytes,
            swap_bytes,
            split_bytes,
            ..
        } = self.config;
        let bits = 8 * self.element_bytes;
        let kept = (split_bytes / (8 * bits)).max(1);
        let slices = (self.samples / kept).max(1);
        let samples = if self.mode.thickness() > 1 {
            4
        } else {
            self.samples
        };
        let wanted = (swap_bytes / 2 / bits).max(1) * 8 * banks;
        let aspect = self.mode.aspect();
        let most = pipes * banks * row_bytes / (samples * aspect * pipes * bits / slices).max(1);
        let least = group_bytes * 8 * banks / (samples * 8 * bits / slices).max(1);
        let mut width = most.min(least.max(wanted)).max(1);
        while width >= 2 * self.pitch.max(1) && width > 1 {
            width /= 2;
        }
        width
    }
}

impl Layout for Surface {
    fn extent(&self) -> Extent {
        Extent {
            pitch: self.pitch,
            height: self.height,
            samples: self.samples,
            element_bytes: self.element_bytes,
        }
    }

    fn bytes(&self, slices: u32) -> u64 {
        // Samples of a linear surface come after all its slices.
        let slices = match self.mode.is_linear() && self.samples > 1 {
            true => self.slices.max(slices),
            false => slices,
        };
        Surface::bytes(self, slices)
    }

    fn xor_bits(&self) -> u64 {
        Surface::xor_bits(self)
    }

    fn tile_edge(&self) -> u32 {
        8
    }

    fn offset(&self, x: u32, y: u32, slice: u32, sample: u32) -> u64 {
        Surface::offset(self, x, y, slice, sample)
    }
}

#[cfg(test)]
mod tests;
