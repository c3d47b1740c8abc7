//! Dispatches: what threads start with, groups with local data share and barriers, and what is refused.
#![allow(clippy::unwrap_used)]

use radeon::packets::header;
use silicon::{Addr, Gpu, Memory, SimdLevel, Start, Stats, Trap};
use southern_islands::SouthernIslands;
use southern_islands::descriptor::BufferResource;
use southern_islands::packets::{DISPATCH_DIRECT, DISPATCH_INDIRECT, SET_BASE, SET_SH_REG};
use southern_islands::regs::*;

const CODE: u64 = 0x1000;
const ARGUMENTS: u64 = 0x800;
const OUT: u64 = 0x1_0000;
const OUT_WORDS: usize = 4096;
/// What nobody has stored.
const UNTOUCHED: u32 = 0xdead_beef;

struct Rig {
    gpu: Box<dyn Gpu>,
    words: Vec<u32>,
    /// What the last run counted.
    stats: Stats,
}

/// A packet with the bit of compute packets.
fn compute(opcode: u8, payload: &[u32]) -> Vec<u32> {
    let mut words = vec![header(opcode, payload.len() as u32) | 2];
    words.extend(payload);
    words
}

impl Rig {
    /// A chip with this program, whose s[0:3] is a buffer of [`OUT`] and whose system SGPRs follow.
    fn new(start: Start, program: &str) -> Rig {
        let gpu = SouthernIslands::power_on(Memory::new(1 << 20), start);
        let code: Vec<u32> = southern_islands::isa::assemble(program)
            .expect("the program assembles")
            .concat();
        let out = [UNTOUCHED; OUT_WORDS];
        for (at, words) in [(CODE, &code[..]), (OUT, &out[..])] {
            let written = gpu.memory().write_words(Addr(at), words);
            written.expect("it lies within memory");
        }
        let mut rig = Rig {
            gpu,
            words: Vec::new(),
            stats: Stats::default(),
        };
        let buffer = BufferResource {
            base_address: OUT,
            num_records: 4 * OUT_WORDS as u32,
            dst_sel_x: 4,
            num_format: 4,
            data_format: 4,
            ..BufferResource::from_word(0)
        }
        .pack();
        for n in 0..4 {
            rig.set(COMPUTE_USER_DATA_0 + 4 * n, (buffer >> (32 * n)) as u32);
        }
        rig.set(COMPUTE_PGM_LO, (CODE >> 8) as u32);
        rig.set(COMPUTE_PGM_RSRC1, 0xf0 << 12 | 1 << 21 | 3 << 6 | 3);
        rig.rsrc2(|_| {});
        rig.threads([64, 1, 1]);
        rig
    }

    fn set(&mut self, register: u32, value: u32) {
        let payload = [(register - SH.start) / 4, value];
        self.words.extend(compute(SET_SH_REG, &payload));
    }

    /// RSRC2 with four user SGPRs, then the group's place, TG_SIZE, and all three thread numbers.
    fn rsrc2(&mut self, change: impl FnOnce(&mut ComputePgmRsrc2)) {
        let mut rsrc2 = ComputePgmRsrc2 {
            user_sgpr: 4,
            tgid_x_en: true,
            tgid_y_en: true,
            tgid_z_en: true,
            tg_size_en: true,
            tidig_comp_cnt: 2,
            lds_size: 128,
            ..ComputePgmRsrc2::from_word(0)
        };
        change(&mut rsrc2);
        self.set(COMPUTE_PGM_RSRC2, rsrc2.pack());
    }

    fn threads(&mut self, threads: [u32; 3]) {
        for (n, threads) in (0..).zip(threads) {
            self.set(COMPUTE_NUM_THREAD_X + 4 * n, threads);
        }
    }

    fn dispatch(&mut self, [x, y, z]: [u32; 3], initiator: u32) {
        self.words
            .extend(compute(DISPATCH_DIRECT, &[x, y, z, initiator]));
    }

