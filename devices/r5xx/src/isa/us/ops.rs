//! The opcodes, with what they mean. [R5XX 8.4.4, 8.5.1, 8.6.3.2]

use lanes::LaneOp::{self, *};

/// What one half of an ALU instruction computes from A, B and C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AluSem {
    /// `A * B + C`
    Mad,
    /// The sum of that many products; the third of `DotAdd` is C.b.
    Dot(Dot),
    /// What the colour half's dot product gives.
    TakeDot,
    /// What the alpha half's transcendental gives.
    TakeScalar,
    /// `A < B ? A : B`
    Min,
    /// `A >= B ? A : B`
    Max,
    /// `C > 0.5 ? A : B`
    Cnd,
    /// `C >= 0 ? A : B`
    Cmp,
    /// `A - floor(A)`
    Frc,
    /// `topleft.src0 * B + other.src0`, the other being that lane of the quad.
    Derivative(u8),
    /// A function of A.
    Function(Function),
    /// No operation has this code.
    Reserved,
}

/// Dot products.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dot {
    /// Three products.
    Three,
    /// Four products, the last of what the alpha half selects.
    Four,
    /// Two products and C.b.
    TwoAdd,
}

/// Transcendental functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// A lane operation as it is.
    Lane(LaneOp),
    /// The reciprocal square root, infinite at -0.
    Rsq,
    /// A lane operation on revolutions, of which the whole ones do not count.
    Turns(LaneOp),
}

/// What a texture instruction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TexSem {
    /// Nothing.
    Nop,
    /// A lookup.
    Lookup,
    /// A lookup at coordinates divided by Q.
    Project,
    /// A lookup with Q added to the level of detail.
    Bias,
    /// A lookup at level of detail Q.
    Level,
    /// A lookup with given gradients.
    Gradients,
    /// Pixels with a negative channel are killed.
    Kill,
    /// No instruction has this code.
    Reserved,
}

/// What a flow control instruction does to the loop stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FcSem {
    /// Nothing.
    Jump,
    /// Pushes a frame.
    Begin(LoopKind),
    /// Steps or pops a frame.
    End(LoopKind),
    /// Pixels leave the loop.
    Break(LoopKind),
    /// Pixels leave the iteration.
    Continue,
}

/// Whether a loop has an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LoopKind {
    /// LOOP: aL is its own.
    Loop,
    /// REP: aL is the outer loop's.
    Rep,
}

isa::ops! {
    /// Operations on colour. [R5XX 8.4.4 US_ALU_RGBA_INST.RGB_OP]
    #[rustfmt::skip]
    pub enum RgbOp: AluSem {
        MAD       = 0  "MAD"       AluSem::Mad;
        DP3       = 1  "DP3"       AluSem::Dot(Dot::Three);
        DP4       = 2  "DP4"       AluSem::Dot(Dot::Four);
        D2A       = 3  "D2A"       AluSem::Dot(Dot::TwoAdd);
        MIN       = 4  "MIN"       AluSem::Min;
        MAX       = 5  "MAX"       AluSem::Max;
        RESERVED6 = 6  "RESERVED6" AluSem::Reserved;
        CND       = 7  "CND"       AluSem::Cnd;
        CMP       = 8  "CMP"       AluSem::Cmp;
        FRC       = 9  "FRC"       AluSem::Frc;
        SOP       = 10 "SOP"       AluSem::TakeScalar;
        MDH       = 11 "MDH"       AluSem::Derivative(1);
        MDV       = 12 "MDV"       AluSem::Derivative(2);
    }
}

isa::ops! {
    /// Operations on alpha. [R5XX 8.4.4 US_ALU_ALPHA_INST.ALPHA_OP]
    #[rustfmt::skip]
    pub enum AlphaOp: AluSem {
        MAD       = 0  "MAD"       AluSem::Mad;
        DP        = 1  "DP"        AluSem::TakeDot;
        MIN       = 2  "MIN"       AluSem::Min;
        MAX       = 3  "MAX"       AluSem::Max;
        RESERVED4 = 4  "RESERVED4" AluSem::Reserved;
        CND       = 5  "CND"       AluSem::Cnd;
        CMP       = 6  "CMP"       AluSem::Cmp;
        FRC       = 7  "FRC"       AluSem::Frc;
        EX2       = 8  "EX2"       AluSem::Function(Function::Lane(FExp2));
        LN2       = 9  "LN2"       AluSem::Function(Function::Lane(FLog2));
        RCP       = 10 "RCP"       AluSem::Function(Function::Lane(FRcp));
        RSQ       = 11 "RSQ"       AluSem::Function(Function::Rsq);
        SIN       = 12 "SIN"       AluSem::Function(Function::Turns(FSinTurns));
        COS       = 13 "COS"       AluSem::Function(Function::Turns(FCosTurns));
        MDH       = 14 "MDH"       AluSem::Derivative(1);
        MDV       = 15 "MDV"       AluSem::Derivative(2);
    }
}

isa::ops! {
    /// Texture instructions. [R5XX 8.5.1 US_TEX_INST.INST]
    #[rustfmt::skip]
    pub enum TexOp: TexSem {
        NOP       = 0 "NOP"       TexSem::Nop;
        LD        = 1 "LD"        TexSem::Lookup;
        TEXKILL   = 2 "TEXKILL"   TexSem::Kill;
        PROJ      = 3 "PROJ"      TexSem::Project;
        LODBIAS   = 4 "LODBIAS"   TexSem::Bias;
        LOD       = 5 "LOD"       TexSem::Level;
        DXDY      = 6 "DXDY"      TexSem::Gradients;
        RESERVED7 = 7 "RESERVED7" TexSem::Reserved;
    }
}

isa::ops! {
    /// Flow control. [R5XX 8.6.3.2 US_FC_INST.OP]
    #[rustfmt::skip]
    pub enum FcOp: FcSem {
        JUMP      = 0 "JUMP"      FcSem::Jump;
        LOOP      = 1 "LOOP"      FcSem::Begin(LoopKind::Loop);
        ENDLOOP   = 2 "ENDLOOP"   FcSem::End(LoopKind::Loop);
        REP       = 3 "REP"       FcSem::Begin(LoopKind::Rep);
        ENDREP    = 4 "ENDREP"    FcSem::End(LoopKind::Rep);
        BREAKLOOP = 5 "BREAKLOOP" FcSem::Break(LoopKind::Loop);
        BREAKREP  = 6 "BREAKREP"  FcSem::Break(LoopKind::Rep);
        CONTINUE  = 7 "CONTINUE"  FcSem::Continue;
    }
}

impl AluSem {
    /// The operands that it reads: A, B, C.
    pub fn operands(self) -> [bool; 3] {
        match self {
            AluSem::Mad
            | AluSem::Dot(Dot::TwoAdd)
            | AluSem::Cnd
            | AluSem::Cmp
            | AluSem::Derivative(_) => [true; 3],
            AluSem::Dot(_) | AluSem::Min | AluSem::Max => [true, true, false],
            AluSem::Frc | AluSem::Function(_) => [true, false, false],
            AluSem::TakeDot | AluSem::TakeScalar | AluSem::Reserved => [false; 3],
        }
    }
}
