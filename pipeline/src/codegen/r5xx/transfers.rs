//! Fills, copies and queries, and the end of a stream.
//!
//! Fills are rectangles of the 2D engine, copies DMA of the command processor. A query of samples is the counter at its
//! start and at its end, then a word that says that it ended. [R5XX 6.2.2, 12.6]

use ::r5xx::packets::PAINT;
use ::r5xx::packets::settings::gui;
use ::r5xx::regs::{
    CP_GUI_COMMAND, CP_GUI_SRC_ADDR, RB3D_DSTCACHE_CTLSTAT, ZB_ZCACHE_CTLSTAT, ZB_ZPASS_ADDR,
};
use silicon::Addr;

use super::packets::{Packets, word};
use super::state::R5xx;
use crate::query::{QueryKind, QueryValue};
use crate::targets::Transfers;

/// Bytes of a row of fills, a multiple of 64.
const ROW: u64 = 8192;
/// Rows of one packet.
const ROWS: u64 = 4096;
/// What the offset of a 2D image counts.
const OFFSET_UNIT: u64 = 1024;
/// Bytes of one copy.
const COPY: u64 = 1 << 20;
/// The raster operation that gives the pattern.
const PATTERN: u32 = 0xf0;
/// Bytes of a query: the counter at start and end, 1 when it ended.
const QUERY_BYTES: u64 = 16;

impl Transfers for R5xx {
    fn query_bytes(&self, _: QueryKind) -> u64 {
        QUERY_BYTES
    }

    fn begin_query(&self, kind: QueryKind, at: Addr, out: &mut Vec<u32>) {
        debug_assert!(kind == QueryKind::Occlusion, "the chip counts samples");
        Packets(out).set(ZB_ZPASS_ADDR, at.0 as u32);
    }

    fn end_query(&self, kind: QueryKind, at: Addr, out: &mut Vec<u32>) {
        debug_assert!(kind == QueryKind::Occlusion, "the chip counts samples");
        Packets(out).set(ZB_ZPASS_ADDR, at.0 as u32 + 4);
        self.fill(Addr(at.0 + 8), 4, 1, out);
    }

    fn query_value(&self, _: QueryKind, bytes: &[u8]) -> Option<QueryValue> {
        let words: Vec<u32> = (bytes.as_chunks().0.iter())
            .map(|word| u32::from_le_bytes(*word))
            .collect();
        let passed = words[1].wrapping_sub(words[0]);
        (words[2] == 1).then_some(QueryValue::Occlusion(passed.into()))
    }

    /// Rows of words: what is left of the first, whole ones, and what begins the last.
    fn fill(&self, at: Addr, bytes: u64, word: u32, out: &mut Vec<u32>) {
        let (mut at, end) = (at.0, at.0 + bytes);
        while at < end {
            let base = at & !(OFFSET_UNIT - 1);
            let x = at - base;
            let (width, rows) = match (end - at) / ROW {
                whole if x == 0 && whole > 0 => (ROW, whole.min(ROWS)),
                _ => ((ROW - x).min(end - at), 1),
            };
            paint(base, [x / 4, width / 4, rows], word, out);
            at += width + (rows - 1) * ROW;
        }
    }

    fn copy(&self, from: Addr, to: Addr, bytes: u64, out: &mut Vec<u32>) {
        let mut out = Packets(out);
        for done in (0..bytes).step_by(COPY as usize) {
            let count = COPY.min(bytes - done);
            let [from, to] = [from, to].map(|start| (start.0 + done) as u32);
            let command = CP_GUI_COMMAND::BYTE_COUNT.bits(count as u32);
            out.at(CP_GUI_SRC_ADDR.address, &[from, to, command]);
        }
    }

    /// The caches are written back and emptied.
    fn end(&self, out: &mut Vec<u32>) {
        let mut out = Packets(out);
        use RB3D_DSTCACHE_CTLSTAT::{DC_FLUSH, DC_FREE};
        use ZB_ZCACHE_CTLSTAT::{ZC_FLUSH, ZC_FREE};
        out.fields(RB3D_DSTCACHE_CTLSTAT, &[(DC_FLUSH, 2), (DC_FREE, 2)]);
        out.fields(ZB_ZCACHE_CTLSTAT, &[(ZC_FLUSH, 1), (ZC_FREE, 1)]);
    }
}

/// A rectangle of words from a base on: first column, columns, rows.
fn paint(base: u64, [x, width, rows]: [u64; 3], value: u32, out: &mut Vec<u32>) {
    let control = word(&[
        (gui::DST_PITCH_OFF, 1),
        (gui::BRUSH_TYPE, 13),
        (gui::DST_TYPE, 6),
        (gui::SRC_TYPE, 3),
        (gui::ROP3, PATTERN),
        (gui::CLR_CMP_DIS, 1),
        (gui::WR_MSK_DIS, 1),
    ]);
    let place = (base / OFFSET_UNIT) as u32 | ((ROW / 64) as u32) << 22;
    let (left, right) = (x as u32, (x + width) as u32);
    // Lines in the high half.
    let payload = [control, place, value, left, (rows as u32) << 16 | right];
    Packets(out).packet(PAINT, &payload);
}
