//! Microcode words, field by field as the manual prints them.
//!
//! An instruction of two words is one 64-bit struct, the first word in bits 31:0; a fetch instruction of four words is
//! one 128-bit struct. Bits that the manual does not name are zero. [R600 8]

use isa::{FieldValue, word};

use super::alu::{Op2, Op3};
use super::cf::{AluClauseOp, CfOp};
use super::export::{ExportOp, MemoryOp};
use super::fetch::{TexOp, VtxOp};

/// Enums of small fields.
macro_rules! field_enum {
    ($(#[$meta:meta])* $Enum:ident { $($(#[$vmeta:meta])* $Variant:ident = $code:literal $name:literal),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $Enum { $($(#[$vmeta])* $Variant = $code),* }

        impl $Enum {
            /// Every value.
            pub const ALL: &'static [$Enum] = &[$($Enum::$Variant),*];

            /// Its name in listings.
            pub const fn name(self) -> &'static str {
                match self { $($Enum::$Variant => $name),* }
            }
        }

        impl FieldValue for $Enum {
            fn valid(bits: u64, _: u32) -> bool {
                $(bits == $code)||*
            }
            fn from_field(bits: u64, _: u32) -> $Enum {
                match bits { $($code => $Enum::$Variant,)* _ => $Enum::default() }
            }
            fn into_field(self) -> u64 {
                self as u64
            }
        }
    };
}

