//! Formats of PCK and UNPCK. [Rogue 9.2]

isa::ops! {
    /// Formats; the meaning is how often a group may repeat.
    pub enum Format: u8 {
        U8888 = 0 "u8888" 4;
        S8888 = 1 "s8888" 4;
        O8888 = 2 "o8888" 4;
        U1616 = 3 "u1616" 2;
        S1616 = 4 "s1616" 2;
        O1616 = 5 "o1616" 2;
        U32 = 6 "u32" 1;
        S32 = 7 "s32" 1;
        U1010102 = 8 "u1010102" 4;
        S1010102 = 9 "s1010102" 4;
        U111110 = 10 "u111110" 3;
        S111110 = 11 "s111110" 3;
        F111110 = 12 "f111110" 3;
        SE9995 = 13 "se9995" 3;
        F16F16 = 14 "f16f16" 2;
        F32 = 15 "f32" 1;
        COV = 16 "cov" 1;
        U565U565 = 17 "u565u565" 2;
        D24S8 = 18 "d24s8" 2;
        S8D24 = 19 "s8d24" 2;
        F32MASK = 20 "f32mask" 1;
        F10F10F10F2 = 21 "2f10f10f10" 4;
        S8888OGL = 22 "s8888ogl" 4;
        S1616OGL = 23 "s1616ogl" 2;
        CONST0 = 30 "const0" 1;
        CONST1 = 31 "const1" 1;
    }
}

impl Format {
    /// Whether UNPCK has it.
    pub fn unpacks(self) -> bool {
        !matches!(self, Format::COV) && self.reads()
    }

    /// Whether PCK reads a source.
    pub fn reads(self) -> bool {
        !matches!(self, Format::CONST0 | Format::CONST1)
    }

    /// Times that a group of it may run.
    pub fn max_repeat(self) -> u8 {
        self.sem()
    }
}
