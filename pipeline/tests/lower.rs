//! Every shader of the corpus lowers to SSA that keeps the rules, before and after the passes.
#![allow(clippy::unwrap_used)]

use pipeline::ir::{parse, print, verify};
use pipeline::lower::{Overrides, lower};
use pipeline::wgsl::{self, Source};

#[test]
fn corpus_lowers() {
    let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/shaders");
    let mut paths: Vec<_> = std::fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "wgsl"))
        .collect();
    paths.sort();
    let mut wrong = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let checked = match wgsl::parse(Source::Wgsl(&text)) {
            Ok(checked) => checked,
            Err(error) => {
                wrong.push(format!("{name}: {error}"));
                continue;
            }
        };
        for (entry, _) in checked.entry_points() {
            let mut function = match lower(&checked, Some(entry), None, &Overrides::new()) {
                Ok(function) => function,
                Err(error) => {
                    wrong.push(format!("{name} {entry}: {error}"));
                    continue;
                }
            };
            for stage in ["lowered", "optimised"] {
                let text = print(&function);
                if let Err(error) = verify(&function) {
                    wrong.push(format!("{name} {entry} {stage}: {error}\n{text}"));
                }
                assert_eq!(print(&parse(&text).unwrap()), text, "{name} {entry}");
                if let Ok(wanted) = std::env::var("PRINT")
                    && name.contains(&wanted)
                {
                    println!("{stage}\n{text}");
                }
                pipeline::passes::run(&mut function);
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
