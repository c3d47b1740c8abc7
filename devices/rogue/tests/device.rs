//! Streams written by hand, drawn by the device.
#![allow(clippy::unwrap_used)]

mod rig;

use rig::*;
use rogue::regs::*;
use rogue::stream::{self, block, job, presence};
use silicon::SimdLevel;

/// Random numbers that are the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u32 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as u32
    }

    /// -1.5 to 1.5.
    fn coordinate(&mut self) -> f32 {
        self.next() as f32 / (1u32 << 31) as f32 * 3.0 - 1.5
    }

    fn triangle(&mut self, color: u32) -> [Corner; 3] {
        let z = self.next() as f32 / (1u64 << 32) as f32 * 2.0;
        [0; 3].map(|_| ([self.coordinate(), self.coordinate(), z, 1.0], color))
    }
}

/// A square over all, at a depth.
fn square(z: f32, color: u32) -> [Corner; 6] {
    [
        (-1.0, -1.0),
        (1.0, -1.0),
        (-1.0, 1.0),
        (-1.0, 1.0),
        (1.0, -1.0),
        (1.0, 1.0),
    ]
    .map(|(x, y)| ([x, y, z, 1.0], color))
}

fn triangles(seed: u64, count: u32) -> Vec<[Corner; 3]> {
    let mut random = Random(seed);
    (1..=count)
        .map(|n| random.triangle(n * 0x0001_0307))
        .collect()
}

#[test]
fn a_triangle_covers_its_pixels() {
    let mut rig = Rig::new(SimdLevel::current(), 2);
    rig.begin(64, load::CLEAR, 1);
    rig.object(PLAIN, pass_type::OPAQUE, 1, false);
    let corners =
        [(-1.0, 1.0), (1.0, 1.0), (-1.0, -1.0)].map(|(x, y)| ([x, y, 0.5, 1.0], 0x1234_5678));
    rig.draw(&corners);
    rig.job(job::KICK, &[]);
    let stats = rig.go().unwrap();
    let picture = rig.picture(TARGET);
    for (n, pixel) in (0..).zip(&picture) {
        let (x, y) = (n % EDGE, n / EDGE);
        let inside = x + y + 1 < EDGE;
        // The diagonal goes through the centres of its pixels, and is a right edge.
        assert_eq!(*pixel, if inside { 0x1234_5678 } else { 0 }, "{x} {y}");
    }
    let covered = picture.iter().filter(|pixel| **pixel != 0).count() as u64;
    assert_eq!(
        (stats.fragment_lanes, stats.samples_passed),
        (covered, covered)
    );
}

/// One render of all, and a render of each that goes on from the one before.
#[test]
fn hidden_surfaces_are_not_shaded() {
    let all = triangles(7, 60);
    let mut rig = Rig::new(SimdLevel::current(), 2);
    rig.begin(200, load::CLEAR, 1);
    rig.object(PLAIN, pass_type::OPAQUE, 1, false);
    all.iter().for_each(|triangle| rig.draw(triangle));
    rig.job(job::KICK, &[]);
    let stats = rig.go().unwrap();
    let picture = rig.picture(TARGET);
    let covered = picture.iter().filter(|pixel| **pixel != 0).count() as u64;
    assert!(covered > 10_000);
    assert_eq!(stats.fragment_lanes, covered, "each pixel is shaded once");
    assert!(stats.samples_passed > covered);

    // Shaded as they come: translucent objects that read nothing are flushed one by one.
    let mut rig = Rig::new(SimdLevel::current(), 1);
    rig.begin(200, load::CLEAR, 1);
    rig.object(PLAIN, pass_type::TRANSLUCENT, 1, false);
    all.iter().for_each(|triangle| rig.draw(triangle));
    rig.job(job::KICK, &[]);
    let immediate = rig.go().unwrap();
    assert!(rig.picture(TARGET) == picture);
    assert_eq!(immediate.fragment_lanes, stats.samples_passed);
}

#[test]
fn a_small_parameter_buffer_draws_the_same() {
    let all = triangles(11, 400);
    let mut pictures = Vec::new();
    for pages in [600, 9] {
        let mut rig = Rig::new(SimdLevel::current(), 2);
        rig.begin(pages, load::CLEAR, 1);
        for (n, some) in all.chunks(40).enumerate() {
            match n % 2 {
                0 => rig.object(PLAIN, pass_type::OPAQUE, 1, false),
                _ => rig.object(MIXED, pass_type::TRANSLUCENT, 1, true),
            }
            let corners: Vec<Corner> = some.iter().flatten().copied().collect();
            rig.draw(&corners);
        }
        rig.job(job::KICK, &[]);
        rig.go().unwrap();
        assert_eq!(rig.device.partial_renders() > 0, pages == 9);
        pictures.push(rig.picture(TARGET));
    }
    assert!(pictures[0] == pictures[1]);
    let mut rig = Rig::new(SimdLevel::current(), 1);
    rig.begin(1, load::CLEAR, 1);
    rig.object(PLAIN, pass_type::OPAQUE, 1, false);
    rig.draw(&square(0.5, 1));
    rig.job(job::KICK, &[]);
    let trap = rig.go().unwrap_err();
    assert!(trap.reason.contains("too small"), "{trap}");
}

