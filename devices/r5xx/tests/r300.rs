//! Twelve OpenGL programs as Mesa's `r300` driver draws them as an R580, beside the pictures of its `softpipe`; two of them
//! as an RV515 with fast clears and Hi-Z. `r300/README.md` says where they come from.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use r5xx::tiling::{Micro, Surface, Tiling};
use r5xx::{R5xx, Start};
use silicon::{Addr, Gpu, Memory, Stats};

/// Pixels of an edge.
const SIZE: u32 = 64;
/// Where streams run.
const STREAM: u64 = 0x1000;
/// Where buffers begin.
const BUFFERS: u64 = 0x1_0000;

/// A program: its streams, softpipe's picture, and what of the picture is known.
struct Program {
    name: &'static str,
    streams: &'static str,
    softpipe: &'static [u8],
    /// FNV-1a of the pixels.
    hash: u64,
    /// Pixels that differ by more than 3 of 255 from softpipe's, and the largest difference.
    differs: (usize, i32),
}

macro_rules! programs {
    ($($name:literal $picture:literal $hash:literal $differs:expr;)+) => {
        const PROGRAMS: &[Program] = &[$(Program {
            name: $name,
            streams: include_str!(concat!("r300/", $name, ".hex")),
            softpipe: include_bytes!(concat!("r300/", $picture, ".png")),
            hash: $hash,
            differs: $differs,
        },)+];
    };
}

programs! {
    "clear" "clear" 0xee69_1c68_8d1a_5d25 (0, 1);
    "textured" "textured" 0xdb7a_2551_adb4_32b1 (85, 27);
    "blended" "blended" 0xb730_35a3_e745_a569 (0, 1);
    "fogged" "fogged" 0x25b9_1946_0dc0_52af (11, 191);
    "lit" "lit" 0x8552_8fa3_bd14_a170 (1, 131);
    "multisampled" "multisampled" 0xe027_01c5_d62a_820b (131, 58);
    "points" "points" 0x3c41_ab4d_9811_24c0 (255, 191);
    "lines" "lines" 0x09c1_a700_b71b_7e83 (212, 255);
    "stencil" "stencil" 0xf326_cc3f_5419_ae4f (0, 1);
    "cube" "cube" 0x4ad0_d2e3_6738_5f13 (5, 158);
    "loops" "loops" 0xbefd_8fce_60d2_3ef4 (8, 22);
    "mipmaps" "mipmaps" 0x737b_7080_905a_862e (214, 11);
    "lit_fast" "lit" 0x8552_8fa3_bd14_a170 (1, 131);
    "multisampled_fast" "multisampled" 0xe027_01c5_d62a_820b (131, 58);
}

/// A chip that runs the text of a dump.
struct Replay {
    memory: Memory,
    chip: R5xx,
    /// Bases of buffers by their names.
    buffers: BTreeMap<String, u64>,
    end: u64,
    stats: Stats,
}

/// Words in hex; `*n` repeats one.
fn words(lines: &str) -> Vec<u32> {
    let each = lines.split_whitespace().flat_map(|word| {
        let (word, count) = word.split_once('*').unwrap_or((word, "1"));
        let word = u32::from_str_radix(word, 16).unwrap();
        std::iter::repeat_n(word, count.parse().unwrap())
    });
    each.collect()
}

/// Registers whose values a NOP after them relocates.
fn is_address(register: u32) -> bool {
    let last = |first: u32, count: u32| first..first + 4 * count;
    last(0x4e28, 4).contains(&register)
        || last(0x4540, 16).contains(&register)
        || [0x4f20, 0x4e80, 0x4f5c].contains(&register)
}

/// Adds the bases of buffers to the addresses of a stream, as the kernel does: a NOP after a packet names the buffer. After
/// a pitch it tells about tiles, which the words have already.
fn relocate(words: &mut [u32], bases: &[u64]) {
    let (mut at, mut addresses) = (0, Vec::new());
    while at < words.len() {
        let word = words[at];
        match (word >> 30, word >> 8 & 0xff) {
            (3, 0x10) if !addresses.is_empty() => {
                let base = bases[words[at + 1] as usize / 4] as u32;
                words[addresses.remove(0)] += base;
            }
            (3, 0x10) => {}
            (3, 0x2f) => {
                // A pair of arrays is three dwords: both formats, then both addresses.
                let arrays = words[at + 1] as usize & 31;
                addresses = (0..arrays).map(|n| at + 3 + n / 2 * 3 + n % 2).collect();
            }
            (3, 0x33) => addresses = vec![at + 2],
            (0, _) if is_address(4 * (word & 0x1fff)) => addresses = vec![at + 1],
            _ => addresses.clear(),
        }
        at += 1 + radeon::packets::payload_words(word) as usize;
    }
}

