//! Shaders of every language with bytes, words and lines changed: each is refused by a rule or compiled for every
//! device. None panics, nothing is printed, and memory stays small.
//!
//! `GIRIH_FUZZ_CASES` sets the number of shaders, `GIRIH_FUZZ_FIRST` the first one; `GIRIH_FUZZ_SHOW` prints them;
//! `GIRIH_FUZZ_LANGUAGE=SPIR-V` leaves out those in others.
#![allow(clippy::unwrap_used)]

mod corpus;
mod direct;

use std::cell::Cell;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};

use direct::Random;
use pipeline::codegen::{CompileError, Options};
use pipeline::ir::Stage;
use pipeline::lower::Overrides;
use pipeline::passes::lowered;
use pipeline::targets::TARGETS;
use pipeline::wgsl::{Source, parse};

/// Shaders in a run without the variable: less than a minute of one core.
const CASES: u32 = 40_000;

/// Bytes that no shader makes the compiler take, seeds and all.
const MEMORY: u64 = 512 << 20;

/// Case `n` is in language `n % 3`.
const LANGUAGES: [&str; 3] = ["WGSL", "GLSL", "SPIR-V"];

/// A shader to start from.
enum Seed {
    Wgsl(String),
    Glsl(String, Stage),
    Spirv(Vec<u32>),
}