/// A field for each element as one list, read and replaced.
macro_rules! element_fields {
    ($Word:ident { $($(#[$read:meta])* $get:ident, $(#[$replaced:meta])* $with:ident: $Type:ty =
        $x:ident $y:ident $z:ident $w:ident;)* }) => {
        impl $Word {
            $($(#[$read])*
            pub fn $get(&self) -> [$Type; 4] {
                [self.$x, self.$y, self.$z, self.$w]
            }

            $(#[$replaced])*
            pub fn $with(self, [$x, $y, $z, $w]: [$Type; 4]) -> $Word {
                $Word { $x, $y, $z, $w, ..self }
            })*
        }
    };
}
pub(super) use element_fields;

field_enum! {
    /// One element of a register.
    Elem {
        /// Bits 31:0.
        #[default] X = 0 "x",
        /// Bits 63:32.
        Y = 1 "y",
        /// Bits 95:64.
        Z = 2 "z",
        /// Bits 127:96.
        W = 3 "w",
    }
}

field_enum! {
    /// Which lanes pass the condition test of a control-flow instruction. [R600 8.1 COND]
    Cond {
        /// Active lanes.
        #[default] Active = 0 "ACTIVE",
        /// No lane.
        False = 1 "FALSE",
        /// Active lanes, if the boolean constant CF_CONST is set.
        Bool = 2 "BOOL",
        /// Active lanes, if the boolean constant CF_CONST is clear.
        NotBool = 3 "NOT_BOOL",
    }
}

field_enum! {
    /// What an ALU clause locks of a constant buffer. [R600 8.1 KCACHE_MODE]
    KcacheMode {
        /// Nothing.
        #[default] Nop = 0 "NOP",
        /// Line ADDR: 16 constants.
        Lock1 = 1 "LOCK_1",
        /// Lines ADDR and ADDR + 1.
        Lock2 = 2 "LOCK_2",
        /// Lines ADDR + aL / 16 and the next.
        LockLoopIndex = 3 "LOCK_LOOP_INDEX",
    }
}

field_enum! {
    /// What an export goes to. [R600 8.1 TYPE]
    ExportType {
        /// A colour target or depth.
        #[default] Pixel = 0 "PIX",
        /// The position buffer.
        Pos = 1 "POS",
        /// The parameter cache.
        Param = 2 "PARAM",
    }
}

field_enum! {
    /// What a memory instruction does. [R600 8.1 TYPE]
    MemoryType {
        /// Writes at ARRAY_BASE.
        #[default] Write = 0 "WRITE",
        /// Writes at ARRAY_BASE plus INDEX_GPR.x elements.
        WriteInd = 1 "WRITE_IND",
        /// Reads.
        Read = 2 "READ",
        /// Reads with an index.
        ReadInd = 3 "READ_IND",
    }
}

field_enum! {
    /// Where an element of a fetch result or an export comes from.
    Select {
        /// Element X.
        #[default] X = 0 "x",
        /// Element Y.
        Y = 1 "y",
        /// Element Z.
        Z = 2 "z",
        /// Element W.
        W = 3 "w",
        /// 0.0, also integer 0.
        Zero = 4 "0",
        /// 1.0.
        One = 5 "1",
        /// The element is not written.
        Mask = 7 "_",
    }
}

field_enum! {
    /// Where an element of a texture coordinate comes from.
    SourceSelect {
        /// Element X.
        #[default] X = 0 "x",
        /// Element Y.
        Y = 1 "y",
        /// Element Z.
        Z = 2 "z",
        /// Element W.
        W = 3 "w",
        /// 0.0, also integer 0.
        Zero = 4 "0",
        /// 1.0.
        One = 5 "1",
        /// Not used: 0.0. [ERRATA 33]
        Mask = 7 "_",
    }
}

field_enum! {
    /// What relative operands of an ALU instruction add to their register or constant number. [R600 8.2 INDEX_MODE]
    IndexMode {
        /// AR.x.
        #[default] ArX = 0 "AR.x",
        /// AR.y for constants, AR.x for registers.
        ArY = 1 "AR.y",
        /// AR.z for constants, AR.x for registers.
        ArZ = 2 "AR.z",
        /// AR.w for constants, AR.x for registers.
        ArW = 3 "AR.w",
        /// The loop index.
        Loop = 4 "AL",
    }
}

field_enum! {
    /// For which values of its predicate bit a lane runs an ALU instruction. [R600 8.2 PRED_SEL]
    PredSel {
        /// All.
        #[default] Off = 0 "",
        /// Zero.
        Zero = 2 "PRED_SEL_ZERO",
        /// One.
        One = 3 "PRED_SEL_ONE",
    }
}

field_enum! {
    /// Scale of a float result, applied before the clamp. [R600 8.2 OMOD]
    Omod {
        /// None.
        #[default] Off = 0 "",
        /// Times 2.
        Times2 = 1 "*2",
        /// Times 4.
        Times4 = 2 "*4",
        /// Divided by 2.
        Half = 3 "/2",
    }
}

field_enum! {
    /// What the hardware adds to the index of a vertex fetch. [R600 8.3 FETCH_TYPE]
    FetchType {
        /// The index of the first vertex of the draw.
        #[default] VertexData = 0 "VERTEX_DATA",
        /// The index of the first instance.
        InstanceData = 1 "INSTANCE_DATA",
        /// Nothing.
        NoIndexOffset = 2 "NO_INDEX_OFFSET",
    }
}

field_enum! {
    /// How integer components of a fetched vertex become numbers. [R600 8.3 NUM_FORMAT_ALL]
    NumFormat {
        /// Fractions of the largest integer.
        #[default] Norm = 0 "NORM",
        /// Integers.
        Int = 1 "INT",
        /// Floats with the value of the integer.
        Scaled = 2 "SCALED",
    }
}

field_enum! {
    /// Byte order of fetched memory. [R600 8.3 ENDIAN_SWAP]
    EndianSwap {
        /// As it is.
        #[default] None = 0 "NONE",
        /// Bytes of every 16 bits swapped.
        Swap8In16 = 1 "8IN16",
        /// Bytes of every 32 bits reversed.
        Swap8In32 = 2 "8IN32",
    }
}

word! {
    /// CF_DWORD0 and CF_DWORD1: general control flow and the heads of fetch clauses. [R600 8.1]
    pub struct Flow: u64 where [52:51] = 0 {
        /// Wait for earlier instructions; does nothing in a machine that runs in order.
        barrier: bool [63:63],
        /// Acts on every lane of a quad that has an active one.
        whole_quad_mode: bool [62:62],
        /// Opcode.
        op: CfOp [61:55],
        /// Treats invalid lanes as inactive.
        valid_pixel_mode: bool [54:54],
        /// The program ends after this instruction.
        end_of_program: bool [53:53],
        /// What CALL adds to the nesting depth.
        call_count: u8 [50:45],
        /// Fetch instructions of the clause minus one.
        count: u8 [44:42],
        /// Condition test.
        cond: Cond [41:40],
        /// Loop constant of a loop, boolean constant of the condition.
        cf_const: u8 [39:35],
        /// Stack entries to pop.
        pop_count: u8 [34:32],
        /// Clause or jump target, in units of 64 bits from the program's start.
        addr: u32 [31:0],
    }
}

word! {
    /// CF_ALU_DWORD0 and CF_ALU_DWORD1: the head of an ALU clause. [R600 8.1]
    pub struct AluHead: u64 where {
        /// Wait for earlier instructions.
        barrier: bool [63:63],
        /// Runs on every lane of a quad that has an active one.
        whole_quad_mode: bool [62:62],
        /// Opcode.
        op: AluClauseOp [61:58],
        /// Set when the clause writes AR.
        uses_waterfall: bool [57:57],
        /// 64-bit slots of the clause minus one, literals included.
        count: u8 [56:50],
        /// First line of lock group 1, in units of 16 constants.
        kcache_addr1: u8 [49:42],
        /// First line of lock group 0.
        kcache_addr0: u8 [41:34],
        /// What is locked for group 1.
        kcache_mode1: KcacheMode [33:32],
        /// What is locked for group 0.
        kcache_mode0: KcacheMode [31:30],
        /// Constant buffer of group 1.
        kcache_bank1: u8 [29:26],
        /// Constant buffer of group 0.
        kcache_bank0: u8 [25:22],
        /// First slot of the clause, in units of 64 bits from the program's start.
        addr: u32 [21:0],
    }
}

word! {
    /// CF_ALLOC_IMP_EXP_DWORD0 and _DWORD1_SWIZ: export of registers. [R600 8.1]
    pub struct Export: u64 where [47:44] = 0 {
        /// Wait for earlier instructions.
        barrier: bool [63:63],
        /// Acts on every lane of a quad that has an active one.
        whole_quad_mode: bool [62:62],
        /// Opcode.
        op: ExportOp [61:55],
        /// Treats invalid lanes as inactive.
        valid_pixel_mode: bool [54:54],
        /// The program ends after this instruction.
        end_of_program: bool [53:53],
        /// Registers minus one.
        burst_count: u8 [52:49],
        /// Means nothing here.
        elem_loop: bool [48:48],
        /// What the fourth element gets.
        sel_w: Select [43:41],
        /// What the third element gets.
        sel_z: Select [40:38],
        /// What the second element gets.
        sel_y: Select [37:35],
        /// What the first element gets.
        sel_x: Select [34:32],
        /// Means nothing here.
        elem_size: u8 [31:30],
        /// Means nothing here.
        index_gpr: u8 [29:23],
        /// Adds the loop index to `rw_gpr`.
        rw_rel: bool [22:22],
        /// First register.
        rw_gpr: u8 [21:15],
        /// What the export goes to.
        kind: ExportType [14:13],
        /// First target: 0..7, 16..23, 61 of pixels, 60..63 of positions, 0..31 of parameters.
        array_base: u16 [12:0],
    }
}

word! {
    /// CF_ALLOC_IMP_EXP_DWORD0 and _DWORD1_BUF: reads and writes of scratch, streams, rings. [R600 8.1]
    pub struct Memory: u64 where {
        /// Wait for earlier instructions.
        barrier: bool [63:63],
        /// Acts on every lane of a quad that has an active one.
        whole_quad_mode: bool [62:62],
        /// Opcode.
        op: MemoryOp [61:55],
        /// Treats invalid lanes as inactive.
        valid_pixel_mode: bool [54:54],
        /// The program ends after this instruction.
        end_of_program: bool [53:53],
        /// Registers minus one.
        burst_count: u8 [52:49],
        /// Adds the loop index, in elements, to the address.
        elem_loop: bool [48:48],
        /// Elements written, bit 0 = X; reads ignore it.
        comp_mask: u8 [47:44],
        /// Elements of the array minus one.
        array_size: u16 [43:32],
        /// Words of an element minus one.
        elem_size: u8 [31:30],
        /// Register whose element X is the index of the indexed kinds.
        index_gpr: u8 [29:23],
        /// Adds the loop index to `rw_gpr`.
        rw_rel: bool [22:22],
        /// First register.
        rw_gpr: u8 [21:15],
        /// Direction and addressing.
        kind: MemoryType [14:13],
        /// Start of the array: four words a unit in scratch and reduction memory, one elsewhere.
        array_base: u16 [12:0],
    }
}

word! {
    /// ALU_DWORD0 and ALU_DWORD1_OP2. [R600 8.2]
    pub struct AluOp2Word: u64 where [49:47] = 0 {
        clamp: bool [63:63],
        dst_elem: Elem [62:61],
        dst_rel: bool [60:60],
        dst_gpr: u8 [59:53],
        bank_swizzle: u8 [52:50],
        op: Op2 [46:40],
        omod: Omod [39:38],
        fog_merge: bool [37:37],
        write_mask: bool [36:36],
        update_pred: bool [35:35],
        update_execute_mask: bool [34:34],
        src1_abs: bool [33:33],
        src0_abs: bool [32:32],
        last: bool [31:31],
        pred_sel: PredSel [30:29],
        index_mode: IndexMode [28:26],
        src1_neg: bool [25:25],
        src1_elem: Elem [24:23],
        src1_rel: bool [22:22],
        src1_sel: u16 [21:13],
        src0_neg: bool [12:12],
        src0_elem: Elem [11:10],
        src0_rel: bool [9:9],
        src0_sel: u16 [8:0],
    }
}

word! {
    /// ALU_DWORD0 and ALU_DWORD1_OP3. [R600 8.2]
    pub struct AluOp3Word: u64 where {
        clamp: bool [63:63],
        dst_elem: Elem [62:61],
        dst_rel: bool [60:60],
        dst_gpr: u8 [59:53],
        bank_swizzle: u8 [52:50],
        op: Op3 [49:45],
        src2_neg: bool [44:44],
        src2_elem: Elem [43:42],
        src2_rel: bool [41:41],
        src2_sel: u16 [40:32],
        last: bool [31:31],
        pred_sel: PredSel [30:29],
        index_mode: IndexMode [28:26],
        src1_neg: bool [25:25],
        src1_elem: Elem [24:23],
        src1_rel: bool [22:22],
        src1_sel: u16 [21:13],
        src0_neg: bool [12:12],
        src0_elem: Elem [11:10],
        src0_rel: bool [9:9],
        src0_sel: u16 [8:0],
    }
}

word! {
    /// VTX_DWORD0, VTX_DWORD1 and VTX_DWORD2. Of FETCH, `dst` is DST_GPR in bits 6:0 and DST_REL in bit 7; of
    /// SEMANTIC, it is SEMANTIC_ID. [R600 8.3]
    pub struct Vtx: u128 where [127:84] = 0, [40:40] = 0 {
        /// Reads much at once; does not change the result.
        mega_fetch: bool [83:83],
        /// Takes the stride of an absolute constant fetch as zero.
        const_buf_no_stride: bool [82:82],
        /// Byte order, unless the fetch constant says it.
        endian_swap: EndianSwap [81:80],
        /// Byte offset added to the address.
        offset: u16 [79:64],
        /// SRF_MODE_ALL: -1 and 0 are exact (false: ZERO_CLAMP_MINUS_ONE) or not (NO_ZERO).
        srf_mode_all: bool [63:63],
        /// FORMAT_COMP_ALL: components are signed.
        format_comp_all: bool [62:62],
        /// What integers become.
        num_format_all: NumFormat [61:60],
        /// Code of the format.
        data_format: u8 [59:54],
        /// Format and byte order come from the fetch constant.
        use_const_fields: bool [53:53],
        /// What the fourth element gets.
        dst_sel_w: Select [52:50],
        /// What the third element gets.
        dst_sel_z: Select [49:47],
        /// What the second element gets.
        dst_sel_y: Select [46:44],
        /// What the first element gets.
        dst_sel_x: Select [43:41],
        /// Destination register or semantic.
        dst: u8 [39:32],
        /// Bytes to fetch at once, minus one.
        mega_fetch_count: u8 [31:26],
        /// Element of the index.
        src_sel_x: Elem [25:24],
        /// Adds the loop index to `src_gpr`.
        src_rel: bool [23:23],
        /// Register of the index.
        src_gpr: u8 [22:16],
        /// Fetch constant.
        buffer_id: u8 [15:8],
        /// Fetches for every lane of a quad that has an active one.
        fetch_whole_quad: bool [7:7],
        /// What is added to the index.
        fetch_type: FetchType [6:5],
        /// Opcode.
        op: VtxOp [4:0],
    }
}

word! {
    /// TEX_DWORD0, TEX_DWORD1 and TEX_DWORD2. [R600 8.4]
    pub struct Tex: u128 where [127:96] = 0, [40:40] = 0, [31:24] = 0, [6:6] = 0 {
        /// Fourth coordinate.
        src_sel_w: SourceSelect [95:93],
        /// Third coordinate.
        src_sel_z: SourceSelect [92:90],
        /// Second coordinate.
        src_sel_y: SourceSelect [89:87],
        /// First coordinate.
        src_sel_x: SourceSelect [86:84],
        /// Sampler, 0..17.
        sampler_id: u8 [83:79],
        /// Offset in half texels.
        offset_z: i8 [78:74],
        /// Offset in half texels.
        offset_y: i8 [73:69],
        /// Offset in half texels.
        offset_x: i8 [68:64],
        /// Whether the coordinate is normalised.
        coord_type_w: bool [63:63],
        /// Whether the coordinate is normalised.
        coord_type_z: bool [62:62],
        /// Whether the coordinate is normalised.
        coord_type_y: bool [61:61],
        /// Whether the coordinate is normalised.
        coord_type_x: bool [60:60],
        /// Added to the level of detail, in sixteenths.
        lod_bias: i8 [59:53],
        /// What the fourth element gets.
        dst_sel_w: Select [52:50],
        /// What the third element gets.
        dst_sel_z: Select [49:47],
        /// What the second element gets.
        dst_sel_y: Select [46:44],
        /// What the first element gets.
        dst_sel_x: Select [43:41],
        /// Adds the loop index to `dst_gpr`.
        dst_rel: bool [39:39],
        /// Destination register.
        dst_gpr: u8 [38:32],
        /// Adds the loop index to `src_gpr`.
        src_rel: bool [23:23],
        /// Register of the coordinates.
        src_gpr: u8 [22:16],
        /// Resource.
        resource_id: u8 [15:8],
        /// Fetches for every lane of a quad that has an active one.
        fetch_whole_quad: bool [7:7],
        /// Reads black texels and a white border.
        bc_frac_mode: bool [5:5],
        /// Opcode.
        op: TexOp [4:0],
    }
}

impl Select {
    /// The four selects as text such as `xyz1`.
    pub fn text(selects: [Select; 4]) -> String {
        selects.map(Select::name).concat()
    }
}