    fn run(&mut self) -> Result<Vec<u32>, Trap> {
        let at = 0x8_0000;
        let written = self.gpu.memory().write_words(Addr(at), &self.words);
        written.expect("the stream lies within memory");
        self.stats = self
            .gpu
            .execute(Addr(at)..Addr(at + 4 * self.words.len() as u64))?;
        self.words.clear();
        let mut out = vec![0; OUT_WORDS];
        self.gpu.memory().load_words(OUT, &mut out);
        Ok(out)
    }
}

fn start() -> Start {
    Start {
        threads: Some(1),
        ..Start::default()
    }
}

/// Stores x | y << 8 | group x << 16 | group y << 24 at y * 70 + x, of the whole dispatch; groups are 8 x 2.
const PLACES: &str = "
s_lshl_b32 s8, s4, 3
s_lshl_b32 s9, s5, 1
v_add_i32 v3, vcc, s8, v0
v_add_i32 v4, vcc, s9, v1
v_mul_u32_u24 v5, 70, v4
v_add_i32 v5, vcc, v5, v3
v_lshlrev_b32 v5, 2, v5
v_lshlrev_b32 v6, 8, v1
v_or_b32 v6, v6, v0
s_lshl_b32 s8, s4, 16
s_lshl_b32 s9, s5, 24
s_or_b32 s8, s8, s9
v_or_b32 v6, s8, v6
buffer_store_dword v6, v5, s[0:3], 0 offen
s_endpgm
";

fn place(x: u32, y: u32) -> u32 {
    (x % 8) | (y % 2) << 8 | (x / 8) << 16 | (y / 2) << 24
}

#[test]
fn threads_know_their_places() {
    let check = |out: &[u32], width: u32, height: u32| {
        for (at, value) in (0..).zip(out) {
            let (x, y) = (at % 70, at / 70);
            let expected = match x < width && y < height {
                true => place(x, y),
                false => UNTOUCHED,
            };
            assert_eq!(*value, expected, "thread {x}, {y}");
        }
    };
    let rig = || {
        let mut rig = Rig::new(start(), PLACES);
        rig.threads([8, 2, 1]);
        rig
    };
    // Whole groups.
    let mut whole = rig();
    whole.dispatch([5, 3, 1], 1);
    check(&whole.run().unwrap(), 40, 6);
    // Threads, not groups: the last groups are cut.
    let mut cut = rig();
    cut.dispatch([69, 3, 1], 1 | 1 << 5);
    check(&cut.run().unwrap(), 69, 3);
    // The same with sizes of the last groups.
    let mut partial = rig();
    partial.threads([8 | 5 << 16, 2 | 1 << 16, 1]);
    partial.dispatch([9, 2, 1], 1 | 1 << 1);
    check(&partial.run().unwrap(), 69, 3);
    // Arguments in memory.
    let mut indirect = rig();
    let memory = indirect.gpu.memory();
    memory
        .write_words(Addr(ARGUMENTS + 16), &[5, 3, 1])
        .unwrap();
    let base = compute(SET_BASE, &[1, ARGUMENTS as u32, 0]);
    indirect.words.extend(base);
    indirect.words.extend(compute(DISPATCH_INDIRECT, &[16, 1]));
    check(&indirect.run().unwrap(), 40, 6);
    // Two dispatches: what the second starts at is what the first leaves.
    let mut parts = rig();
    parts.dispatch([5, 1, 1], 1);
    parts.set(COMPUTE_START_Y, 1);
    parts.dispatch([5, 3, 1], 1);
    check(&parts.run().unwrap(), 40, 6);
    // FORCE_START_AT_000.
    let mut forced = rig();
    forced.set(COMPUTE_START_X, 3);
    forced.dispatch([5, 3, 1], 1 | 1 << 2);
    check(&forced.run().unwrap(), 40, 6);
    // Nothing.
    let mut none = rig();
    none.dispatch([5, 0, 1], 1);
    check(&none.run().unwrap(), 0, 0);
}

