//! Dispatches: groups of tasks that share memory, streams written by hand.
#![allow(clippy::unwrap_used)]

use isa::{ExecInput, LaneValue};
use rogue::Rogue;
use rogue::isa::{align, assemble};
use rogue::regs::*;
use rogue::stream::{self, block, job};
use silicon::{Addr, Gpu, Memory, SimdLevel, Start, Stats, Trap};

const CODE: u64 = 0x1000;
const STREAM: u64 = 0x4000;
const ARGUMENTS: u64 = 0x6000;
const OUT: u64 = 0x8000;

const SELECT: &str = "is0=s0, is1=ft0, is2=ft1, is3=ft0, is4=ft0, is5=ft0";

/// `to = a * b + c`, integers.
fn sum(to: &str, [a, b, c]: [&str; 3]) -> String {
    format!(
        "main {{ smadd32 ft0, s0, s1, s2, _ }} [s0={a}, s1={b}, s2={c}, s3=c0, {SELECT}, w0={to}]\n"
    )
}

fn copy(to: &str, from: &str) -> String {
    format!("main {{ mbyp ft0, s0 }} [s0={from}, s3=c0, {SELECT}, w0={to}]\n")
}

fn store(data: &str, address: &str) -> String {
    format!("main {{ st s0, 2, drc0, 1, s3, _ }} [s0={data}, s3={address}, {SELECT}]\n")
}

fn load(to: &str, address: &str) -> String {
    format!(
        "main {{ ld s3, drc0, 1, s0 }} [s0={address}, s3={to}, {SELECT}]\ncontrol {{ wdf drc0 }} []\n"
    )
}

const SLEEP: &str = "control { mutex.release.sleep 0 } []\n";
const END: &str = "control { nop.end } []";

/// The words of a program.
fn words(text: &str) -> Vec<u32> {
    let mut groups = assemble(text).unwrap();
    align(&mut groups).unwrap();
    let bytes = groups.concat();
    let word = |chunk: &[u8]| {
        let mut four = [0xff; 4];
        four[..chunk.len()].copy_from_slice(chunk);
        u32::from_le_bytes(four)
    };
    bytes.chunks(4).map(word).collect()
}

/// Every instance of 128 stores its number to the memory of the group; behind the barrier it finds that of the instance as
/// far from the end, and stores it to sh8 on, 512 bytes a group.
fn mirrored(barrier: &str) -> String {
    [
        sum("r0", ["vi0", "c4", "c0"]),
        // All ones: the memory of the group.
        copy("r1", "c143"),
        copy("r2", "vi0"),
        store("r2", "r0"),
        barrier.to_owned(),
        sum("r4", ["vi0", "c143", "c147"]),
        sum("r4", ["r4", "c4", "c0"]),
        copy("r5", "c143"),
        load("r6", "r4"),
        sum("r8", ["vi0", "c4", "sh8"]),
        sum("r10", ["sh0", "c16", "c0"]),
        sum("r10", ["r10", "c16", "c0"]),
        sum("r8", ["r10", "c2", "r8"]),
        copy("r9", "c0"),
        store("r6", "r8"),
        END.to_owned(),
    ]
    .concat()
}

struct Device {
    gpu: Rogue,
    memory: Memory,
    stream: Vec<u32>,
}

impl Device {
    fn new(threads: usize, strict: bool) -> Device {
        let memory = Memory::new(1 << 20);
        let start = Start {
            threads: Some(threads),
            level: SimdLevel::current(),
            strict,
            ..Start::default()
        };
        Device {
            gpu: Rogue::new(memory.clone(), start),
            memory,
            stream: Vec::new(),
        }
    }

    fn set(&mut self, first: u32, words: &[u32]) {
        self.job(job::REGISTERS, first << 12 | words.len() as u32, words);
    }

    fn job(&mut self, job: u32, low: u32, words: &[u32]) {
        self.stream.push(block::JOB << 29 | job << 24 | low);
        self.stream.extend(words);
    }

