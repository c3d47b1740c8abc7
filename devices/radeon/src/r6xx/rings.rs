//! Rings in memory around a geometry shader. In: sizes from registers. Out: how many waves a ring holds, and where their
//! records are.

use silicon::geometry::topology::Topology;

use crate::registers::RegisterFile;

/// Lanes of a wave.
pub const WAVE: u32 = 64;
/// Vertices and invocations of a batch, however large the rings are.
const MOST: u64 = 1 << 16;

/// Values of VGT_GS_OUT_PRIM_TYPE.
pub mod out_prim_type {
    /// Points.
    pub const POINTLIST: u8 = 0;
    /// Line strips.
    pub const LINESTRIP: u8 = 1;
    /// Triangle strips.
    pub const TRISTRIP: u8 = 2;
}

/// What the vertices of a geometry shader make, by VGT_GS_OUT_PRIM_TYPE, or why that is not drawn.
pub fn output_topology(code: u8) -> Result<Topology, String> {
    match code {
        out_prim_type::POINTLIST => Ok(Topology::Points),
        out_prim_type::LINESTRIP => Ok(Topology::LineStrip),
        out_prim_type::TRISTRIP => Ok(Topology::TriangleStrip),
        other => Err(format!("VGT_GS_OUT_PRIM_TYPE {other} is not drawn")),
    }
}

/// A ring in memory. A wave has a record for each of its lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ring {
    /// Its size.
    pub bytes: u64,
    /// Words of a record.
    pub item: u32,
}

impl Ring {
    /// Of the registers that hold its bytes / 256 and the words of a record.
    pub fn new(registers: &RegisterFile, size: u32, item: u32) -> Ring {
        Ring {
            bytes: u64::from(registers.get(size)) << 8,
            item: registers.get(item) & 0x7fff,
        }
    }

    /// Bytes of a wave.
    pub fn wave_bytes(&self) -> u64 {
        4 * u64::from(WAVE * self.item)
    }

    /// Lanes of the waves that it holds.
    pub fn lanes(&self) -> usize {
        let waves = match self.wave_bytes() {
            0 => MOST,
            bytes => self.bytes / bytes,
        };
        (waves * u64::from(WAVE)).min(MOST) as usize
    }

    /// First word of a wave.
    pub fn first(&self, wave: usize) -> u32 {
        wave as u32 * WAVE * self.item
    }

    /// Whether it holds a wave, or why the ring of this name is too small.
    pub fn check(&self, name: &str) -> Result<(), String> {
        match self.lanes() {
            0 => {
                let (bytes, needed) = (self.bytes, self.wave_bytes());
                Err(format!(
                    "{name}_SIZE is {bytes} bytes; a wave of {name}_ITEMSIZE {} needs {needed}",
                    self.item
                ))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_holds_whole_waves() {
        let ring = |bytes, item| Ring { bytes, item };
        assert_eq!(ring(64 * 40, 10).lanes(), 64);
        assert_eq!(ring(64 * 40 - 1, 10).lanes(), 0);
        assert_eq!(ring(64 * 40 * 3 + 5, 10).lanes(), 192);
        assert_eq!(ring(0, 0).lanes(), 1 << 16);
        assert_eq!(ring(1 << 30, 1).lanes(), 1 << 16);
        assert_eq!(ring(1 << 20, 10).first(3), 1920);
        let reason = ring(2048, 10).check("VGT_ESGS_RING");
        let wanted =
            "VGT_ESGS_RING_SIZE is 2048 bytes; a wave of VGT_ESGS_RING_ITEMSIZE 10 needs 2560";
        assert_eq!(reason, Err(wanted.to_owned()));
        assert_eq!(ring(2560, 10).check("VGT_ESGS_RING"), Ok(()));
    }
}