impl Replay {
    fn new(threads: usize) -> Replay {
        let memory = Memory::new(4 << 20);
        let start = Start {
            threads: Some(threads),
            ..Start::default()
        };
        Replay {
            chip: R5xx::new(memory.clone(), start),
            memory,
            buffers: BTreeMap::new(),
            end: BUFFERS,
            stats: Stats::default(),
        }
    }

    fn put(&self, at: u64, words: &[u32]) {
        for (n, word) in (0..).zip(words) {
            self.memory.store(at + 4 * n, *word).unwrap();
        }
    }

    /// Runs all of a dump; the base of the buffer that holds its picture.
    fn run(&mut self, text: &str) -> u64 {
        let mut picture = "";
        let mut lines = text.lines().peekable();
        while let Some(line) = lines.next() {
            let mut columns = line.split(' ');
            let (what, names) = (columns.next().unwrap(), columns.collect::<Vec<_>>());
            let mut data = String::new();
            let is_data =
                |line: &&str| line.as_bytes()[0].is_ascii_hexdigit() && !line.starts_with("buffer");
            while let Some(line) = lines.next_if(is_data) {
                data = data + line + " ";
            }
            match what {
                "picture" => picture = names[0],
                "buffer" => {
                    self.buffers.insert(names[0].to_owned(), self.end);
                    self.end += names[1].parse::<u64>().unwrap().next_multiple_of(4096);
                }
                "load" => self.put(self.buffers[names[0]], &words(&data)),
                "run" => {
                    let bases: Vec<u64> = names.iter().map(|name| self.buffers[*name]).collect();
                    let mut stream = words(&data);
                    relocate(&mut stream, &bases);
                    self.put(STREAM, &stream);
                    let range = Addr(STREAM)..Addr(STREAM + 4 * stream.len() as u64);
                    self.stats = self.stats.plus(self.chip.execute(range).unwrap());
                }
                other => panic!("{other}"),
            }
        }
        self.buffers[picture]
    }

    /// A colour buffer as it lies on the screen: red, green, blue, alpha.
    fn picture(&self, base: u64) -> Vec<[u8; 4]> {
        let tiling = Tiling {
            macro_tiled: true,
            micro: Micro::Tiled,
        };
        let surface = Surface::new(tiling, 4, [SIZE, SIZE], 1).unwrap();
        let pixel = |n: u32| {
            let at = surface.offset(n % SIZE, n / SIZE, 0, 0);
            let [blue, green, red, alpha] = self.memory.load(base + at).unwrap().to_le_bytes();
            [red, green, blue, alpha]
        };
        (0..SIZE * SIZE).map(pixel).collect()
    }
}

fn draw(program: &Program, threads: usize) -> (Vec<[u8; 4]>, Stats) {
    let mut replay = Replay::new(threads);
    let base = replay.run(program.streams);
    (replay.picture(base), replay.stats)
}

fn hash(pixels: &[[u8; 4]]) -> u64 {
    let bytes = pixels.as_flattened().iter();
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
    })
}

fn softpipe(program: &Program) -> Vec<[u8; 4]> {
    let picture = image::load_from_memory(program.softpipe)
        .unwrap()
        .into_rgba8();
    picture.pixels().map(|pixel| pixel.0).collect()
}

/// Pixels that differ by more than 3, and the largest difference.
fn difference(own: &[[u8; 4]], other: &[[u8; 4]]) -> (usize, i32) {
    let distance = |(a, b): (&[u8; 4], &[u8; 4])| {
        let each = a
            .iter()
            .zip(b)
            .map(|(a, b)| (i32::from(*a) - i32::from(*b)).abs());
        each.max().unwrap()
    };
    let all: Vec<i32> = own.iter().zip(other).map(distance).collect();
    let far = all.iter().filter(|distance| **distance > 3).count();
    (far, all.into_iter().max().unwrap())
}

#[test]
fn the_pictures_are_those_of_softpipe() {
    // Pictures side by side, for the eye: GIRIH_PICTURES names a folder.
    let folder = std::env::var_os("GIRIH_PICTURES").map(std::path::PathBuf::from);
    let mut wrong = Vec::new();
    for program in PROGRAMS {
        let (own, other) = (draw(program, 1).0, softpipe(program));
        if let Some(folder) = &folder {
            let bytes = own.as_flattened().to_vec();
            let picture = image::RgbaImage::from_raw(SIZE, SIZE, bytes).unwrap();
            picture
                .save(folder.join(program.name).with_extension("png"))
                .unwrap();
        }
        let found = (hash(&own), difference(&own, &other));
        if found != (program.hash, program.differs) {
            wrong.push(format!(
                "{:?} {:#018x} {:?};",
                program.name, found.0, found.1
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn threads_change_nothing() {
    for program in PROGRAMS {
        let ((one, stats), (three, other)) = (draw(program, 1), draw(program, 3));
        assert!(one == three, "{}", program.name);
        assert_eq!(stats, other, "{}", program.name);
    }
}