#[test]
fn dead_pixels_leave_what_is_behind_them() {
    let mut rig = Rig::new(SimdLevel::current(), 2);
    rig.begin(64, load::CLEAR, 1);
    rig.object(CUT, pass_type::PUNCH_THROUGH, 1, false);
    // In front, the left half dies.
    let mut leaves = square(0.25, 0x7f00_00aa);
    leaves[..3]
        .iter_mut()
        .for_each(|corner| corner.1 = 0xff00_00aa);
    rig.draw(&leaves);
    rig.object(PLAIN, pass_type::OPAQUE, 1, false);
    rig.draw(&square(0.5, 0x0000_bb00));
    rig.job(job::KICK, &[]);
    let stats = rig.go().unwrap();
    let picture = rig.picture(TARGET);
    let count = |word: u32| picture.iter().filter(|pixel| **pixel == word).count() as u64;
    let (leaves, behind) = (count(0x7f00_00aa), count(0x0000_bb00));
    assert_eq!(leaves + behind, u64::from(EDGE * EDGE));
    assert!(leaves > 8000 && behind > 8000, "{leaves} {behind}");
    assert_eq!(stats.samples_passed, leaves + behind);
    // The square behind is shaded where it is seen.
    assert_eq!(stats.fragment_lanes, u64::from(EDGE * EDGE) + behind);
}

#[test]
fn translucent_objects_keep_their_order() {
    let all = triangles(3, 50);
    for threads in [1, 3] {
        let mut rig = Rig::new(SimdLevel::current(), threads);
        rig.begin(200, load::CLEAR, 1);
        rig.object(PLAIN, pass_type::OPAQUE, 1, false);
        rig.draw(&square(0.99, 1));
        let mut expected = vec![1u32; (EDGE * EDGE) as usize];
        rig.object(MIXED, pass_type::TRANSLUCENT, 7, true);
        for triangle in &all {
            rig.draw(triangle);
        }
        rig.job(job::KICK, &[]);
        rig.go().unwrap();
        let picture = rig.picture(TARGET);
        // Each alone says which pixels it covers.
        for triangle in &all {
            let mut alone = Rig::new(SimdLevel::current(), 1);
            alone.begin(200, load::CLEAR, 1);
            alone.object(PLAIN, pass_type::OPAQUE, 7, false);
            alone.draw(triangle);
            alone.job(job::KICK, &[]);
            alone.go().unwrap();
            for (value, covered) in expected.iter_mut().zip(alone.picture(TARGET)) {
                if covered != 0 {
                    *value = value.wrapping_mul(3).wrapping_add(covered);
                }
            }
        }
        assert!(picture == expected);
    }
}

#[test]
fn samples_are_resolved_at_the_end_of_a_tile() {
    for samples in [2, 4, 8] {
        let mut rig = Rig::new(SimdLevel::current(), 2);
        rig.begin(64, load::CLEAR, samples);
        rig.object(PLAIN, pass_type::OPAQUE, 1, false);
        let corners = [(-0.9, 0.8), (0.7, 0.33), (-0.31, -0.87)]
            .map(|(x, y)| ([x, y, 0.5, 1.0], 0xffff_ffff));
        rig.draw(&corners);
        rig.job(job::KICK, &[]);
        let stats = rig.go().unwrap();
        let picture = rig.picture(RESOLVED);
        let whole = picture.iter().filter(|pixel| **pixel == u32::MAX).count();
        let none = picture.iter().filter(|pixel| **pixel == 0).count();
        let part = picture.len() - whole - none;
        assert!(whole > 2000 && part > 50, "{whole} {part}");
        // Each sample counts as its part of white.
        let sum: u64 = picture.iter().map(|pixel| u64::from(pixel & 0xff)).sum();
        let near = stats.samples_passed * 255 / u64::from(samples);
        assert!(sum.abs_diff(near) <= part as u64, "{sum} {near}");
        assert_eq!(stats.fragment_lanes, (whole + part) as u64);
    }
}

#[test]
fn clears_are_in_order_and_loads_go_on() {
    let mut rig = Rig::new(SimdLevel::current(), 2);
    rig.begin(64, load::CLEAR, 1);
    rig.object(PLAIN, pass_type::OPAQUE, 1, false);
    rig.draw(&square(0.5, 5));
    rig.job(job::CLEAR, &[10 << 16 | 20, 50 << 16 | 90, 9, 0, 0, 0]);
    rig.job(job::KICK, &[]);
    rig.go().unwrap();
    let inside = |x: u32, y: u32| (20..90).contains(&x) && (10..50).contains(&y);
    let check = |rig: &Rig, others: u32| {
        for (n, pixel) in (0..).zip(rig.picture(TARGET)) {
            let (x, y) = (n % EDGE, n / EDGE);
            assert_eq!(pixel, if inside(x, y) { 9 } else { others }, "{x} {y}");
        }
    };
    check(&rig, 5);
    // What memory holds comes back; what fails its test stays.
    rig.begin(64, load::MEMORY, 1);
    rig.object(PLAIN, pass_type::OPAQUE, 0, false);
    rig.draw(&square(0.5, 77));
    rig.job(job::KICK, &[]);
    rig.go().unwrap();
    check(&rig, 5);
}