fn seeds() -> Vec<Vec<Seed>> {
    let mut texts: Vec<String> = corpus::shaders()
        .into_iter()
        .map(|(_, text)| text)
        .collect();
    let mut glsl = Vec::new();
    let mut spirv = Vec::new();
    let root = env!("CARGO_MANIFEST_DIR");
    let folders = [
        "../assets/shaders",
        "tests/spirv",
        "tests/spirv/cases",
        "tests/spirv/geometry",
        "tests/glsl",
    ];
    for folder in folders {
        // Sources there are of glslang's dialect.
        let words_alone = folder.ends_with("cases");
        let mut paths: Vec<_> = std::fs::read_dir(format!("{root}/{folder}"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        paths.sort();
        for path in paths {
            let text = || std::fs::read_to_string(&path).unwrap();
            match path.extension().and_then(|extension| extension.to_str()) {
                Some("wgsl") => texts.push(text()),
                Some("vert" | "frag") if words_alone => {}
                Some("vert") => glsl.push(Seed::Glsl(text(), Stage::Vertex)),
                Some("frag") => glsl.push(Seed::Glsl(text(), Stage::Fragment)),
                Some("spv") => {
                    let bytes = std::fs::read(&path).unwrap();
                    let words = bytes.chunks_exact(4);
                    let word = |c: &[u8]| u32::from_le_bytes(c.try_into().unwrap());
                    spirv.push(Seed::Spirv(words.map(word).collect()));
                }
                _ => {}
            }
        }
    }
    assert!(glsl.len() >= 10 && spirv.len() >= 10);
    vec![texts.into_iter().map(Seed::Wgsl).collect(), glsl, spirv]
}

/// Words that mean something somewhere in the languages.
const WORDS: [&str; 40] = [
    "0",
    "1",
    "-1",
    "4294967295",
    "1e38",
    "0x7fffffff",
    "f32",
    "vec4f",
    "mat2x2f",
    "u32",
    "bool",
    "f16",
    "array<f32, 9>",
    "loop {",
    "break;",
    "continue;",
    "return;",
    "discard;",
    "if",
    "else",
    "[",
    "]",
    "(",
    ")",
    "{",
    "}",
    ".x",
    ".xyzw",
    "+",
    "/",
    "<<",
    "%",
    "&",
    "ptr<function, f32>",
    "@location(7)",
    "layout(location = 3)",
    "in",
    "out",
    "const",
    "switch",
];

fn below(random: &mut Random, count: usize) -> usize {
    random.next() as usize % count.max(1)
}

/// Words, numbers and single characters.
fn parts(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut found: Vec<std::ops::Range<usize>> = Vec::new();
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        let joins = |c: char| c.is_alphanumeric() || c == '_';
        let end = at + c.len_utf8();
        match found.last_mut() {
            Some(last) if joins(c) && joins(before) => last.end = end,
            _ if c.is_whitespace() => {}
            _ => found.push(at..end),
        }
        before = c;
    }
    found
}

/// Names, numbers, and each character for itself.
fn class(part: &str) -> char {
    match part.chars().next() {
        Some(c) if c.is_ascii_digit() => '0',
        Some(c) if c.is_alphabetic() || c == '_' => 'a',
        Some('+' | '-' | '*' | '/' | '%' | '<' | '>' | '&' | '|' | '^') => '+',
        c => c.unwrap_or(' '),
    }
}

/// One of the parts that are of a class.
fn of_class(text: &str, kind: char, random: &mut Random) -> Option<String> {
    let found: Vec<_> = parts(text)
        .into_iter()
        .filter(|part| class(&text[part.clone()]) == kind)
        .collect();
    let part = found.get(below(random, found.len()))?;
    Some(text[part.clone()].to_owned())
}

fn change_text(text: &mut String, other: &str, random: &mut Random) {
    let here = parts(text);
    if here.is_empty() {
        return;
    }
    let at = here[below(random, here.len())].clone();
    let to = here[below(random, here.len())].clone();
    let kind = class(&text[at.clone()]);
    match below(random, 16) {
        // A word becomes another one of the text, of another text, or any.
        0..=5 => {
            if let Some(word) = of_class(text, kind, random) {
                text.replace_range(at, &word);
            }
        }
        6..=8 => {
            if let Some(word) = of_class(other, kind, random) {
                text.replace_range(at, &word);
            }
        }
        9 => {
            let word = text[to].to_owned();
            text.replace_range(at, &word);
        }
        10 => text.replace_range(at, WORDS[below(random, WORDS.len())]),
        11 => text.insert_str(at.start, WORDS[below(random, WORDS.len())]),
        12 => text.replace_range(at, ""),
        // A stretch is gone, twice there, or many times there.
        13 => text.replace_range(at.start.min(to.start)..at.end.max(to.end), ""),
        14 => {
            let lines: Vec<&str> = text.lines().collect();
            let line = lines[below(random, lines.len())].to_owned() + "\n";
            let ends: Vec<usize> = text.match_indices('\n').map(|(end, _)| end + 1).collect();
            let end = ends.get(below(random, ends.len())).copied();
            text.insert_str(end.unwrap_or(at.start), &line);
        }
        _ => {
            let near = text[at.start..].char_indices().map(|(i, _)| at.start + i);
            let end = near.take(1 + below(random, 12)).last().unwrap_or(at.start);
            let part = text[at.start..end].repeat(1 + below(random, 600));
            text.insert_str(at.start, &part);
        }
    }
}

/// Where the instructions begin.
fn starts(words: &[u32]) -> Vec<usize> {
    let mut found = Vec::new();
    let mut at = 5;
    while let Some(&first) = words.get(at)
        && first >> 16 > 0
    {
        found.push(at);
        at += (first >> 16) as usize;
    }
    found
}

fn change_words(words: &mut Vec<u32>, random: &mut Random) {
    let at = below(random, words.len());
    let to = below(random, words.len());
    let starts = starts(words);
    if starts.is_empty() {
        return;
    }
    let from = starts[below(random, starts.len())];
    let length = (words[from] >> 16) as usize;
    match below(random, 12) {
        0 => words[at] = random.next(),
        1 => words[at] ^= 1 << (random.next() & 31),
        2 => words[at] = random.next() % 64,
        3 => words[at] = words[to],
        // An operand becomes that of another instruction of the same kind.
        4..=8 => {
            let same: Vec<usize> = starts
                .into_iter()
                .filter(|s| words[*s] == words[from])
                .collect();
            let other = same[below(random, same.len())];
            let operand = 1 + below(random, length - 1);
            if let Some(&value) = words.get(other + operand)
                && let Some(word) = words.get_mut(from + operand)
            {
                *word = value;
            }
        }
        // An instruction stands twice, or not at all.
        9 | 10 => {
            let end = (from + length).min(words.len());
            let inst = words[from..end].to_vec();
            let to = starts[below(random, starts.len())];
            match random.next() & 1 {
                0 => drop(words.splice(to..to, inst)),
                _ => drop(words.drain(from..end)),
            }
        }
        _ => words.truncate(at.max(5)),
    }
}

/// Whether every case is shown.
fn shown() -> bool {
    std::env::var_os("GIRIH_FUZZ_SHOW").is_some()
}

/// What came of a shader: a rule, or compiled.
fn compile(source: Source<'_>) -> Vec<String> {
    if shown() {
        match source {
            Source::Wgsl(text) | Source::Glsl { text, .. } => println!("{text}"),
            other => println!("{other:x?}"),
        }
    }
    let own = matches!(source, Source::Spirv(_));
    let checked = match parse(source) {
        Ok(checked) => checked,
        Err(error) => {
            // naga may give up; our own reader never does.
            assert!(!own || error.rule() != "shader-front-end", "{error}");
            return vec![error.rule().to_owned()];
        }
    };
    let mut found = Vec::new();
    let entries: Vec<_> = checked.entry_points().collect();
    for (entry, stage) in entries {
        let function = match lowered(&checked, Some(entry), stage, &Overrides::new()) {
            Ok(function) => function,
            Err(error) => {
                assert_ne!(error.rule(), "shader-compiler", "{error}");
                found.push(error.rule().to_owned());
                continue;
            }
        };
        for target in TARGETS {
            found.push(match (target.compile)(&function, &Options::default()) {
                Ok(binary) => {
                    assert!(!binary.words.is_empty());
                    "compiled".to_owned()
                }
                Err(CompileError::Shader(error)) => {
                    assert_ne!(error.rule(), "shader-compiler", "{error}");
                    error.rule().to_owned()
                }
                Err(_) => format!("refused by {}", target.info.name),
            });
        }
    }
    found
}

/// The most bytes that the process has held, where the system says so.
fn peak_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let mut lines = status.lines();
    let peak = lines.find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = peak.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kilobytes << 10)
}