/// A group of 256 threads turns its numbers round through local data share; the bytes of the group are s4 << 10.
const REVERSE: &str = "
s_mov_b32 m0, -1
v_lshlrev_b32 v1, 2, v0
ds_write_b32 v1, v0
s_waitcnt lgkmcnt(0)
s_barrier
v_sub_i32 v2, vcc, 0x3fc, v1
ds_read_b32 v3, v2
s_lshl_b32 s8, s4, 10
v_add_i32 v4, vcc, s8, v1
s_waitcnt lgkmcnt(0)
buffer_store_dword v3, v4, s[0:3], 0 offen
s_endpgm
";

#[test]
fn waves_of_a_group_wait_for_each_other() {
    let levels = || SimdLevel::available().into_iter();
    for (threads, level) in [1, 2, 7]
        .into_iter()
        .flat_map(|n| levels().map(move |l| (n, l)))
    {
        let start = Start {
            threads: Some(threads),
            level,
            ..Start::default()
        };
        let mut rig = Rig::new(start, REVERSE);
        rig.threads([256, 1, 1]);
        rig.dispatch([4, 1, 1], 1);
        let out = rig.run().unwrap();
        for (at, value) in (0..1024).zip(&out) {
            assert_eq!(*value, 255 - at % 256);
        }
        assert_eq!(out[1024], UNTOUCHED);
    }
}

/// Wave n of four adds 1 in each lane n + 1 times; wave 3 ends. The others store the sum, and behind another barrier
/// add it to what they have stored.
const PARTED: &str = "
s_mov_b32 m0, -1
v_mov_b32 v1, 0
v_mov_b32 v2, 1
s_bfe_u32 s8, s7, 0x60006
s_mov_b32 s9, s8
again:
ds_add_u32 v1, v2
s_sub_u32 s9, s9, 1
s_cmp_ge_i32 s9, 0
s_cbranch_scc1 again
s_waitcnt lgkmcnt(0)
s_barrier
s_cmp_eq_u32 s8, 3
s_cbranch_scc1 end
ds_read_b32 v3, v1
v_lshlrev_b32 v4, 2, v0
s_waitcnt lgkmcnt(0)
buffer_store_dword v3, v4, s[0:3], 0 offen
s_barrier
v_xor_b32 v5, 0x2fc, v4
v_cmp_gt_u32 vcc, 0x300, v5
buffer_atomic_add v3, v4, s[0:3], 0 offen
end:
s_endpgm
";

/// Each of 64 threads adds the input word that its number and s4 give to a sum, 12 times over, and stores it; thread 0 adds
/// the sum to a counter behind the output. s[8:11] is the input, at 0x8000.
const SUMS: &str = "
s_mov_b64 s[8:9], s[0:1]
s_mov_b32 s8, 0x8000
s_mov_b64 s[10:11], s[2:3]
s_lshl_b32 s12, s4, 8
v_lshlrev_b32 v1, 2, v0
v_add_i32 v1, vcc, s12, v1
v_mov_b32 v2, 0
s_mov_b32 s13, 12
again:
buffer_load_dword v3, v1, s[8:11], 0 offen
s_waitcnt vmcnt(0)
v_add_i32 v2, vcc, v2, v3
s_sub_u32 s13, s13, 1
s_cmp_lg_u32 s13, 0
s_cbranch_scc1 again
buffer_store_dword v2, v1, s[0:3], 0 offen
v_mov_b32 v4, 0x3ffc
buffer_atomic_add v2, v4, s[0:3], 0 offen
s_endpgm
";

