//! Names of registers and of the parts of coded constants.

use super::super::operand::{EXEC, EXECZ, LDS_DIRECT, M0, SCC, TBA, TMA, TTMP, VCC, VCCZ, VGPR};

/// Registers that have a name of their own: code, name of the pair, name of the low half, name of the high half.
const PAIRS: [(u8, &str, &str, &str); 4] = [
    (VCC, "vcc", "vcc_lo", "vcc_hi"),
    (TBA, "tba", "tba_lo", "tba_hi"),
    (TMA, "tma", "tma_lo", "tma_hi"),
    (EXEC, "exec", "exec_lo", "exec_hi"),
];

/// Read-only scalars; the second name is short for the first.
const SOURCES: [(u16, &str, &str); 4] = [
    (VCCZ, "src_vccz", "vccz"),
    (EXECZ, "src_execz", "execz"),
    (SCC, "src_scc", "scc"),
    (LDS_DIRECT, "src_lds_direct", "lds_direct"),
];

/// `count` registers from `code` on.
pub(super) fn register(code: u16, count: u16) -> Option<String> {
    let range = |prefix: &str, first: u16| match count {
        1 => format!("{prefix}{first}"),
        _ => format!("{prefix}[{first}:{}]", first + count - 1),
    };
    let low = code as u8;
    match code {
        0..=103 => Some(range("s", code)),
        112..=123 => Some(range("ttmp", code - u16::from(TTMP))),
        VGPR.. => Some(range("v", code - VGPR)),
        _ if code == u16::from(M0) => (count == 1).then(|| "m0".to_owned()),
        _ => {
            let pair = PAIRS.iter().find(|pair| pair.0 == low & !1);
            match (pair, count, low & 1) {
                (Some(pair), 2, 0) => Some(pair.1.to_owned()),
                (Some(pair), 1, 0) => Some(pair.2.to_owned()),
                (Some(pair), 1, _) => Some(pair.3.to_owned()),
                _ => {
                    let source = SOURCES.iter().find(|source| source.0 == code)?;
                    Some(source.1.to_owned())
                }
            }
        }
    }
}

/// Code and count of a named register; numbered ones are the parser's business.
pub(super) fn special_register(name: &str) -> Option<(u16, u16)> {
    if name == "m0" {
        return Some((M0.into(), 1));
    }
    for (code, pair, low, high) in PAIRS {
        let code = u16::from(code);
        match name {
            _ if name == pair => return Some((code, 2)),
            _ if name == low => return Some((code, 1)),
            _ if name == high => return Some((code + 1, 1)),
            _ => {}
        }
    }
    let source = SOURCES
        .iter()
        .find(|source| name == source.1 || name == source.2)?;
    // As wide as the operand asks.
    Some((source.0, 0))
}

/// Hardware registers by number. [SI table 5.7]
pub(super) const HARDWARE_REGISTERS: [&str; 8] = [
    "",
    "HW_REG_MODE",
    "HW_REG_STATUS",
    "HW_REG_TRAPSTS",
    "HW_REG_HW_ID",
    "HW_REG_GPR_ALLOC",
    "HW_REG_LDS_ALLOC",
    "HW_REG_IB_STS",
];

/// Messages by number. [SI p.11-66 S_SENDMSG]
pub(super) const MESSAGES: [(u16, &str); 4] = [
    (1, "MSG_INTERRUPT"),
    (2, "MSG_GS"),
    (3, "MSG_GS_DONE"),
    (15, "MSG_SYSMSG"),
];

/// Operations of a geometry message by number.
pub(super) const GS_OPERATIONS: [&str; 4] =
    ["GS_OP_NOP", "GS_OP_CUT", "GS_OP_EMIT", "GS_OP_EMIT_CUT"];

/// Data formats of a typed buffer access by number. [SI table 8.13]
pub(super) const DATA_FORMATS: [&str; 16] = [
    "INVALID",
    "8",
    "16",
    "8_8",
    "32",
    "16_16",
    "10_11_11",
    "11_11_10",
    "10_10_10_2",
    "2_10_10_10",
    "8_8_8_8",
    "32_32",
    "16_16_16_16",
    "32_32_32",
    "32_32_32_32",
    "RESERVED_15",
];

/// Number formats of a typed buffer access by number.
pub(super) const NUMBER_FORMATS: [&str; 8] = [
    "UNORM",
    "SNORM",
    "USCALED",
    "SSCALED",
    "UINT",
    "SINT",
    "SNORM_OGL",
    "FLOAT",
];

/// Name of an export target. [SI table 12.x EXP]
pub fn export_target(code: u8) -> String {
    match code {
        0..=7 => format!("mrt{code}"),
        8 => "mrtz".to_owned(),
        9 => "null".to_owned(),
        12..=15 => format!("pos{}", code - 12),
        32..=63 => format!("param{}", code - 32),
        _ => format!("invalid_target_{code}"),
    }
}

/// Whether an export target is one.
pub const fn is_export_target(code: u8) -> bool {
    matches!(code, 0..=9 | 12..=15 | 32..=63)
}

/// Number of an export target.
pub(super) fn export_target_code(name: &str) -> Option<u8> {
    (0..64).find(|&code| is_export_target(code) && export_target(code) == name)
}

/// What V_INTERP_MOV reads, by number.
pub(super) const PARAMETERS: [&str; 3] = ["p10", "p20", "p0"];

/// Components of an attribute, by number.
pub(super) const CHANNELS: &str = "xyzw";
