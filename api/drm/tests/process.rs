//! Programs that use the node in every way that programs do: many, killed at any moment, in threads, across forks, and with
//! ioctls that nobody knows. They are this test, started again under the library; `child` is what they do.
#![cfg(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64"))]
#![allow(clippy::unwrap_used)]

mod harness;
#[path = "harness/node.rs"]
mod node;

use std::collections::BTreeSet;
use std::os::fd::AsRawFd;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::time::Duration;

use harness::on;
use node::{Node, VERSION, write_value};

/// Says what a child does.
const CHILD: &str = "GIRIH_TEST_CHILD";

/// Numbers that look random and are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(0x1405_7b7e_f767_814f);
        self.0 >> 24
    }
}

/// This test again, as a child that does `what`.
fn child_of(device: &str, interface: &str, what: &str) -> Command {
    let test = std::env::current_exe().unwrap();
    let mut command = on(device, interface, test.to_str().unwrap());
    command
        .args(["--exact", "child", "--nocapture"])
        .env(CHILD, what);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs a child to its end, which has to be a good one.
#[track_caller]
fn run(device: &str, interface: &str, what: &str) {
    ends_well(child_of(device, interface, what), what);
}

#[track_caller]
fn ends_well(mut child: Command, what: &str) {
    let output = child.output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    assert!(
        output.status.success(),
        "{what}: {}: {}",
        output.status,
        String::from_utf8_lossy(&said)
    );
}

/// What processes leave behind if they leave anything.
fn left() -> BTreeSet<String> {
    let names = ["/dev/shm", "/tmp"]
        .into_iter()
        .flat_map(|folder| std::fs::read_dir(folder).into_iter().flatten());
    let names = names.filter_map(|entry| Some(entry.ok()?.path().display().to_string()));
    names
        .filter(|name| name.to_lowercase().contains("girih"))
        .collect()
}

/// What a child does; nothing where this is no child.
#[test]
fn child() {
    match std::env::var(CHILD).as_deref() {
        Ok("once") => submits(&Node::open(), 3),
        Ok("busy") => loop {
            submits(&Node::open(), 50);
        },
        Ok("opens") => opens(),
        Ok("shared") => shared(),
        Ok("threads") => threads(),
        Ok("fork") => forks(),
        Ok("unknown") => unknown(),
        Ok("random") => random(),
        _ => {}
    }
}

/// Streams write values that the program reads.
fn submits(node: &Node, times: u32) {
    let buffer = node.create(1 << 16);
    for n in 0..times {
        node.submit(&write_value(n ^ 0x1234_0000), &[buffer])
            .unwrap();
        assert_eq!(node.read(buffer, 1), [n ^ 0x1234_0000]);
    }
    node.close(buffer).unwrap();
}

fn descriptors() -> usize {
    std::fs::read_dir("/proc/self/fd").unwrap().count()
}

/// Mappings of the process, and those that are the library's: buffers, and a chip's addresses.
fn mappings() -> (usize, usize) {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    let ours = |line: &&str| {
        let place = line.split(' ').next().unwrap_or_default();
        let ends = place
            .split('-')
            .map(|end| u64::from_str_radix(end, 16).unwrap());
        let ends: Vec<u64> = ends.collect();
        line.contains("girih buffer") || ends[1] - ends[0] > 512 << 20
    };
    (maps.lines().count(), maps.lines().filter(ours).count())
}

/// Nodes and buffers that are closed leave no descriptor and no mapping.
fn opens() {
    submits(&Node::open(), 2);
    let before = (descriptors(), mappings());
    for _ in 0..200 {
        submits(&Node::open(), 1);
    }
    assert_eq!(descriptors(), before.0);
    let ((all, ours), after) = (before.1, mappings());
    assert_eq!(after.1, ours);
    // Threads bring stacks, which libc keeps for the next ones, and heaps, up to eight for each processor.
    if std::env::var("GIRIH_RUN_THREADS").as_deref() == Ok("1") {
        assert!(after.0 <= all + 8, "{all} mappings, then {}", after.0);
    }
}

/// A buffer of two nodes: the same bytes, and as many as it was made with.
fn shared() {
    let nodes = [Node::open(), Node::open()];
    let buffer = nodes[0].create(1 << 16);
    let file = nodes[0].export(buffer);
    // SAFETY: a descriptor that is open.
    let end = unsafe { libc::lseek(file.as_raw_fd(), 0, libc::SEEK_END) };
    assert_eq!(end, 1 << 16);
    let imported = nodes[1].import(&file);
    nodes[1].submit(&write_value(77), &[imported]).unwrap();
    assert_eq!(nodes[0].read(buffer, 1), [77]);
}

/// One node for several threads, and nodes of their own.
fn threads() {
    let shared = Node::open();
    std::thread::scope(|scope| {
        for n in 0..6 {
            let shared = &shared;
            scope.spawn(move || match n % 2 {
                0 => submits(shared, 40),
                _ => submits(&Node::open(), 40),
            });
        }
    });
}

/// A child has its parent's buffers and a chip of its own, whatever the parent's threads were doing.
fn forks() {
    let node = Node::open();
    submits(&node, 2);
    let buffer = node.create(4096);
    std::thread::scope(|scope| {
        scope.spawn(|| submits(&node, 200));
        for n in 0..20_u32 {
            // SAFETY: the child calls nothing but ioctls before it leaves.
            let child = unsafe { libc::fork() };
            if child == 0 {
                let done = node.submit(&write_value(n), &[buffer]);
                // SAFETY: ends this process at once.
                unsafe { libc::_exit(i32::from(done.is_err())) };
            }
            let mut status = 0;
            // SAFETY: a child of ours, and room for its status.
            assert_eq!(unsafe { libc::waitpid(child, &mut status, 0) }, child);
            assert_eq!(status, 0, "child {n}");
            assert_eq!(node.read(buffer, 1), [n]);
        }
    });
}

/// What is not known is refused with the kernel's numbers.
fn unknown() {
    let node = Node::open();
    let mut words = [0_u64; 16];
    for number in [0x02, 0x30, 0x3f, 0xa3, 0xce] {
        assert_eq!(
            node.ioctl(number, &mut words),
            Err(libc::EINVAL),
            "{number:#x}"
        );
    }
    // The driver's own, past the last.
    for number in [0x40 + 0x3f, 0x40 + 0x5f] {
        assert_eq!(
            node.ioctl(number, &mut words),
            Err(libc::EINVAL),
            "{number:#x}"
        );
    }
    // Names for all processes are not for render nodes.
    for number in [0x0a, 0x0b] {
        assert_eq!(
            node.ioctl(number, &mut words),
            Err(libc::EACCES),
            "{number:#x}"
        );
    }
    assert_eq!(node.close(77), Err(libc::EINVAL));
    // SAFETY: requests that take no argument here; the second has a bad one.
    unsafe {
        let file = node.0.as_raw_fd();
        assert_eq!(libc::ioctl(file, libc::TIOCGWINSZ, words.as_mut_ptr()), -1);
        assert_eq!(
            std::io::Error::last_os_error().raw_os_error(),
            Some(libc::ENOTTY)
        );
        let version = 3 << 30 | 64 << 16 | u64::from(b'd') << 8 | u64::from(VERSION);
        assert_eq!(libc::ioctl(file, version, 16_usize), -1);
        assert_eq!(
            std::io::Error::last_os_error().raw_os_error(),
            Some(libc::EFAULT)
        );
    }
    submits(&node, 1);
}

/// Any numbers with any arguments: an answer, no end of the program.
fn random() {
    // A wait for what never comes is a wait.
    const WAITS: [u32; 3] = [0xc3, 0xca, 0x44];
    let mut numbers = Numbers(7);
    let node = Node::open();
    let mut words = [0_u64; 32];
    for _ in 0..20_000 {
        let number = (numbers.next() & 0xff) as u32;
        for word in &mut words {
            *word = match numbers.next() % 6 {
                0 => 0,
                1 => numbers.next() % 9,
                2 => ((numbers.next() % 9) << 32) | (numbers.next() % 9),
                3 => 4096 << (numbers.next() % 8),
                4 => numbers.next(),
                // Where a descriptor is closed by a number, ours stay open.
                _ => u64::MAX << (numbers.next() % 64),
            };
        }
        if !WAITS.contains(&number) {
            let _ = node.ioctl(number, &mut words);
        }
    }
    submits_or_not(&node);
}

/// The node still answers.
fn submits_or_not(node: &Node) {
    let mut version = [0_u64; 8];
    node.ioctl(VERSION, &mut version).unwrap();
    assert_ne!(version[0] as u32, 0);
}

#[test]
fn programs_submit_in_threads_and_after_forks() {
    for what in ["once", "opens", "shared", "threads", "fork"] {
        run("r600", "radeon", what);
    }
    let mut opens = child_of("r600", "radeon", "opens");
    opens.env("GIRIH_RUN_THREADS", "1");
    ends_well(opens, "opens on one thread");
}

/// What the host wrote and what was executed, as the tools read it.
#[test]
fn submissions_are_captured() {
    let folder = harness::folder("captured");
    let _ = std::fs::remove_file(folder.join("capture.json"));
    let mut command = child_of("r600", "radeon", "once");
    command.env("GIRIH_RUN_DUMP", &folder);
    assert!(command.output().unwrap().status.success());
    let capture = girih::Capture::load(&folder).unwrap();
    let executes = |step: &&girih::Step| matches!(step, girih::Step::Execute { words: 7, .. });
    assert_eq!(capture.steps.iter().filter(executes).count(), 3);
    let instance = girih::Instance::new();
    let gpu = instance.physical_device("r600").unwrap();
    let mut text = String::new();
    gpu.dump(&capture, &girih::DeviceDescriptor::default(), &mut text)
        .unwrap();
    for n in 0..3 {
        assert!(
            text.contains(&format!("DATA_LO = {:08x}", n ^ 0x1234_0000)),
            "{text}"
        );
    }
    assert_eq!(text.matches("MEM_WRITE").count(), 3, "{text}");
}

#[test]
fn unknown_ioctls_are_refused() {
    for (device, interface) in [
        ("r600", "radeon"),
        ("r5xx", "radeon"),
        ("southern-islands", "radeon"),
    ] {
        let what = if device == "r600" {
            "unknown"
        } else {
            "random"
        };
        run(device, interface, what);
    }
    run("r600", "radeon", "random");
    run("southern-islands", "amdgpu", "random");
}

/// Ends programs at moments that a sequence of numbers gives.
#[test]
fn killed_programs_leave_nothing() {
    let before = left();
    let mut numbers = Numbers(1);
    for _ in 0..15 {
        let mut child = child_of("r600", "radeon", "busy").spawn().unwrap();
        std::thread::sleep(Duration::from_micros(numbers.next() % 150_000));
        child.kill().unwrap();
        assert_eq!(child.wait().unwrap().signal(), Some(libc::SIGKILL));
    }
    assert_eq!(left(), before);
}

/// Processes whose environment has this text.
fn processes(environment: &str) -> usize {
    let found = std::fs::read_dir("/proc").unwrap().filter_map(|entry| {
        let environ = std::fs::read(entry.ok()?.path().join("environ")).ok()?;
        let mut windows = environ.windows(environment.len());
        windows
            .any(|text| text == environment.as_bytes())
            .then_some(())
    });
    found.count()
}

/// Kilobytes of the system's shared memory, where buffers without a name are.
fn shared_memory() -> i64 {
    let info = std::fs::read_to_string("/proc/meminfo").unwrap();
    let row = info
        .lines()
        .find(|line| line.starts_with("Shmem:"))
        .unwrap();
    row.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Starts as many programs as `GIRIH_MESA_STARTS` says, 20 when absent, and says what they left of the memory that all
/// programs share. `docs/witnesses.md` has 1,000.
#[test]
fn starts_leave_nothing() {
    let starts = std::env::var("GIRIH_MESA_STARTS").map_or(20, |text| text.parse().unwrap());
    let mark = format!("start of {}", std::process::id());
    let before = (left(), descriptors());
    let memory = shared_memory();
    for _ in 0..starts {
        let mut child = child_of("r600", "radeon", "once");
        child.env("GIRIH_TEST_MARK", &mark);
        ends_well(child, "once");
    }
    assert_eq!((left(), descriptors()), before);
    assert_eq!(processes(&mark), 0);
    eprintln!("{starts} starts: {} KiB more", shared_memory() - memory);
}