/// All words of memory that groups reach, and what the device counted.
fn run_sums(start: Start, program: &str) -> (Vec<u32>, Stats) {
    let mut rig = Rig::new(start, program);
    let input: Vec<u32> = (0..4096).map(|n| n * n).collect();
    let memory = rig.gpu.memory();
    memory.write_words(Addr(0x8000), &input).unwrap();
    rig.threads([64, 1, 1]);
    rig.dispatch([40, 1, 1], 1);
    let out = rig.run().unwrap();
    (out, rig.stats)
}

#[test]
fn groups_run_over_threads() {
    let starts = |threads| Start {
        threads: Some(threads),
        ..Start::default()
    };
    let (one, counted) = run_sums(starts(1), SUMS);
    let mut total = 0u32;
    for n in 0..40 * 64 {
        let sum = 12u32.wrapping_mul(n * n);
        total = total.wrapping_add(sum);
        assert_eq!(one[n as usize], sum);
    }
    assert_eq!(one[4095], UNTOUCHED.wrapping_add(total));
    assert_eq!((counted.compute_lanes, counted.compute_waves), (2560, 40));
    for threads in [2, 7] {
        let (other, stats) = run_sums(starts(threads), SUMS);
        assert!(one == other && counted == stats, "{threads} threads");
    }
    // Strict runs go group by group.
    let strict = Start {
        strict: true,
        ..starts(2)
    };
    assert!(run_sums(strict, SUMS) == (one, counted));
}

/// As [`SUMS`], of the output: each group reads what the group before has stored.
#[test]
fn groups_that_read_what_others_store_run_in_order() {
    let chain = "
s_lshl_b32 s12, s4, 8
v_lshlrev_b32 v1, 2, v0
v_add_i32 v1, vcc, s12, v1
v_add_i32 v5, vcc, 0x100, v1
buffer_load_dword v3, v1, s[0:3], 0 offen
s_waitcnt vmcnt(0)
v_add_i32 v3, vcc, 1, v3
buffer_store_dword v3, v5, s[0:3], 0 offen
s_endpgm
";
    for threads in [1, 2, 7] {
        let start = Start {
            threads: Some(threads),
            ..Start::default()
        };
        let (out, _) = run_sums(start, chain);
        for (n, word) in out.iter().enumerate().take(41 * 64) {
            assert_eq!(*word, UNTOUCHED.wrapping_add(n as u32 / 64));
        }
    }
}

/// Each group changes a slice of the output of its own. Where `again` is set, it loads what it has stored.
#[test]
fn groups_that_change_their_own_slices_run_over_threads() {
    let change = "
s_lshl_b32 s12, s4, 8
v_lshlrev_b32 v1, 2, v0
v_add_i32 v1, vcc, s12, v1
buffer_load_dword v3, v1, s[0:3], 0 offen
s_waitcnt vmcnt(0)
v_add_i32 v3, vcc, s4, v3
buffer_store_dword v3, v1, s[0:3], 0 offen
";
    for (program, times) in [
        (format!("{change}s_endpgm"), 1),
        (
            format!("{change}s_waitcnt vmcnt(0) expcnt(0)\n{change}s_endpgm"),
            2,
        ),
    ] {
        let mut first = None;
        for threads in [1, 2, 7] {
            let start = Start {
                threads: Some(threads),
                ..Start::default()
            };
            let (out, stats) = run_sums(start, &program);
            for (n, word) in out.iter().enumerate() {
                let group = if n < 40 * 64 { n as u32 / 64 } else { 0 };
                assert_eq!(*word, UNTOUCHED.wrapping_add(times * group), "{n}");
            }
            assert_eq!(*first.get_or_insert(stats), stats, "{threads} threads");
        }
    }
}

/// All groups store to the same words: the last one's stay.
#[test]
fn the_last_group_stores_last() {
    let program = "
v_lshlrev_b32 v1, 2, v0
v_mov_b32 v2, s4
buffer_store_dword v2, v1, s[0:3], 0 offen
v_and_b32 v3, 3, v0
v_add_i32 v3, vcc, 0x400, v3
buffer_store_byte v2, v3, s[0:3], 0 offen
s_endpgm
";
    for threads in [1, 2, 7] {
        let start = Start {
            threads: Some(threads),
            ..Start::default()
        };
        let (out, _) = run_sums(start, program);
        assert_eq!(out[..64], [39; 64]);
        assert_eq!(out[256], 0x2727_2727);
    }
}

