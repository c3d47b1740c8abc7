//! What the compiler makes of every shader of the corpus, per target: the listing, and the counts that tell whether
//! the code got longer. A change shows up as a snapshot to be reviewed (`cargo insta review`, or `INSTA_UPDATE=always`).
#![allow(clippy::unwrap_used)]

use std::fmt::Write;

use pipeline::codegen::Options;
use pipeline::lower::{Overrides, lower};
use pipeline::names::Name;
use pipeline::passes;
use pipeline::targets::TARGETS;
use pipeline::wgsl::{Source, parse};

#[test]
fn listings() {
    insta::glob!("shaders/*.wgsl", |path| {
        let text = std::fs::read_to_string(path).unwrap();
        let module = parse(Source::Wgsl(&text)).unwrap();
        for target in TARGETS {
            let mut listings = String::new();
            let mut stats = String::new();
            for (entry, stage) in module.entry_points() {
                let mut function =
                    lower(&module, Some(entry), stage, &Overrides::default()).unwrap();
                passes::run(&mut function);
                let binary = match (target.compile)(&function, &Options::default()) {
                    Ok(binary) => binary,
                    // What the chip lacks is part of the picture.
                    Err(error) => {
                        writeln!(listings, "{entry}: {error}").unwrap();
                        continue;
                    }
                };
                writeln!(listings, "{entry}:\n{}", binary.listing()).unwrap();
                writeln!(stats, "{entry}:\n{}", binary.stats).unwrap();

                // The listing is the program: it assembles to the words that run.
                let stage = binary.stage.name();
                let assembled = target
                    .tools
                    .assemble(Some(&stage), &binary.listing())
                    .unwrap();
                assert_eq!(
                    assembled.concat(),
                    binary.words,
                    "{entry} for {}",
                    target.info.name
                );
            }
            insta::assert_snapshot!(target.info.name, format!("{stats}\n{listings}"));
        }
    });
}