#[test]
fn pictures_do_not_depend_on_the_host() {
    let all = triangles(23, 80);
    let mut pictures = Vec::new();
    for level in SimdLevel::available() {
        for threads in [1, 4] {
            let mut rig = Rig::new(level, threads);
            rig.begin(300, load::CLEAR, 4);
            rig.object(PLAIN, pass_type::OPAQUE, 1, false);
            all[..40].iter().for_each(|triangle| rig.draw(triangle));
            rig.object(CUT, pass_type::PUNCH_THROUGH, 1, false);
            all[40..].iter().for_each(|triangle| rig.draw(triangle));
            rig.job(job::KICK, &[]);
            let stats = rig.go().unwrap();
            pictures.push((rig.picture(RESOLVED), stats));
        }
    }
    assert!(pictures.iter().all(|found| *found == pictures[0]));
}

#[test]
fn wrong_streams_are_traps() {
    let mut rig = Rig::new(SimdLevel::current(), 1);
    let reason = |rig: &mut Rig| rig.go().unwrap_err().reason;
    rig.draw(&square(0.5, 1));
    assert!(reason(&mut rig).contains("outside of a render"));
    rig.job(31, &[]);
    assert!(reason(&mut rig).contains("job 31"));
    rig.set(1000, &[1]);
    assert!(reason(&mut rig).contains("no register 1000"));
    rig.stream.extend([stream::INLINE | 1 << 8, 1 << 22]);
    assert!(reason(&mut rig).contains("PPP block"));
    rig.begin(64, load::CLEAR, 1);
    let many = VsControl {
        parameters: 33,
        ..VsControl::from_word(0)
    };
    rig.set(USC_VS_CODE_LO + 2, &[many.pack()]);
    rig.draw(&square(0.5, 1));
    assert!(reason(&mut rig).contains("33 parameters"));
    rig.begin(64, load::CLEAR, 1);
    rig.set(USC_FS_CODE_WORDS, &[u32::MAX]);
    rig.draw(&square(0.5, 1));
    assert!(reason(&mut rig).contains("a program of"));
}

#[test]
fn samples_that_pass_are_counted_in_memory() {
    let mut rig = Rig::new(SimdLevel::current(), 3);
    rig.begin(64, load::CLEAR, 4);
    rig.object(PLAIN, pass_type::OPAQUE, 1, false);
    rig.draw(&square(0.5, 1));
    rig.set(VISIBILITY_LO, &[QUERY as u32, 0]);
    triangles(5, 9)
        .iter()
        .for_each(|triangle| rig.draw(triangle));
    rig.set(VISIBILITY_LO, &[0, 0]);
    rig.job(job::KICK, &[]);
    let stats = rig.go().unwrap();
    let counted = u64::from(rig.memory.load(QUERY).unwrap());
    assert!(counted > 0);
    assert_eq!(stats.samples_passed, counted + 4 * u64::from(EDGE * EDGE));
}

#[test]
fn streams_print() {
    let mut rig = Rig::new(SimdLevel::current(), 1);
    rig.begin(64, load::CLEAR, 1);
    rig.object(PLAIN, pass_type::OPAQUE, 1, false);
    rig.draw(&square(0.5, 1));
    rig.job(job::KICK, &[]);
    rig.go().unwrap();
    // A link is followed into memory; what lies behind the end of the stream is in memory, too.
    let words = [block::STREAM_LINK << 29, STREAM as u32, 5 << 29];
    let load = |at: u64| rig.memory.load(at);
    let text = stream::dump(&words, 0x40, &load);
    for wanted in [
        "0x00000040 80000000 STREAM_LINK\n    TO = 0x",
        " PPP_STATE_UPDATE\n",
        "      ISPA_FRONT = 00020000: dcmpmode 0x1\n",
        " INDEX_LIST\n      TOPOLOGY = 00000006: triangles\n",
        " e2000000 KICK\n",
        " STREAM_TERMINATE\n",
    ] {
        assert!(text.contains(wanted), "{wanted} in\n{text}");
    }
    assert_eq!(
        stream::dump(&[0xff << 24, 1], 0, &|_| None),
        "0x00000000 ff000000 job 31 is not known\n"
    );
    assert_eq!(
        stream::dump(&[3 << 29 | presence::COUNT], 0x10, &|_| None),
        "0x00000010 68000000 the stream ends inside a block\n"
    );
}