/// Stores and operations whose lanes go to a log as rows leave what lanes leave one by one, which strict runs do: side by
/// side and apart, some lanes of them, outside of the buffer, and on words of other lanes.
#[test]
fn rows_of_stores_are_stores_of_lanes() {
    let offsets = [
        "v_lshlrev_b32 v1, 2, v0\nv_add_i32 v1, vcc, s12, v1",
        "v_lshlrev_b32 v1, 4, v0\nv_add_i32 v1, vcc, s12, v1",
        "v_lshlrev_b32 v1, 4, v0\nv_and_b32 v1, 0x3f0, v1",
        "v_lshlrev_b32 v1, 3, v0\nv_add_i32 v1, vcc, s12, v1",
        "v_lshlrev_b32 v1, 4, v0\nv_add_i32 v1, vcc, 0x3e00, v1",
    ];
    let accesses = [
        "buffer_store_dword v2, v1, s[0:3], 0 offen",
        "buffer_store_dwordx2 v[2:3], v1, s[0:3], 0 offen offset:16",
        "buffer_store_dwordx4 v[2:5], v1, s[0:3], 0 offen",
        "buffer_atomic_add v2, v1, s[0:3], 0 offen",
        "buffer_atomic_smin v2, v1, s[0:3], 0 offen offset:8",
        "buffer_atomic_swap v2, v1, s[0:3], 0 offen",
        "buffer_atomic_cmpswap v[2:3], v1, s[0:3], 0 offen",
        "buffer_atomic_add_x2 v[2:3], v1, s[0:3], 0 offen",
    ];
    for offset in offsets {
        for access in accesses {
            for mask in ["-1", "0xff0f00ff", "0"] {
                let program = format!(
                    "s_lshl_b32 s12, s4, 8\n{offset}
v_mul_u32_u24 v2, 0x1235, v0\nv_add_i32 v2, vcc, s4, v2
v_xor_b32 v3, 0x55, v2\nv_mul_u32_u24 v4, 77, v2\nv_not_b32 v5, v2
s_mov_b64 exec, {mask}\n{access}\n{access}\ns_endpgm"
                );
                let strict = Start {
                    strict: true,
                    ..start()
                };
                let expected = run_sums(strict, &program);
                for threads in [1, 2] {
                    let start = Start {
                        threads: Some(threads),
                        ..Start::default()
                    };
                    assert!(run_sums(start, &program) == expected, "{program}");
                }
            }
        }
    }
}

/// The offset of a counter is v4, the thread's number v7, that of its own word v1.
const COUNT: &str = "
s_mul_i32 s12, s4, WIDTH
v_add_i32 v7, vcc, s12, v0
v_lshlrev_b32 v1, 2, v7
v_mov_b32 v4, 0x3ffc
v_and_b32 v2, 3, v7
v_add_i32 v2, vcc, 1, v2
";

