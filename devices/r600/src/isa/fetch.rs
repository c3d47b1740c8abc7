//! Fetches of vertices and texels.

use std::fmt;

use isa::ops;

use super::words::{Elem, EndianSwap, FetchType, NumFormat, Select, SourceSelect, element_fields};
pub use super::words::{Tex, Vtx};

/// How the destination of a vertex fetch is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VtxSem {
    /// By DST_GPR.
    Gpr,
    /// By SEMANTIC_ID, through a table of the host.
    Semantic,
}

ops! {
    /// VTX_INST. [R600 7.3, 8.3]
    pub enum VtxOp: VtxSem {
        FETCH    = 0 "VFETCH"          VtxSem::Gpr;
        SEMANTIC = 1 "VFETCH_SEMANTIC" VtxSem::Semantic;
    }
}

/// How a sample finds its level of detail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lod {
    /// From derivatives.
    Computed,
    /// L: given by an element of the coordinate.
    Explicit,
    /// LB: from derivatives, plus an element of the coordinate.
    Biased,
    /// LZ: zero.
    Zero,
}

/// What a texture instruction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TexSem {
    /// One texel, no filter.
    Load,
    /// Size and levels of the resource.
    Size,
    /// Fraction of the footprint on the border.
    BorderFraction,
    /// Level of detail of the quad.
    ComputedLod,
    /// Differences along x of the source elements.
    GradientsH,
    /// Differences along y of the source elements.
    GradientsV,
    /// Bilinear fractions.
    LerpFactors,
    /// Bilinear weights.
    Weights,
    /// Sets the gradients along x.
    SetGradientsH,
    /// Sets the gradients along y.
    SetGradientsV,
    /// The address that would be read.
    Pass,
    /// A filtered sample.
    Sample {
        /// Compares with element W of the coordinate.
        compare: bool,
        /// Takes the gradients set before.
        gradients: bool,
        /// Level of detail.
        lod: Lod,
    },
}

const fn sample(compare: bool, gradients: bool, lod: Lod) -> TexSem {
    TexSem::Sample {
        compare,
        gradients,
        lod,
    }
}

ops! {
    /// TEX_INST. [R600 7.4, 8.4]
    pub enum TexOp: TexSem {
        LD                    = 3  "LD"                    TexSem::Load;
        GET_TEXTURE_RESINFO   = 4  "GET_TEXTURE_RESINFO"   TexSem::Size;
        GET_BORDER_COLOR_FRAC = 5  "GET_BORDER_COLOR_FRAC" TexSem::BorderFraction;
        GET_COMP_TEX_LOD      = 6  "GET_COMP_TEX_LOD"      TexSem::ComputedLod;
        GET_GRADIENTS_H       = 7  "GET_GRADIENTS_H"       TexSem::GradientsH;
        GET_GRADIENTS_V       = 8  "GET_GRADIENTS_V"       TexSem::GradientsV;
        GET_LERP_FACTORS      = 9  "GET_LERP_FACTORS"      TexSem::LerpFactors;
        GET_WEIGHTS           = 10 "GET_WEIGHTS"           TexSem::Weights;
        SET_GRADIENTS_H       = 11 "SET_GRADIENTS_H"       TexSem::SetGradientsH;
        SET_GRADIENTS_V       = 12 "SET_GRADIENTS_V"       TexSem::SetGradientsV;
        PASS                  = 13 "PASS"                  TexSem::Pass;
        SAMPLE                = 16 "SAMPLE"                sample(false, false, Lod::Computed);
        SAMPLE_L              = 17 "SAMPLE_L"              sample(false, false, Lod::Explicit);
        SAMPLE_LB             = 18 "SAMPLE_LB"             sample(false, false, Lod::Biased);
        SAMPLE_LZ             = 19 "SAMPLE_LZ"             sample(false, false, Lod::Zero);
        SAMPLE_G              = 20 "SAMPLE_G"              sample(false, true, Lod::Computed);
        SAMPLE_G_L            = 21 "SAMPLE_G_L"            sample(false, true, Lod::Explicit);
        SAMPLE_G_LB           = 22 "SAMPLE_G_LB"           sample(false, true, Lod::Biased);
        SAMPLE_G_LZ           = 23 "SAMPLE_G_LZ"           sample(false, true, Lod::Zero);
        SAMPLE_C              = 24 "SAMPLE_C"              sample(true, false, Lod::Computed);
        SAMPLE_C_L            = 25 "SAMPLE_C_L"            sample(true, false, Lod::Explicit);
        SAMPLE_C_LB           = 26 "SAMPLE_C_LB"           sample(true, false, Lod::Biased);
        SAMPLE_C_LZ           = 27 "SAMPLE_C_LZ"           sample(true, false, Lod::Zero);
        SAMPLE_C_G            = 28 "SAMPLE_C_G"            sample(true, true, Lod::Computed);
        SAMPLE_C_G_L          = 29 "SAMPLE_C_G_L"          sample(true, true, Lod::Explicit);
        SAMPLE_C_G_LB         = 30 "SAMPLE_C_G_LB"         sample(true, true, Lod::Biased);
        SAMPLE_C_G_LZ         = 31 "SAMPLE_C_G_LZ"         sample(true, true, Lod::Zero);
    }
}