    /// A program of groups of so many instances.
    fn program(&mut self, text: &str, [x, y, z]: [u16; 3], shared: u32) {
        let code = words(text);
        self.memory.write_words(Addr(CODE), &code).unwrap();
        self.set(USC_CS_CODE_LO, &[CODE as u32, 0, code.len() as u32]);
        let group = CdmGroup {
            x: x - 1,
            y: y - 1,
            z: z - 1,
            ..CdmGroup::from_word(0)
        };
        self.set(CDM_GROUP, &[group.pack(), shared]);
        self.set(USC_CS_SHARED + 8, &[OUT as u32]);
    }

    fn go(&mut self) -> Result<Stats, Trap> {
        self.stream.push(block::STREAM_TERMINATE << 29);
        let words = std::mem::take(&mut self.stream);
        self.memory.write_words(Addr(STREAM), &words).unwrap();
        let end = Addr(STREAM + 4 * words.len() as u64);
        self.gpu.execute(Addr(STREAM)..end)
    }

    fn out(&self, count: usize) -> Vec<u32> {
        let mut words = vec![0; count];
        self.memory.load_words(OUT, &mut words);
        words
    }
}

#[test]
fn tasks_of_a_group_meet_and_share() {
    for (threads, strict, indirect) in [(1, false, false), (3, false, true), (1, true, false)] {
        let mut device = Device::new(threads, strict);
        device.program(&mirrored(SLEEP), [128, 1, 1], 512);
        if indirect {
            let at = [ARGUMENTS as u32, 0];
            device
                .memory
                .write_words(Addr(ARGUMENTS), &[9, 1, 1])
                .unwrap();
            device.job(job::DISPATCH_INDIRECT, 0, &at);
        } else {
            device.job(job::DISPATCH, 0, &[9, 1, 1]);
        }
        let stats = device.go().unwrap();
        assert_eq!((stats.compute_lanes, stats.compute_waves), (9 * 128, 18));
        for (n, word) in (0..).zip(device.out(9 * 128)) {
            assert_eq!(word, 127 - n % 128, "instance {n}");
        }
    }
}

/// What lies behind the end of the group's memory reads zero, and is not there to write.
#[test]
fn memory_of_a_group_ends() {
    let mut device = Device::new(2, false);
    device.program(&mirrored(SLEEP), [128, 1, 1], 256);
    device.job(job::DISPATCH, 0, &[2, 1, 1]);
    device.go().unwrap();
    for (n, word) in (0..).zip(device.out(256)) {
        let from = 127 - n % 128;
        assert_eq!(word, if from < 64 { from } else { 0 }, "instance {n}");
    }
}

#[test]
fn strict_devices_see_races() {
    let mut device = Device::new(1, true);
    device.program(&mirrored(""), [128, 1, 1], 512);
    device.job(job::DISPATCH, 0, &[1, 1, 1]);
    let error = device.go().unwrap_err().to_string();
    let wanted = "group 0, 0, 0, task 2: task 2 writes byte 0x100 of the group's memory, which task 1 has read";
    assert!(error.contains(wanted), "{error}");
}

/// Places along three axes, in tasks of which the last is not full.
#[test]
fn instances_find_their_places() {
    let text = [
        // x + 5 y + 15 z, as it is counted, times 4.
        sum("r0", ["vi1", "c5", "vi0"]),
        sum("r0", ["vi2", "c15", "r0"]),
        sum("r0", ["r0", "c4", "sh8"]),
        copy("r1", "c0"),
        // Groups: 100 x + 10 y + z would be as good.
        sum("r2", ["sh3", "c10", "sh6"]),
        sum("r2", ["r2", "c10", "sh7"]),
        store("r2", "r0"),
        END.to_owned(),
    ]
    .concat();
    let mut device = Device::new(1, false);
    device.program(&text, [5, 3, 3], 0);
    device.job(job::DISPATCH, 0, &[2, 3, 4]);
    device.go().unwrap();
    let found = device.out(48);
    assert!(found[..45].iter().all(|word| *word == 234), "{found:?}");
    assert_eq!(found[45..], [0; 3]);
}