/// Groups whose atomic operations return what was there leave what groups leave one after the other, with any number of
/// threads: where they may run at any time otherwise, and where one can tell that others have.
#[test]
fn changes_come_in_the_order_of_groups() {
    const KEEP: &str = "s_waitcnt vmcnt(0) expcnt(0)\nbuffer_store_dword v2, v1, s[0:3], 0 offen\n";
    let add = "buffer_atomic_add v2, v4, s[0:3], 0 offen glc\n";
    let programs = [
        // What each thread finds.
        format!("{add}{KEEP}"),
        // Waves of every fourth group go around.
        format!(
            "s_and_b32 s13, s4, 3\ns_cmp_eq_u32 s13, 0\ns_cbranch_scc1 around\n{add}{KEEP}around:\n"
        ),
        // Odd threads alone; others find nothing.
        format!(
            "v_and_b32 v5, 1, v0\nv_cmp_ne_u32 vcc, 0, v5\ns_and_saveexec_b64 s[14:15], vcc\n{add}{KEEP}"
        ),
        // Numbers appended to a list in the buffer of its counter.
        format!(
            "v_mov_b32 v2, 1\n{add}s_waitcnt vmcnt(0) expcnt(0)\nv_subrev_i32 v2, vcc, s16, v2\nv_lshlrev_b32 v2, 2, v2\n\
             buffer_store_dword v7, v2, s[0:3], 0 offen\n"
        ),
        // Two counters, of which one follows from the other.
        format!(
            "{add}s_waitcnt vmcnt(0) expcnt(0)\nv_and_b32 v5, 7, v2\nv_lshlrev_b32 v5, 2, v5\nv_add_i32 v5, vcc, 0x3f00, v5\n\
             buffer_atomic_swap v2, v5, s[0:3], 0 offen glc\n{KEEP}"
        ),
        // Two instructions on one word.
        format!(
            "{add}s_waitcnt vmcnt(0) expcnt(0)\nbuffer_atomic_umax v2, v4, s[0:3], 0 offen glc\n{KEEP}"
        ),
        // A load of the counter, and a store by one group.
        format!(
            "{add}s_waitcnt vmcnt(0) expcnt(0)\nbuffer_load_dword v2, v4, s[0:3], 0 offen\n{KEEP}"
        ),
        format!(
            "{add}{KEEP}s_cmp_eq_u32 s4, 9\ns_cbranch_scc0 over\nbuffer_store_dword v1, v4, s[0:3], 0 offen\nover:\n"
        ),
        // Twice, in a loop.
        format!(
            "s_mov_b32 s13, 2\nagain:\n{add}{KEEP}s_waitcnt vmcnt(0) expcnt(0)\ns_sub_u32 s13, s13, 1\ns_cmp_lg_u32 s13, 0\ns_cbranch_scc1 again\n"
        ),
        // Other operations: one with a comparator, one of 64 bits.
        format!(
            "v_mov_b32 v3, s16\nv_add_i32 v3, vcc, s4, v3\nv_mov_b32 v2, v3\nv_add_i32 v2, vcc, 1, v2\n\
             buffer_atomic_cmpswap v[2:3], v4, s[0:3], 0 offen glc\n{KEEP}"
        ),
        format!(
            "v_mov_b32 v3, 1\nv_mov_b32 v4, 0x3ff8\nbuffer_atomic_add_x2 v[2:3], v4, s[0:3], 0 offen glc\n{KEEP}"
        ),
    ];
    for (width, groups) in [(64, 40), (64, 57), (128, 20), (256, 9)] {
        for body in &programs {
            let start_at = format!("s_mov_b32 s16, {UNTOUCHED:#x}\n");
            let head = COUNT.replace("WIDTH", &width.to_string());
            let program = format!("{start_at}{head}{body}s_endpgm");
            let run = |start: Start| {
                let mut rig = Rig::new(start, &program);
                rig.threads([width, 1, 1]);
                rig.dispatch([groups, 1, 1], 1);
                (rig.run().unwrap(), rig.stats)
            };
            let strict = Start {
                strict: true,
                ..start()
            };
            // Strict runs go wave by wave, but waves of a group come port by port.
            let once = body.matches("buffer_").count() == 2 && !body.contains("again");
            let mut expected = (width == 64 || once).then(|| run(strict));
            for threads in [1, 2, 7] {
                let start = Start {
                    threads: Some(threads),
                    ..Start::default()
                };
                let found = run(start);
                let expected = expected.get_or_insert_with(|| found.clone());
                assert!(
                    found == *expected,
                    "{threads} threads, {groups} of {width}: {program}"
                );
            }
        }
    }
}