thread_local! {
    /// Panics of this thread that a hook heard: what would have been printed.
    static HEARD: Cell<u32> = const { Cell::new(0) };
}

/// Compiles a shader that is made from two others.
fn mutated(changes: usize, [seed, other]: [&Seed; 2], random: &mut Random) -> Vec<String> {
    match (seed, other) {
        (Seed::Wgsl(text), Seed::Wgsl(other)) => {
            let mut text = text.clone();
            (0..changes).for_each(|_| change_text(&mut text, other, random));
            compile(Source::Wgsl(&text))
        }
        (Seed::Glsl(text, stage), Seed::Glsl(other, _)) => {
            let (mut text, stage) = (text.clone(), *stage);
            (0..changes).for_each(|_| change_text(&mut text, other, random));
            compile(Source::Glsl { text: &text, stage })
        }
        (Seed::Spirv(words), _) => {
            let mut words = words.clone();
            (0..changes).for_each(|_| change_words(&mut words, random));
            compile(Source::Spirv(&words))
        }
        _ => unreachable!("seeds of one language"),
    }
}

/// What came of some cases: by language and rule, and those that failed.
#[derive(Default)]
struct Outcome {
    counts: BTreeMap<(usize, String), u32>,
    failed: Vec<u32>,
}

impl Outcome {
    /// Runs a case. Each stands for itself, so one that fails can be run alone.
    fn run(&mut self, case: u32, seeds: &[Vec<Seed>]) {
        let mut random = Random(u64::from(case).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let language = case as usize % 3;
        let all = &seeds[language];
        let changes = 1 + below(&mut random, 8) / 3;
        let two = [(); 2].map(|()| &all[below(&mut random, all.len())]);
        let run = catch_unwind(AssertUnwindSafe(|| mutated(changes, two, &mut random)));
        if HEARD.take() > 0 || run.is_err() {
            println!("GIRIH_FUZZ_FIRST={case} GIRIH_FUZZ_CASES=1");
            self.failed.push(case);
        }
        for rule in run.unwrap_or_default() {
            *self.counts.entry((language, rule)).or_default() += 1;
        }
    }

    fn add(&mut self, other: Outcome) {
        for (key, count) in other.counts {
            *self.counts.entry(key).or_default() += count;
        }
        self.failed.extend(other.failed);
    }
}

#[test]
fn no_shader_panics() {
    let cases = std::env::var("GIRIH_FUZZ_CASES");
    let cases = cases.map_or(CASES, |text| text.parse().unwrap());
    let first = std::env::var("GIRIH_FUZZ_FIRST").map_or(0, |text| text.parse().unwrap());
    let only = std::env::var("GIRIH_FUZZ_LANGUAGE").ok();
    let only = only.map(|text| LANGUAGES.iter().position(|name| *name == text).unwrap());
    let print = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        HEARD.set(HEARD.get() + 1);
        print(info);
    }));
    let seeds = seeds();
    let next = AtomicU32::new(0);
    // Each thread takes the next case that none has.
    let some = || {
        let mut outcome = Outcome::default();
        loop {
            let case = next.fetch_add(1, Ordering::Relaxed);
            if case >= cases {
                return outcome;
            }
            let case = first + case;
            if only.is_none_or(|only| only == case as usize % 3) {
                outcome.run(case, &seeds);
            }
        }
    };
    let mut all = Outcome::default();
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, |count| count.get());
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(some)).collect();
        for thread in threads {
            all.add(thread.join().unwrap());
        }
    });
    let Outcome { counts, mut failed } = all;
    failed.sort_unstable();
    for ((language, rule), count) in &counts {
        println!("{}: {count} {rule}", LANGUAGES[*language]);
    }
    assert_eq!(failed, [0; 0]);
    if let Some(peak) = peak_bytes() {
        println!("at most {} MB", peak >> 20);
        assert!(peak < MEMORY, "{peak} bytes");
    }
    if cases >= CASES && only.is_none() {
        for language in 0..3 {
            for rule in ["compiled", "shader-invalid"] {
                let key = (language, rule.to_owned());
                assert!(counts.contains_key(&key) || language == 2, "{key:?}");
            }
        }
    }
}
