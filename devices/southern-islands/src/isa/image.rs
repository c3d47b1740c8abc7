//! Image instructions: MIMG. The device executes them.

use super::memory::Atomic;

/// How texel bits become register values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Raw {
    /// Through the resource's format.
    Converted,
    /// As they are.
    Unsigned,
    /// As they are, sign-extended.
    Signed,
}

/// Where the level of detail comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lod {
    /// Differences within the quad.
    Implicit,
    /// The same plus a bias operand.
    Bias,
    /// Derivative operands.
    Gradient,
    /// Derivative operands, one level for a quad.
    CoarseGradient,
    /// An operand.
    Explicit,
    /// Level 0.
    Zero,
}

/// The operands of a sampling instruction beside its coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampled {
    /// Level of detail.
    pub lod: Lod,
    /// A reference value is compared with.
    pub compare: bool,
    /// The level is clamped by an operand.
    pub clamp: bool,
    /// Texel offsets are an operand.
    pub offset: bool,
}

/// What MIMG means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageSem {
    /// Loads a texel.
    Load {
        /// The level is the last address operand.
        mip: bool,
        /// Conversion.
        raw: Raw,
    },
    /// Stores a texel.
    Store {
        /// The level is the last address operand.
        mip: bool,
        /// Conversion.
        raw: Raw,
    },
    /// An atomic operation on a texel.
    Atomic(Atomic),
    /// Size of a level.
    ResourceInfo,
    /// Filtered sample.
    Sample(Sampled),
    /// Four texels of one component.
    Gather(Sampled),
    /// The level that a sample would use.
    GetLod,
}

impl ImageSem {
    /// Whether the instruction has a sampler operand.
    pub const fn has_sampler(self) -> bool {
        matches!(
            self,
            ImageSem::Sample(_) | ImageSem::Gather(_) | ImageSem::GetLod
        )
    }

    /// Address registers for a resource with this many coordinates (array slice, face and fragment included).
    pub const fn address_registers(self, coordinates: u8) -> u8 {
        match self {
            ImageSem::Load { mip, .. } | ImageSem::Store { mip, .. } => coordinates + mip as u8,
            ImageSem::Atomic(_) | ImageSem::GetLod => coordinates,
            ImageSem::ResourceInfo => 1,
            ImageSem::Sample(sampled) | ImageSem::Gather(sampled) => {
                let extra = match sampled.lod {
                    Lod::Implicit | Lod::Zero => 0,
                    Lod::Bias | Lod::Explicit => 1,
                    Lod::Gradient | Lod::CoarseGradient => 4,
                };
                coordinates
                    + extra
                    + sampled.compare as u8
                    + sampled.clamp as u8
                    + sampled.offset as u8
            }
        }
    }

    /// Address registers for the resource with the most coordinates.
    pub const fn longest_address(self, da: bool) -> u8 {
        let gradient = match self {
            ImageSem::Sample(sampled) | ImageSem::Gather(sampled) => {
                matches!(sampled.lod, Lod::Gradient | Lod::CoarseGradient)
            }
            _ => false,
        };
        // x, y, z and a slice; or x, y, a slice and a fragment. Derivatives are of three axes.
        let coordinates = if self.has_sampler() { 3 + da as u8 } else { 4 };
        self.address_registers(coordinates) + if gradient { 2 } else { 0 }
    }
}

/// `flags`: c compare, l clamp of the level, o offset.
const fn sampled(lod: Lod, flags: &str) -> Sampled {
    let mut sampled = Sampled {
        lod,
        compare: false,
        clamp: false,
        offset: false,
    };
    let flags = flags.as_bytes();
    let mut i = 0;
    while i < flags.len() {
        match flags[i] {
            b'c' => sampled.compare = true,
            b'l' => sampled.clamp = true,
            _ => sampled.offset = true,
        }
        i += 1;
    }
    sampled
}

