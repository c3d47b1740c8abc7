//! SIMD levels of the host.

use std::sync::OnceLock;

/// SIMD level of the host. Every level gives the same bytes.
///
/// A value is proof that the host has the level: [`SimdLevel::available`] asks the processor, [`SimdLevel::BASELINE`]
/// needs nothing. Its kernels may run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SimdLevel(pub(crate) Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Kind {
    /// What every processor of the architecture has: SSE2 on x86-64.
    Baseline,
    /// AVX2 with FMA, F16C, BMI1, BMI2, LZCNT, POPCNT.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// The same with AVX-512 F, BW, CD, DQ, VL.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl SimdLevel {
    /// What every host of this target has.
    pub const BASELINE: SimdLevel = SimdLevel(Kind::Baseline);

    /// Levels of this host, narrowest first.
    #[cfg(target_arch = "x86_64")]
    pub fn available() -> Vec<SimdLevel> {
        use std::arch::is_x86_feature_detected as has;
        let bits = has!("bmi1") && has!("bmi2") && has!("lzcnt") && has!("popcnt");
        let avx2 = bits && has!("avx2") && has!("fma") && has!("f16c");
        let words = has!("avx512f") && has!("avx512dq") && has!("avx512vl");
        let avx512 = avx2 && words && has!("avx512bw") && has!("avx512cd");
        let levels = [
            (true, Kind::Baseline),
            (avx2, Kind::Avx2),
            (avx512, Kind::Avx512),
        ];
        let found = levels.into_iter().filter(|(has, _)| *has);
        found.map(|(_, kind)| SimdLevel(kind)).collect()
    }

    /// Levels of this host, narrowest first.
    #[cfg(not(target_arch = "x86_64"))]
    pub fn available() -> Vec<SimdLevel> {
        vec![SimdLevel::BASELINE]
    }

    /// The level of that name, if the host has it.
    pub fn named(name: &str) -> Option<SimdLevel> {
        let mut levels = SimdLevel::available().into_iter();
        levels.find(|level| level.name() == name)
    }

    /// The level in use: `GIRIH_SIMD` (`baseline`, `avx2`, `avx512`) if the host has it, else the widest. Read once.
    pub fn current() -> SimdLevel {
        static CURRENT: OnceLock<SimdLevel> = OnceLock::new();
        *CURRENT.get_or_init(|| {
            std::env::var("GIRIH_SIMD")
                .ok()
                .and_then(|name| SimdLevel::named(&name))
                .or_else(|| SimdLevel::available().pop())
                .unwrap_or(SimdLevel::BASELINE)
        })
    }

    /// Name, as in `GIRIH_SIMD`.
    pub fn name(self) -> &'static str {
        match self.0 {
            Kind::Baseline => "baseline",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => "avx512",
        }
    }
}

/// Whether products with subnormal operands or results take a hundred times as long as others. Intel's do; AMD's take some
/// cycles more.
pub fn subnormals_are_slow() -> bool {
    static SLOW: OnceLock<bool> = OnceLock::new();
    *SLOW.get_or_init(|| vendor() != *b"AuthenticAMD")
}

/// Whether vectors of AVX-512 permute their bytes (VBMI), which not every host with [`SimdLevel`] `avx512` has.
pub fn permutes_bytes() -> bool {
    #[cfg(all(not(miri), target_arch = "x86_64"))]
    return std::arch::is_x86_feature_detected!("avx512vbmi");
    #[cfg(not(all(not(miri), target_arch = "x86_64")))]
    false
}

/// What the processor says of its maker.
fn vendor() -> [u8; 12] {
    #[cfg(all(not(miri), target_arch = "x86_64"))]
    let words = {
        let said = std::arch::x86_64::__cpuid(0);
        [said.ebx, said.edx, said.ecx]
    };
    #[cfg(not(all(not(miri), target_arch = "x86_64")))]
    let words = [0u32; 3];
    let mut name = [0; 12];
    for (bytes, word) in name.chunks_exact_mut(4).zip(words) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    name
}