/// One instruction of a fetch clause. A texture clause may hold vertex fetches, which then go through the texture
/// cache; their opcodes are not used by texture instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fetch {
    /// Of a vertex.
    Vtx(Vtx),
    /// Of texels.
    Tex(Tex),
}

/// Names the format of a fetch instruction that cannot be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FetchFormat {
    /// In a clause of VTX or VTX_TC.
    Vtx,
    /// In a clause of TEX.
    Tex,
}

impl fmt::Display for FetchFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FetchFormat::Vtx => "VTX",
            FetchFormat::Tex => "TEX",
        })
    }
}

impl Fetch {
    /// The instruction in four words of a clause of this format.
    pub fn unpack(words: [u32; 4], format: FetchFormat) -> Option<Fetch> {
        let bits = words
            .iter()
            .rev()
            .fold(0u128, |bits, word| bits << 32 | u128::from(*word));
        let vertex = format == FetchFormat::Vtx || VtxOp::from_code(words[0] as u16 & 31).is_some();
        match vertex {
            true => Vtx::unpack(bits).map(Fetch::Vtx),
            false => Tex::unpack(bits).map(Fetch::Tex),
        }
    }

    /// Its four words.
    pub fn pack(self) -> [u32; 4] {
        let bits = match self {
            Fetch::Vtx(inst) => inst.pack(),
            Fetch::Tex(inst) => inst.pack(),
        };
        [0, 32, 64, 96].map(|shift| (bits >> shift) as u32)
    }

    /// Register that the instruction reads.
    pub fn src_gpr(&self) -> u8 {
        match self {
            Fetch::Vtx(inst) => inst.src_gpr,
            Fetch::Tex(inst) => inst.src_gpr,
        }
    }
}

impl Vtx {
    /// Reads four elements of buffer `buffer_id` at the index in element X of `src_gpr`; format and byte order from
    /// the fetch constant.
    pub fn new(dst_gpr: u8, src_gpr: u8, buffer_id: u8) -> Vtx {
        Vtx {
            mega_fetch: true,
            const_buf_no_stride: false,
            endian_swap: EndianSwap::None,
            offset: 0,
            srf_mode_all: false,
            format_comp_all: false,
            num_format_all: NumFormat::Norm,
            data_format: 0,
            use_const_fields: true,
            dst_sel_w: Select::W,
            dst_sel_z: Select::Z,
            dst_sel_y: Select::Y,
            dst_sel_x: Select::X,
            dst: dst_gpr,
            mega_fetch_count: 15,
            src_sel_x: Elem::X,
            src_rel: false,
            src_gpr,
            buffer_id,
            fetch_whole_quad: false,
            fetch_type: FetchType::VertexData,
            op: VtxOp::FETCH,
        }
    }

    /// DST_GPR and whether the loop index is added to it; none for SEMANTIC.
    pub fn dst_gpr(&self) -> Option<(u8, bool)> {
        match self.op.sem() {
            VtxSem::Gpr => Some((self.dst & 127, self.dst >> 7 != 0)),
            VtxSem::Semantic => None,
        }
    }
}

element_fields! {
    Vtx {
        /// What the four elements of the destination get.
        selects,
        /// The same with other selects.
        with_selects: Select = dst_sel_x dst_sel_y dst_sel_z dst_sel_w;
    }
}

impl Tex {
    /// Reads resource and sampler with the coordinates in `src_gpr`, all normalised, into all of `dst_gpr`.
    pub fn new(op: TexOp, dst_gpr: u8, src_gpr: u8, resource_id: u8, sampler_id: u8) -> Tex {
        Tex {
            src_sel_w: SourceSelect::W,
            src_sel_z: SourceSelect::Z,
            src_sel_y: SourceSelect::Y,
            src_sel_x: SourceSelect::X,
            sampler_id,
            offset_z: 0,
            offset_y: 0,
            offset_x: 0,
            coord_type_w: true,
            coord_type_z: true,
            coord_type_y: true,
            coord_type_x: true,
            lod_bias: 0,
            dst_sel_w: Select::W,
            dst_sel_z: Select::Z,
            dst_sel_y: Select::Y,
            dst_sel_x: Select::X,
            dst_rel: false,
            dst_gpr,
            src_rel: false,
            src_gpr,
            resource_id,
            fetch_whole_quad: false,
            bc_frac_mode: false,
            op,
        }
    }
}

element_fields! {
    Tex {
        /// What the four elements of the destination get.
        selects,
        /// The same with other selects.
        with_selects: Select = dst_sel_x dst_sel_y dst_sel_z dst_sel_w;
        /// Where the four coordinates come from.
        sources,
        /// The same with other coordinates.
        with_sources: SourceSelect = src_sel_x src_sel_y src_sel_z src_sel_w;
        /// Whether each coordinate is normalised.
        normalized,
        /// The same with other coordinate types.
        with_normalized: bool = coord_type_x coord_type_y coord_type_z coord_type_w;
    }
}
