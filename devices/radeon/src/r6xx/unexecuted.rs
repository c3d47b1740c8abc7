//! Register fields that enable what is not executed. In: registers. Out: nothing, or the name of the field that stops
//! the draw. Fields that only steer caches, work distribution, Hi-Z or the order of work change no result and are not
//! listed.

use super::regs::*;
use crate::registers::RegisterFile;

/// A field that has its neutral value in every draw that is executed.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Address of the register.
    pub register: u32,
    /// REGISTER.FIELD.
    pub name: &'static str,
    /// Lowest bit.
    pub low: u32,
    /// Number of bits.
    pub bits: u32,
    /// Value that enables nothing.
    pub neutral: u32,
}

impl Field {
    fn mask(&self) -> u32 {
        u32::MAX >> (32 - self.bits)
    }

    /// The register's value with this field set to another.
    pub fn set(&self, word: u32, value: u32) -> u32 {
        word & !(self.mask() << self.low) | (value & self.mask()) << self.low
    }

    /// Whether the field enables nothing, or what it enables.
    pub fn check(&self, word: u32) -> Result<(), String> {
        let value = word >> self.low & self.mask();
        match value == self.neutral {
            true => Ok(()),
            false => Err(format!("{} {value:#x} is not executed", self.name)),
        }
    }
}

/// Checks fields of registers that lie `offset` bytes after those named.
pub fn check(registers: &RegisterFile, fields: &[Field], offset: u32) -> Result<(), String> {
    let check = |field: &Field| field.check(registers.get(field.register + offset));
    fields.iter().try_for_each(check)
}

/// Declares a table of [`Field`]s: registers, their fields with highest and lowest bit, and the neutral value where
/// that is not 0.
#[macro_export]
macro_rules! unexecuted {
    ($(#[$doc:meta])* $vis:vis const $TABLE:ident: $($register:ident {
        $($field:ident [$high:literal:$low:literal] $(= $neutral:literal)?),* $(,)?
    })*) => {
        $(#[$doc])*
        $vis const $TABLE: &[$crate::r6xx::unexecuted::Field] = &[$($(
            $crate::r6xx::unexecuted::Field {
                register: $register,
                name: concat!(stringify!($register), ".", stringify!($field)),
                low: $low,
                bits: $high - $low + 1,
                neutral: 0 $(+ $neutral)?,
            },
        )*)*];
    };
}

crate::unexecuted! {
    /// Of all draws, on every chip of the family.
    pub const SHARED:
    PA_SC_WINDOW_OFFSET { WINDOW_X_OFFSET[15:0], WINDOW_Y_OFFSET[31:16] }
    PA_SC_CLIPRECT_RULE { CLIP_RULE[15:0] = 0xffff }
    PA_SC_EDGERULE { ER_TRI[3:0] = 0xa }
    PA_CL_CLIP_CNTL {
        BOUNDARY_EDGE_FLAG_ENA[18:18],
        VTE_VPORT_PROVOKE_DISABLE[25:25],
    }
    PA_SU_SC_MODE_CNTL { PERSP_CORR_DIS[20:20] }
    PA_CL_VS_OUT_CNTL {
        USE_VTX_EDGE_FLAG[17:17],
        USE_VTX_KILL_FLAG[20:20],
        USE_VTX_GS_CUT_FLAG[25:25],
    }
    PA_CL_NANINF_CNTL {
        VTE_XY_INF_DISCARD[0:0],
        VTE_Z_INF_DISCARD[1:1],
        VTE_W_INF_DISCARD[2:2],
        VTE_0XNANINF_IS_0[3:3],
        VTE_XY_NAN_RETAIN[4:4],
        VTE_Z_NAN_RETAIN[5:5],
        VTE_W_NAN_RETAIN[6:6],
        VTE_W_RECIP_NAN_IS_0[7:7],
        VS_XY_NAN_TO_INF[8:8],
        VS_XY_INF_RETAIN[9:9],
        VS_Z_NAN_TO_INF[10:10],
        VS_Z_INF_RETAIN[11:11],
        VS_W_NAN_TO_INF[12:12],
        VS_W_INF_RETAIN[13:13],
        VS_CLIP_DIST_INF_DISCARD[14:14],
        VTE_NO_OUTPUT_NEG_0[20:20],
    }
    VGT_OUTPUT_PATH_CNTL { PATH_SELECT[0:0] }
    VGT_HOS_CNTL { TESS_MODE[1:0] }
}

crate::unexecuted! {
    /// SPI_PS_INPUT_CNTL of each input.
    pub const INPUT:
    SPI_PS_INPUT_CNTL_0 { CYL_WRAP[16:13] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_named_with_its_value() {
        let rule = SHARED
            .iter()
            .find(|field| field.name == "PA_SC_CLIPRECT_RULE.CLIP_RULE")
            .copied();
        let rule = rule.expect("the table has clip rectangles");
        assert_eq!(rule.check(0xffff), Ok(()));
        let reason = "PA_SC_CLIPRECT_RULE.CLIP_RULE 0xaaaa is not executed";
        assert_eq!(rule.check(0xaaaa), Err(reason.to_owned()));
        assert_eq!(rule.set(0x1234_ffff, 7), 0x1234_0007);
    }
}
