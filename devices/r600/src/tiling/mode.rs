//! Array modes, and how pipe, bank and place in a micro tile follow from coordinates. [TILING 1, 2, 3]

use radeon::r6xx::tiling;

use super::Config;

/// How surfaces are cut into tiles: ARRAY_MODE of colour and depth targets, TILE_MODE of resources.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum ArrayMode {
    /// Rows.
    LinearGeneral,
    /// Rows of whole groups.
    LinearAligned,
    /// Micro tiles in rows.
    Tiled1dThin1,
    /// The same, four slices thick.
    Tiled1dThick,
    /// Macro tiles over pipes and banks; banks rotate from slice to slice.
    Tiled2dThin1,
    /// Macro tiles of twice the height and half the width.
    Tiled2dThin2,
    /// Macro tiles of four times the height and a quarter of the width.
    Tiled2dThin4,
    /// Four slices thick.
    Tiled2dThick,
    /// As the 2D modes, banks swapped along rows.
    Tiled2bThin1,
    /// As the 2D modes, banks swapped along rows.
    Tiled2bThin2,
    /// As the 2D modes, banks swapped along rows.
    Tiled2bThin4,
    /// As the 2D modes, banks swapped along rows.
    Tiled2bThick,
    /// Pipes rotate from slice to slice.
    Tiled3dThin1,
    /// The same, four slices thick.
    Tiled3dThick,
    /// As the 3D modes, banks swapped along rows.
    Tiled3bThin1,
    /// As the 3D modes, banks swapped along rows.
    Tiled3bThick,
}

/// What changes from slice to slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rotation {
    /// The bank.
    Banks,
    /// The pipe.
    Pipes,
}

use ArrayMode::*;

impl ArrayMode {
    /// By code.
    #[rustfmt::skip]
    pub const ALL: [ArrayMode; 16] = [
        LinearGeneral, LinearAligned, Tiled1dThin1, Tiled1dThick,
        Tiled2dThin1,  Tiled2dThin2,  Tiled2dThin4, Tiled2dThick,
        Tiled2bThin1,  Tiled2bThin2,  Tiled2bThin4, Tiled2bThick,
        Tiled3dThin1,  Tiled3dThick,  Tiled3bThin1, Tiled3bThick,
    ];

    /// The mode of a code, of which four bits count.
    pub const fn from_code(code: u8) -> ArrayMode {
        ArrayMode::ALL[(code & 15) as usize]
    }

    /// The code.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// Whether elements lie in rows.
    pub fn is_linear(self) -> bool {
        matches!(self, LinearGeneral | LinearAligned)
    }

    /// Whether micro tiles are dealt over pipes and banks.
    pub fn is_macro(self) -> bool {
        self.code() >= Tiled2dThin1.code()
    }

    /// Slices of a micro tile.
    pub fn thickness(self) -> u32 {
        match self {
            Tiled1dThick | Tiled2dThick | Tiled2bThick | Tiled3dThick | Tiled3bThick => 4,
            _ => 1,
        }
    }

    /// How much taller and narrower macro tiles are.
    pub fn aspect(self) -> u32 {
        match self {
            Tiled2dThin2 | Tiled2bThin2 => 2,
            Tiled2dThin4 | Tiled2bThin4 => 4,
            _ => 1,
        }
    }

    /// Whether banks are swapped along rows.
    pub fn swaps_banks(self) -> bool {
        matches!(
            self,
            Tiled2bThin1 | Tiled2bThin2 | Tiled2bThin4 | Tiled2bThick | Tiled3bThin1 | Tiled3bThick
        )
    }

    /// What changes from slice to slice of macro tiles.
    pub fn rotation(self) -> Rotation {
        match self {
            Tiled3dThin1 | Tiled3dThick | Tiled3bThin1 | Tiled3bThick => Rotation::Pipes,
            _ => Rotation::Banks,
        }
    }

    /// Elements across and down a macro tile (micro tile, element).
    pub fn tile_size(self, config: &Config) -> [u32; 2] {
        if self.is_linear() {
            [1, 1]
        } else if self.is_macro() {
            let aspect = self.aspect();
            [8 * config.banks / aspect, 8 * config.pipes * aspect]
        } else {
            [8, 8]
        }
    }
}

const fn bit(value: u32, n: u32) -> u32 {
    value >> n & 1
}

/// The pipe of an element.
pub(super) fn pipe(pipes: u32, x: u32, y: u32) -> u32 {
    match pipes {
        1 => 0,
        2 => bit(x, 3) ^ bit(y, 3),
        4 => (bit(x, 4) ^ bit(y, 3)) | (bit(x, 3) ^ bit(y, 4)) << 1,
        _ => {
            (bit(x, 5) ^ bit(y, 3))
                | (bit(x, 4) ^ bit(x, 5) ^ bit(y, 4)) << 1
                | (bit(x, 3) ^ bit(y, 5)) << 2
        }
    }
}

/// The bank of an element.
pub(super) fn bank(config: &Config, x: u32, y: u32) -> u32 {
    let (tx, ty) = (x / config.banks, y / config.pipes);
    let ahead = config.optimal_swap && config.pipes == 8;
    match config.banks {
        4 => {
            let low = bit(x, 3) ^ bit(ty, 4) ^ if ahead { bit(x, 5) } else { 0 };
            low | (bit(x, 4) ^ bit(ty, 3)) << 1
        }
        _ => {
            let low = bit(x, 3) ^ bit(ty, 5) ^ if ahead { bit(tx, 3) } else { 0 };
            low | (bit(x, 4) ^ bit(ty, 4) ^ bit(ty, 5)) << 1 | (bit(x, 5) ^ bit(ty, 3)) << 2
        }
    }
}

/// Number of an element in its micro tile.
pub(super) fn micro_index(
    depth_order: bool,
    thickness: u32,
    element_bytes: u32,
    [x, y, z]: [u32; 3],
) -> u32 {
    // Which coordinate bit lands in each index bit, lowest first: 0..2 are bits of x, 3..5 of y.
    const X: [u8; 3] = [0, 1, 2];
    const Y: [u8; 3] = [3, 4, 5];
    let order: [u8; 6] = match element_bytes {
        _ if depth_order => [X[0], Y[0], X[1], Y[1], X[2], Y[2]],
        1 => [X[0], X[1], X[2], Y[1], Y[0], Y[2]],
        2 => [X[0], X[1], X[2], Y[0], Y[1], Y[2]],
        4 | 12 => [X[0], X[1], Y[0], X[2], Y[1], Y[2]],
        8 => [X[0], Y[0], X[1], X[2], Y[1], Y[2]],
        _ => [Y[0], X[0], X[1], X[2], Y[1], Y[2]],
    };
    tiling::micro_index(order, [x, y, 0]) | (z & (thickness - 1)) << 6
}