#[test]
fn what_is_not_executed_is_named() {
    let refused = |text: &str, size: [u16; 3], shared: u32, count: [u32; 3]| {
        let mut device = Device::new(1, false);
        device.program(text, size, shared);
        device.job(job::DISPATCH, 0, &count);
        device.go().unwrap_err().to_string()
    };
    for (error, what) in [
        (
            refused(END, [1024, 2, 1], 0, [1; 3]),
            "a group of 1024 x 2 x 1 instances",
        ),
        (
            refused(END, [1; 3], 1 << 16, [1; 3]),
            "65536 bytes of group memory",
        ),
        (
            refused(END, [1; 3], 0, [u32::MAX, 2, 1]),
            "8589934590 groups",
        ),
        (
            refused(
                &("olchk ".to_owned() + &copy("o0", "c1") + END),
                [1; 3],
                0,
                [1; 3],
            ),
            "has pixels, which a task without vertices and pixels cannot",
        ),
        (
            refused(&(store("r0", "vi0") + END), [3, 1, 1], 0, [1; 3]),
            "group 0, 0, 0, task 0: lane 1 accesses unmapped or misaligned address 0x1",
        ),
    ] {
        assert!(error.contains(what), "{error}");
    }
    let mut device = Device::new(1, false);
    device.job(job::DISPATCH_INDIRECT, 0, &[0, 1]);
    let error = device.go().unwrap_err().to_string();
    assert!(
        error.contains("dispatch arguments at 0x100000000"),
        "{error}"
    );
}

#[test]
fn streams_are_printed() {
    let mut device = Device::new(1, false);
    device.program(END, [8, 4, 1], 64);
    device.job(job::DISPATCH, 0, &[3, 2, 1]);
    device.job(job::DISPATCH_INDIRECT, 0, &[ARGUMENTS as u32, 0]);
    let text = stream::dump(&device.stream, STREAM, &|_| None);
    for line in [
        "CDM_GROUP = 00000c07: y 0x3, x 0x7",
        "CDM_SHARED = 00000040",
        " DISPATCH\n",
        "GROUPS_X = 00000003",
        " DISPATCH_INDIRECT\n",
        "GROUPS_AT = 0x6000",
    ] {
        assert!(text.contains(line), "{line} in\n{text}");
    }
}

/// Raw execution as groups: memory that they start with, and what they leave.
#[test]
fn groups_run_raw() {
    let text = [
        sum("r0", ["vi0", "c4", "c0"]),
        copy("r1", "c143"),
        load("r2", "r0"),
        sum("r2", ["sh0", "c10", "r2"]),
        SLEEP.to_owned(),
        format!(
            "main {{ atom.add s3, drc0, s0 }} [s0=r0, s3=r4, {SELECT}]\ncontrol {{ wdf drc0 }} []\n"
        ),
        END.to_owned(),
    ]
    .concat();
    let bytes = rogue::isa::assemble(&text).unwrap().concat();
    let input = ExecInput {
        workgroup: Some([40, 1, 1]),
        groups: Some([2, 1, 1]),
        shared: Some("07000000 08000000".into()),
        ..ExecInput::default()
    };
    let found = rogue::exec::exec(&bytes, &input).unwrap();
    assert_eq!(found.groups.len(), 2);
    let last = &found.groups[1];
    assert_eq!(last.group, [1, 0, 0]);
    // Each instance adds what it has, 10 more than it found, to its word.
    assert!(last.shared.starts_with("18000000"), "{}", last.shared);
    assert_eq!(last.waves.len(), 1);
    let LaneValue::Lanes(lanes) = &last.waves[0]["r4"] else {
        panic!("{:?}", last.waves[0]["r4"]);
    };
    assert_eq!(lanes[..2], [7, 8]);
    let user = ExecInput {
        user: Some(2),
        ..input
    };
    let error = rogue::exec::exec(&bytes, &user).unwrap_err().to_string();
    assert!(error.contains("sh0 to sh2"), "{error}");
}