isa::ops! {
    /// MIMG: image access. [SI 12.15]
    pub enum MimgOp: ImageSem {
        IMAGE_LOAD = 0 "image_load" ImageSem::Load { mip: false, raw: Raw::Converted };
        IMAGE_LOAD_MIP = 1 "image_load_mip" ImageSem::Load { mip: true, raw: Raw::Converted };
        IMAGE_LOAD_PCK = 2 "image_load_pck" ImageSem::Load { mip: false, raw: Raw::Unsigned };
        IMAGE_LOAD_PCK_SGN = 3 "image_load_pck_sgn" ImageSem::Load { mip: false, raw: Raw::Signed };
        IMAGE_LOAD_MIP_PCK = 4 "image_load_mip_pck" ImageSem::Load { mip: true, raw: Raw::Unsigned };
        IMAGE_LOAD_MIP_PCK_SGN = 5 "image_load_mip_pck_sgn" ImageSem::Load { mip: true, raw: Raw::Signed };
        IMAGE_STORE = 8 "image_store" ImageSem::Store { mip: false, raw: Raw::Converted };
        IMAGE_STORE_MIP = 9 "image_store_mip" ImageSem::Store { mip: true, raw: Raw::Converted };
        IMAGE_STORE_PCK = 10 "image_store_pck" ImageSem::Store { mip: false, raw: Raw::Unsigned };
        IMAGE_STORE_MIP_PCK = 11 "image_store_mip_pck" ImageSem::Store { mip: true, raw: Raw::Unsigned };
        IMAGE_GET_RESINFO = 14 "image_get_resinfo" ImageSem::ResourceInfo;
        IMAGE_ATOMIC_SWAP = 15 "image_atomic_swap" ImageSem::Atomic(Atomic::Swap);
        IMAGE_ATOMIC_CMPSWAP = 16 "image_atomic_cmpswap" ImageSem::Atomic(Atomic::CompareSwap);
        IMAGE_ATOMIC_ADD = 17 "image_atomic_add" ImageSem::Atomic(Atomic::Add);
        IMAGE_ATOMIC_SUB = 18 "image_atomic_sub" ImageSem::Atomic(Atomic::Sub);
        IMAGE_ATOMIC_RSUB = 19 "image_atomic_rsub" ImageSem::Atomic(Atomic::RSub);
        IMAGE_ATOMIC_SMIN = 20 "image_atomic_smin" ImageSem::Atomic(Atomic::SMin);
        IMAGE_ATOMIC_UMIN = 21 "image_atomic_umin" ImageSem::Atomic(Atomic::UMin);
        IMAGE_ATOMIC_SMAX = 22 "image_atomic_smax" ImageSem::Atomic(Atomic::SMax);
        IMAGE_ATOMIC_UMAX = 23 "image_atomic_umax" ImageSem::Atomic(Atomic::UMax);
        IMAGE_ATOMIC_AND = 24 "image_atomic_and" ImageSem::Atomic(Atomic::And);
        IMAGE_ATOMIC_OR = 25 "image_atomic_or" ImageSem::Atomic(Atomic::Or);
        IMAGE_ATOMIC_XOR = 26 "image_atomic_xor" ImageSem::Atomic(Atomic::Xor);
        IMAGE_ATOMIC_INC = 27 "image_atomic_inc" ImageSem::Atomic(Atomic::Inc);
        IMAGE_ATOMIC_DEC = 28 "image_atomic_dec" ImageSem::Atomic(Atomic::Dec);
        IMAGE_ATOMIC_FCMPSWAP = 29 "image_atomic_fcmpswap" ImageSem::Atomic(Atomic::FCompareSwap);
        IMAGE_ATOMIC_FMIN = 30 "image_atomic_fmin" ImageSem::Atomic(Atomic::FMin);
        IMAGE_ATOMIC_FMAX = 31 "image_atomic_fmax" ImageSem::Atomic(Atomic::FMax);
        IMAGE_SAMPLE = 32 "image_sample" ImageSem::Sample(sampled(Lod::Implicit, ""));
        IMAGE_SAMPLE_CL = 33 "image_sample_cl" ImageSem::Sample(sampled(Lod::Implicit, "l"));
        IMAGE_SAMPLE_D = 34 "image_sample_d" ImageSem::Sample(sampled(Lod::Gradient, ""));
        IMAGE_SAMPLE_D_CL = 35 "image_sample_d_cl" ImageSem::Sample(sampled(Lod::Gradient, "l"));
        IMAGE_SAMPLE_L = 36 "image_sample_l" ImageSem::Sample(sampled(Lod::Explicit, ""));
        IMAGE_SAMPLE_B = 37 "image_sample_b" ImageSem::Sample(sampled(Lod::Bias, ""));
        IMAGE_SAMPLE_B_CL = 38 "image_sample_b_cl" ImageSem::Sample(sampled(Lod::Bias, "l"));
        IMAGE_SAMPLE_LZ = 39 "image_sample_lz" ImageSem::Sample(sampled(Lod::Zero, ""));
        IMAGE_SAMPLE_C = 40 "image_sample_c" ImageSem::Sample(sampled(Lod::Implicit, "c"));
        IMAGE_SAMPLE_C_CL = 41 "image_sample_c_cl" ImageSem::Sample(sampled(Lod::Implicit, "cl"));
        IMAGE_SAMPLE_C_D = 42 "image_sample_c_d" ImageSem::Sample(sampled(Lod::Gradient, "c"));
        IMAGE_SAMPLE_C_D_CL = 43 "image_sample_c_d_cl" ImageSem::Sample(sampled(Lod::Gradient, "cl"));
        IMAGE_SAMPLE_C_L = 44 "image_sample_c_l" ImageSem::Sample(sampled(Lod::Explicit, "c"));
        IMAGE_SAMPLE_C_B = 45 "image_sample_c_b" ImageSem::Sample(sampled(Lod::Bias, "c"));
        IMAGE_SAMPLE_C_B_CL = 46 "image_sample_c_b_cl" ImageSem::Sample(sampled(Lod::Bias, "cl"));
        IMAGE_SAMPLE_C_LZ = 47 "image_sample_c_lz" ImageSem::Sample(sampled(Lod::Zero, "c"));
        IMAGE_SAMPLE_O = 48 "image_sample_o" ImageSem::Sample(sampled(Lod::Implicit, "o"));
        IMAGE_SAMPLE_CL_O = 49 "image_sample_cl_o" ImageSem::Sample(sampled(Lod::Implicit, "lo"));
        IMAGE_SAMPLE_D_O = 50 "image_sample_d_o" ImageSem::Sample(sampled(Lod::Gradient, "o"));
        IMAGE_SAMPLE_D_CL_O = 51 "image_sample_d_cl_o" ImageSem::Sample(sampled(Lod::Gradient, "lo"));
        IMAGE_SAMPLE_L_O = 52 "image_sample_l_o" ImageSem::Sample(sampled(Lod::Explicit, "o"));
        IMAGE_SAMPLE_B_O = 53 "image_sample_b_o" ImageSem::Sample(sampled(Lod::Bias, "o"));
        IMAGE_SAMPLE_B_CL_O = 54 "image_sample_b_cl_o" ImageSem::Sample(sampled(Lod::Bias, "lo"));
        IMAGE_SAMPLE_LZ_O = 55 "image_sample_lz_o" ImageSem::Sample(sampled(Lod::Zero, "o"));
        IMAGE_SAMPLE_C_O = 56 "image_sample_c_o" ImageSem::Sample(sampled(Lod::Implicit, "co"));
        IMAGE_SAMPLE_C_CL_O = 57 "image_sample_c_cl_o" ImageSem::Sample(sampled(Lod::Implicit, "clo"));
        IMAGE_SAMPLE_C_D_O = 58 "image_sample_c_d_o" ImageSem::Sample(sampled(Lod::Gradient, "co"));
        IMAGE_SAMPLE_C_D_CL_O = 59 "image_sample_c_d_cl_o" ImageSem::Sample(sampled(Lod::Gradient, "clo"));
        IMAGE_SAMPLE_C_L_O = 60 "image_sample_c_l_o" ImageSem::Sample(sampled(Lod::Explicit, "co"));
        IMAGE_SAMPLE_C_B_O = 61 "image_sample_c_b_o" ImageSem::Sample(sampled(Lod::Bias, "co"));
        IMAGE_SAMPLE_C_B_CL_O = 62 "image_sample_c_b_cl_o" ImageSem::Sample(sampled(Lod::Bias, "clo"));
        IMAGE_SAMPLE_C_LZ_O = 63 "image_sample_c_lz_o" ImageSem::Sample(sampled(Lod::Zero, "co"));
        IMAGE_GATHER4 = 64 "image_gather4" ImageSem::Gather(sampled(Lod::Implicit, ""));
        IMAGE_GATHER4_CL = 65 "image_gather4_cl" ImageSem::Gather(sampled(Lod::Implicit, "l"));
        IMAGE_GATHER4_L = 68 "image_gather4_l" ImageSem::Gather(sampled(Lod::Explicit, ""));
        IMAGE_GATHER4_B = 69 "image_gather4_b" ImageSem::Gather(sampled(Lod::Bias, ""));
        IMAGE_GATHER4_B_CL = 70 "image_gather4_b_cl" ImageSem::Gather(sampled(Lod::Bias, "l"));
        IMAGE_GATHER4_LZ = 71 "image_gather4_lz" ImageSem::Gather(sampled(Lod::Zero, ""));
        IMAGE_GATHER4_C = 72 "image_gather4_c" ImageSem::Gather(sampled(Lod::Implicit, "c"));
        IMAGE_GATHER4_C_CL = 73 "image_gather4_c_cl" ImageSem::Gather(sampled(Lod::Implicit, "cl"));
        IMAGE_GATHER4_C_L = 76 "image_gather4_c_l" ImageSem::Gather(sampled(Lod::Explicit, "c"));
        IMAGE_GATHER4_C_B = 77 "image_gather4_c_b" ImageSem::Gather(sampled(Lod::Bias, "c"));
        IMAGE_GATHER4_C_B_CL = 78 "image_gather4_c_b_cl" ImageSem::Gather(sampled(Lod::Bias, "cl"));
        IMAGE_GATHER4_C_LZ = 79 "image_gather4_c_lz" ImageSem::Gather(sampled(Lod::Zero, "c"));
        IMAGE_GATHER4_O = 80 "image_gather4_o" ImageSem::Gather(sampled(Lod::Implicit, "o"));
        IMAGE_GATHER4_CL_O = 81 "image_gather4_cl_o" ImageSem::Gather(sampled(Lod::Implicit, "lo"));
        IMAGE_GATHER4_L_O = 84 "image_gather4_l_o" ImageSem::Gather(sampled(Lod::Explicit, "o"));
        IMAGE_GATHER4_B_O = 85 "image_gather4_b_o" ImageSem::Gather(sampled(Lod::Bias, "o"));
        IMAGE_GATHER4_B_CL_O = 86 "image_gather4_b_cl_o" ImageSem::Gather(sampled(Lod::Bias, "lo"));
        IMAGE_GATHER4_LZ_O = 87 "image_gather4_lz_o" ImageSem::Gather(sampled(Lod::Zero, "o"));
        IMAGE_GATHER4_C_O = 88 "image_gather4_c_o" ImageSem::Gather(sampled(Lod::Implicit, "co"));
        IMAGE_GATHER4_C_CL_O = 89 "image_gather4_c_cl_o" ImageSem::Gather(sampled(Lod::Implicit, "clo"));
        IMAGE_GATHER4_C_L_O = 92 "image_gather4_c_l_o" ImageSem::Gather(sampled(Lod::Explicit, "co"));
        IMAGE_GATHER4_C_B_O = 93 "image_gather4_c_b_o" ImageSem::Gather(sampled(Lod::Bias, "co"));
        IMAGE_GATHER4_C_B_CL_O = 94 "image_gather4_c_b_cl_o" ImageSem::Gather(sampled(Lod::Bias, "clo"));
        IMAGE_GATHER4_C_LZ_O = 95 "image_gather4_c_lz_o" ImageSem::Gather(sampled(Lod::Zero, "co"));
        IMAGE_GET_LOD = 96 "image_get_lod" ImageSem::GetLod;
        IMAGE_SAMPLE_CD = 104 "image_sample_cd" ImageSem::Sample(sampled(Lod::CoarseGradient, ""));
        IMAGE_SAMPLE_CD_CL = 105 "image_sample_cd_cl" ImageSem::Sample(sampled(Lod::CoarseGradient, "l"));
        IMAGE_SAMPLE_C_CD = 106 "image_sample_c_cd" ImageSem::Sample(sampled(Lod::CoarseGradient, "c"));
        IMAGE_SAMPLE_C_CD_CL = 107 "image_sample_c_cd_cl" ImageSem::Sample(sampled(Lod::CoarseGradient, "cl"));
        IMAGE_SAMPLE_CD_O = 108 "image_sample_cd_o" ImageSem::Sample(sampled(Lod::CoarseGradient, "o"));
        IMAGE_SAMPLE_CD_CL_O = 109 "image_sample_cd_cl_o" ImageSem::Sample(sampled(Lod::CoarseGradient, "lo"));
        IMAGE_SAMPLE_C_CD_O = 110 "image_sample_c_cd_o" ImageSem::Sample(sampled(Lod::CoarseGradient, "co"));
        IMAGE_SAMPLE_C_CD_CL_O = 111 "image_sample_c_cd_cl_o" ImageSem::Sample(sampled(Lod::CoarseGradient, "clo"));
    }
}