/// A group that stops: those before it have stored, those behind it have not.
#[test]
fn a_trap_is_that_of_the_first_group() {
    let program = "
v_lshlrev_b32 v1, 2, v0
s_lshl_b32 s12, s4, 8
v_add_i32 v1, vcc, s12, v1
v_mov_b32 v2, s4
buffer_store_dword v2, v1, s[0:3], 0 offen
s_cmp_lt_u32 s4, 21
s_cbranch_scc1 end
again:
s_branch again
end:
s_endpgm
";
    for threads in [1, 2, 7] {
        let start = Start {
            threads: Some(threads),
            wave_cost: 10_000,
            ..Start::default()
        };
        let mut rig = Rig::new(start, program);
        rig.threads([64, 1, 1]);
        rig.dispatch([40, 1, 1], 1);
        let trap = rig.run().expect_err("it never ends");
        let reason = "group 21, 0, 0, wave 0: the wave ran to a cost of 10000 without ending";
        assert_eq!(trap.reason, reason);
        let mut out = vec![0; OUT_WORDS];
        rig.gpu.memory().load_words(OUT, &mut out);
        for (n, word) in out.iter().enumerate() {
            let stored = n < 22 * 64;
            let expected = if stored { n as u32 / 64 } else { UNTOUCHED };
            assert_eq!(*word, expected, "word {n} with {threads} threads");
        }
    }
}

/// What a strict run says of a program of two waves.
fn strict(program: &str) -> String {
    let start = Start {
        strict: true,
        ..start()
    };
    let mut rig = Rig::new(start, program);
    rig.threads([128, 1, 1]);
    rig.dispatch([1, 1, 1], 1);
    rig.run().expect_err("it is reported").to_string()
}

#[test]
fn strict_runs_report_races_and_divergent_barriers() {
    // Wave 1 reads at 4 what wave 0 has written, with no barrier between.
    let race = "
s_mov_b32 m0, -1
v_mov_b32 v1, 4
s_bfe_u32 s8, s7, 0x60006
s_cmp_eq_u32 s8, 1
s_cbranch_scc1 read
ds_write_b32 v1, v0
s_waitcnt lgkmcnt(0)
s_endpgm
read:
ds_read_b32 v2, v1
s_waitcnt lgkmcnt(0)
s_endpgm
";
    let reason = "group 0, 0, 0, wave 1: wave 1 reads byte 0x4 of local data share, which wave 0 has written since \
                  the last barrier";
    assert!(strict(race).contains(reason), "{}", strict(race));
    // With a barrier, or by atomic operations, there is none.
    let fine = "
s_mov_b32 m0, -1
v_mov_b32 v1, 4
v_mov_b32 v2, 1
ds_add_u32 v1, v2
s_waitcnt lgkmcnt(0)
s_barrier
ds_read_b32 v2, v1
s_waitcnt lgkmcnt(0)
s_endpgm
";
    let start = Start {
        strict: true,
        ..start()
    };
    let mut rig = Rig::new(start, fine);
    rig.threads([128, 1, 1]);
    rig.dispatch([1, 1, 1], 1);
    rig.run().unwrap();
    // Half of the lanes come to the barrier.
    let half = "
v_cmp_gt_u32 vcc, 32, v0
s_and_b64 exec, exec, vcc
s_barrier
s_endpgm
";
    let reason = "group 0, 0, 0, wave 0: a barrier in divergent flow: lanes 0xffffffff of 0xffffffffffffffff are there";
    assert!(strict(half).contains(reason), "{}", strict(half));
    // Waves come to different barriers.
    let two = "
s_bfe_u32 s8, s7, 0x60006
s_cmp_eq_u32 s8, 1
s_cbranch_scc1 other
s_barrier
s_endpgm
other:
s_barrier
s_endpgm
";
    let reason = "wave 1: the waves of the group wait at different barriers: wave 0 at 0x1010";
    assert!(strict(two).contains(reason), "{}", strict(two));
}

#[test]
fn waves_part_meet_and_end() {
    let mut rig = Rig::new(start(), PARTED);
    rig.threads([256, 1, 1]);
    rig.dispatch([1, 1, 1], 1);
    let out = rig.run().unwrap();
    for (at, value) in out.iter().enumerate() {
        let expected = if at < 192 { 2 * 640 } else { UNTOUCHED };
        assert_eq!(*value, expected, "thread {at}");
    }
}

#[test]
fn what_a_dispatch_cannot_be() {
    let reason = |change: &dyn Fn(&mut Rig)| {
        let limited = Start {
            wave_cost: 10_000,
            ..start()
        };
        let mut rig = Rig::new(limited, "s_endpgm");
        change(&mut rig);
        rig.run().expect_err("it is refused").reason
    };
    let one = |rig: &mut Rig| rig.dispatch([1, 1, 1], 1);
    assert_eq!(
        reason(&|rig| {
            rig.words.extend([header(DISPATCH_DIRECT, 4), 1, 1, 1, 1]);
        }),
        "a dispatch needs the bit of compute packets"
    );
    assert_eq!(
        reason(&|rig| rig.dispatch([1, 1, 1], 0)),
        "COMPUTE_DISPATCH_INITIATOR.COMPUTE_SHADER_EN is 0"
    );
    assert_eq!(
        reason(&|rig| rig.dispatch([1, 1, 1], 1 | 1 << 3)),
        "COMPUTE_DISPATCH_INITIATOR.ORDERED_APPEND_ENBL 0x1 is not executed"
    );
    assert_eq!(
        reason(&|rig| {
            rig.threads([64, 17, 1]);
            one(rig);
        }),
        "a group of 64 x 17 x 1 threads; 1 to 1024 are possible"
    );
    assert_eq!(
        reason(&|rig| {
            rig.rsrc2(|rsrc2| rsrc2.lds_size = 129);
            one(rig);
        }),
        "33024 bytes of local data share; there are 32768"
    );
    assert_eq!(
        reason(&|rig| {
            rig.rsrc2(|rsrc2| rsrc2.scratch_en = true);
            one(rig);
        }),
        "scratch memory for 0 waves; a group has 1"
    );
    assert_eq!(
        reason(&|rig| rig.dispatch([1 << 20, 1 << 20, 1], 1)),
        "1099511627776 groups; at most 268435456 are run"
    );
    assert_eq!(
        reason(&|rig| rig.dispatch([u32::MAX; 3], 1)),
        "79228162458924105385300197375 groups; at most 268435456 are run"
    );
}

#[test]
fn traps_name_group_and_wave() {
    let limited = Start {
        wave_cost: 10_000,
        ..start()
    };
    // Wave 1 of group 2 waits for itself.
    let mut rig = Rig::new(
        limited,
        "
s_cmp_eq_u32 s4, 2
s_cbranch_scc0 end
s_bfe_u32 s8, s7, 0x60006
s_cmp_eq_u32 s8, 1
s_cbranch_scc0 end
again:
s_branch again
end:
s_barrier
s_endpgm
",
    );
    rig.threads([128, 1, 1]);
    rig.dispatch([4, 1, 1], 1);
    let trap = rig.run().expect_err("it never ends");
    let reason = "group 2, 0, 0, wave 1: the wave ran to a cost of 10000 without ending";
    assert_eq!(trap.reason, reason);
    assert_eq!(trap.address, CODE + 24);

    let mut rig = Rig::new(
        start(),
        "s_nop 0\nexp mrt0, v0, v0, v0, v0 done vm\ns_endpgm",
    );
    rig.dispatch([1, 1, 1], 1);
    let trap = rig.run().expect_err("there is nowhere to export to");
    let reason = "compute waves have no exports and no parameters";
    assert_eq!((trap.reason.as_str(), trap.address), (reason, CODE + 4));
}
